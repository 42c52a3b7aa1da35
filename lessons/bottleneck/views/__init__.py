"""What the experiments show: one module each, from its result to pictures and a reading. No torch, no gradio."""

from lessons.bottleneck.views import (
    curve,
    depth,
    endtoend,
    forcing,
    inject,
    score,
    surgery,
    survive,
    translate,
)

__all__ = ["curve", "depth", "endtoend", "forcing", "inject", "score", "surgery", "survive", "translate"]
