"""`connect_sync`: from an endpoint to a blocking connection, within a deadline."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from cdp_typed.client.connect import connect
from cdp_typed.loop_thread import LOOP_THREAD
from cdp_typed.sync.client import SyncConnection
from cdp_typed.sync.loop_calls import awaited, wait

P = ParamSpec("P")
R = TypeVar("R")


def _with_parameters_of(opens: Callable[P, object]) -> Callable[[Callable[..., R]], Callable[P, R]]:
    """Give a function the parameters of `opens`, for type checkers and for `inspect.signature`."""

    def decorate(function: Callable[..., R]) -> Callable[P, R]:
        returned = inspect.signature(function).return_annotation
        signature = inspect.signature(opens).replace(return_annotation=returned)
        function.__signature__ = signature  # type: ignore[attr-defined]  # pyright: ignore[reportFunctionMemberAccess]
        return function

    return decorate


@_with_parameters_of(connect)
def connect_sync(*args: Any, **options: Any) -> SyncConnection:
    """Connect to a browser: `with connect_sync("http://127.0.0.1:9222") as browser:`, or close it yourself.

    Parameters and errors are those of `connect`; raises `CalledFromLoopThread` on the loop thread.
    """
    LOOP_THREAD.acquire()
    try:
        return SyncConnection(wait(awaited(connect(*args, **options))))
    except BaseException:
        LOOP_THREAD.release()
        raise
