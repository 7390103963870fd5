"""Patterns of origins: `scheme://host[:port]`, a host with or without a port, or a network."""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network
from typing import Literal, NoReturn, TypeAlias

from msgspec import Struct

from .addresses import OPEN_SCHEMES, SCHEME, WEB_PORTS, WITHOUT_PORT, WRAPPERS, ParsedAddress
from .hosts import (
    Host,
    IdnaMissing,
    UnreadableAddress,
    ends_in_a_number,
    read_host,
    read_port,
    same_machine,
    split_port,
)
from .private import embedded

Network: TypeAlias = IPv4Network | IPv6Network

_NETWORK = "a network such as 10.0.0.0/8 or fd00::/8, or an origin without a path"
_WILDCARD = "a '*' alone, as a port, or in front of a domain as in *.example.com"
_NAME = re.compile(r"(?=.{1,253}\Z)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")


class BadPattern(ValueError):
    """A pattern that cannot be read or can never match; the message says what is expected instead."""


class OriginPattern(Struct, frozen=True, kw_only=True):
    """Which addresses a pattern means."""

    scheme: str | None = None
    """None where the pattern names none, `*` for any."""
    host: str | Network
    """A name, `*` for any host or none, `.example.com` for what is under a domain; a network, also for one address."""
    port: int | Literal["*"] | None = None
    """None where the pattern names none, `*` for any."""

    def denies(self, address: ParsedAddress) -> bool:
        """Without a scheme it denies every scheme, without a port every port; of an address inside IPv6, that, too."""
        return (
            self.scheme in (None, "*", address.scheme)
            and self.port in (None, "*", address.port)
            and any(self._has(host) for host in (address.host, _leads_to(address.host)))
        )

    def allows(self, address: ParsedAddress) -> bool:
        """Without a scheme it allows those of the web; `scheme://host` allows only the port of the scheme."""
        right_scheme = address.scheme in WEB_PORTS if self.scheme is None else self.scheme in ("*", address.scheme)
        if self.port is None:
            right_port = self.scheme is None or self.host == "*" or address.has_default_port
        else:
            right_port = self.port in ("*", address.port)
        return right_scheme and right_port and self._has(address.host)

    def _has(self, host: Host) -> bool:
        if isinstance(host, str):
            if isinstance(self.host, str) and self.host.startswith("."):
                return host.endswith(self.host)
            return self.host in ("*", host)
        return self.host == "*" or (not isinstance(self.host, str) and same_machine(host) in self.host)


def _leads_to(host: Host) -> Host:
    return host if isinstance(host, str) else embedded(host) or host


@lru_cache(maxsize=4096)
def read_pattern(text: str) -> OriginPattern:
    """Return what a pattern means. Raises `BadPattern`."""
    _check_characters(text)
    if text == "*":
        return OriginPattern(scheme="*", host="*")
    scheme, rest = _scheme_and_rest(text)
    rest = rest.removesuffix("/")
    if "/" in rest:
        return OriginPattern(host=_network(rest, scheme))
    if scheme is not None and not rest:
        raise BadPattern(f"a host, or {scheme}://* for every host")
    if scheme is None and rest.count(":") > 1 and not rest.startswith("["):
        rest = f"[{rest}]"
    host, port = split_port(rest)
    pattern = OriginPattern(scheme=scheme, host=_host(host, port), port=_port(port))
    if pattern.port is not None and scheme in WITHOUT_PORT:
        raise BadPattern(f"an origin without a port: {scheme}: addresses have none")
    return pattern


def _check_characters(text: str) -> None:
    if not text:
        raise BadPattern("a pattern: '*' means every address")
    if re.search(r"[\x00-\x20\x7f]|\s", text):
        raise BadPattern("a pattern without blanks")
    if "\\" in text:
        raise BadPattern("slashes, not backslashes")
    if "?" in text or "#" in text:
        raise BadPattern("an origin without a query or fragment")
    if "@" in text:
        raise BadPattern("an origin without a user name")


