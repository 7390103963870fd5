"""The tasks in applications, a module for each application."""

from evals.arena.tasks import (
    django_admin,
    flask_admin,
    gradio,
    grids,
    jupyterlab,
    kits,
    node_red,
    shop,
    spreadsheet,
    streamlit,
    tiddlywiki,
    wagtail,
    whiteboard,
)

__all__ = [
    "django_admin",
    "flask_admin",
    "gradio",
    "grids",
    "jupyterlab",
    "kits",
    "node_red",
    "shop",
    "spreadsheet",
    "streamlit",
    "tiddlywiki",
    "wagtail",
    "whiteboard",
]
