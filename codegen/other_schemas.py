"""Loads schemas that are not vendored: of a live browser, and of files with private domains."""

from __future__ import annotations

import hashlib
import http.client
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import msgspec
from msgspec import Struct

from codegen.errors import SchemaError
from codegen.load import Source
from codegen.model import Domain, Protocol, Version

_TIMEOUT_S = 10.0
_MAX_BODY = 64 * 2**20
# The name and version of a browser are written into comments of the generated modules. The product of QtWebEngine is
# `qt/`, that of content_shell is empty.
_PRODUCT = re.compile(r"([\w .+-]{0,80})(?:/([\w.+-]{0,80}))?", re.ASCII)
_V8 = re.compile(r"[\w.+-]{1,80}", re.ASCII)

# Keys of older schemas that no longer exist: the length of an array, the process that handles a command, and keys of an
# array's items that upstream has since moved to the array or to a named type (Chrome 64).
_OLD_KEYS = frozenset({"minItems", "maxItems", "handlers"})
_OLD_KEYS_OF_ITEMS = frozenset({"description", "enum"})


class _JsonVersion(Struct):
    """The fields of `/json/version` that are used; others are ignored."""

    product: str | None = msgspec.field(name="Browser", default=None)
    revision: str = msgspec.field(name="WebKit-Version", default="")
    v8: str = msgspec.field(name="V8-Version", default="")
    websocket: str = msgspec.field(name="webSocketDebuggerUrl", default="")


class _Domains(Struct, frozen=True, forbid_unknown_fields=True):
    """A file like `/json/protocol`; a private file has no version."""

    domains: tuple[Domain, ...]
    version: Version | None = None


def load_others(browser: str | None, files: Sequence[Path]) -> tuple[Source, Protocol]:
    """Load the domains of the browser at an address, if there is one, and those of the files.

    Raises `SchemaError` naming the address (without its secrets) or the file that cannot be read, is no schema or has
    a key that the model does not know, or the domain that two of them define.
    """
    texts: dict[str, bytes] = {}
    package, version, revision = "domain files", "given by you", ""
    if browser is not None:
        address = _parse(browser)
        package, version, revision = _product(address)
        texts[f"{_shown(address)}/json/protocol"] = _schema(address)
    for path in files:
        texts[str(path)] = _read(path)
    homes: dict[str, str] = {}
    domains: list[Domain] = []
    for name, text in texts.items():
        for domain in _decode(name, text):
            if domain.domain in homes:
                raise SchemaError(f"{name}: the domain {domain.domain} is defined in {homes[domain.domain]} already")
            homes[domain.domain] = name
            domains.append(domain)
    # Named without the address: a browser's port differs at each start.
    digests = {
        "json/protocol" if "://" in name else name: hashlib.sha256(text).hexdigest() for name, text in texts.items()
    }
    source = Source(package=package, version=version, revision=revision, licence="", homepage="", sha256=digests)
    return source, Protocol(version=Version(major="1", minor="3"), domains=tuple(domains))


def _decode(name: str, text: bytes) -> tuple[Domain, ...]:
    """Read the domains of a file, which holds one domain or a list like that of `/json/protocol`."""
    try:
        content = _without_old_keys(msgspec.json.decode(text))
        if isinstance(content, dict) and "domain" in content:
            return (msgspec.convert(content, Domain),)
        return msgspec.convert(content, _Domains).domains
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise SchemaError(f"{name}: {error}") from error


def _without_old_keys(value: Any, *, of_items: bool = False) -> Any:
    match value:
        case [*items]:
            return [_without_old_keys(item) for item in items]
        case {**fields}:
            dropped = _OLD_KEYS | _OLD_KEYS_OF_ITEMS if of_items else _OLD_KEYS
            kept = {name: item for name, item in fields.items() if name not in dropped}
            return {name: _without_old_keys(item, of_items=name == "items") for name, item in kept.items()}
        case _:
            return value


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SchemaError(f"{path}: {error.strerror or 'cannot be read'}") from error


def _parse(address: str) -> SplitResult:
    try:
        parts = urlsplit(address if "://" in address else f"http://{address}")
        usable = parts.scheme in ("http", "https", "ws", "wss") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable, parts = False, urlsplit("")
    if not usable:
        raise SchemaError("--from-browser: not an address of a browser; use http://host:port or host:port")
    return parts


def _shown(address: SplitResult) -> str:
    """Return the address without user info, path and query, which may hold a token."""
    host = f"[{address.hostname}]" if ":" in (address.hostname or "") else address.hostname
    return f"{address.scheme}://{host}{f':{address.port}' if address.port else ''}"


def _product(address: SplitResult) -> tuple[str, str, str]:
    """Return the browser's name, version and revision."""
    try:
        answer = msgspec.json.decode(_get(address, "/json/version"), type=_JsonVersion)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        answer = _JsonVersion()
    if answer.product is None and not answer.websocket:
        raise SchemaError(f"{_shown(address)}: not a browser (its /json/version names none)")
    product = _PRODUCT.fullmatch(answer.product or "")
    if product is None:
        raise SchemaError(f"{_shown(address)}: not a browser (it calls itself {(answer.product or '')[:80]!r})")
    version = f"(V8 {answer.v8})" if _V8.fullmatch(answer.v8) else "of an unknown version"
    revision = re.search(r"@([0-9a-f]{7,40})\)", answer.revision)
    return product[1] or "a browser without a name", product[2] or version, revision[1] if revision else ""


def _schema(address: SplitResult) -> bytes:
    """Fetch the browser's own schema. Some builds have none, and some of those crash at the request."""
    path = "/json/protocol"
    instead = "give a file with --domain-file instead: the /json/protocol of another build of that version"
    try:
        return _get(address, path)
    except _Silent:
        # Measured on @sparticuz/chromium 103, 112, 122, 131, 141 and 153.
        raise SchemaError(
            f"{_shown(address)}: it ended the connection at {path}; a Chromium that was built without the files of "
            f"DevTools (@sparticuz/chromium) has no schema, and dies when it is asked for it; {instead}"
        ) from None
    except _NotFound:
        # Deno 2.9, Lightpanda.
        raise SchemaError(f"{_shown(address)}: it has no schema (HTTP 404 at {path}); {instead}") from None


class _Silent(SchemaError):
    """The server ended the connection without a byte of a response."""


class _NotFound(SchemaError):
    """HTTP 404."""


def _get(address: SplitResult, path: str) -> bytes:
    """Fetch the body at a path. No proxy is used and no redirect followed."""
    secure = address.scheme in ("https", "wss")
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    target = f"{path}?{address.query}" if address.query else path
    connection = kind(address.hostname or "", address.port, timeout=_TIMEOUT_S)
    try:
        connection.request("GET", target)
        answer = connection.getresponse()
        body = answer.read(_MAX_BODY)
    except (ConnectionResetError, BrokenPipeError) as error:  # http.client.RemoteDisconnected is a subclass
        raise _Silent(f"{_shown(address)}: unreachable ({type(error).__name__})") from None
    except OSError as error:
        # The system's own text may hold the address.
        raise SchemaError(f"{_shown(address)}: unreachable ({type(error).__name__})") from None
    except (http.client.HTTPException, ValueError):
        raise SchemaError(f"{_shown(address)}: something listens there, but it does not speak HTTP") from None
    finally:
        connection.close()
    if answer.status != 200:
        refused = _NotFound if answer.status == 404 else SchemaError
        raise refused(f"{_shown(address)}: not a browser (HTTP {answer.status} at {path})")
    return body
