"""Turns lessons into Gradio: pages, components, events, endpoints, exports. With app.py the only room that knows gradio."""

import tempfile

try:
    tempfile.gettempdir()
except FileNotFoundError:  # nothing can be written: Gradio only wants a name; whoever writes there finds out, and says so
    tempfile.tempdir = "/tmp"
