"""Types of values that are known only at run time: the only uses of `Any` in this package, with reasons."""

from collections.abc import Callable, Mapping
from typing import Any

# JSON without a schema: code that reads a key knows its type
Json = dict[str, Any]  # type: ignore[explicit-any]
# configuration fields by name; they depend on the kind of model
Settings = Mapping[str, Any]  # type: ignore[explicit-any]
# the value of one configuration field, passed as a keyword
Setting = Any  # type: ignore[explicit-any]
# a model whose class only the caller knows: its kind comes from a card or recipe
AnyModel = Any  # type: ignore[explicit-any]
# the configuration of such a model
AnyConfig = Any  # type: ignore[explicit-any]
# a trace with `values`, of any kind of model
AnyTrace = Any  # type: ignore[explicit-any]
# torch creates a class for each autograd.Function
AutogradContext = Any  # type: ignore[explicit-any]
# a function with any signature; only its source is used
AnyFunction = Callable[..., object]  # type: ignore[explicit-any]
# what an ast.NodeTransformer returns for a node
Node = Any  # type: ignore[explicit-any]
