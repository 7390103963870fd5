"""The tasks, a module for each kind of thing that people do."""

from evals.tasks.sheets import (
    components,
    controls,
    covers,
    dialogs,
    files,
    forms,
    frames,
    keyboard,
    libraries,
    lists,
    places,
    pointer,
    tabs,
)

__all__ = [
    "components",
    "controls",
    "covers",
    "dialogs",
    "files",
    "forms",
    "frames",
    "keyboard",
    "libraries",
    "lists",
    "places",
    "pointer",
    "tabs",
]
