"""Schemas that are not vendored: what a live browser speaks, and files with domains of one's own."""

from __future__ import annotations

import hashlib
import http.client
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

import msgspec
from msgspec import Struct

from .errors import SchemaError
from .load import Source
from .model import Domain, Protocol, Version

__all__ = ["load_others"]

_TIMEOUT_S = 10.0
_MAX_BODY = 64 * 2**20
# The name and version of a browser end up in comments of the generated modules.
_PRODUCT = re.compile(r"([\w .+-]{1,80})/([\w.+-]{1,80})", re.ASCII)


class _Answer(Struct):
    """`/json/version`. Whatever else a browser says there is its own business."""

    product: str = msgspec.field(name="Browser")
    revision: str = msgspec.field(name="WebKit-Version", default="")


class _Domains(Struct, frozen=True, forbid_unknown_fields=True):
    """A file like `/json/protocol`; one's own file has no version."""

    domains: tuple[Domain, ...]
    version: Version | None = None


def load_others(browser: str | None, files: Sequence[Path]) -> tuple[Source, Protocol]:
    """The domains of the browser at an address, if one is given, and those of the files.

    Raises `SchemaError` naming the address (without its secrets) or the file that cannot be read, is no schema or has
    a key that the model does not know, and the domain that two of them define.
    """
    texts: dict[str, bytes] = {}
    package, version, revision = "domain files", "of your own", ""
    if browser is not None:
        address = _parse(browser)
        package, version, revision = _product(address)
        texts[f"{_shown(address)}/json/protocol"] = _get(address, "/json/protocol")
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
    # A browser's port is another one each time.
    digests = {
        "json/protocol" if "://" in name else name: hashlib.sha256(text).hexdigest() for name, text in texts.items()
    }
    source = Source(package=package, version=version, revision=revision, licence="", homepage="", sha256=digests)
    return source, Protocol(version=Version(major="1", minor="3"), domains=tuple(domains))


def _decode(name: str, text: bytes) -> tuple[Domain, ...]:
    """The domains of a file, which holds either one of them or a list as `/json/protocol` has it."""
    try:
        if "domain" in msgspec.json.decode(text, type=dict[str, msgspec.Raw]):
            return (msgspec.json.decode(text, type=Domain),)
        return msgspec.json.decode(text, type=_Domains).domains
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise SchemaError(f"{name}: {error}") from error


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
    """The address without user info, path and query: they may hold a token."""
    host = f"[{address.hostname}]" if ":" in (address.hostname or "") else address.hostname
    return f"{address.scheme}://{host}{f':{address.port}' if address.port else ''}"


def _product(address: SplitResult) -> tuple[str, str, str]:
    try:
        answer = msgspec.json.decode(_get(address, "/json/version"), type=_Answer)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise SchemaError(f"{_shown(address)}: not a browser (its /json/version names none)") from None
    found = _PRODUCT.fullmatch(answer.product)
    if found is None:
        raise SchemaError(f"{_shown(address)}: not a browser (it calls itself {answer.product[:80]!r})")
    revision = re.search(r"@([0-9a-f]{7,40})\)", answer.revision)
    return found[1], found[2], revision[1] if revision else ""


def _get(address: SplitResult, path: str) -> bytes:
    """The body at a path. No proxy is used and no redirect followed."""
    secure = address.scheme in ("https", "wss")
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    target = f"{path}?{address.query}" if address.query else path
    connection = kind(address.hostname or "", address.port, timeout=_TIMEOUT_S)
    try:
        connection.request("GET", target)
        answer = connection.getresponse()
        body = answer.read(_MAX_BODY)
    except OSError as error:
        # The system's own text may hold the address.
        raise SchemaError(f"{_shown(address)}: unreachable ({type(error).__name__})") from None
    except (http.client.HTTPException, ValueError):
        raise SchemaError(f"{_shown(address)}: something listens there, but it does not speak HTTP") from None
    finally:
        connection.close()
    if answer.status != 200:
        raise SchemaError(f"{_shown(address)}: not a browser (HTTP {answer.status} at {path})")
    return body
