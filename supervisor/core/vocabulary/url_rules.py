"""Places: where pages and frames may come from, decided by the address alone."""

from __future__ import annotations

import fnmatch
import ipaddress
import re
import unicodedata
from urllib.parse import SplitResult, unquote, urlsplit

import msgspec
from msgspec import Struct

from cdp_typed.printable import visible

from .errors import InvalidConfig

_OPEN_SCHEMES = frozenset({"about", "data", "chrome-error"})
"""Pages without a host of their own: what they show came from a page that was allowed, from the agent, or, in place of
a page that could not be had, from the browser."""

_WRAPPED = re.compile(r"(?:view-source|blob|filesystem):", re.IGNORECASE)
_WITH_HOST = re.compile(r"(https?|wss?|ftp):[/\\\\]*", re.IGNORECASE)

_LOCAL_NAMES = (".localhost", ".local", ".internal", ".lan", ".home.arpa")
"""Names that lead to machines nearby; `metadata.google.internal` is one of them."""


class Places(Struct, frozen=True, kw_only=True):
    """Every place is allowed that is not refused here. Raises `InvalidConfig` for what is no tuple of texts.

    An origin's pattern is `scheme://host[:port]` or a host, with `*` for anything: `https://*.example.com`, `10.*`.
    """

    allow_origins: tuple[str, ...] | None = None
    """Where pages and frames may come from; None: from anywhere."""
    deny_origins: tuple[str, ...] = ()
    """Asked before `allow_origins`."""
    deny_private: bool = False
    """Refuse `file:` and the browser's own pages (`chrome:`, `devtools:`, `view-source:`), this machine, and private,
    link-local and metadata addresses. Names are not looked up: a public name of a private address is not seen."""

    def __post_init__(self) -> None:
        for key, patterns in (("allow_origins", self.allow_origins), ("deny_origins", self.deny_origins)):
            try:
                msgspec.convert(patterns, tuple[str, ...] | None)
            except msgspec.ValidationError:
                raise InvalidConfig(key, patterns, "a tuple of texts") from None

    @property
    def restricts(self) -> bool:
        """Whether there is any place where pages may not go."""
        return self.allow_origins is not None or bool(self.deny_origins) or self.deny_private

    def why_not(self, url: str) -> str | None:
        """Why no page or frame may go there; None: it may."""
        if not self.restricts:
            return None
        try:
            parts = urlsplit(_as_the_browser_reads(url))
            host, port = _host(parts), parts.port
        except ValueError:
            return "its address cannot be read"
        if parts.scheme in _OPEN_SCHEMES or not url:
            return None
        if self.deny_private and _is_private(parts, host):
            return "it is a private place"
        names = {host, f"{parts.scheme}://{host}{f':{port}' if port else ''}"}
        if any(_matches(names, pattern) for pattern in self.deny_origins):
            return "its origin is denied"
        if self.allow_origins is not None and not any(_matches(names, pattern) for pattern in self.allow_origins):
            return "its origin is not among those allowed"
        return None


def shown(url: str) -> str:
    """A URL for people to read, without what could be secret in it."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "an address that cannot be read"
    if not host:
        return visible(f"{parts.scheme}:") if parts.scheme else "a relative address"
    return visible(f"{parts.scheme}://{host}{f':{port}' if port else ''}")


def _as_the_browser_reads(url: str) -> str:
    """`http:host`, `http:\\\\host` and `http:///host` are the same address to a browser."""
    url = "".join(each for each in url.strip() if each not in "\t\r\n")
    inner = _WRAPPED.sub("", url, count=1) if _WRAPPED.match(url) else url
    with_host = _WITH_HOST.match(inner)
    if with_host is None:
        return url if _WRAPPED.match(url) and not inner.startswith("file:") else inner
    return f"{with_host[1]}://{inner[with_host.end() :]}".replace("\\", "/")


def _host(parts: SplitResult) -> str:
    return unicodedata.normalize("NFKC", unquote(parts.hostname or "")).lower().rstrip(".")


def _matches(names: set[str], pattern: str) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern.lower()) for name in names)


def _is_private(parts: SplitResult, host: str) -> bool:
    if parts.scheme not in ("http", "https", "ws", "wss", "ftp"):
        return True
    if not host or host == "localhost" or "." not in host.replace(":", ".") or host.endswith(_LOCAL_NAMES):
        return True
    address = _address(host)
    return address is not None and not address.is_global


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a browser takes a host for, however it is written: `127.1`, `0x7f000001`, `::ffff:7f00:1`."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return _loose_address(host)
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _loose_address(host: str) -> ipaddress.IPv4Address | None:
    parts = host.split(".")
    try:
        numbers = [_number(part) for part in parts]
    except ValueError:
        return None
    if len(parts) > 4:
        return None
    value = numbers[-1]
    for place, number in enumerate(numbers[:-1]):
        value += number << (8 * (3 - place))
    return ipaddress.IPv4Address(value) if value < 2**32 else None


def _number(text: str) -> int:
    if text.lower().startswith("0x"):
        return int(text[2:] or "0", 16)
    return int(text, 8 if text.startswith("0") and len(text) > 1 else 10)
