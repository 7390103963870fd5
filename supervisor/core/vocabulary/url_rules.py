"""`UrlRules`: rules for the URLs of pages and frames, decided by the URL alone."""

from __future__ import annotations

from msgspec import Struct

from cdp_typed.printable import visible

from .chromium import NO_URL
from .errors import InvalidConfig
from .known_names import KnownNames
from .setting_values import check_fields
from .urls.addresses import OPEN_SCHEMES, RelativeAddress, cleaned, read_address
from .urls.hosts import IdnaMissing, UnreadableAddress
from .urls.patterns import BadPattern, read_pattern
from .urls.private import is_loopback, is_private


class UrlRules(Struct, frozen=True, kw_only=True, metaclass=KnownNames):
    """Rules that restrict pages and frames to some origins.

    A pattern is `scheme://host[:port]`, `host[:port]` or a network: `https://*.example.com`, `localhost:8080`,
    `10.0.0.0/8`. A `*` matches any scheme, host or port, alone for every address, and before a domain for all
    domains under it, but not for the domain itself. Patterns and addresses are read as browsers read them:
    `http://127.1` is `http://127.0.0.1`. Letters beyond ASCII need the extra `idna`. A document in a sandbox counts
    by its address, like any other.

    Raises `InvalidConfig`, with the reason, for a pattern that cannot be read or can never match.
    """

    allow_origins: tuple[str, ...] | None = None
    """The only origins that are allowed; None allows all. Without a port, `scheme://host` allows that of the scheme,
    and a host every port. Without a scheme, a host or network allows http, https, ws, wss and ftp."""
    deny_origins: tuple[str, ...] = ()
    """Origins that are refused, also where `allow_origins` allows them; without a port, on every port, and without a
    scheme, on every scheme."""
    deny_private: bool = False
    """Refuse `file:` and the browser's own pages (`chrome:`, `devtools:`, `view-source:`), this machine, and private,
    link-local and metadata addresses. Names are not looked up: a public name of a private address is not seen."""
    allow_loopback: bool = False
    """Beside `deny_private`, allow what this machine serves to itself: `localhost`, `127.0.0.1`, `[::1]`."""

    def __post_init__(self) -> None:
        check_fields(self)
        for key, patterns in (("allow_origins", self.allow_origins), ("deny_origins", self.deny_origins)):
            for pattern in patterns or ():
                try:
                    read_pattern(pattern)
                except BadPattern as bad:
                    raise InvalidConfig(key, pattern, str(bad)) from None

    @property
    def restricts(self) -> bool:
        """True if any URL may be refused."""
        return self.allow_origins is not None or bool(self.deny_origins) or self.deny_private

    def why_not(self, url: str) -> str | None:
        """Return the reason to refuse a URL, or None for one that is allowed."""
        if not self.restricts or url in NO_URL:
            return None
        try:
            address = read_address(url)
        except IdnaMissing:
            return "its address cannot be read without the package idna (pip install 'cdp-typed[idna]')"
        except UnreadableAddress:
            return "its address cannot be read"
        if address.scheme in OPEN_SCHEMES:
            return None
        if self.deny_private and is_private(address) and not (self.allow_loopback and is_loopback(address)):
            return "it is a private address, and deny_private is on (mcp --allow-private allows it)"
        if any(read_pattern(pattern).denies(address) for pattern in self.deny_origins):
            return "its origin is denied"
        if self.allow_origins is None or any(read_pattern(pattern).allows(address) for pattern in self.allow_origins):
            return None
        return "its origin is not among those allowed"


def is_script(url: str) -> bool:
    """Return True for an address that a browser runs in the page (`javascript:`), however it is written."""
    return cleaned(url)[:11].lower() == "javascript:"


def shown(url: str) -> str:
    """Return a URL as scheme, host and port, without the parts that may be secret."""
    try:
        return visible(read_address(url).origin)
    except RelativeAddress:
        return "a relative address"
    except UnreadableAddress:
        return "an address that cannot be read"
