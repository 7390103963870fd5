"""From the published JSON, read here without the generator: every command, event and type is there, as described."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from types import ModuleType, UnionType
from typing import Any, Literal, get_args, get_origin

import msgspec
import pytest

from cdp_typed.protocol.registry import COMMANDS, DOMAINS, EVENTS, EXPERIMENTAL, REDIRECTS, command_class, event_class
from codegen.load import JSON_FILES, SCHEMA
from tests.support.every import every

Raw = dict[str, Any]
DOMAIN_LIST: list[Raw] = [
    domain for name in JSON_FILES for domain in json.loads((SCHEMA / name).read_text("utf-8"))["domains"]
]
SCALARS = {"string": str, "integer": int, "number": float}


def listed(section: str) -> list[tuple[str, Raw]]:
    """Every entry of one section of every domain, with its full name."""
    key = "id" if section == "types" else "name"
    return [(f"{domain['domain']}.{item[key]}", item) for domain in DOMAIN_LIST for item in domain.get(section, [])]


LISTED_COMMANDS = dict(listed("commands"))
LISTED_EVENTS = dict(listed("events"))
LISTED_TYPES = dict(listed("types"))


def reached(section: str, *keys: str) -> set[str]:
    """The types that a value of one section leads to, at any depth."""
    waiting = [(name, part) for name, item in listed(section) for key in keys for part in item.get(key, [])]
    names: set[str] = set()
    while waiting:
        name, part = waiting.pop()
        ref = part.get("$ref") or part.get("items", {}).get("$ref")
        if ref is None:
            continue
        full = ref if "." in ref else f"{name.partition('.')[0]}.{ref}"
        if full not in names:
            names.add(full)
            waiting += [(full, inner) for inner in (LISTED_TYPES[full], *LISTED_TYPES[full].get("properties", []))]
    return names


ONLY_RECEIVED = (reached("commands", "returns") | reached("events", "parameters")) - reached("commands", "parameters")


def facade(domain: str) -> ModuleType:
    """The module a user imports for a domain."""
    return import_module(f"cdp_typed.protocol.{DOMAINS[domain]}")


def pascal(name: str) -> str:
    """The class name of a wire name: its first letter in upper case."""
    return name[:1].upper() + name[1:]


def described(properties: list[Raw]) -> list[tuple[str, bool]]:
    """Wire name and whether it is required."""
    return [(item["name"], not item.get("optional", False)) for item in properties]


def declared(cls: type[msgspec.Struct]) -> list[tuple[str, bool]]:
    """The same, as the class has it."""
    return [(item.encode_name, item.required) for item in msgspec.structs.fields(cls)]


@every("method", LISTED_COMMANDS)
def test_every_command_is_there(method: str) -> None:
    domain, _, name = method.partition(".")
    raw = LISTED_COMMANDS[method]
    cls = getattr(facade(domain), pascal(name))

    assert command_class(method) is cls
    assert method == cls.METHOD
    assert declared(cls) == described(raw.get("parameters", []))
    if raw.get("returns"):
        assert cls.RESULT is getattr(facade(domain), f"{pascal(name)}Result")
        assert declared(cls.RESULT) == described(raw["returns"])
    else:
        assert cls.RESULT is None


@every("method", LISTED_EVENTS)
def test_every_event_is_there(method: str) -> None:
    domain, _, name = method.partition(".")
    raw = LISTED_EVENTS[method]
    cls = getattr(facade(domain), pascal(name))

    assert event_class(method) is cls
    assert method == cls.METHOD
    assert declared(cls) == described(raw.get("parameters", []))


@every("name", LISTED_TYPES)
def test_every_type_is_there(name: str) -> None:
    domain, _, ident = name.partition(".")
    raw = LISTED_TYPES[name]
    definition = getattr(facade(domain), pascal(ident))

    if "enum" in raw:
        assert get_args(definition) == tuple(raw["enum"])
    elif "properties" in raw:
        assert declared(definition) == described(raw["properties"])
    elif raw["type"] == "array":
        assert get_origin(definition) is (tuple if name in ONLY_RECEIVED else Sequence)
    elif raw["type"] == "object":
        assert get_origin(definition) is dict
    else:
        # An id is a NewType; a number is its plain self, so that a caller may pass one.
        assert getattr(definition, "__supertype__", definition) is SCALARS[raw["type"]]
        assert (definition is float) == (raw["type"] == "number")


def structs() -> Iterator[tuple[type[msgspec.Struct], list[Raw], bool]]:
    """Every class with fields, these as they are described, and whether only the browser makes such values."""
    for name, raw in listed("types"):
        if "properties" in raw:
            domain, _, ident = name.partition(".")
            yield getattr(facade(domain), pascal(ident)), raw["properties"], name in ONLY_RECEIVED
    for name, raw in listed("commands"):
        command = command_class(name)
        yield command, raw.get("parameters", []), False
        if command.RESULT is not None:
            yield command.RESULT, raw["returns"], True
    for name, raw in listed("events"):
        yield event_class(name), raw.get("parameters", []), True


def test_an_array_is_a_tuple_where_only_the_browser_writes_it_and_else_a_sequence() -> None:
    """A tuple is smaller, and a frozen value that has one cannot be changed through it; callers give what they have."""
    actual: dict[str, Any] = {}
    expected: dict[str, Any] = {}
    for cls, properties, received in structs():
        hints = {item.encode_name: item.type for item in msgspec.structs.fields(cls)}
        for item in properties:
            if item.get("type") == "array":
                place = f"{cls.__module__}.{cls.__name__}.{item['name']}"
                hint = hints[item["name"]]
                actual[place] = get_origin(get_args(hint)[0] if get_origin(hint) is UnionType else hint)
                expected[place] = tuple if received else Sequence

    assert actual == expected
    assert set(expected.values()) == {tuple, Sequence}


def inline_enums() -> Iterator[Any]:
    """Every enum written in place: domain, class, property and values."""
    for domain in DOMAIN_LIST:
        owners = [(item["id"], item.get("properties", [])) for item in domain.get("types", [])]
        for item in (*domain.get("commands", []), *domain.get("events", [])):
            owners.append((pascal(item["name"]), item.get("parameters", [])))
            owners.append((f"{pascal(item['name'])}Result", item.get("returns", [])))
        for owner, properties in owners:
            for item in properties:
                if "enum" in item:
                    name = owner + pascal(item["name"])
                    yield pytest.param(domain["domain"], name, item["enum"], id=f"{domain['domain']}.{name}")


@pytest.mark.parametrize(("domain", "name", "values"), list(inline_enums()))
def test_every_enum_written_in_place_has_a_name(domain: str, name: str, values: list[str]) -> None:
    alias = getattr(facade(domain), name)

    assert get_origin(alias) is Literal
    assert get_args(alias) == tuple(values)


def test_the_registry_has_these_and_no_others() -> None:
    assert list(COMMANDS) == [name for name, _ in listed("commands")]
    assert list(EVENTS) == [name for name, _ in listed("events")]
    assert list(DOMAINS) == [domain["domain"] for domain in DOMAIN_LIST]
    assert {name: raw["redirect"] for name, raw in listed("commands") if "redirect" in raw} == REDIRECTS


@pytest.mark.parametrize("domain", [domain["domain"] for domain in DOMAIN_LIST])
def test_a_facade_exports_what_it_lists_and_lists_what_it_has(domain: str) -> None:
    module = facade(domain)
    getattr(module, module.__all__[0])  # a facade is filled when it is first used
    # pytest, whose plugin comes with the package, puts names with an @ into its modules.
    hidden = ("_", "@")
    public = {name for name in vars(module) if not name.startswith(hidden)} - {"annotations", "TYPE_CHECKING", "lazy"}

    assert set(module.__all__) == public
    assert len(module.__all__) == len(public)


@pytest.mark.parametrize("domain", [domain["domain"] for domain in DOMAIN_LIST])
def test_a_facade_tells_its_commands_and_its_events(domain: str) -> None:
    """A language server shows this text for the module, in whose list commands are among results and types."""
    (raw,) = (each for each in DOMAIN_LIST if each["domain"] == domain)
    described = re.sub(r"\s+", " ", facade(domain).__doc__ or "")

    for kind, section in (("Commands", "commands"), ("Events", "events")):
        told = re.findall(rf"{kind}: ((?:`\w+`(?:, )?)+)\.", described)
        names = sorted(pascal(each["name"]) for each in raw.get(section, []))
        assert [re.findall(r"\w+", part) for part in told] == ([names] if names else [])


@pytest.mark.parametrize("section", ["commands", "events"])
def test_deprecated_methods_are_marked_and_no_others(section: str) -> None:
    """PEP 702 leaves `__deprecated__` behind at run time, too. A deprecated domain passes it on."""
    domains = {domain["domain"] for domain in DOMAIN_LIST if domain.get("deprecated")}
    classes = {name: (command_class if section == "commands" else event_class)(name) for name, _ in listed(section)}

    assert {name for name, cls in classes.items() if hasattr(cls, "__deprecated__")} == {
        name for name, raw in listed(section) if raw.get("deprecated") or name.partition(".")[0] in domains
    }


def test_experimental_names_are_listed_and_no_others() -> None:
    expected: set[str] = {domain["domain"] for domain in DOMAIN_LIST if domain.get("experimental")}
    for section in ("types", "commands", "events"):
        for name, raw in listed(section):
            if raw.get("experimental") or name.partition(".")[0] in expected:
                expected.add(name)
            for part in (*raw.get("properties", []), *raw.get("parameters", []), *raw.get("returns", [])):
                if part.get("experimental"):
                    expected.add(f"{name}.{part['name']}")

    assert expected == EXPERIMENTAL
    assert {"Page.navigate.referrerPolicy", "Accessibility", "Accessibility.AXNode"} < EXPERIMENTAL
    assert "Page.navigate" not in EXPERIMENTAL
