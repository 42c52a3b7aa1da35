"""What the experiments show: one module each, from its result to pictures and a reading. No torch, no gradio."""

from lessons.attention.views import align, caveat, readers, shortcut, solved, steer, step, unordered

__all__ = ["align", "caveat", "readers", "shortcut", "solved", "steer", "step", "unordered"]
