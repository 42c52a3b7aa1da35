"""What the experiments show: one module each, from its result to pictures and a reading. No torch, no gradio."""

from lessons.bottleneck.views import curve, endtoend, forcing, inject, score, surgery, survive, translate

__all__ = ["curve", "endtoend", "forcing", "inject", "score", "surgery", "survive", "translate"]
