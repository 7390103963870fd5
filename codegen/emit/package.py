"""The files of the package: `{path: text}`, with paths relative to the package."""

from __future__ import annotations

import hashlib

import msgspec
from msgspec.structs import replace

from codegen.emit.commands_and_events import commands_module, events_module
from codegen.emit.facade import facade_module
from codegen.emit.registry import init_module, registry_module, version_module
from codegen.emit.source_text import source
from codegen.emit.types import ids_module, types_module
from codegen.load import BASE64_FIELDS, Source
from codegen.model import Domain, Property, Protocol
from codegen.names import module_name
from codegen.plan import Plan

# The other vendored files.
_NOT_JSON = ("LICENSE", BASE64_FIELDS)


def emit(plan: Plan, origin: Source) -> dict[str, str]:
    """Return every file of the package."""
    version = origin.label
    schema = schema_text(plan.protocol)
    sources = tuple((name, digest) for name, digest in origin.sha256.items() if name not in _NOT_JSON)
    files = {
        "__init__.py": init_module(plan, version),
        "_version.py": version_module(origin, hashlib.sha256(schema.encode()).hexdigest(), sources),
        "_types/__init__.py": source(version, "Types, one module per domain.", [], ""),
        "_commands/__init__.py": source(version, "Commands and their results, one module per domain.", [], ""),
        "_events/__init__.py": source(version, "Events, one module per domain.", [], ""),
        "ids.py": ids_module(plan, version),
        "registry.py": registry_module(plan, version),
        "protocol.json": schema,
    }
    for domain in plan.protocol.domains:
        module = module_name(domain.domain)
        files[f"{module}.py"] = facade_module(plan, domain, version)
        if any(plan.of_domain(domain.domain, "types")):
            files[f"_types/{module}.py"] = types_module(plan, domain.domain, version)
        if domain.commands:
            files[f"_commands/{module}.py"] = commands_module(plan, domain, version)
        if domain.events:
            files[f"_events/{module}.py"] = events_module(plan, domain, version)
    return files


def schema_text(protocol: Protocol) -> str:
    """Return the schema as one line of JSON."""
    bare = replace(protocol, domains=tuple(_domain(domain) for domain in protocol.domains))
    return msgspec.json.encode(bare).decode() + "\n"


def _domain(domain: Domain) -> Domain:
    return replace(
        domain,
        description="",
        types=tuple(
            replace(item, description="", properties=_bare(item.properties) if item.properties is not None else None)
            for item in domain.types
        ),
        commands=tuple(
            replace(item, description="", parameters=_bare(item.parameters), returns=_bare(item.returns))
            for item in domain.commands
        ),
        events=tuple(replace(item, description="", parameters=_bare(item.parameters)) for item in domain.events),
    )


def _bare(items: tuple[Property, ...]) -> tuple[Property, ...]:
    return tuple(replace(item, description="") for item in items)
