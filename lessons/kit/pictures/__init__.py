"""Pictures made from numbers and words. This package imports neither gradio nor torch."""
