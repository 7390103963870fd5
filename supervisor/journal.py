"""Inputs of the core as plain JSON and back, so that what happened to a supervisor can be stepped through again.

A struct is `{"$": name, ...its fields}`, an exception `{"!": name, "!args": [...], ...}` with its attributes. A name is
a module and a class, `inputs.Connected` or `page.FrameTree`. Secrets are left out, as `cdp_typed.redaction` knows them.
"""

from __future__ import annotations

import builtins
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeGuard, TypeVar, cast

import msgspec
from msgspec import UNSET, Struct

from cdp_typed import conversions
from cdp_typed import errors as client_errors
from cdp_typed._base import Command
from cdp_typed.helpers.shared import emulation
from cdp_typed.helpers.shared.har import har_answers
from cdp_typed.protocol import fetch
from cdp_typed.protocol.registry import DOMAINS
from cdp_typed.redaction import REDACTED, Redaction
from cdp_typed.wire.json_text import is_array, is_object

from .config import Config
from .core.state.world import State
from .core.step import step
from .core.vocabulary import (
    bridge_protocol,
    command_tags,
    console_values,
    errors,
    inputs,
    requests,
    timers,
    url_rules,
    values,
)
from .core.vocabulary.command_tags import CallReply
from .core.vocabulary.effects import Effects
from .core.vocabulary.errors import InvalidConfig
from .core.vocabulary.inputs import CommandFailed, CommandSucceeded, EventReceived, Input
from .core.vocabulary.requests import CallRequested, LogIn, UnblockRequested

K = TypeVar("K")

FORMAT = 1
"""Of a flight recording. Raise it when a recorded class or field gets another name or meaning."""

_MODULES: Mapping[str, ModuleType] = {
    "inputs": inputs,
    "requests": requests,
    "command_tags": command_tags,
    "timers": timers,
    "values": values,
    "console_values": console_values,
    "url_rules": url_rules,
    "emulation_values": emulation,
    "har_answers": har_answers,
    "client_errors": client_errors,
    "errors": errors,
    "builtins": builtins,
}
"""The modules of recorded classes, besides the domains of the protocol."""

_PREFIXES: Mapping[str, str] = {module.__name__: prefix for prefix, module in _MODULES.items()} | {
    f"cdp_typed.protocol.{kind}.{domain}": domain
    for kind in ("_types", "_commands", "_events")
    for domain in DOMAINS.values()
}

TYPED = frozenset({"prompt_text", "user_input", "username", "password", "body_base64", "sent_text"})
"""The fields of inputs and of results of tools that hold typed texts."""

NOT_KEPT = frozenset({"cdp_url", "headers", "proxy", "ssl", "record_to", "record_screenshots", "record_secrets"}).union(
    {"record_screenshot_quality"}
)
"""The settings of the connection. They may be secret, and no step of the core depends on them."""


_PENDING = 1_000
"""Callers' commands whose replies may still come; some are never sent."""


