"""Types of values that are known only at run time: the only uses of `Any` in this package, with reasons."""

from collections.abc import Callable, Mapping
from typing import Any

Json = dict[str, Any]  # type: ignore[explicit-any]  # JSON without a schema: the reader of a key knows its type
Settings = Mapping[str, Any]  # type: ignore[explicit-any]  # fields of a configuration by name; they depend on the kind of model
Setting = Any  # type: ignore[explicit-any]  # one of these fields, as a keyword
AnyModel = Any  # type: ignore[explicit-any]  # a model whose kind a card or recipe names: only the caller knows the class
AnyConfig = Any  # type: ignore[explicit-any]  # its configuration
AnyTrace = Any  # type: ignore[explicit-any]  # a trace with `values`, of any kind of model
AutogradContext = Any  # type: ignore[explicit-any]  # torch creates a class for each autograd.Function
AnyFunction = Callable[..., object]  # type: ignore[explicit-any]  # a function of any signature, of which only the source is used
Node = Any  # type: ignore[explicit-any]  # what an ast.NodeTransformer returns for a node
