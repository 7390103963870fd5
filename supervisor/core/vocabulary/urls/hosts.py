"""The host of an address, in the one form that a browser makes of its many spellings.

Compared with `new URL(...)` of Chromium 156: names in other letters for every code point up to U+2FFFF, numbers, IPv6.
"""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import TypeAlias
from urllib.parse import unquote_to_bytes

IPAddress: TypeAlias = IPv4Address | IPv6Address
Host: TypeAlias = str | IPAddress
"""A name, in lower case, ASCII and without a dot at the end, or an IP address. Empty in an address without a host."""

_FORBIDDEN = re.compile(r"[\x00-\x20\x7f#%*/:<>?@\[\\\]^|]")
"""Characters that no host has. Chromium refuses all but the blank and the `*`, which no server's name has."""
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")


class UnreadableAddress(ValueError):
    """No browser goes to this address, or it cannot be known where."""


class IdnaMissing(UnreadableAddress):
    """The name has letters beyond ASCII, and the package `idna` is not installed."""


def read_host(written: str) -> Host:
    """Return the host that a browser makes of this text. Raises `UnreadableAddress`."""
    if written.startswith("["):
        return _ipv6(written)
    try:
        decoded = unquote_to_bytes(written).decode()
    except UnicodeError:
        raise UnreadableAddress(written) from None
    name = (decoded.lower() if decoded.isascii() else _in_ascii(decoded)).removesuffix(".")
    labels = name.split(".")
    if "" in labels or _FORBIDDEN.search(name):
        raise UnreadableAddress(written)
    return _ipv4(labels) if ends_in_a_number(name) else name


def ends_in_a_number(name: str) -> bool:
    """Return True for a host that a browser takes for an IPv4 address, or for nothing."""
    return _NUMBER.fullmatch(name.removesuffix(".").rpartition(".")[2].lower()) is not None


def split_port(authority: str) -> tuple[str, str]:
    """Return the host and the rest with its colon, if any: `("[::1]", ":80")`."""
    brackets, closing, rest = authority.partition("]")
    if authority.startswith("["):
        return brackets + closing, rest
    host, colon, port = authority.partition(":")
    return host, colon + port


def read_port(text: str) -> int | None:
    """Return the port of `:80`, or None for `:` and nothing. Raises `UnreadableAddress`."""
    match = re.fullmatch(r":?|:0*([0-9]{1,5})", text)
    if match is None:
        raise UnreadableAddress(text)
    port = int(match[1]) if match[1] else None
    if port is not None and port > 0xFFFF:
        raise UnreadableAddress(text)
    return port


def same_machine(address: IPAddress) -> IPAddress:
    """Return the IPv4 address that an IPv4-mapped one is, and any other unchanged."""
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def _in_ascii(name: str) -> str:
    """Map a name by UTS 46 without transitional processing, and write its labels in Punycode.

    Not by `idna.encode`: its stricter rules refuse names to which Chromium goes (emoji).
    """
    try:
        import idna
    except ImportError:
        raise IdnaMissing(name) from None
    try:
        mapped = idna.uts46_remap(name, std3_rules=False)
    except idna.IDNAError:
        raise UnreadableAddress(name) from None
    labels = mapped.split(".")
    return ".".join(each if each.isascii() else f"xn--{each.encode('punycode').decode('ascii')}" for each in labels)


def _ipv6(written: str) -> IPv6Address:
    if not written.endswith("]") or "%" in written:
        raise UnreadableAddress(written)
    try:
        return IPv6Address(written[1:-1])
    except AddressValueError:
        raise UnreadableAddress(written) from None


def _ipv4(labels: list[str]) -> IPv4Address:
    """Read `127.1`, `0x7f000001` and `0177.0.0.1`: the last number fills the bytes that are left."""
    try:
        *first, last = [_number(label) for label in labels]
    except ValueError:
        raise UnreadableAddress(".".join(labels)) from None
    if len(labels) > 4 or any(number > 255 for number in first) or last >= 256 ** (4 - len(first)):
        raise UnreadableAddress(".".join(labels))
    return IPv4Address(last + sum(number << 8 * (3 - place) for place, number in enumerate(first)))


def _number(label: str) -> int:
    if not _NUMBER.fullmatch(label):
        raise ValueError(label)
    if label.startswith("0x"):
        return int(label[2:] or "0", 16)
    return int(label, 8 if label.startswith("0") and len(label) > 1 else 10)
