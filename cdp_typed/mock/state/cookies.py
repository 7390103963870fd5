"""Cookies as values: parsing, replacement, and matching of requests."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from email.utils import parsedate_to_datetime
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.mock.urls import is_trustworthy

_LONGEST: Final = 4096
_SPACE: Final = 32
_LATEST_S: Final = 400 * 24 * 3600
_PORTS: Final = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_SITES: Final = {"none": "None", "lax": "Lax", "strict": "Strict"}
_PRIORITIES: Final = {"low": "Low", "medium": "Medium", "high": "High"}


class Cookie(Struct, frozen=True, kw_only=True):
    """A cookie of a browser context. A `domain` with a leading dot includes subdomains.

    `expires` is in seconds since 1970; negative for a session cookie.
    """

    context: str
    name: str
    value: str
    domain: str
    path: str = "/"
    expires: float = -1
    http_only: bool = False
    secure: bool = False
    same_site: str = ""
    priority: str = "Medium"
    scheme: str = "NonSecure"
    port: int = 80

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Return the fields that identify a cookie."""
        return self.context, self.name, self.domain, self.path

    @property
    def text(self) -> str:
        """Return it as in a `Cookie` header and in `document.cookie`."""
        return f"{self.name}={self.value}" if self.name else self.value

    def described(self) -> dict[str, Any]:
        """Return the `Network.Cookie`."""
        return {
            "name": self.name,
            "value": self.value,
            "domain": self.domain,
            "path": self.path,
            "expires": self.expires if self.expires >= 0 else -1,
            "size": len(self.name.encode()) + len(self.value.encode()),
            "httpOnly": self.http_only,
            "secure": self.secure,
            "session": self.expires < 0,
            **({"sameSite": self.same_site} if self.same_site else {}),
            "priority": self.priority,
            "sourceScheme": self.scheme,
            "sourcePort": self.port,
        }


NO_COOKIE_AT_ALL: Final = frozenset(
    {"NoCookieContent", "DisallowedCharacter", "NameValuePairExceedsMaxSize", "InvalidDomain", "InvalidPrefix"}
)
"""Why a text is no cookie."""

CookieJar = tuple[Cookie, ...]
"""The cookies of all contexts, oldest first."""


def is_sound(cookie: Cookie) -> bool:
    """Return whether a browser can store the cookie."""
    name, value = cookie.name, cookie.value
    known = name.lower()
    if any(ord(letter) < 32 or letter in ";\x7f" for letter in name + value) or "=" in name:
        return False
    if (name, value) != (name.strip(), value.strip()) or len((name + value).encode()) > _LONGEST:
        return False
    if not name and (not value or "=" in value):
        return False
    if not cookie.domain.strip(".") or cookie.domain.startswith("..") or not cookie.path.startswith("/"):
        return False
    bound = cookie.secure and cookie.path == "/" and not cookie.domain.startswith(".")
    return (bound or not known.startswith("__host-")) and (cookie.secure or not known.startswith("__secure-"))


def accept(jar: CookieJar, cookie: Cookie, now: float) -> CookieJar:
    """Return the jar with the cookie in place of the one that it replaces; without both, if it has expired."""
    if cookie.expires >= 0:
        cookie = replace(cookie, expires=min(cookie.expires, now + _LATEST_S))
    old = next((other for other in jar if other.key == cookie.key), None)
    if 0 <= cookie.expires <= now:
        return tuple(other for other in jar if other is not old)
    if old is not None and old.value == cookie.value:
        return tuple(cookie if other is old else other for other in jar)
    return (*(other for other in jar if other is not old), cookie)


def for_url(jar: CookieJar, context: str, url: str, now: float) -> list[Cookie]:
    """Return the cookies for a URL: the longest paths first, and of these the oldest."""
    return [cookie for cookie in for_host(jar, context, url, now) if not misfits(cookie, url)]


