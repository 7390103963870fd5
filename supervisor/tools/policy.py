"""What an agent may do: where it may go, which commands it may send, what it may not see."""

from __future__ import annotations

import fnmatch
import ipaddress
import logging
import posixpath
import re
import unicodedata
from typing import Annotated
from urllib.parse import SplitResult, unquote, urlsplit

from msgspec import Meta, Struct

from cdp_typed.text import visible
from supervisor.core.errors import InvalidConfig

from .errors import Refused

_log = logging.getLogger(__name__)

_OPEN_SCHEMES = frozenset({"about", "data"})
"""Pages without a host of their own: what they show came from a page that was allowed, or from the agent."""

_WRAPPED = re.compile(r"(?:view-source|blob|filesystem):", re.IGNORECASE)
_WITH_HOST = re.compile(r"(https?|wss?|ftp):[/\\\\]*", re.IGNORECASE)

_LOCAL_NAMES = (".localhost", ".local", ".internal", ".lan", ".home.arpa")
"""Names that lead to machines nearby; `metadata.google.internal` is one of them."""

Patterns = Annotated[tuple[str, ...], Meta(max_length=1000)]


class Policy(Struct, frozen=True, kw_only=True):
    """Everything is allowed that is not refused here. Raises `InvalidConfig` for a pattern that cannot be read.

    An origin's pattern is `scheme://host[:port]` or a host, with `*` for anything: `https://*.example.com`, `10.*`.
    """

    allow_origins: Patterns | None = None
    """Where pages and frames may come from; None: from anywhere."""
    deny_origins: Patterns = ()
    """Asked before `allow_origins`."""
    deny_private: bool = False
    """Refuse `file:` and the browser's own pages (`chrome:`, `devtools:`, `view-source:`), this machine, and private,
    link-local and metadata addresses. Names are not looked up: a public name of a private address is not seen."""
    allow_methods: Patterns | None = None
    """The CDP methods that `browser_cdp` may send, such as `Page.*`; None: any."""
    deny_methods: Patterns = ()
    """Asked before `allow_methods`."""
    allow_files: Patterns | None = None
    """The files of the browser's machine that pages may be given, such as `/srv/uploads/*`; None: any."""
    redact: Patterns = ()
    """Regular expressions; what they match is shown as `[redacted]` in every result."""

    def __post_init__(self) -> None:
        for pattern in self.redact:
            try:
                re.compile(pattern)
            except re.error as error:
                raise InvalidConfig("redact", pattern, f"a regular expression ({error})") from None

    @property
    def watches(self) -> bool:
        """Whether there is any place where pages may not go."""
        return self.allow_origins is not None or bool(self.deny_origins) or self.deny_private

    @property
    def restricts(self) -> bool:
        """Whether it refuses anything at all."""
        return self.watches or self.allow_methods is not None or bool(self.deny_methods)

    def check_url(self, url: str) -> None:
        """Raise `Refused` for a place where no page or frame may go; each decision is logged, by origin."""
        why = self._why_not(url)
        if self.watches:
            _log.info("%s: %s", _place(url), f"refused, {why}" if why else "allowed")
        if why:
            raise Refused(_place(url), why)

    def check_method(self, method: str) -> None:
        """Raise `Refused` for a CDP method that may not be sent; each decision is logged."""
        why = None
        if any(fnmatch.fnmatchcase(method, pattern) for pattern in self.deny_methods):
            why = "the method is denied"
        elif self.allow_methods is not None and not any(
            fnmatch.fnmatchcase(method, pattern) for pattern in self.allow_methods
        ):
            why = "the method is not among those allowed"
        _log.info("%s: %s", visible(method), f"refused, {why}" if why else "allowed")
        if why:
            raise Refused(visible(method), why)

    def check_file(self, path: str) -> None:
        """Raise `Refused` for a file that no page may be given; each decision is logged."""
        plain = posixpath.normpath(path.replace("\\", "/"))
        allowed = self.allow_files is None or any(fnmatch.fnmatchcase(plain, one) for one in self.allow_files)
        _log.info("%s: %s", visible(path), "allowed" if allowed else "refused, the file is not among those allowed")
        if not allowed:
            raise Refused(visible(path), "the file is not among those allowed")

    def _why_not(self, url: str) -> str | None:
        if not self.watches:
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


def _place(url: str) -> str:
    """A URL for people to read, without what could be secret in it."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "an address that cannot be read"
    if not host:
        return visible(f"{parts.scheme}:") if parts.scheme else "a relative address"
    return visible(f"{parts.scheme}://{host}{f':{port}' if port else ''}")
