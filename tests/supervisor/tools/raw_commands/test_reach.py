"""The table of reaches against the schema: every command has one, which fits all that its parameters can name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from cdp_typed.schema import CommandDef, Property, Schema, load_schema
from supervisor.tools import Policy, PolicyRefused
from supervisor.tools.raw_commands.bounds import Bounds
from supervisor.tools.raw_commands.checks import check
from supervisor.tools.raw_commands.reach import REACH

SCHEMA = load_schema()
DENIED = "https://denied.example"

IN_A_CONTEXT = Bounds(is_shared=True, has_own_context=True, contexts=frozenset({"own"}), pages=frozenset({"own"}))
"""A task of a fleet."""
WITHOUT_CONTEXT = Bounds(is_shared=True, pages=frozenset({"own"}))
"""A supervisor with the scope `own` in the context of a person."""
RULED = Bounds()
"""A caller with the whole browser; the policy has URL rules."""

FOREIGN = {
    "Target.TargetID": IN_A_CONTEXT,
    "Browser.BrowserContextID": IN_A_CONTEXT,
    "Target.SessionID": IN_A_CONTEXT,
    "Browser.WindowID": IN_A_CONTEXT,
    "IO.StreamHandle": IN_A_CONTEXT,
    "Page.FrameId": IN_A_CONTEXT,
    "DOM.BackendNodeId": WITHOUT_CONTEXT,
}
"""Types of ids that can be somebody else's, and for whom a command with one must be refused."""

ADDRESS = ("url", "urls", "uri", "origin", "origins", "storagekey", "domain", "host")
"""How the names of parameters with addresses end, in lower case."""
NO_ADDRESS = {
    "DOMDebugger.removeXHRBreakpoint.url": "part of an address at which the page's own scripts stop",
    "DOMDebugger.setXHRBreakpoint.url": "the same",
    "Debugger.setBreakpointByUrl.url": "an address at which the page's own scripts stop",
    "Network.setBlockedURLs.urls": "patterns of addresses that the page does not load",
    "Runtime.compileScript.sourceURL": "a name that the script is shown with",
    "Input.dispatchDragEvent.data.items.baseURL": "where the dragged text says that it came from",
    "Performance.enable.timeDomain": "a kind of time",
    "Performance.setTimeDomain.timeDomain": "the same",
}

OF_THE_BROWSER = ("Browser", "Cast", "Extensions", "PWA", "SystemInfo", "Target", "Tethering", "Tracing")
"""Domains of the browser as a whole, and the commands in them that are no more than a page's own."""
OF_THE_PAGE = {
    "Browser.getVersion",
    "Browser.getWindowForTarget",
    "Target.activateTarget",
    "Target.closeTarget",
    "Target.getTargetInfo",
}


def parameters(
    schema: Schema, given: tuple[Property, ...], above: frozenset[str] = frozenset()
) -> Iterator[tuple[tuple[str, ...], Property]]:
    """Every parameter at any depth, with the names that lead to it."""
    for each in given:
        yield (each.name,), each
        ref = each.ref or (each.items.ref if each.items else None)
        if ref is not None and ref not in above:
            for trail, inner in parameters(schema, schema.types[ref].properties or (), above | {ref}):
                yield (each.name, *trail), inner


def walk(schema: Schema) -> Iterator[tuple[str, tuple[str, ...], Property]]:
    for method, command in schema.commands.items():
        for trail, parameter in parameters(schema, command.parameters):
            yield method, trail, parameter


def kinds(schema: Schema, parameter: Property) -> set[str]:
    """The names of the types of a parameter, and of its items."""
    refs = (parameter.ref, parameter.items.ref if parameter.items else None)
    return {*filter(None, refs)}


def names_an_address(schema: Schema, method: str, trail: tuple[str, ...], parameter: Property) -> bool:
    types: list[str | None] = [schema.types[ref].type for ref in kinds(schema, parameter)] or [parameter.type]
    is_text = "string" in types or "array" in types
    return is_text and trail[-1].lower().endswith(ADDRESS) and f"{method}.{'.'.join(trail)}" not in NO_ADDRESS


def is_refused(method: str, params: dict[str, Any], policy: Policy, bounds: Bounds) -> bool:
    try:
        check(method, params, policy, bounds)
    except PolicyRefused:
        return True
    return False


def complaints(schema: Schema) -> list[str]:
    """A sentence for each command without a reach, and for each whose reach does not look at what it names."""
    said = [f"{method} has no reach" for method in sorted(schema.commands.keys() - REACH.keys())]
    said += [f"{method} is in the table, and not in the schema" for method in sorted(REACH.keys() - schema.commands)]
    for method, trail, parameter in walk(schema):
        where = ".".join((method, *trail))
        for kind in sorted(kinds(schema, parameter) & FOREIGN.keys()):
            if not is_refused(method, nested(trail, "theirs"), Policy(), FOREIGN[kind]):
                said.append(f"{where} may be the {kind} of somebody else")
        if names_an_address(schema, method, trail, parameter):
            policy = Policy(deny_origins=("denied.example",))
            if not is_refused(method, nested(trail, DENIED), policy, RULED):
                said.append(f"{where} may be an address that the URL rules forbid")
    return said


def nested(trail: tuple[str, ...], value: str) -> dict[str, Any]:
    for name in reversed(trail[1:]):
        value = {name: value}  # type: ignore[assignment]
    return {trail[0]: value}


def test_every_command_has_a_reach_that_fits_its_parameters() -> None:
    """A new schema that brings a command, or a parameter that names something of somebody else, fails here."""
    assert complaints(SCHEMA) == []


def test_a_command_that_a_new_schema_brings_is_missed() -> None:
    frame = Property(name="frame", ref="Page.FrameId")
    owner = Property(name="ownerTarget", ref="Target.TargetID", optional=True)
    brought = {
        **SCHEMA.commands,
        "Page.lookInto": CommandDef(name="lookInto", parameters=(frame,)),
        "Page.reload": replace(SCHEMA.commands["Page.reload"], parameters=(owner,)),
    }

    assert complaints(replace(SCHEMA, commands=brought)) == [
        "Page.lookInto has no reach",
        "Page.reload.ownerTarget may be the Target.TargetID of somebody else",
    ]


def test_every_exception_is_a_parameter_of_the_schema() -> None:
    assert NO_ADDRESS.keys() <= {".".join((method, *trail)) for method, trail, _ in walk(SCHEMA)}


def test_commands_of_the_whole_browser_are_refused_but_for_a_few() -> None:
    allowed = {
        method
        for method in SCHEMA.commands
        if method.startswith(tuple(f"{name}." for name in OF_THE_BROWSER))
        and not is_refused(method, {}, Policy(), IN_A_CONTEXT)
    }
    assert allowed == OF_THE_PAGE


def test_without_url_rules_and_with_the_whole_browser_nothing_is_refused() -> None:
    for method in (*SCHEMA.commands, "Page.notYetThere"):
        check(method, {"targetId": "theirs", "browserContextId": "theirs", "url": DENIED}, Policy(), Bounds())
