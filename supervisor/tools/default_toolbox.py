"""The toolbox for those who do not make one: endpoint and toolsets are the environment's."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache

from .framework.base_toolbox import TASK
from .framework.schemas import Form, Schema
from .framework.toolbox import Toolbox
from .framework.toolsets import DEFAULT

TOOLSETS = "CDP_TOOLSETS"
"""The variable that names the toolsets, separated by commas; without it the default one."""


def from_environment(environment: Mapping[str, str] = os.environ) -> Toolbox:
    """A toolbox with these toolsets. Its endpoint is that of the supervisor that runs for the task, or
    `CDP_SUPERVISOR_CDP_URL` at the time of the call. Raises `InvalidConfig` for a toolset that is none."""
    named = [name.strip() for name in environment.get(TOOLSETS, "").split(",")]
    return Toolbox(toolsets=[name for name in named if name] or DEFAULT)


_toolbox = cache(from_environment)


def get_definitions(form: Form = "openai", task_id: str = TASK) -> list[Schema]:
    """See `Toolbox.definitions`."""
    return _toolbox().definitions(form, task_id)


def dispatch(name: str, args: object = None, task_id: str = TASK) -> str:
    """See `Toolbox.dispatch`."""
    return _toolbox().dispatch(name, args, task_id)


async def adispatch(name: str, args: object = None, task_id: str = TASK) -> str:
    """See `Toolbox.adispatch`."""
    return await _toolbox().adispatch(name, args, task_id)
