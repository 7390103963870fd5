"""`protocol/protocol.json`: the merged schema without descriptions, read at run time by `cdp_typed.schema`.

As in a real Chromium's `/json/protocol`, base64 text is `"type": "binary"`; except for the descriptions, the keys are
the same in the same places.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from codegen.model import Domain, Property, Protocol


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
