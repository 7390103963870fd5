"""Refuses a tab of the other client: a blocking one in an async helper, or the reverse."""

from __future__ import annotations

import sys
from functools import wraps
from types import FunctionType
from typing import Any

from cdp_typed.client.channel import Channel

_ASYNC, _BLOCKING = "cdp_typed.helpers", "cdp_typed.helpers.blocking"


def for_its_client(value: Any, home: str) -> Any:
    """Return a public function of the module `home` with a check of its arguments, and anything else unchanged.

    The check comes before the function does anything. It raises `TypeError`, which says where the other form is.
    """
    if not isinstance(value, FunctionType):
        return value
    refused = _blocking if home == _ASYNC else _async

    @wraps(value)
    def checked(*args: Any, **options: Any) -> Any:
        for given in (*args, *options.values()):
            if refused(given):
                raise TypeError(_explained(value.__name__, home, given))
        return value(*args, **options)

    checked.__module__ = home  # where pickle finds it
    return checked


def _async(given: object) -> bool:
    return isinstance(given, Channel)


def _blocking(given: object) -> bool:
    client = sys.modules.get("cdp_typed.sync.client")  # without it, there is no object of it
    return client is not None and isinstance(given, client.SyncChannel)


def _explained(name: str, home: str, given: object) -> str:
    kind = type(given).__name__
    if home == _ASYNC:
        return f"this {name} is async, and {kind} is of the blocking client: from {_BLOCKING} import {name}"
    return f"this {name} is blocking, and {kind} is of the async client: from {_ASYNC} import {name}, and await it"
