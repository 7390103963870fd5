"""`registry.py`, `__init__.py` and `_version.py`: tables over the whole schema, and functions that look classes up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codegen.emit.source_text import Import, listing, quote, source
from codegen.load import Source
from codegen.model import Command, Domain, Event, Property
from codegen.names import class_name, module_name
from codegen.plan import Plan

_DOC = """\
Method name to class, and what the schema says about names, for the whole protocol.

Importing this module imports no domain: a class is imported when it is asked for.
"""

_LOOKUP = '''\
class UnknownMethod(KeyError):
    """The schema these bindings were generated from has no such command or event."""

    def __init__(self, message: str) -> None:
        super().__init__(message)

    def __str__(self) -> str:
        return str(self.args[0])


def command_class(method: str) -> type[Command[Any]]:
    """The class of the command `method`, for example `Page.navigate`. Raises `UnknownMethod`."""
    name = _class_name(method, COMMANDS, "command")
    found: type[Command[Any]] = getattr(_module("_commands", method), name)
    return found


def event_class(method: str) -> type[Event]:
    """The class of the event `method`, for example `Page.loadEventFired`. Raises `UnknownMethod`."""
    name = _class_name(method, EVENTS, "event")
    found: type[Event] = getattr(_module("_events", method), name)
    return found


def _class_name(method: str, table: Mapping[str, str], kind: str) -> str:
    try:
        return table[method]
    except KeyError:
        raise UnknownMethod(f"{PROTOCOL.package} {PROTOCOL.version} has no {kind} {method!r}") from None


def _module(kind: str, method: str) -> ModuleType:
    return import_module(f"{__package__}.{kind}.{DOMAINS[method.partition('.')[0]]}")
'''

_EXPORTED = (
    "BINARY",
    "COMMANDS",
    "DOMAINS",
    "EVENTS",
    "EXPERIMENTAL",
    "REDIRECTS",
    "UnknownMethod",
    "command_class",
    "event_class",
)

_INIT_DOC = """\
The Chrome DevTools Protocol, one module per domain, generated.