class Journal:
    """Writes inputs, and any part of one, as plain JSON without secrets.

    `bridge_secret` is the one of the supervisor's dialog bridge, whose own requests keep what they say: it is not typed
    by anybody, and a replay needs it.
    """

    def __init__(self, redaction: Redaction, bridge_secret: str = "") -> None:
        self._redaction = redaction
        self._bridge_path = bridge_protocol.session_keys(bridge_secret, "").path if bridge_secret else None
        self._methods: dict[str, str] = {}

    def take(self, received: Input) -> Any:
        """An input; of a reply to a caller's command it is known which command that was."""
        if isinstance(received, CallRequested) and isinstance(received.work, Command):
            self._methods[received.call_id] = received.work.METHOD
            if len(self._methods) > _PENDING:
                del self._methods[next(iter(self._methods))]
        if isinstance(received, UnblockRequested) and isinstance(received.work, LogIn):
            self._redaction.hide(received.work.password)
        if isinstance(received, CommandSucceeded | CommandFailed) and isinstance(received.tag, CallReply):
            method = self._methods.pop(received.tag.call_id, None)
            if isinstance(received, CommandSucceeded):
                received = msgspec.structs.replace(received, result=self._redaction.result(method, received.result))
        return self.encode(received)

    def encode(self, value: Any) -> Any:
        """A value."""
        shown = self._redaction.value(value)
        if isinstance(value, EventReceived) and isinstance(value.event, fetch.RequestPaused):
            shown = msgspec.structs.replace(shown, event=self._with_dialog(shown.event, value.event))
        return self._plain(shown)

    def _with_dialog(self, shown: fetch.RequestPaused, event: fetch.RequestPaused) -> fetch.RequestPaused:
        """The event with its body, if the script of the bridge sent it."""
        if self._bridge_path is None or not event.request.url.endswith(self._bridge_path):
            return shown
        body = bridge_protocol.with_texts(event.request.post_data or "", self._redaction.text)
        request = msgspec.structs.replace(shown.request, post_data=body)
        return msgspec.structs.replace(shown, request=request)

    def _plain(self, value: Any) -> Any:
        if value is None or isinstance(value, str | bool | int | float):
            return value
        if isinstance(value, Struct):
            return {"$": _name_of(type(value)), **self._fields(msgspec.structs.asdict(value))}
        if isinstance(value, BaseException):
            arguments = [self._redaction.text(str(argument)) for argument in value.args]
            attributes = self._fields(self._redaction.value(value.__dict__))
            return {"!": _name_of(type(value)), "!args": arguments, **attributes}
        if isinstance(value, list | tuple | set | frozenset):
            members = cast("Collection[Any]", value)
            return {type(members).__name__: [self._plain(item) for item in members]}
        if _is_mapping(value):
            return {"{": {str(key): self._plain(item) for key, item in value.items()}}
        return f"<{type(value).__name__}>"

    def _fields(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        return {name: self._field(name, value) for name, value in fields.items() if value is not UNSET}

    def _field(self, name: str, value: Any) -> Any:
        is_hidden = name in TYPED and value and not self._redaction.keeps_secrets
        return REDACTED if is_hidden else self._plain(value)


def _name_of(kind: type) -> str:
    """Of an exception that the journal does not know, the name of the nearest class above it."""
    known = (one for one in kind.__mro__ if one.__module__ in _PREFIXES)
    named = next(known, kind) if issubclass(kind, BaseException) else kind
    return f"{_PREFIXES.get(named.__module__, named.__module__)}.{named.__qualname__}"


def _class_of(name: Any, base: type[K]) -> type[K]:
    kind = _find(str(name))
    if not (isinstance(kind, type) and issubclass(kind, base)):
        raise ValueError(f"{name!r} is unknown")
    return kind


@lru_cache(4096)
def _find(name: str) -> object:
    prefix, _, class_name = name.partition(".")
    module = _MODULES.get(prefix)
    if module is None and prefix in DOMAINS.values():
        module = import_module(f"cdp_typed.protocol.{prefix}")
    return getattr(module, class_name, None)


def encode(value: Any) -> Any:
    """Return an input, or any part of one, as plain JSON without secrets."""
    return Journal(Redaction()).encode(value)


def _is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    return isinstance(value, Mapping)


def decode(value: Any) -> Any:
    """The same back. Raises `ValueError` for what `encode` did not write."""
    if not is_object(value):
        return value
    kind, content = next(iter(value.items()), ("", None))
    if kind == "{" and is_object(content):
        return {key: decode(item) for key, item in content.items()}
    if kind in ("list", "tuple", "set", "frozenset") and is_array(content):
        return {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}[kind](map(decode, content))
    fields = {
        key: decode(item) if isinstance(item, dict) else item
        for key, item in value.items()
        if key not in ("$", "!", "!args")
    }
    if kind == "$":
        return _class_of(content, Struct)(**fields)
    if kind == "!":
        return _error(_class_of(content, Exception), value.get("!args", ()), fields)
    raise ValueError(f"nothing that a journal holds: {kind!r}")


def _error(kind: type[Exception], arguments: Iterable[str], attributes: Mapping[str, Any]) -> Exception:
    """Not by its constructor: what that was called with is not known."""
    error = kind.__new__(kind, *arguments)
    error.args = tuple(arguments)
    error.__dict__.update(attributes)
    return error


def settings(config: Config) -> dict[str, Any]:
    """Return the settings that the core depends on."""
    return {name: encode(getattr(config, name)) for name in config.__struct_fields__ if name not in NOT_KEPT}


class Beginning(Struct, frozen=True):
    """The first line: the settings of the supervisor, and the state that has seen nothing yet."""

    config: Config
    state: State
    version: str
    """Of the library that wrote the recording."""


class RecordedStep(Struct, frozen=True):
    """A recorded input, and the state and effects that the core derives from it."""

    received: Input
    now: float
    """Seconds since the epoch."""
    state: State
    effects: Effects


class FlightAnnotation(Struct, frozen=True):
    """A line that is about no input: a message on the wire, a picture, a tool's call."""

    entry: Mapping[str, Any]


LATEST = 1e11
"""No input is taken in after this time, in seconds since the epoch."""


def flight(path: str | Path) -> Iterator[Beginning | RecordedStep | FlightAnnotation]:
    """Read a flight recording line by line. To get a state, step the core through the lines.

    Raises `InvalidConfig` with the number of a line that is none of a flight recording.
    """
    state: State | None = None
    with Path(path).open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                entry = _read(line)
                made = _beginning(entry) if "settings" in entry else _taken_in(entry, state)
            except (InvalidConfig, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                raise InvalidConfig(
                    "recording", f"{Path(path).name}:{number}", f"a line of a flight recording ({error})"
                ) from None
            if not isinstance(made, FlightAnnotation):
                state = made.state
            yield made


def replay(path: str | Path) -> Iterator[State]:
    """The states that a supervisor went through, from its flight recording; the last one is how it ended.

    Raises `InvalidConfig` with the number of a line that is none of a flight recording.
    """
    return (part.state for part in flight(path) if not isinstance(part, FlightAnnotation))


def _read(line: bytes) -> dict[str, Any]:
    try:
        entry = conversions.decode(line)
    except msgspec.MsgspecError:  # half of a character of two, say, which Python takes and gives back as it was
        entry = json.loads(line)
    if not is_object(entry):
        raise TypeError("not an object")
    return entry


def _beginning(entry: Mapping[str, Any]) -> Beginning:
    if entry.get("format") != FORMAT:
        raise ValueError(f"its format is {entry.get('format')}, and this version of cdp-typed reads format {FORMAT}")
    kept = {name: decode(value) for name, value in entry["settings"].items()}
    config = Config(cdp_url="recorded", **kept)
    return Beginning(config, config.beginning(entry["bridge"]), str(entry["version"]))


def _taken_in(entry: Mapping[str, Any], state: State | None) -> RecordedStep | FlightAnnotation:
    if "input" not in entry or state is None:
        return FlightAnnotation(entry)
    received, now = cast("Input", decode(entry["input"])), entry["at"]
    if not isinstance(now, int | float) or not 0 <= now <= LATEST:
        raise ValueError(f"'at' is no time: {now!r}")
    return RecordedStep(received, now, *step(state, received, now))
