"""What the experiments show: one module each, from its result to pictures and a reading. No torch, no gradio."""

from lessons.decoding.views import beam, filters, gallery, histogram, loop, sample

__all__ = ["beam", "filters", "gallery", "histogram", "loop", "sample"]
