"""Types of values whose shape is known only at run time. The only `Any` of this package stand here, each with its reason."""

from collections.abc import Callable, Mapping
from typing import Any

Json = dict[str, Any]  # type: ignore[explicit-any]  # JSON has no schema here: whoever reads a key knows its type
Settings = Mapping[str, Any]  # type: ignore[explicit-any]  # fields of a configuration by name: each kind of model has its own
Setting = Any  # type: ignore[explicit-any]  # one of them, as a keyword
AnyModel = Any  # type: ignore[explicit-any]  # a model whose kind a card or a recipe names: only the caller knows the class
AnyConfig = Any  # type: ignore[explicit-any]  # its configuration
AnyTrace = Any  # type: ignore[explicit-any]  # a trace with `values`, of whatever kind of model was run
AutogradContext = Any  # type: ignore[explicit-any]  # torch gives a class of its own to each autograd.Function
AnyFunction = Callable[..., object]  # type: ignore[explicit-any]  # of any signature: only its source is read
Node = Any  # type: ignore[explicit-any]  # what an ast.NodeTransformer puts in place of a node
