"""What the experiments show: one module each, from its result to pictures and a reading. No torch, no gradio."""

from lessons.training.views import film, live, overfit, own, rate

__all__ = ["film", "live", "overfit", "own", "rate"]
