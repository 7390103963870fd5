"""The pages of the protocol reference: a page per domain, from the vendored schema and the generated classes."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from importlib import import_module
from typing import Any

from codegen.load import load
from codegen.model import Command, Domain, Event, Property, Protocol, TypeDef
from codegen.names import class_name, field_name, module_name
from codegen.plan import Plan, make_plan, qualify, result_name
from website.examples import example
from website.repository import ROOT

_NO_EDIT = "---\nsource: \n---\n\n"
_MADE = re.compile(r"\b([a-z_]+\.[A-Z]\w+)\(")


def protocol_pages() -> dict[str, str]:
    """Return the text of each page by its path in the site."""
    origin, protocol = load()
    plan = make_plan(protocol)
    domains = sorted(protocol.domains, key=lambda domain: domain.domain)
    pages = {"protocol/index.md": _NO_EDIT + _index(origin.label, protocol, domains)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # examples of what the protocol deprecates
        return pages | {_path(domain.domain): _NO_EDIT + _page(plan, domain) for domain in domains}


def _path(domain: str) -> str:
    """The path of a domain's page, in lower case as people type addresses."""
    return f"protocol/{domain.lower()}.md"


def _index(label: str, protocol: Protocol, domains: Sequence[Domain]) -> str:
    rows = [
        f"| [{domain.domain}]({domain.domain.lower()}.md){_marks(domain)} | `{module_name(domain.domain)}` "
        f"| {len(domain.commands)} | {len(domain.events)} | {_prose(domain.description)} |"
        for domain in domains
    ]
    commands = sum(len(domain.commands) for domain in protocol.domains)
    return "\n".join(
        [
            "# Protocol reference",
            "",
            f"The {len(domains)} domains and {commands:,} commands of {label}, each with its Python class, from the"
            " schema that the bindings are generated from. The modules are in `cdp_typed.protocol`. In the examples,"
            " `session` is a tab, or the connection itself for commands of the browser; see [the client](../client.md)."
            " An optional parameter that is left out is not sent.",
            "",
            "| domain | module | commands | events | what it is for |",
            "| --- | --- | --- | --- | --- |",
            *rows,
            "",
        ]
    )


