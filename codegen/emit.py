"""The plan as files: `{path: text}`, paths relative to the package."""

from __future__ import annotations

import hashlib

from .emit_facade import facade_module
from .emit_methods import commands_module, events_module
from .emit_registry import init_module, registry_module, version_module
from .emit_schema import schema_text
from .emit_text import source
from .emit_types import ids_module, types_module
from .load import JSON_FILES, Source
from .names import module_name
from .plan import Plan

__all__ = ["emit"]


def emit(plan: Plan, origin: Source) -> dict[str, str]:
    """Every file of `cdp_typed/protocol/`."""
    version = origin.version
    schema = schema_text(plan.protocol)
    sources = tuple((name, origin.sha256[name]) for name in JSON_FILES)
    files = {
        "__init__.py": init_module(version),
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
