"""Serve the lessons over HTTP. Only this package uses Gradio."""

import tempfile

try:
    tempfile.gettempdir()
except FileNotFoundError:
    # No folder is writable, but importing Gradio needs a path. Later writes raise their own errors.
    tempfile.tempdir = "/tmp"
