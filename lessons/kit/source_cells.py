"""Code cells of a notebook: functions and methods of this source as they are, with their imports."""

import ast
import inspect
import textwrap
from collections.abc import Iterable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any


def source_cells(names: Iterable[str]) -> list[str]:
    """A cell with the imports, then one cell per name, such as "models.attention:Additive.forward".

    A method becomes a function whose first argument `self` is the model.
    """
    found = [find(name) for name in names]
    bodies = [textwrap.dedent(inspect.getsource(each)).strip() for _, each in found]
    defined = {each.__name__ for _, each in found}
    imports = {
        line
        for (module, _), body in zip(found, bodies, strict=True)
        for line in imports_of(module, body, defined)
    }
    return ["\n".join(sorted(imports, key=import_order)), *bodies]


def find(name: str) -> tuple[ModuleType, Any]:
    """The module of a name and the function, method or class that it names."""
    module_name, _, path = name.partition(":")
    module: ModuleType = import_module(module_name)
    found: Any = module
    for part in path.split("."):
        found = getattr(found, part)
    return module, found


def imports_of(module: ModuleType, source: str, defined: set[str]) -> Iterator[str]:
    """The import lines for the names of a module that a piece of its source uses."""
    lines = dict(import_lines(module))
    used = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    for name in used - defined:
        if name in lines:
            yield lines[name]
        elif name in vars(module):
            yield f"from {module.__name__} import {name}"


def import_lines(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Each imported name of a module with a line that imports it alone."""
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                yield name, ast.unparse(replace_names(node, alias))


def replace_names(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> ast.stmt:
    if isinstance(node, ast.Import):
        return ast.Import([alias])
    return ast.ImportFrom(node.module, [alias], node.level)


def import_order(line: str) -> tuple[bool, bool, str]:
    """Our own modules last, `import` before `from`."""
    return " models" in line or " lessons" in line, line.startswith("from"), line
