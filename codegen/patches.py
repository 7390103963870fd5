"""Named corrections to upstream, each with its reason; one that no longer applies stops the generator.

The table is empty for 0.0.1734725: of 147 methods tried on Chromium 156, all decoded except for one enum value, which
this newer schema dropped, and enums that the browser writes are open anyway.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from codegen.errors import SchemaError
from codegen.model import Domain, Property, Protocol


class Patch(Struct, frozen=True, kw_only=True):
    """The correction of one property that upstream describes wrongly.

    `was` is upstream's property without its description; `becomes` replaces it and keeps the description.
    """

    domain: str
    owner: str
    """The type, command or event that the property belongs to."""
    was: Property
    becomes: Property
    reason: str
    """The mistake of upstream, and the browser on which it was measured."""
    link: str
    """The upstream issue."""


PATCHES: tuple[Patch, ...] = ()


def apply(protocol: Protocol, patches: tuple[Patch, ...] = PATCHES) -> Protocol:
    """Return the corrected protocol. Raises `SchemaError` naming a patch that no longer applies."""
    for patch in patches:
        domains = tuple(
            _domain(domain, patch) if domain.domain == patch.domain else domain for domain in protocol.domains
        )
        if domains == protocol.domains:
            where = f"{patch.domain}.{patch.owner}.{patch.was.name}"
            raise SchemaError(
                f"the patch of {where} no longer applies, delete it (it was there because: {patch.reason})"
            )
        protocol = replace(protocol, domains=domains)
    return protocol


def _domain(domain: Domain, patch: Patch) -> Domain:
    return replace(
        domain,
        types=tuple(
            replace(item, properties=_properties(item.properties, patch))
            if item.id == patch.owner and item.properties is not None
            else item
            for item in domain.types
        ),
        commands=tuple(
            replace(item, parameters=_properties(item.parameters, patch), returns=_properties(item.returns, patch))
            if item.name == patch.owner
            else item
            for item in domain.commands
        ),
        events=tuple(
            replace(item, parameters=_properties(item.parameters, patch)) if item.name == patch.owner else item
            for item in domain.events
        ),
    )


def _properties(items: tuple[Property, ...], patch: Patch) -> tuple[Property, ...]:
    return tuple(
        replace(patch.becomes, description=item.description) if replace(item, description="") == patch.was else item
        for item in items
    )