Each module gives everything of its domain, flat: types, ids, commands, results, events.
`registry` finds a class by its method name. Importing this package alone imports no domain.
"""

_PROVENANCE = '''\
class Provenance(NamedTuple):
    """The source of the generated bindings."""

    package: str
    """The npm package, or the product that a browser calls itself."""
    version: str
    """Its version."""
    revision: str
    """The Chromium revision of the version, if known."""
    sha256: str
    """Of `protocol.json` in this package: the merged schema as the bindings know it."""
    sources: tuple[tuple[str, str], ...]
    """Name and sha256 of each JSON file that was read."""
'''


def registry_module(plan: Plan, version: str) -> str:
    """Return `registry.py`."""
    domains = plan.protocol.domains
    imports = [
        Import("collections.abc", "Mapping"),
        Import("importlib", "import_module"),
        Import("types", "ModuleType"),
        Import("typing", "Any"),
        Import("cdp_typed._base", "Command"),
        Import("cdp_typed._base", "Event"),
        Import("cdp_typed.protocol._version", "PROTOCOL"),
    ]
    exported = listing("__all__ = [", map(quote, _EXPORTED), "]")
    return source(version, _DOC, imports, "\n".join([exported, *_names(domains), *_marks(domains), "\n" + _LOOKUP]))


def _names(domains: Sequence[Domain]) -> Iterator[str]:
    """Yield the tables from names on the wire to names in Python."""
    commands = [(f"{domain.domain}.{item.name}", item) for domain in domains for item in domain.commands]
    events = [(f"{domain.domain}.{item.name}", item) for domain in domains for item in domain.events]
    yield _mapping(
        "DOMAINS", {domain.domain: module_name(domain.domain) for domain in domains}, "Domain to module name."
    )
    yield _mapping(
        "COMMANDS",
        {method: class_name(item.name) for method, item in commands},
        "Command to class name, in the schema's order; `command_class` gives the class.",
    )
    yield _mapping(
        "EVENTS",
        {method: class_name(item.name) for method, item in events},
        "Event to class name, in the schema's order; `event_class` gives the class.",
    )
    yield _mapping(
        "REDIRECTS",
        {method: item.redirect for method, item in commands if item.redirect is not None},
        "Command to the domain that does its work, most often under the same name.",
    )


def _marks(domains: Sequence[Domain]) -> Iterator[str]:
    """Yield the sets of experimental and of binary names."""
    yield _set(
        "EXPERIMENTAL",
        (name for domain in domains for name in _experimental(domain)),
        "Domains, commands, events, types (`Page.navigate`) and properties (`Page.navigate.referrerPolicy`, wire\n"
        "names) that upstream may change without notice. What belongs to an experimental domain is listed; the\n"
        "properties of an experimental type or method are not, unless marked themselves.",
    )
    yield _set(
        "BINARY",
        (name for domain in domains for name, item in _properties(domain) if _is_binary(item)),
        "Properties that carry base64 text (`Page.captureScreenshot.data`, wire names).",
    )


def init_module(plan: Plan, version: str) -> str:
    """Return `__init__.py`, which imports the module of a domain when it is first used as an attribute."""
    imports = [
        Import("cdp_typed._lazy", "submodules"),
        Import("cdp_typed.protocol._version", "PROTOCOL"),
        Import("cdp_typed.protocol._version", "Provenance"),
        Import("typing", "TYPE_CHECKING"),
    ]
    modules = sorted(["ids", "registry", *(module_name(domain.domain) for domain in plan.protocol.domains)])
    lazy = listing("__getattr__, __dir__ = submodules(", ["globals()", *map(quote, modules)], ")", "    ")
    exported = '__all__ = ["PROTOCOL", "Provenance"]\n'
    return source(version, _INIT_DOC, imports, f"{exported}\nif not TYPE_CHECKING:\n{lazy}")


def version_module(origin: Source, json_sha256: str, sources: tuple[tuple[str, str], ...]) -> str:
    """Return `_version.py`."""
    body = '__all__ = ["PROTOCOL", "Provenance"]\n\n\n' + _PROVENANCE + "\n\nPROTOCOL = Provenance(\n"
    for name, value in (
        ("package", origin.package),
        ("version", origin.version),
        ("revision", origin.revision),
        ("sha256", json_sha256),
    ):
        body += f"    {name}={quote(value)},\n"
    body += (
        "    sources=(\n"
        + "".join(f"        ({quote(name)}, {quote(digest)}),\n" for name, digest in sources)
        + "    ),\n)\n"
    )
    return source(
        origin.label, "Which protocol these bindings were generated from.", [Import("typing", "NamedTuple")], body
    )


def _mapping(name: str, table: dict[str, str], doc: str) -> str:
    rows = "".join(f"    {quote(key)}: {quote(value)},\n" for key, value in table.items())
    return f'{name}: Mapping[str, str] = {{\n{rows}}}\n"""{doc}"""\n'


def _set(name: str, values: Iterator[str], doc: str) -> str:
    rows = "".join(f"        {quote(value)},\n" for value in sorted(values))
    return f'{name}: frozenset[str] = frozenset(\n    {{\n{rows}    }}\n)\n"""{doc}"""\n'


def _experimental(domain: Domain) -> Iterator[str]:
    inherited = domain.experimental
    if inherited:
        yield domain.domain
    for definition in domain.types:
        if inherited or definition.experimental:
            yield f"{domain.domain}.{definition.id}"
    methods: tuple[Command | Event, ...] = (*domain.commands, *domain.events)
    for item in methods:
        if inherited or item.experimental:
            yield f"{domain.domain}.{item.name}"
    for name, part in _properties(domain):
        if part.experimental:
            yield name


def _properties(domain: Domain) -> Iterator[tuple[str, Property]]:
    for definition in domain.types:
        for part in definition.properties or ():
            yield f"{domain.domain}.{definition.id}.{part.name}", part
    for command in domain.commands:
        for part in (*command.parameters, *command.returns):
            yield f"{domain.domain}.{command.name}.{part.name}", part
    for event in domain.events:
        for part in event.parameters:
            yield f"{domain.domain}.{event.name}.{part.name}", part


def _is_binary(item: Property) -> bool:
    return item.type == "binary" or (item.items is not None and item.items.type == "binary")
