"""The path in the schema of a class of the bindings."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from cdp_typed._base import Event
from cdp_typed.protocol.registry import COMMANDS, DOMAINS

_DOMAINS = {module: domain for domain, module in DOMAINS.items()}


@cache
def path_of(cls: type[Struct]) -> str | None:
    """As `members_of` takes it; None for a class that is not of the protocol. Of a subclass, the path of its base."""
    method: str | None = getattr(cls, "METHOD", None)
    if method is not None:
        return f"{method}!" if issubclass(cls, Event) else method
    package, _, module = cls.__module__.rpartition(".")
    domain = _DOMAINS.get(module)
    if domain is None or not package.startswith("cdp_typed.protocol."):
        return None
    if package.endswith("._types"):
        return f"{domain}.{cls.__name__}"
    results = {f"{name}Result": method for method, name in COMMANDS.items() if method.startswith(f"{domain}.")}
    return f"{results[cls.__name__]}()" if cls.__name__ in results else None
