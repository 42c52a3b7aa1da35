"""Serve the lessons over HTTP. Only this package uses Gradio."""

import tempfile

try:
    tempfile.gettempdir()
except FileNotFoundError:
    # No folder is writable, but importing Gradio needs a name. Whatever writes there reports the error.
    tempfile.tempdir = "/tmp"
