"""Which addresses lead to this machine or into a private network."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from .addresses import WEB_PORTS, ParsedAddress
from .hosts import IPAddress

_LOCAL_NAMES = (
    *(".localhost", ".localdomain", ".local", ".internal", ".lan", ".home.arpa", ".svc"),
    *(".intranet", ".private", ".corp", ".home"),
)
"""Suffixes of host names in private networks, those of RFC 6762 among them; `metadata.google.internal` has one."""

_EMBEDDING = tuple(
    (IPv6Network(network), shift)
    for network, shift in (
        ("::/96", 0),  # IPv4-compatible
        ("::ffff:0:0/96", 0),  # IPv4-mapped
        ("::ffff:0:0:0/96", 0),  # IPv4-translated
        ("64:ff9b::/96", 0),  # NAT64
        ("2002::/16", 80),  # 6to4
    )
)
"""Networks whose addresses lead to an IPv4 address, and where in them that is."""
_PRIVATE = (IPv4Network("168.63.129.16/32"), IPv4Network("192.0.0.0/24"), IPv6Network("64:ff9b:1::/48"))
"""Private networks that `ipaddress` calls global: metadata services of two clouds, and a local NAT64 prefix."""


def embedded(address: IPAddress) -> IPv4Address | None:
    """Return the IPv4 address to which an IPv6 address leads."""
    for network, shift in _EMBEDDING:
        if address in network:
            return IPv4Address(int(address) >> shift & 0xFFFFFFFF)
    return None


def is_private(address: ParsedAddress) -> bool:
    """Return True for this machine, a private network, and what is not on the web at all."""
    if address.scheme not in WEB_PORTS:
        return True
    host = address.host
    if isinstance(host, str):
        return "." not in host or host.endswith(_LOCAL_NAMES)
    inner = embedded(host)
    if inner is None and isinstance(host, IPv6Address) and host.is_site_local:
        return True
    machine = inner or host
    return not machine.is_global or machine.is_multicast or any(machine in network for network in _PRIVATE)


def is_loopback(address: ParsedAddress) -> bool:
    """Return True for what this machine serves to itself on the web's schemes."""
    host = address.host
    if address.scheme not in WEB_PORTS:
        return False
    if isinstance(host, str):
        return host == "localhost" or host.endswith(".localhost")
    machine = embedded(host) if host not in (IPv6Address("::1"), IPv6Address("::")) else None
    return (machine or host).is_loopback or (machine or host).is_unspecified
