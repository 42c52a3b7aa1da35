"""Turns lessons into Gradio: pages, components, events, endpoints, exports. With app.py the only room that knows gradio."""
