"""What the experiments show: one module each, from its result to pictures and a reading. No torch, no gradio."""

from lessons.training.views import film, live, overfit, rate

__all__ = ["film", "live", "overfit", "rate"]
