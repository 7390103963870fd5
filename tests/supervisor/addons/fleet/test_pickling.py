"""Everything that is said to a supervisor, or by it, survives being pickled."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Sequence
from typing import Any, cast

import pytest
from msgspec import Struct

import cdp_typed
import supervisor
from cdp_typed.protocol.registry import COMMANDS, EVENTS, command_class, event_class
from supervisor import DialogRule
from supervisor import tools as supervisor_tools
from supervisor.tools import CATALOGUE, Catalogue
from tests.supervisor.addons.fleet.filled import filled
from tests.support.every import every

STAYS = {
    "Command": "the base class of commands, which has no fields",
    "Event": "the base class of events, which has no fields",
    "SetupFailure": "has the target's session",
    "GateContext": "what a tool may use, where it runs",
    "Tool": "has the function that is called",
    "ToolContext": "what a tool may use, where it runs",
}
"""The reason why a public value is not sent."""

MADE_OF: dict[str, dict[str, Any]] = {
    "Config": {
        "cdp_url": "ws://user:word@127.0.0.1:9222/devtools/browser/1?token=2",
        "ssl": None,
        "scope": "tab",
        "context_proxy": "http://10.0.0.7:3128",
        "record_screenshot_quality": 80,
        "dialog_rules": (DialogRule(action="accept", type="prompt", prompt_text="x"),),
    },
    "DialogRule": {"action": "accept", "type": "prompt", "message": "sure"},
    "Policy": {
        "redact": ("[0-9]+",),
        "allow_origins": ("https://*.a.example",),
        "deny_origins": ("10.0.0.0/8",),
        "allow_methods": ("Page.*",),
        "deny_methods": ("Page.navigate",),
    },
    "UrlRules": {"allow_origins": ("https://*.a.example",), "deny_origins": ("10.0.0.0/8",)},
}
"""Parameters of classes that do not take any value."""


def public_values() -> list[type[Struct]]:
    return [
        value
        for module in (cdp_typed, supervisor, supervisor_tools)
        for name in module.__all__
        if inspect.isclass(value := getattr(module, name)) and issubclass(value, Struct) and name not in STAYS
    ]


def travelled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("cls", public_values(), ids=lambda cls: cls.__name__)
def test_a_public_value_arrives_with_all_its_fields(cls: type[Struct]) -> None:
    value = filled(cls, **MADE_OF.get(cls.__name__, {}))

    assert told(travelled(value)) == told(value)


def told(value: Any) -> Any:
    """All that a value says; two errors are not equal."""
    match value:
        case Struct():
            return type(value), {name: told(getattr(value, name)) for name in value.__struct_fields__}
        case Exception():
            return type(value), str(value), value.args, {name: told(field) for name, field in vars(value).items()}
        case tuple() | list():
            return [told(item) for item in cast("Sequence[Any]", value)]
        case _:
            return value


@every("method", COMMANDS)
def test_a_command_and_its_result_arrive_as_they_are(method: str) -> None:
    for cls in (command_class(method), command_class(method).RESULT):
        if cls is not None:
            value = filled(cls)
            assert travelled(value) == value


@every("method", EVENTS)
def test_an_event_arrives_as_it_is(method: str) -> None:
    event = filled(event_class(method))

    assert travelled(event) == event


def test_each_tool_of_a_catalogue_is_found_where_it_arrives() -> None:
    catalogue = Catalogue(CATALOGUE)

    arrived = travelled(catalogue)

    assert list(catalogue)
    assert {one.name: one for one in arrived} == {one.name: one for one in catalogue}
