"""Serves lessons: pages, drawings, exports, classroom and jobs as routes, endpoints by Gradio. The only room that knows gradio."""

import tempfile

try:
    tempfile.gettempdir()
except (
    FileNotFoundError
):  # nothing can be written: Gradio only wants a name; whoever writes there finds out, and says so
    tempfile.tempdir = "/tmp"
