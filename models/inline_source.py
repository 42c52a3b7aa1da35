"""Statements cut out of this package's own source, without taps and with what is known filled in: home.py makes files of them."""

import ast
import inspect
import io
import textwrap
import tokenize
from collections.abc import Mapping

from models.dynamic_types import AnyFunction, Node

Facts = Mapping[
    str, object
]  # an expression in the source → what stands for it; None: as if it were not given
Helpers = Mapping[
    str, AnyFunction
]  # a call in the source → the function, of one expression, that is put in its place
WIDEST = 110


class Bare(ast.NodeTransformer):
    """The same code as if nobody looked."""

    def __init__(self, facts: Facts, helpers: Helpers):
        self.facts, self.helpers = facts, helpers
        self.unsaid = [expression for expression, value in facts.items() if value is None]

    def visit(self, node: ast.AST) -> Node:
        if isinstance(node, ast.expr) and (text := ast.unparse(node)) in self.facts:
            return ast.parse(str(self.facts[text]), mode="eval").body
        return super().visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        called = ast.unparse(node.func)
        if called == "tap":
            return self.visit(node.args[1])
        given: list[ast.expr] = []
        for arg in node.args:
            if ast.unparse(arg) != "tap" and not ast.unparse(arg).startswith("tap.inside("):
                seen = self.visit(arg)
                given += seen.elts if isinstance(arg, ast.Starred) and isinstance(seen, ast.Tuple) else [seen]
        if called in self.helpers:
            return self.returned(self.helpers[called], given)
        node.args, node.func = given, self.visit(node.func)
        node.keywords = [
            self.visit(keyword) for keyword in node.keywords if ast.unparse(keyword.value) not in self.unsaid
        ]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return node.left if ast.unparse(node).endswith(" * 1.0") else node

    def returned(self, function: AnyFunction, given: list[ast.expr]) -> Node:
        names, [only], _ = parsed(function)
        assert isinstance(only, ast.Return)
        assert only.value is not None
        filled = dict(zip((name for name in names if name != "self"), map(ast.unparse, given), strict=False))
        return Bare({**self.facts, **filled}, self.helpers).visit(only.value)


def parsed(function: AnyFunction) -> tuple[list[str], list[ast.stmt], dict[int, str]]:
    """Its parameters, its statements, and the comment at the end of each line: shapes, mostly."""
    source = textwrap.dedent(inspect.getsource(function))
    [tree] = ast.parse(source).body
    assert isinstance(tree, ast.FunctionDef)
    body = tree.body[ast.get_docstring(tree) is not None :]
    if isinstance(body[0], ast.If) and ast.unparse(body[0].test) == "tap is UNTAPPED":
        body = body[0].body  # the same numbers in one call
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = {token.start[0]: f"  {token.string}" for token in tokens if token.type == tokenize.COMMENT}
    return [each.arg for each in tree.args.args if each.arg != "tap"], body, comments


def inline_source(
    function: AnyFunction, facts: Facts | None = None, helpers: Helpers | None = None, into: str = "return"
) -> list[str]:
    """The statements of a function, a line each. `into` stands in place of `return`; if it is empty, that line is left out."""
    _, body, comments = parsed(function)
    lines = []
    for statement in body:
        if isinstance(statement, ast.Return) and not into:
            continue
        text = ast.unparse(Bare(facts or {}, helpers or {}).visit(statement))
        if isinstance(statement, ast.Return):
            text = into + text.removeprefix("return")
        comment = comments.get(statement.end_lineno or 0, "")
        lines.append(text.replace("'", '"') + comment * (len(text + comment) <= WIDEST))
    return lines