def _page(plan: Plan, domain: Domain) -> str:
    module = f"cdp_typed.protocol.{module_name(domain.domain)}"
    parts = [f"# {domain.domain}{_marks(domain)}", _prose(domain.description), f"Module: `{module}`."]
    if domain.commands:
        commands = sorted(domain.commands, key=lambda command: _rank(domain, command))
        parts.append("## Commands")
        parts.append(", ".join(f"[{command.name}](#{command.name}){_marks(command)}" for command in commands))
        parts += [part for command in commands for part in _command(plan, domain, command)]
    if domain.events:
        parts.append("## Events")
        parts += [part for event in domain.events for part in _event(plan, domain, event)]
    if domain.types:
        parts.append("## Types")
        parts += [part for definition in domain.types for part in _type(plan, domain, definition)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _rank(domain: Domain, command: Command) -> tuple[bool, int, bool]:
    """Deprecated commands last. Before them, the most used ones of the helpers and recipes first."""
    uses = _uses()[f"{module_name(domain.domain)}.{class_name(command.name)}"]
    return command.deprecated, -uses, command.experimental


@cache
def _uses() -> Counter[str]:
    """How often each class of the protocol is made in the helpers and on the pages that are written by hand."""
    sources = [*(ROOT / "cdp_typed" / "helpers").glob("*.py"), *(ROOT / "docs").glob("*.md")]
    return Counter(made for path in sources for made in _MADE.findall(path.read_text(encoding="utf-8")))


def _command(plan: Plan, domain: Domain, command: Command) -> Iterator[str]:
    module = import_module(f"cdp_typed.protocol.{module_name(domain.domain)}")
    name = class_name(command.name)
    yield from _head(domain, command.name, name, command)
    if command.redirect:
        yield f"Redirects to the domain [{command.redirect}]({command.redirect.lower()}.md)."
    yield _table(plan, domain, getattr(module, name), command.parameters, "parameter")
    if command.returns:
        yield f"Result: `{result_name(command.name)}`"
        yield _table(plan, domain, getattr(module, result_name(command.name)), command.returns, "field")
    else:
        yield "Result: `None`"
    yield f"```python\n{example(domain.domain, command)}```"


def _event(plan: Plan, domain: Domain, event: Event) -> Iterator[str]:
    module = import_module(f"cdp_typed.protocol.{module_name(domain.domain)}")
    name = class_name(event.name)
    yield from _head(domain, event.name, name, event)
    yield _table(plan, domain, getattr(module, name), event.parameters, "field")


def _type(plan: Plan, domain: Domain, definition: TypeDef) -> Iterator[str]:
    module = import_module(f"cdp_typed.protocol.{module_name(domain.domain)}")
    name = class_name(definition.id)
    yield from _head(domain, definition.id, name, definition)
    if definition.enum is not None:
        yield "One of " + ", ".join(f"`{value}`" for value in definition.enum) + "."
    elif definition.properties is not None:
        yield _table(plan, domain, getattr(module, name), definition.properties, "field")
    elif definition.items is not None:
        yield f"A list of {_items(plan, domain, definition)}."
    else:
        yield f"In JSON: {definition.type}."


def _head(domain: Domain, name: str, python: str, item: Command | Event | TypeDef) -> Iterator[str]:
    yield f"### {domain.domain}.{name} {{#{name}}}"
    yield f"Class: `{module_name(domain.domain)}.{python}`{_marks(item)}"
    yield _prose(item.description)


def _table(plan: Plan, domain: Domain, owner: type[Any], properties: Sequence[Property], what: str) -> str:
    if not properties:
        return ""
    rows = [f"| {what} | type | |", "| --- | --- | --- |"]
    for item in properties:
        text = f"{'Optional. ' if item.optional else ''}{_prose(item.description)}"
        if item.enum is not None:
            text += " One of " + ", ".join(f"`{value}`" for value in item.enum) + "."
        python = field_name(item.name)
        wire = "" if python == item.name else f" ({item.name})"
        rows.append(f"| `{python}`{wire}{_marks(item)} | {_annotation(plan, domain, owner, item)} | {text} |")
    return "\n".join(rows)


def _annotation(plan: Plan, domain: Domain, owner: type[Any], item: Property) -> str:
    """The annotation of the field, and a link to the type of the protocol that it is about."""
    written: str = owner.__annotations__[field_name(item.name)]
    written = re.sub(r" \| UnsetType\b", "", written)
    written = re.sub(r"\b_(?=[a-z]\w*\.)", "", written)
    links = [_link(plan, domain, ref) for ref in item.refs]
    return " ".join([f"`{written}`", *(f"({link})" for link in links)])


def _items(plan: Plan, domain: Domain, definition: TypeDef) -> str:
    assert definition.items is not None
    return _link(plan, domain, definition.items.ref) if definition.items.ref else f"{definition.items.type}s"


def _link(plan: Plan, domain: Domain, ref: str) -> str:
    planned = plan.types[qualify(domain.domain, ref)]
    page = "" if planned.domain == domain.domain else f"{planned.domain.lower()}.md"
    return f"[{ref}]({page}#{planned.definition.id})"


def _marks(item: Domain | Command | Event | TypeDef | Property) -> str:
    marks = [name for name in ("experimental", "deprecated") if getattr(item, name)]
    return "".join(f" *{mark}*" for mark in marks)


def _prose(text: str) -> str:
    """Upstream's text as Markdown of one line: nothing in it is markup but code in backticks."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(part if part.startswith("`") else _escaped(part) for part in parts)


def _escaped(text: str) -> str:
    return re.sub(r"([\\*_\[\]#$|])", r"\\\1", escape(text, quote=False))