def for_host(jar: CookieJar, context: str, url: str, now: float) -> list[Cookie]:
    """Return the cookies for the host of a URL, in the order of `for_url`, whatever their paths."""
    parts = urlsplit(url)
    if parts.scheme not in _PORTS:
        return []
    matching = [
        cookie
        for cookie in jar
        if cookie.context == context
        and not 0 <= cookie.expires <= now
        and _has_host(cookie.domain, parts.hostname or "")
    ]
    return sorted(matching, key=lambda cookie: -len(cookie.path))


def misfits(cookie: Cookie, url: str) -> list[str]:
    """Return why a cookie of the URL's host is not for this URL, in Chrome's words."""
    secure = [] if is_trustworthy(url) or not cookie.secure else ["SecureOnly"]
    return secure if _has_path(cookie.path, urlsplit(url).path or "/") else [*secure, "NotOnPath"]


def header_of(cookies: Iterable[Cookie]) -> str:
    """Return the value of a `Cookie` header."""
    return "; ".join(cookie.text for cookie in cookies)


def parse_cookie(text: str, url: str, context: str, now: float, *, by_header: bool) -> tuple[Cookie, str]:
    """Parse a `Set-Cookie` header or an assignment to `document.cookie`; return also why it is blocked, or nothing."""
    first, *rest = text.split(";")
    name, equals, value = first.partition("=")
    fields = {key.strip().lower(): word.strip() for key, _, word in (part.partition("=") for part in rest)}
    parts = urlsplit(url)
    host = parts.hostname or ""
    domain = domain_of(fields.get("domain", ""), host)
    secure = "secure" in fields
    trusted = parts.scheme == "https" or (by_header and secure)
    cookie = Cookie(
        context=context,
        name=name.strip() if equals else "",
        value=value.strip() if equals else name.strip(),
        domain=domain or "",
        path=fields["path"] if fields.get("path", "").startswith("/") else _directory(parts.path),
        expires=_expiry(fields, now),
        http_only="httponly" in fields,
        secure=secure,
        same_site=_SITES.get(fields.get("samesite", "").lower(), ""),
        priority=_PRIORITIES.get(fields.get("priority", "").lower(), "Medium"),
        scheme="Secure" if trusted else "NonSecure",
        port=parts.port or _PORTS.get(parts.scheme, 80),
    )
    problems = (
        (not cookie.name and not cookie.value, "NoCookieContent"),
        (any(ord(letter) < _SPACE and letter != "\t" for letter in text), "DisallowedCharacter"),
        (len((cookie.name + cookie.value).encode()) > _LONGEST, "NameValuePairExceedsMaxSize"),
        (domain is None, "InvalidDomain"),
        (not is_sound(cookie), "InvalidPrefix"),
        (cookie.http_only and not by_header, "UserPreferences"),
        (cookie.same_site == "None" and not secure, "SameSiteNoneInsecure"),
        (secure and not is_trustworthy(url), "SecureOnly"),
    )
    return cookie, next((reason for blocked, reason in problems if blocked), "")


def domain_of(wanted: str, host: str) -> str | None:
    """Return the domain for a `Domain` attribute of this host; None if the host may not set it."""
    plain = wanted.lower().removeprefix(".")
    if not plain:
        return host
    if plain == host and (_is_address(host) or "." not in host):
        return host
    return f".{plain}" if "." in plain and not _is_address(host) and _has_host(f".{plain}", host) else None


def _directory(path: str) -> str:
    return path.rpartition("/")[0] or "/"


def _expiry(fields: dict[str, str], now: float) -> float:
    age = fields.get("max-age", "")
    if age.removeprefix("-").isdecimal():
        return max(now + int(age), 0) if int(age) > 0 else 0
    try:
        return parsedate_to_datetime(fields["expires"]).timestamp() if "expires" in fields else -1
    except ValueError:
        return -1


def _has_host(domain: str, host: str) -> bool:
    return host == domain.removeprefix(".") or (domain.startswith(".") and host.endswith(domain))


def _has_path(path: str, request_path: str) -> bool:
    return request_path == path or request_path.startswith(path if path.endswith("/") else f"{path}/")


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
