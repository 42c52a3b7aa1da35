"""What the experiments show: one module each, from its result to pictures and a reading. No torch, no gradio."""

from lessons.recurrence.views import cell, edit, gates, gradient, memory, read, roles

__all__ = ["cell", "edit", "gates", "gradient", "memory", "read", "roles"]
