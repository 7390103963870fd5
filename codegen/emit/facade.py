"""`protocol/<domain>.py`: all public names of a domain in one module, which are imported when first used."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from codegen.emit.commands_and_events import deprecation
from codegen.emit.fields import described
from codegen.emit.source_text import WIDTH, Import, import_block, listing, quote, sorted_names, source
from codegen.model import Command, Domain, Event
from codegen.names import class_name, module_name
from codegen.plan import Plan, inline_enum_name, result_name

# A facade names the classes that it re-exports, and pyright would report each deprecated one there, not only where
# users use it.
_INDENT = "    "
_PRAGMA = "# Re-exporting a deprecated class is not using it.\n# pyright: reportDeprecated=false\n"


def public_names(plan: Plan, domain: Domain) -> dict[str, list[str]]:
    """Return the public names of a domain by the module that defines them, relative to `cdp_typed.protocol`."""
    module = module_name(domain.domain)
    types = list(plan.of_domain(domain.domain, "types"))
    names = {
        "ids": [item.name for item in plan.of_domain(domain.domain, "ids")],
        f"_types.{module}": [item.name for item in types],
        f"_commands.{module}": [],
        f"_events.{module}": [],
    }
    for item in types:
        owned = item.definition.properties or ()
        names[f"_types.{module}"] += [inline_enum_name(item.name, part) for part in owned if part.enum is not None]
    for command in domain.commands:
        owners = [(class_name(command.name), command.parameters)]
        if command.returns:
            owners.append((result_name(command.name), command.returns))
        for owner, parts in owners:
            names[f"_commands.{module}"] += [owner, *(inline_enum_name(owner, part) for part in parts if part.enum)]
    for event in domain.events:
        owner = class_name(event.name)
        names[f"_events.{module}"] += [
            owner,
            *(inline_enum_name(owner, part) for part in event.parameters if part.enum),
        ]
    return names


def _listed(domain: Domain) -> Iterator[str]:
    """Yield the names of commands, then of events. A language server shows them for the module, whose own list has them
    among results and types."""
    for kind, methods in (("Commands", domain.commands), ("Events", domain.events)):
        names = ", ".join(f"`{name}`" for name in sorted(class_name(method.name) for method in methods))
        if names:
            yield fill(f"{kind}: {names}.", WIDTH, break_long_words=False, break_on_hyphens=False)


def facade_module(plan: Plan, domain: Domain, version: str) -> str:
    """Return `<domain>.py`, the module that users import."""
    names = public_names(plan, domain)
    imports = [Import(f"cdp_typed.protocol.{module}", name) for module, owned in names.items() for name in owned]
    exported = sorted_names((name for owned in names.values() for name in owned), fold=False)
    modules = sorted({item.module for item in imports})
    static = import_block(imports, _INDENT)
    lazy = listing("__getattr__, __dir__ = lazy(", ["globals()", "__all__", *map(quote, modules)], ")", _INDENT)
    everything = listing("__all__ = [", map(quote, exported), "]")
    body = f"if TYPE_CHECKING:\n{static}\n{everything}\nif not TYPE_CHECKING:\n{lazy}"
    runtime = [Import("typing", "TYPE_CHECKING"), Import("cdp_typed._lazy", "lazy")]
    tail = described(
        f"The CDP domain `{domain.domain}`.", experimental=domain.experimental, deprecated=domain.deprecated
    )
    text, tail = domain.description.strip(), "\n\n".join([tail, *_listed(domain)])
    methods: tuple[Command | Event, ...] = (*domain.commands, *domain.events)
    warned = any(deprecation(method, method.name, domain) for method in methods)
    return source(version, f"{text}\n\n{tail}" if text else tail, runtime, body, pragma=_PRAGMA if warned else "")
