"""What the experiments show: one module each, from its result to pictures and a reading. No torch, no gradio."""

from lessons.qkv.views import (
    advice,
    bank,
    between,
    blank,
    cost,
    cross,
    dynamic,
    general,
    heads,
    mask,
    matrices,
    order,
    parameters,
    swoop,
)

__all__ = [
    "advice",
    "bank",
    "between",
    "blank",
    "cost",
    "cross",
    "dynamic",
    "general",
    "heads",
    "mask",
    "matrices",
    "order",
    "parameters",
    "swoop",
]
