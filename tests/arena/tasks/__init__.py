"""The tasks in applications, a module for each application."""

from tests.arena.tasks import gradio, streamlit

__all__ = ["gradio", "streamlit"]
