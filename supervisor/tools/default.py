"""The toolbox for those who do not make one: its endpoint is the task's own, or the environment's."""

from __future__ import annotations

from functools import cache

from .schemas import Form, Schema
from .toolbox import TASK, Toolbox


@cache
def _toolbox() -> Toolbox:
    return Toolbox()


def get_definitions(form: Form = "openai", task_id: str = TASK) -> list[Schema]:
    """See `Toolbox.definitions`."""
    return _toolbox().definitions(form, task_id)


def dispatch(name: str, args: object = None, task_id: str = TASK) -> str:
    """See `Toolbox.dispatch`."""
    return _toolbox().dispatch(name, args, task_id)


async def adispatch(name: str, args: object = None, task_id: str = TASK) -> str:
    """See `Toolbox.adispatch`."""
    return await _toolbox().adispatch(name, args, task_id)
