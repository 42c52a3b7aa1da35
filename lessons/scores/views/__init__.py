"""What the experiments show: one module each, from its result to pictures and a reading. No torch, no gradio."""

from lessons.scores.views import plane, same, scaling, sizes, trained

__all__ = ["plane", "same", "scaling", "sizes", "trained"]
