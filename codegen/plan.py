"""Plans the package: the module and direction of every type, the imports between modules, every name.

Domains refer to each other in circles, so scalars that another domain refers to are placed in `ids.py`; the type
modules are then acyclic. Type checkers and msgspec resolve a name in the class first, so no name may have two meanings.
Both are checked for each schema, and a violation is an error with the names involved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Literal

from msgspec import Struct

from codegen.errors import SchemaError
from codegen.model import Domain, Property, Protocol, TypeDef
from codegen.names import class_name, field_name, module_name

Direction = Literal["input", "output", "both"]
"""`input` for a type that only callers write, `output` for one that only the browser writes, else `both`."""

# Names that generated modules import; a class of that name would hide the import.
IMPORTED = frozenset(
    {
        "Accepts",
        "Any",
        "Base64",
        "ClassVar",
        "Command",
        "Event",
        "Literal",
        "NewType",
        "Open",
        "ResultClass",
        "Sequence",
        "Struct",
        "TypeAlias",
        "UNSET",
        "UnsetType",
    }
)
SCALARS = frozenset({"string", "integer", "number"})


class TypePlan(Struct, frozen=True):
    """A named type with its module, its direction, and the marks that it has or inherits from its domain."""

    domain: str
    definition: TypeDef
    home: Literal["ids", "types"]
    direction: Direction
    experimental: bool
    deprecated: bool

    @property
    def name(self) -> str:
        return class_name(self.definition.id)


class Plan(Struct, frozen=True):
    """The schema with every decision made. `types` is keyed by qualified name, `needs` by domain."""

    protocol: Protocol
    types: dict[str, TypePlan]
    needs: dict[str, frozenset[str]]

    def of_domain(self, domain: str, home: Literal["ids", "types"]) -> Iterator[TypePlan]:
        """Return the types of a domain that are placed in `home`, in the schema's order."""
        return (item for item in self.types.values() if item.domain == domain and item.home == home)

    def type_closure(self, domain: str) -> frozenset[str]:
        """Return the domains whose type modules are executed when the facade of `domain` is used."""
        closure: set[str] = set()
        waiting = [domain, *_foreign(self.types, domain, _method_refs(self.domain(domain)))]
        while waiting:
            name = waiting.pop()
            if name not in closure:
                closure.add(name)
                waiting.extend(self.needs[name])
        return frozenset(closure)

    def domain(self, name: str) -> Domain:
        """Return the domain called `name`."""
        return next(domain for domain in self.protocol.domains if domain.domain == name)


def make_plan(protocol: Protocol) -> Plan:
    """Plan the package. Raises `SchemaError` for a dangling reference, a circle of types or a name clash."""
    definitions = {
        qualify(domain.domain, definition.id): (domain.domain, definition)
        for domain in protocol.domains
        for definition in domain.types
    }
    groups = {domain.domain: domain for domain in protocol.domains}
    _check_references(protocol, definitions)
    shared = _shared_scalars(protocol, definitions)
    directions = _directions(protocol, definitions)
    types = {
        key: TypePlan(
            domain,
            definition,
            "ids" if key in shared else "types",
            directions.get(key, "both"),
            definition.experimental or groups[domain].experimental,
            definition.deprecated or groups[domain].deprecated,
        )
        for key, (domain, definition) in definitions.items()
    }
    needs = {
        domain.domain: _foreign(types, domain.domain, (ref for item in domain.types for ref in item.refs))
        for domain in protocol.domains
    }
    _check_acyclic(needs)
    plan = Plan(protocol, types, needs)
    _check_names(plan)
    return plan


def qualify(domain: str, ref: str) -> str:
    """Return `ref` as `Domain.Type`; inside the domain itself, upstream mostly leaves the domain out."""
    return ref if "." in ref else f"{domain}.{ref}"


def result_name(command: str) -> str:
    """Return the class name of a command's result."""
    return f"{class_name(command)}Result"


def inline_enum_name(owner: str, item: Property) -> str:
    """Return the alias of an inline enum, from the class that it belongs to and the property."""
    return owner + class_name(item.name)


def _method_refs(domain: Domain) -> Iterator[str]:
    for command in domain.commands:
        for item in (*command.parameters, *command.returns):
            yield from item.refs
    for event in domain.events:
        for item in event.parameters:
            yield from item.refs


def _all_refs(domain: Domain) -> Iterator[str]:
    for definition in domain.types:
        yield from definition.refs
    yield from _method_refs(domain)


def _check_references(protocol: Protocol, definitions: dict[str, tuple[str, TypeDef]]) -> None:
    known = {domain.domain for domain in protocol.domains}
    for domain in protocol.domains:
        for ref in _all_refs(domain):
            if qualify(domain.domain, ref) not in definitions:
                raise SchemaError(f"domain {domain.domain} refers to {ref}, which is not defined")
        for command in domain.commands:
            if command.redirect is not None and command.redirect not in known:
                raise SchemaError(f"{domain.domain}.{command.name} redirects to {command.redirect}, which is no domain")


