"""Names of classes in a flight recording. They outlive the code: modules move and classes are renamed under them.

An input or a request is `call_requested`; a tag, timer, value or error has its kind in front (`tag.seed_tree`,
`error.call_timeout`); a class of the protocol is its public path (`page.FrameTree`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar

from msgspec import Struct

from cdp_typed import errors as client_errors
from cdp_typed.helpers.shared import emulation
from cdp_typed.helpers.shared.har import har_answers
from cdp_typed.protocol.registry import DOMAINS

from .core.vocabulary import command_tags, console_values, errors, inputs, requests, timers, url_rules, values

K = TypeVar("K")

_PREFIXES: tuple[tuple[ModuleType, str], ...] = (
    (inputs, ""),
    (requests, ""),
    (command_tags, "tag."),
    (timers, "timer."),
    (values, "value."),
    (console_values, "value."),
    (url_rules, "value."),
    (emulation, "value."),
    (har_answers, "value."),
    (client_errors, "error."),
    (errors, "error."),
)

_RENAMED: Mapping[type, str] = {
    client_errors.NavigationFailed: "error.page_not_loaded",
    inputs.CommandFailed: "refused",
    inputs.CommandSucceeded: "answered",
    inputs.ConnectFailed: "dial_failed",
    inputs.Connected: "link_up",
    inputs.Disconnected: "link_lost",
    inputs.UrlRulesAdded: "places_restricted",
    requests.NavigationRequested: "leave_requested",
    command_tags.BlankBeforeClose: "tag.left_before_close",
    command_tags.BridgeRemoved: "tag.bridge_taken_back",
    command_tags.BrowserAutoAttach: "tag.auto_attach",
    command_tags.BrowserIdentity: "tag.census",
    command_tags.ChildAutoAttach: "tag.seed_children",
    command_tags.DetachedDialogEnded: "tag.orphan_cleared",
    command_tags.DetachedDialogWorld: "tag.orphan_world",
    command_tags.FrameTreeReply: "tag.seed_tree",
    command_tags.LogEnabled: "tag.seed_console",
    command_tags.NavigationReply: "tag.leave_reply",
    command_tags.PageDisabled: "tag.watch_ended",
    timers.BlankBeforeCloseDeadline: "timer.leave_before_close_deadline",
    timers.DetachedDialogRetry: "timer.orphan_retry",
    timers.FrameTreeRetry: "timer.seed_retry",
    timers.NavigationDeadline: "timer.leave_deadline",
    timers.NavigationRetry: "timer.leave_retry",
    timers.RateLimitReset: "timer.storm_calm",
    timers.SetupDeadline: "timer.seed_deadline",
    url_rules.UrlRules: "value.places",
}
"""The names of classes that were called otherwise when they got them, or share their name with another."""

_RENAMED_FIELDS: Mapping[type, Mapping[str, str]] = {inputs.UrlRulesAdded: {"places": "url_rules"}}
"""The fields that older recordings call otherwise, by class: their name there, and their name now."""

_FORMER_PREFIXES: Mapping[str, str] = {
    "supervisor.core.inputs": "",
    "supervisor.core.wishes": "",
    "supervisor.core.tags": "tag.",
    "supervisor.core.timers": "timer.",
    "supervisor.core.values": "value.",
    "supervisor.core.places": "value.",
    "supervisor.core.errors": "error.",
    "cdp_typed.errors": "error.",
}
"""Recordings from before the names have `module:Class`; these are the modules of that time."""

_PROTOCOL = re.compile(r"cdp_typed\.protocol\._(?:types|commands|events)\.([a-z_]+)")
_FACADES = frozenset(DOMAINS.values())


def _is_recorded(value: object, module: ModuleType) -> bool:
    return isinstance(value, type) and value.__module__ == module.__name__ and issubclass(value, Struct | Exception)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _names() -> Iterator[tuple[str, type]]:
    for module, prefix in _PREFIXES:
        for kind in vars(module).values():
            if _is_recorded(kind, module):
                yield _RENAMED.get(kind, prefix + _snake(kind.__name__)), kind
    for kind in (Exception, OSError, RuntimeError, TypeError, ValueError):
        yield f"error.{_snake(kind.__name__)}", kind


_CLASSES: Mapping[str, type] = dict(_names())
_NAMES: Mapping[type, str] = {kind: name for name, kind in _CLASSES.items()}


def names() -> tuple[str, ...]:
    """Names for this library's classes and for Python's exceptions; a class of the protocol has one by its path."""
    return tuple(_CLASSES)


def name_of(kind: type) -> str:
    """Return the name of a class; of another exception, that of the nearest class above it.

    A command of private bindings has no name, and a recording with one is not read back.
    """
    for ancestor in kind.__mro__ if issubclass(kind, BaseException) else (kind,):
        if ancestor in _NAMES:
            return _NAMES[ancestor]
    protocol = _PROTOCOL.fullmatch(kind.__module__)
    return f"{protocol[1]}.{kind.__name__}" if protocol else f"{kind.__module__}:{kind.__qualname__}"


def class_of(name: Any, base: type[K]) -> type[K]:
    """The class with this name, or with the `module:Class` of an older recording.

    Raises `ValueError` where there is none, or one that is no `base`.
    """
    kind = _find(str(name))
    if not (isinstance(kind, type) and issubclass(kind, base)):
        raise ValueError(f"{name!r} is unknown")
    return kind


def current_fields(kind: type, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a recorded value of this class under their names of today."""
    renamed = _RENAMED_FIELDS.get(kind)
    if renamed is None:
        return fields
    return {renamed.get(name, name): value for name, value in fields.items()}


def _current(name: str) -> str:
    """The name for what an older recording calls `module:Class`."""
    module, colon, class_name = name.partition(":")
    if not colon:
        return name
    protocol = _PROTOCOL.fullmatch(module)
    if protocol is not None:
        return f"{protocol[1]}.{class_name}"
    return _FORMER_PREFIXES[module] + _snake(class_name) if module in _FORMER_PREFIXES else ""


@lru_cache(4096)
def _find(recorded: str) -> object:
    name = _current(recorded)
    domain, _, class_name = name.partition(".")
    if domain in _FACADES and name not in _CLASSES:
        return getattr(import_module(f"cdp_typed.protocol.{domain}"), class_name, None)
    return _CLASSES.get(name)
