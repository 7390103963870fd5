"""A typed client for the Chrome DevTools Protocol.

    async with cdp_typed.connect("http://127.0.0.1:9222") as browser:
        async with browser.new_page() as tab:
            await tab.send(page.Navigate(url="https://example.com"))

The bindings live in `cdp_typed.protocol`, one module per domain. Importing this package alone loads neither the
bindings nor asyncio: each name is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cdp_typed._base import Command, Event
    from cdp_typed.client import Connection
    from cdp_typed.counters import Counters
    from cdp_typed.decode import SchemaDrift
    from cdp_typed.errors import (
        CDPError,
        CommandError,
        CommandTimeout,
        ConnectionLost,
        EndpointError,
        EventTimeout,
        InvalidParams,
        LaunchError,
        MessageTooBig,
        MethodNotFound,
        SchemaMismatch,
        SessionDetached,
        SessionNotFound,
        SubscriptionOverflow,
        TargetCrashed,
    )
    from cdp_typed.link import DEFAULT
    from cdp_typed.opening import connect
    from cdp_typed.protocol import PROTOCOL
    from cdp_typed.session import Session
    from cdp_typed.streams import EventStream, Expectation
    from cdp_typed.subscriptions import ALL, Subscription, UnknownEvent

__version__ = "0.1.0"

_HOMES = {
    "ALL": "subscriptions",
    "DEFAULT": "link",
    "PROTOCOL": "protocol",
    "CDPError": "errors",
    "Command": "_base",
    "CommandError": "errors",
    "CommandTimeout": "errors",
    "Connection": "client",
    "ConnectionLost": "errors",
    "Counters": "counters",
    "EndpointError": "errors",
    "Event": "_base",
    "EventStream": "streams",
    "EventTimeout": "errors",
    "Expectation": "streams",
    "InvalidParams": "errors",
    "LaunchError": "errors",
    "MessageTooBig": "errors",
    "MethodNotFound": "errors",
    "SchemaDrift": "decode",
    "SchemaMismatch": "errors",
    "Session": "session",
    "SessionDetached": "errors",
    "SessionNotFound": "errors",
    "Subscription": "subscriptions",
    "SubscriptionOverflow": "errors",
    "TargetCrashed": "errors",
    "UnknownEvent": "subscriptions",
    "connect": "opening",
}

__all__ = [
    "ALL",
    "DEFAULT",
    "PROTOCOL",
    "CDPError",
    "Command",
    "CommandError",
    "CommandTimeout",
    "Connection",
    "ConnectionLost",
    "Counters",
    "EndpointError",
    "Event",
    "EventStream",
    "EventTimeout",
    "Expectation",
    "InvalidParams",
    "LaunchError",
    "MessageTooBig",
    "MethodNotFound",
    "SchemaDrift",
    "SchemaMismatch",
    "Session",
    "SessionDetached",
    "SessionNotFound",
    "Subscription",
    "SubscriptionOverflow",
    "TargetCrashed",
    "UnknownEvent",
    "__version__",
    "connect",
]


if not TYPE_CHECKING:
    # Hidden from type checkers, which would take any misspelt name for one that is found here.
    def __getattr__(name: str) -> Any:
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module 'cdp_typed' has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f"cdp_typed.{home}"), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
