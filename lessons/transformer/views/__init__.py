"""What the experiments show: one module each, from its result to pictures and a reading. No torch, no gradio."""

from lessons.transformer.views import ablate, block, decode, heads, lm, norms, pointwise, scoreboard

__all__ = ["ablate", "block", "decode", "heads", "lm", "norms", "pointwise", "scoreboard"]
