"""Removes credentials, and texts that the policy's patterns match, from results and files; marks typed text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, TypeAlias, cast
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from cdp_typed.addresses import secrets_of
from cdp_typed.redaction import Redaction
from cdp_typed.redaction.protected import PROTECTED
from cdp_typed.redaction.spellings import without
from cdp_typed.wire.json_text import is_object
from supervisor.config import Config

from .untrusted_text import is_items

HIDDEN = "[redacted]"

TypedText: TypeAlias = Annotated[str, Meta(extra={"typed": "text"})]
"""An argument that is typed into a page. It may be a password, so no recording has it."""
TypedKey: TypeAlias = Annotated[str, Meta(extra={"typed": "key"})]
"""A key that is pressed; one that writes a character is left out of recordings."""


class Redactor:
    """Replaces secrets, those that a person protects, and what matches patterns, in every text of plain data."""

    def __init__(self, secrets: Iterable[str], patterns: Iterable[str] = ()) -> None:
        self._secrets = frozenset(secret for secret in secrets if secret)
        parts = [f"(?:{pattern})" for pattern in patterns]
        self._pattern = re.compile("|".join(parts)) if parts else None

    def text(self, text: str) -> str:
        """One text."""
        text = without(text, PROTECTED | self._secrets, HIDDEN)
        return self._pattern.sub(HIDDEN, text) if self._pattern else text

    def value(self, value: Any) -> Any:
        """Plain data, keys included."""
        if not (PROTECTED or self._secrets or self._pattern):
            return value
        if isinstance(value, str):
            return self.text(value)
        if is_object(value):
            return {self.text(key): self.value(item) for key, item in value.items()}
        if is_items(value):
            return [self.value(item) for item in value]
        return value


class TrafficRedaction:
    """Replaces secrets in texts of the network, for results and files: passwords of logins, what the policy's patterns
    match, and what has the name or the shape of a credential."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._known = Redactor((), patterns)
        self._shapes = Redaction()

    def known(self, text: str) -> str:
        """One text without passwords of logins and what the patterns match; what else it holds stays."""
        return self._known.text(text)

    def text(self, text: str) -> str:
        """One text."""
        return self._shapes.text(self._known.text(text))

    def value(self, value: Any) -> Any:
        """Plain data, keys included."""
        return self._shapes.value(self._known.value(value))


def secrets_in(config: Config | None) -> tuple[str, ...]:
    """The credentials that these settings hold. An address that a callable gives is not known here: the library
    itself keeps that one out of its texts."""
    if config is None:
        return ()
    url = config.cdp_url if isinstance(config.cdp_url, str) else ""
    proxy = urlsplit(config.proxy or "")
    return (*secrets_of(url, config.headers), *(secret for secret in (proxy.username, proxy.password) if secret))


@cache
def typed_fields(arguments: type[Struct]) -> Mapping[str, str]:
    """The arguments that are typed, also within lists and objects: `text` or `key` by name."""
    found: dict[str, str] = {}
    _look(msgspec.inspect.type_info(arguments), "", found)
    return found


def _look(kind: msgspec.inspect.Type, name: str, found: dict[str, str]) -> None:
    match kind:
        case msgspec.inspect.Metadata():
            extra = cast("Mapping[str, object]", kind.extra or {})
            if "typed" in extra:
                found[name] = str(extra["typed"])
            _look(kind.type, name, found)
        case msgspec.inspect.StructType(fields=fields):
            for field in fields:
                _look(field.type, field.encode_name, found)
        case msgspec.inspect.UnionType(types=kinds):
            for one in kinds:
                _look(one, name, found)
        case msgspec.inspect.VarTupleType(item_type=item) | msgspec.inspect.ListType(item_type=item):
            _look(item, name, found)
        case _:
            pass
