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
    from cdp_typed._base import UNSET, Command, Event, UnlistedValue
    from cdp_typed.addresses import EndpointKind, InsecureEndpointWarning
    from cdp_typed.client.connect import connect
    from cdp_typed.client.connection import Connection
    from cdp_typed.client.dispatcher import DEFAULT
    from cdp_typed.client.session import AutoAttach, Session, SetupFailure
    from cdp_typed.client.streams import EventStream, Expectation, Overflow
    from cdp_typed.client.subscriptions import ALL, Subscription, UnknownEvent
    from cdp_typed.errors import (
        CalledFromLoopThread,
        CalledFromOtherThread,
        CDPError,
        CommandError,
        CommandTimeout,
        ConnectionLost,
        ElementError,
        EndpointError,
        EventTimeout,
        InvalidParams,
        JavaScriptError,
        LaunchError,
        LoopThreadEnded,
        MessageTooBig,
        MethodNotFound,
        NavigationFailed,
        NavigationTimeout,
        NetworkBusy,
        NoEventLoop,
        NotABrowser,
        NotAllowed,
        RequestTimeout,
        SchemaMismatch,
        SessionDetached,
        SessionNotFound,
        SubscriptionOverflow,
        TargetCrashed,
        WrongType,
    )
    from cdp_typed.protocol import PROTOCOL
    from cdp_typed.recording.taps import Tap
    from cdp_typed.sync import (
        SyncAutoAttach,
        SyncConnection,
        SyncEventStream,
        SyncExpectation,
        SyncSession,
        SyncSubscription,
        SyncTap,
        connect_sync,
    )
    from cdp_typed.wire.base64_fields import base64_bytes, base64_text
    from cdp_typed.wire.counters import Counters
    from cdp_typed.wire.decoding import SchemaDrift

__version__ = "0.1.0"

_HOMES = {
    "ALL": "client.subscriptions",
    "DEFAULT": "client.dispatcher",
    "PROTOCOL": "protocol",
    "UNSET": "_base",
    "AutoAttach": "client.session",
    "CDPError": "errors",
    "CalledFromLoopThread": "errors",
    "CalledFromOtherThread": "errors",
    "Command": "_base",
    "CommandError": "errors",
    "CommandTimeout": "errors",
    "Connection": "client.connection",
    "ConnectionLost": "errors",
    "Counters": "wire.counters",
    "ElementError": "errors",
    "EndpointError": "errors",
    "EndpointKind": "addresses",
    "Event": "_base",
    "EventStream": "client.streams",
    "EventTimeout": "errors",
    "Expectation": "client.streams",
    "InsecureEndpointWarning": "addresses",
    "InvalidParams": "errors",
    "JavaScriptError": "errors",
    "LaunchError": "errors",
    "LoopThreadEnded": "errors",
    "MessageTooBig": "errors",
    "MethodNotFound": "errors",
    "NavigationFailed": "errors",
    "NavigationTimeout": "errors",
    "NetworkBusy": "errors",
    "NoEventLoop": "errors",
    "NotABrowser": "errors",
    "NotAllowed": "errors",
    "RequestTimeout": "errors",
    "Overflow": "client.streams",
    "SetupFailure": "client.session",
    "SchemaDrift": "wire.decoding",
    "SchemaMismatch": "errors",
    "Session": "client.session",
    "SessionDetached": "errors",
    "SessionNotFound": "errors",
    "Subscription": "client.subscriptions",
    "SubscriptionOverflow": "errors",
    "SyncAutoAttach": "sync",
    "SyncConnection": "sync",
    "SyncEventStream": "sync",
    "SyncExpectation": "sync",
    "SyncSession": "sync",
    "SyncSubscription": "sync",
    "SyncTap": "sync",
    "Tap": "recording.taps",
    "TargetCrashed": "errors",
    "UnknownEvent": "client.subscriptions",
    "UnlistedValue": "_base",
    "WrongType": "errors",
    "base64_bytes": "wire.base64_fields",
    "base64_text": "wire.base64_fields",
    "connect": "client.connect",
    "connect_sync": "sync",
}

_SUBMODULES = frozenset({"diff", "errors", "helpers", "launch", "mock", "protocol", "sync"})
"""Modules that are imported when they are first used as attributes: `cdp_typed.launch`."""

__all__ = [
    "ALL",
    "DEFAULT",
    "PROTOCOL",
    "UNSET",
    "AutoAttach",
    "CDPError",
    "CalledFromLoopThread",
    "CalledFromOtherThread",
    "Command",
    "CommandError",
    "CommandTimeout",
    "Connection",
    "ConnectionLost",
    "Counters",
    "ElementError",
    "EndpointError",
    "EndpointKind",
    "Event",
    "EventStream",
    "EventTimeout",
    "Expectation",
    "InsecureEndpointWarning",
    "InvalidParams",
    "JavaScriptError",
    "LaunchError",
    "LoopThreadEnded",
    "MessageTooBig",
    "MethodNotFound",
    "NavigationFailed",
    "NavigationTimeout",
    "NetworkBusy",
    "NoEventLoop",
    "NotABrowser",
    "NotAllowed",
    "Overflow",
    "RequestTimeout",
    "SchemaDrift",
    "SchemaMismatch",
    "Session",
    "SessionDetached",
    "SessionNotFound",
    "SetupFailure",
    "Subscription",
    "SubscriptionOverflow",
    "SyncAutoAttach",
    "SyncConnection",
    "SyncEventStream",
    "SyncExpectation",
    "SyncSession",
    "SyncSubscription",
    "SyncTap",
    "Tap",
    "TargetCrashed",
    "UnknownEvent",
    "UnlistedValue",
    "WrongType",
    "__version__",
    "base64_bytes",
    "base64_text",
    "connect",
    "connect_sync",
]


if not TYPE_CHECKING:  # pragma: no branch - always so at run time
    # Hidden from type checkers, which would take any misspelt name for one that is found here.
    def __getattr__(name: str) -> Any:
        home = _HOMES.get(name)
        if home is None:
            if name in _SUBMODULES:
                return import_module(f"cdp_typed.{name}")
            raise import_module("cdp_typed._lazy").unknown("cdp_typed", name, (*__all__, *_SUBMODULES))
        value = globals()[name] = getattr(import_module(f"cdp_typed.{home}"), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
