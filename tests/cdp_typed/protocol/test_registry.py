"""The registry finds classes by method name, and imports no more than it must."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cdp_typed.protocol import PROTOCOL, fetch, ids, network, page
from cdp_typed.protocol.registry import BINARY, COMMANDS, DOMAINS, EVENTS, UnknownMethod, command_class, event_class
from cdp_typed.schema import load_schema
from codegen.load import load
from codegen.plan import make_plan

ROOT = Path(__file__).parents[3]

# The parent package is replaced by an empty one, so that what a client imports does not blur the picture.
PROBE = """
import importlib, json, sys, types

def modules_of(name, touch):
    for loaded in [key for key in sys.modules if key.split(".")[0] == "cdp_typed"]:
        del sys.modules[loaded]
    parent = sys.modules["cdp_typed"] = types.ModuleType("cdp_typed")
    parent.__path__ = ["cdp_typed"]
    module = importlib.import_module("cdp_typed.protocol." + name)
    if touch:
        getattr(module, module.__all__[0])
    return sorted(key[19:] for key in sys.modules if key.startswith("cdp_typed.protocol."))

touch, *names = sys.argv[1:]
print(json.dumps({name: modules_of(name, touch == "touch") for name in names}))
"""


def imported(*names: str, touch: bool = False) -> dict[str, set[str]]:
    """The modules of `cdp_typed.protocol` that importing (and touching) each of these alone executes."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, "touch" if touch else "import", *names],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return msgspec.json.decode(done.stdout, type=dict[str, set[str]])


NOT_COMMANDS = ("Page.nothing", "Nothing.navigate", "Page", "", "page.Navigate", "Page.loadEventFired")
NOT_EVENTS = ("Page.nothing", "Page.navigate", "")


@pytest.mark.parametrize(
    ("find", "kind", "method"),
    [
        *((command_class, "command", method) for method in NOT_COMMANDS),
        *((event_class, "event", method) for method in NOT_EVENTS),
    ],
)
def test_an_unknown_method_is_named(find: Callable[[str], object], kind: str, method: str) -> None:
    with pytest.raises(UnknownMethod) as caught:
        find(method)

    assert str(caught.value) == f"devtools-protocol {PROTOCOL.version} has no {kind} {method!r}"
    assert isinstance(caught.value, KeyError)


def test_a_class_is_found_by_its_method() -> None:
    assert command_class("Page.navigate") is page.Navigate
    assert event_class("Page.loadEventFired") is page.LoadEventFired
    assert not COMMANDS.keys() & EVENTS.keys()


@pytest.mark.parametrize("name", ["registry", "page"])
def test_the_registry_and_a_facade_import_no_domain_yet(name: str) -> None:
    assert imported(name) == {name: {name, "_version"}}


def test_a_facade_executes_only_its_own_modules_and_the_types_it_needs() -> None:
    """Every domain, each alone: the other 58 stay untouched, their commands and events always."""
    plan = make_plan(load()[1])
    with_events = {method.partition(".")[0] for method in EVENTS}
    with_types = {item.domain for item in plan.types.values() if item.home == "types"}

    modules = imported(*DOMAINS.values(), touch=True)

    for domain, module in DOMAINS.items():
        expected = {module, f"_commands.{module}", "_commands", "_version"}
        expected |= {f"_events.{module}", "_events"} if domain in with_events else set()
        types = {f"_types.{DOMAINS[other]}" for other in plan.type_closure(domain) & with_types}
        assert modules[module] - {"ids"} == expected | types | ({"_types"} if types else set())


def test_an_id_is_the_same_wherever_it_is_imported_from_and_another_type_in_another_domain() -> None:
    assert page.FrameId is ids.FrameId
    assert network.RequestId is ids.RequestId
    assert (fetch.RequestId.__module__, network.RequestId.__module__) == (
        "cdp_typed.protocol._types.fetch",
        "cdp_typed.protocol.ids",
    )


def test_the_binary_table_is_the_schemas_own() -> None:
    schema = load_schema()
    lists: list[tuple[str, Any]] = [
        *((name, item.properties or ()) for name, item in schema.types.items()),
        *((name, (*item.parameters, *item.returns)) for name, item in schema.commands.items()),
        *((name, item.parameters) for name, item in schema.events.items()),
    ]

    assert {
        f"{name}.{part.name}"
        for name, parts in lists
        for part in parts
        if part.type == "binary" or (part.items is not None and part.items.type == "binary")
    } == BINARY
    assert {"Page.captureScreenshot.data", "WebAuthn.Credential.privateKey", "Fetch.fulfillRequest.body"} < BINARY
