"""Extract statements from the source of functions, without taps and with known values filled in.

models/export_script.py builds the exported scripts from these statements.
"""

import ast
import inspect
import io
import textwrap
import tokenize
from collections.abc import Mapping

from models.dynamic_types import AnyFunction, Node

Substitutions = Mapping[str, object]  # expression in the source → its replacement; None drops the argument
Helpers = Mapping[str, AnyFunction]  # name of a called function → the one-expression function to inline
MAX_LINE_CHARS = 110


class Inliner(ast.NodeTransformer):
    """Remove taps, apply substitutions and inline helper functions."""

    def __init__(self, substitutions: Substitutions, helpers: Helpers):
        self.substitutions, self.helpers = substitutions, helpers
        self.dropped = [expression for expression, value in substitutions.items() if value is None]

    def visit(self, node: ast.AST) -> Node:
        if isinstance(node, ast.expr) and (text := ast.unparse(node)) in self.substitutions:
            return ast.parse(str(self.substitutions[text]), mode="eval").body
        return super().visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        function = ast.unparse(node.func)
        if function == "tap":
            return self.visit(node.args[1])
        arguments: list[ast.expr] = []
        for arg in node.args:
            if ast.unparse(arg) != "tap" and not ast.unparse(arg).startswith("tap.inside("):
                new = self.visit(arg)
                is_unpacked = isinstance(arg, ast.Starred) and isinstance(new, ast.Tuple)
                arguments += new.elts if is_unpacked else [new]
        if function in self.helpers:
            return self.inline(self.helpers[function], arguments)
        node.args, node.func = arguments, self.visit(node.func)
        keywords = [keyword for keyword in node.keywords if ast.unparse(keyword.value) not in self.dropped]
        node.keywords = [self.visit(keyword) for keyword in keywords]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return node.left if ast.unparse(node).endswith(" * 1.0") else node

    def inline(self, function: AnyFunction, arguments: list[ast.expr]) -> Node:
        """The expression that the function returns, with these arguments filled in."""
        names, [statement], _ = parse_function(function)
        assert isinstance(statement, ast.Return)
        assert statement.value is not None
        parameters = (name for name in names if name != "self")
        values = dict(zip(parameters, map(ast.unparse, arguments), strict=False))
        return Inliner({**self.substitutions, **values}, self.helpers).visit(statement.value)


def parse_function(function: AnyFunction) -> tuple[list[str], list[ast.stmt], dict[int, str]]:
    """Parse a function into its parameters, its statements, and the comment at the end of each line."""
    source = textwrap.dedent(inspect.getsource(function))
    [tree] = ast.parse(source).body
    assert isinstance(tree, ast.FunctionDef)
    body = tree.body[ast.get_docstring(tree) is not None :]
    if isinstance(body[0], ast.If) and ast.unparse(body[0].test) == "tap is UNTAPPED":
        body = body[0].body  # keep only the short branch that runs without taps
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = {token.start[0]: f"  {token.string}" for token in tokens if token.type == tokenize.COMMENT}
    return [argument.arg for argument in tree.args.args if argument.arg != "tap"], body, comments


def inline_source(
    function: AnyFunction,
    substitutions: Substitutions | None = None,
    helpers: Helpers | None = None,
    into: str = "return",
) -> list[str]:
    """The statements of a function, one per line. `into` replaces `return`; "" drops the return line."""
    _, body, comments = parse_function(function)
    lines = []
    for statement in body:
        if isinstance(statement, ast.Return) and not into:
            continue
        text = ast.unparse(Inliner(substitutions or {}, helpers or {}).visit(statement))
        if isinstance(statement, ast.Return):
            text = into + text.removeprefix("return")
        comment = comments.get(statement.end_lineno or 0, "")
        lines.append(text.replace("'", '"') + comment * (len(text + comment) <= MAX_LINE_CHARS))
    return lines