def _shared_scalars(protocol: Protocol, definitions: dict[str, tuple[str, TypeDef]]) -> frozenset[str]:
    return frozenset(
        key
        for domain in protocol.domains
        for key in (qualify(domain.domain, ref) for ref in _all_refs(domain))
        if definitions[key][0] != domain.domain and definitions[key][1].type in SCALARS
    )


def _foreign(types: dict[str, TypePlan], domain: str, refs: Iterable[str]) -> frozenset[str]:
    """Return the other domains whose type modules contain the types of `refs`, written inside `domain`."""
    targets = (types[qualify(domain, ref)] for ref in refs)
    return frozenset(target.domain for target in targets if target.home == "types" and target.domain != domain)


def _directions(protocol: Protocol, definitions: dict[str, tuple[str, TypeDef]]) -> dict[str, Direction]:
    inputs: set[str] = set()
    outputs: set[str] = set()
    for domain in protocol.domains:
        for command in domain.commands:
            _reach(inputs, domain.domain, command.parameters, definitions)
            _reach(outputs, domain.domain, command.returns, definitions)
        for event in domain.events:
            _reach(outputs, domain.domain, event.parameters, definitions)
    directions: dict[str, Direction] = {}
    for key in inputs | outputs:
        directions[key] = "both" if key in inputs and key in outputs else "input" if key in inputs else "output"
    return directions


def _reach(
    reached: set[str], domain: str, items: tuple[Property, ...], definitions: dict[str, tuple[str, TypeDef]]
) -> None:
    """Add every type that `items` refer to, directly or not, to `reached`."""
    waiting = [qualify(domain, ref) for item in items for ref in item.refs]
    while waiting:
        key = waiting.pop()
        if key not in reached:
            reached.add(key)
            owner, definition = definitions[key]
            waiting.extend(qualify(owner, ref) for ref in definition.refs)


def _check_acyclic(needs: dict[str, frozenset[str]]) -> None:
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        raise SchemaError(
            f"the types of these domains refer to each other in a circle: {' -> '.join(circle)}"
        ) from None


def _check_names(plan: Plan) -> None:
    modules = [(module_name(domain.domain), f"domain {domain.domain}") for domain in plan.protocol.domains]
    _distinct("cdp_typed.protocol", [*modules, *((name, "a generated module") for name in ("ids", "registry"))])
    shared = [(item.name, key) for key, item in plan.types.items() if item.home == "ids"]
    _distinct("ids.py", shared)
    for domain in plan.protocol.domains:
        _distinct(f"the module of {domain.domain}", [*_module_names(domain)])
        for where, items in _property_lists(domain):
            _distinct(where, [(field_name(item.name), f"property {item.name}") for item in items])


def _distinct(where: str, names: list[tuple[str, str]]) -> None:
    seen: dict[str, str] = {}
    for name, meaning in names:
        if name in seen:
            raise SchemaError(f"{name} means two things in {where}: {seen[name]} and {meaning}")
        seen[name] = meaning
        if name in IMPORTED:
            raise SchemaError(f"{meaning} in {where} would hide the imported name {name}")


def _property_lists(domain: Domain) -> Iterator[tuple[str, tuple[Property, ...]]]:
    for definition in domain.types:
        yield f"{domain.domain}.{definition.id}", definition.properties or ()
    for command in domain.commands:
        yield f"{domain.domain}.{command.name}", command.parameters
        yield f"the result of {domain.domain}.{command.name}", command.returns
    for event in domain.events:
        yield f"{domain.domain}.{event.name}", event.parameters


def _module_names(domain: Domain) -> Iterator[tuple[str, str]]:
    """Yield every public name of a domain's facade, with its meaning."""
    for definition in domain.types:
        owner = class_name(definition.id)
        yield owner, f"type {definition.id}"
        yield from _enum_names(owner, definition.properties or ())
    for command in domain.commands:
        owner = class_name(command.name)
        yield owner, f"command {command.name}"
        yield from _enum_names(owner, command.parameters)
        if command.returns:
            yield result_name(command.name), f"the result of {command.name}"
            yield from _enum_names(result_name(command.name), command.returns)
    for event in domain.events:
        owner = class_name(event.name)
        yield owner, f"event {event.name}"
        yield from _enum_names(owner, event.parameters)


def _enum_names(owner: str, items: tuple[Property, ...]) -> Iterator[tuple[str, str]]:
    for item in items:
        if item.enum is not None:
            yield inline_enum_name(owner, item), f"the values of {item.name} in {owner}"