def _scheme_and_rest(text: str) -> tuple[str | None, str]:
    scheme, separator, rest = text.partition("://")
    if not separator:
        return None, text
    scheme = scheme.lower()
    if scheme != "*" and not SCHEME.fullmatch(scheme):
        raise BadPattern("a scheme such as https, or '*' for any")
    if scheme in OPEN_SCHEMES:
        raise BadPattern(f"another scheme: {scheme}: addresses are always allowed")
    if scheme in WRAPPERS:
        raise BadPattern(f"the address inside, which decides about {scheme}: addresses")
    return scheme, rest


def _network(text: str, scheme: str | None) -> Network:
    if not re.fullmatch(r"[0-9a-fA-F:.]+/[0-9]{1,3}", text):
        raise BadPattern(_NETWORK)
    try:
        network = ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise BadPattern(_NETWORK) from None
    if scheme is not None:
        raise BadPattern(f"a network without a scheme: {network}")
    if str(network.network_address) != str(ipaddress.ip_address(text.partition("/")[0])):
        raise BadPattern(f"the network, {network}")
    return _of_machines(network)


def _of_machines(network: Network) -> Network:
    """Return a network of IPv4-mapped addresses as that of the IPv4 addresses."""
    inner = network.network_address.ipv4_mapped if isinstance(network, IPv6Network) else None
    return IPv4Network((inner, network.prefixlen - 96)) if inner and network.prefixlen >= 96 else network


def _port(text: str) -> int | Literal["*"] | None:
    if text == ":*":
        return "*"
    try:
        port = read_port(text)
    except UnreadableAddress:
        port = None
    if port is None and text:
        raise BadPattern("a port from 0 to 65535, or '*' for any")
    return port


def _host(written: str, port: str) -> str | Network:
    if written == "*":
        return "*"
    under = written.startswith("*.")
    name = written[2:] if under else written
    if "*" in name or (written.startswith("*") and not under):
        _refuse_wildcard(written)
    if name.startswith(".") and not under:
        raise BadPattern(f"*{name} for the domains under it, or {name.lstrip('.')}")
    host = _read_host(name, port)
    if isinstance(host, str):
        return f".{host}" if under else host
    if under:
        raise BadPattern("a network such as 10.0.0.0/8 in place of a '*' before numbers")
    return _of_machines(ipaddress.ip_network(host))


def _refuse_wildcard(written: str) -> NoReturn:
    """Raise `BadPattern`, with the network that `10.*` was to mean."""
    found = re.fullmatch(r"((?:[0-9]+\.){1,3})\*(?:\.\*)*", written)
    numbers = found[1].split(".")[:-1] if found else []
    if not numbers or any(int(number) > 255 for number in numbers):
        raise BadPattern(_WILDCARD)
    whole = [str(int(number)) for number in numbers] + ["0"] * (4 - len(numbers))
    raise BadPattern(f"the network, {'.'.join(whole)}/{8 * len(numbers)}")


def _read_host(name: str, port: str) -> Host:
    if name.startswith("[") and (not name.endswith("]") or port[:1] not in ("", ":")):
        raise BadPattern("an IPv6 address in brackets")
    try:
        host = read_host(name)
    except IdnaMissing:
        raise BadPattern("its xn-- form, or the package idna (pip install 'cdp-typed[idna]')") from None
    except UnreadableAddress:
        _refuse_host(name)
    if isinstance(host, str) and not _NAME.fullmatch(host):
        _refuse_host(name)
    return host


def _refuse_host(name: str) -> NoReturn:
    if name.startswith("["):
        raise BadPattern("an IPv6 address in brackets")
    if ends_in_a_number(name):
        raise BadPattern("an IPv4 address, because the host ends in a number")
    raise BadPattern("a host name of letters, digits and hyphens between dots")
