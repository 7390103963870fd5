"""The tasks in applications, a module for each application."""

from evals.arena.tasks import (
    django_admin,
    gradio,
    jupyterlab,
    node_red,
    shop,
    spreadsheet,
    streamlit,
    tiddlywiki,
    wagtail,
)

__all__ = [
    "django_admin",
    "gradio",
    "jupyterlab",
    "node_red",
    "shop",
    "spreadsheet",
    "streamlit",
    "tiddlywiki",
    "wagtail",
]
