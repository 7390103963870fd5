"""`UrlRules`: rules for the URLs of pages and frames, decided by the URL alone."""

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
"""Schemes without a host: the content came from an allowed page, from the agent, or is the browser's error page."""

_WRAPPED = re.compile(r"(?:view-source|blob|filesystem):", re.IGNORECASE)
_WITH_HOST = re.compile(r"(https?|wss?|ftp):[/\\\\]*", re.IGNORECASE)

_ENDS = "".join(map(chr, range(33)))
"""Control characters and the space, which browsers drop at both ends of an address."""
_INSIDE = str.maketrans("", "", "\t\r\n")
"""What they drop anywhere in it."""

_LOCAL_NAMES = (".localhost", ".local", ".internal", ".lan", ".home.arpa")
"""Suffixes of host names in private networks; `metadata.google.internal` has one of them."""

_EMBEDDING = tuple(
    (ipaddress.IPv6Network(network), shift)
    for network, shift in (
        ("::/96", 0),  # IPv4-compatible
        ("::ffff:0:0/96", 0),  # IPv4-mapped
        ("::ffff:0:0:0/96", 0),  # IPv4-translated
        ("64:ff9b::/96", 0),  # NAT64
        ("2002::/16", 80),  # 6to4
    )
)
"""Networks whose addresses lead to an IPv4 address, and where in them that is."""
_PRIVATE = (ipaddress.IPv4Network("168.63.129.16/32"), ipaddress.IPv6Network("64:ff9b:1::/48"))
"""What is private although `ipaddress` says that it is global: a cloud's metadata, NAT64 of a network's own."""
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}


class UrlRules(Struct, frozen=True, kw_only=True):
    """Rules that restrict pages and frames to some origins. Raises `InvalidConfig` for what is no tuple of texts.

    An origin's pattern is `scheme://host[:port]` or a host, with `*` for anything: `https://*.example.com`, `10.*`.
    """

    allow_origins: tuple[str, ...] | None = None
    """The only origins that are allowed; None allows all."""
    deny_origins: tuple[str, ...] = ()
    """Origins that are refused, also where `allow_origins` allows them; without a port, on every port."""
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
        """True if any URL may be refused."""
        return self.allow_origins is not None or bool(self.deny_origins) or self.deny_private

    def why_not(self, url: str) -> str | None:
        """Return the reason to refuse a URL, or None for one that is allowed."""
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
            return "it is a private address"
        names = {host, f"{parts.scheme}://{host}{f':{port}' if port else ''}"}
        on_any_port = {f"{parts.scheme}://{host}", f"{parts.scheme}://{host}:{port or _PORTS.get(parts.scheme)}"}
        if any(_matches(names | on_any_port, pattern) for pattern in self.deny_origins):
            return "its origin is denied"
        if self.allow_origins is not None and not any(_matches(names, pattern) for pattern in self.allow_origins):
            return "its origin is not among those allowed"
        return None


def is_script(url: str) -> bool:
    """Return True for an address that a browser runs in the page (`javascript:`), however it is written."""
    return _cleaned(url)[:11].lower() == "javascript:"


def shown(url: str) -> str:
    """Return a URL as scheme, host and port, without the parts that may be secret."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "an address that cannot be read"
    if not host:
        return visible(f"{parts.scheme}:") if parts.scheme else "a relative address"
    return visible(f"{parts.scheme}://{host}{f':{port}' if port else ''}")


def _as_the_browser_reads(url: str) -> str:
    """Normalise a URL as browsers do: `http:host`, `http:\\\\host` and `http:///host` are the same."""
    url = _cleaned(url)
    inner = _WRAPPED.sub("", url, count=1) if _WRAPPED.match(url) else url
    with_host = _WITH_HOST.match(inner)
    if with_host is None:
        return url if _WRAPPED.match(url) and not inner.startswith("file:") else inner
    return f"{with_host[1]}://{inner[with_host.end() :]}".replace("\\", "/")


def _cleaned(url: str) -> str:
    return url.strip(_ENDS).translate(_INSIDE)


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
    if address is None:
        return False
    if isinstance(address, ipaddress.IPv6Address) and address.is_site_local:
        return True
    return not address.is_global or address.is_multicast or any(address in network for network in _PRIVATE)


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the IP address of a host in any form that browsers accept: `127.1`, `0x7f000001`, `::ffff:7f00:1`."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return _loose_address(host)
    for network, shift in _EMBEDDING:
        if address in network:
            return ipaddress.IPv4Address(int(address) >> shift & 0xFFFFFFFF)
    return address


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
