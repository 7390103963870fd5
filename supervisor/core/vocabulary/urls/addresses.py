"""An address as a browser reads it: scheme, host and port."""

from __future__ import annotations

import re
from ipaddress import IPv6Address

from msgspec import Struct

from .hosts import Host, UnreadableAddress, read_host, read_port, split_port

OPEN_SCHEMES = frozenset({"about", "data", "chrome-error"})
"""Schemes without a host: the content came from an allowed page, from the agent, or is the browser's error page."""

WRAPPERS = frozenset({"view-source", "blob", "filesystem"})
"""Schemes of addresses that have another address inside, which decides."""

WEB_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
"""The schemes of the web, and the port of each where an address names none."""

_BROWSERS_OWN = frozenset(
    {
        *("chrome", "chrome-distiller", "chrome-extension", "chrome-native", "chrome-search", "chrome-untrusted"),
        *("devtools", "isolated-app"),
    }
)
"""Chromium's own schemes."""

_WITH_HOST = frozenset({*WEB_PORTS, *_BROWSERS_OWN})
"""Schemes where `chrome:x` and `chrome:\\\\x` are `chrome://x`."""

WITHOUT_PORT = frozenset({"file", *_BROWSERS_OWN})
"""Schemes whose addresses have no port: Chromium drops it, or reads no address with one."""

SCHEME = re.compile(r"[a-z][a-z0-9+.-]*")

_ENDS = "".join(map(chr, range(33)))
"""Control characters and the space, which browsers drop at both ends of an address."""
_INSIDE = str.maketrans("", "", "\t\r\n")
"""Characters that browsers drop anywhere in an address."""

_WRAPPED = re.compile(rf"(?:(?:{'|'.join(sorted(WRAPPERS))}):[\x00-\x20]*)+", re.IGNORECASE)


class RelativeAddress(UnreadableAddress):
    """An address without a scheme."""


class ParsedAddress(Struct, frozen=True, kw_only=True):
    """The parts of an address that URL rules check."""

    scheme: str
    host: Host = ""
    port: int | None = None
    """That of the scheme where the address names none; None for a scheme without one."""

    @property
    def origin(self) -> str:
        """The address without its path, as a browser writes it."""
        if self.host == "":
            return f"{self.scheme}:"
        host = f"[{_as_browsers_write(self.host)}]" if isinstance(self.host, IPv6Address) else self.host
        return f"{self.scheme}://{host}{'' if self.has_default_port else f':{self.port}'}"

    @property
    def has_default_port(self) -> bool:
        """True without a port, or with that of the scheme."""
        return self.port == WEB_PORTS.get(self.scheme)


def cleaned(url: str) -> str:
    """Return an address without the characters that browsers drop."""
    return url.strip(_ENDS).translate(_INSIDE)


def read_address(url: str) -> ParsedAddress:
    """Return what decides about an address; of `view-source:`, `blob:` and `filesystem:` the one inside.

    Raises `UnreadableAddress` where Chromium reads no address, or one whose host has a blank, a `*` or an empty label;
    `RelativeAddress` without a scheme.
    """
    text = cleaned(url)
    wrapped = _WRAPPED.match(text)
    if wrapped is None:
        return _read(text)
    inner = text[wrapped.end() :]
    scheme = _split(inner)[0]
    if not SCHEME.fullmatch(scheme) or scheme in OPEN_SCHEMES:
        return ParsedAddress(scheme=text.partition(":")[0].lower())
    return _read(inner)


def _read(text: str) -> ParsedAddress:
    scheme, rest = _split(text)
    if not SCHEME.fullmatch(scheme):
        raise RelativeAddress(text)
    authority = _authority(scheme, rest)
    if not authority and scheme not in _WITH_HOST:
        return ParsedAddress(scheme=scheme)
    host, port = split_port(authority if scheme == "file" else authority.rpartition("@")[2])
    if not host or (scheme == "file" and port):
        raise UnreadableAddress(text)
    number = read_port(port)
    if number is None or scheme in WITHOUT_PORT:
        number = WEB_PORTS.get(scheme)
    return ParsedAddress(scheme=scheme, host=read_host(host), port=number)


def _split(text: str) -> tuple[str, str]:
    scheme, colon, rest = text.partition(":")
    return (scheme.lower() if colon else ""), rest


def _authority(scheme: str, rest: str) -> str:
    """Return user name, host and port as they are written; empty if there are none."""
    if scheme in _WITH_HOST:
        return re.split(r"[/\\?#]", rest.lstrip("/\\"), maxsplit=1)[0]
    found = re.match(r"[/\\]{2}([^/\\?#]*)" if scheme == "file" else r"//([^/?#]*)", rest)
    return found[1] if found else ""


def _as_browsers_write(address: IPv6Address) -> str:
    """The address without the dots that Python 3.13 writes for an IPv4 address in it."""
    inner = address.ipv4_mapped
    return str(address) if inner is None else f"::ffff:{int(inner) >> 16:x}:{int(inner) & 0xFFFF:x}"
