"""Code cells of a notebook: unchanged functions and methods of this project, with their imports."""

import ast
import inspect
import sys
import textwrap
from collections.abc import Iterable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

OUR_PACKAGES = ("lessons", "models")


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
    return [sort_imports(imports), *bodies]


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
    """Map each imported name of a module to an import line for this name alone."""
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                yield name, ast.unparse(replace_names(node, alias))


def replace_names(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> ast.stmt:
    if isinstance(node, ast.Import):
        return ast.Import([alias])
    return ast.ImportFrom(node.module, [alias], node.level)


def sort_imports(lines: Iterable[str]) -> str:
    """Import lines in three groups (standard library, packages, this project), one line per module."""
    groups: list[dict[str, list[str]]] = [{}, {}, {}]
    for line in sorted(lines, key=lambda line: (line.startswith("from"), line)):
        start, _, name = line.rpartition("import ")
        package = line.split()[1].partition(".")[0]
        group = 2 if package in OUR_PACKAGES else 0 if package in sys.stdlib_module_names else 1
        groups[group].setdefault(start or line, []).append(name)
    return "\n\n".join(
        "\n".join(
            f"{start}import {', '.join(sorted(names, key=name_order))}" if start.startswith("from") else start
            for start, names in group.items()
        )
        for group in groups
        if group
    )


def name_order(name: str) -> tuple[bool, bool, str]:
    """Constants first, then classes, then functions, as ruff sorts them."""
    return not name.isupper(), not name[0].isupper(), name
