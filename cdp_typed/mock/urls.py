"""Kinds of URLs: which ones the browser loads, blocks, or leaves to another program."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

BLANK_URL: Final = "about:blank"
ERROR_URL: Final = "chrome-error://chromewebdata/"
BLOCKED_URL: Final = "about:blank#blocked"
SRCDOC_URL: Final = "about:srcdoc"
_BROWSERS_OWN: Final = frozenset({"chrome", "chrome-error", "chrome-extension", "chrome-untrusted", "devtools"})
ERRORS_BY_SCHEME: Final = {
    "about": "net::ERR_INVALID_URL",
    "blob": "net::ERR_FILE_NOT_FOUND",
    "file": "net::ERR_FILE_NOT_FOUND",
    "ws": "net::ERR_UNKNOWN_URL_SCHEME",
    "wss": "net::ERR_UNKNOWN_URL_SCHEME",
}
"""Chrome's net errors for addresses that nobody serves."""
_SCHEMES: Final = frozenset({"data", "http", "https", "javascript", *ERRORS_BY_SCHEME, *_BROWSERS_OWN})
"""The schemes that the browser handles itself."""


def scheme_of(url: str) -> str:
    """Return the scheme of a URL, in lower case."""
    return url.partition(":")[0].lower()


def is_script_url(url: str) -> bool:
    """Return whether the URL is a script, which a browser runs in the present document."""
    return scheme_of(url) == "javascript"


def is_browser_page(url: str) -> bool:
    """Return whether the URL belongs to one of the browser's own pages."""
    return scheme_of(url) in _BROWSERS_OWN


def is_external(url: str) -> bool:
    """Return whether the browser opens the URL in another program and keeps the document."""
    return scheme_of(url) not in _SCHEMES


def is_local(host: str | None) -> bool:
    """Return whether a host is this machine by its name; Chrome trusts it also over http."""
    return host in ("localhost", "::1") or re.fullmatch(r"127(\.\d+){3}|.*\.localhost", host or "") is not None


def is_trustworthy(url: str) -> bool:
    """Return whether Chrome trusts the origin of this URL: that of https, and this machine also over http."""
    return scheme_of(url) in ("https", "wss") or is_local(urlsplit(url).hostname)


def registrable_domain(host: str | None) -> str:
    """Return the domain that a person may register: the last two labels, without a list of public suffixes."""
    labels = (host or "").split(".")
    return ".".join(labels[-2:]) if len(labels) > 1 and not labels[-1].isdecimal() else ""


def visible_url(url: str) -> str:
    """Return the URL of a document as its target has it: Chrome blocks unknown `about:` pages."""
    known = url.partition("#")[0].partition("?")[0] == BLANK_URL or url == SRCDOC_URL
    return url if known or scheme_of(url) != "about" else BLOCKED_URL


def is_valid_url(url: str) -> bool:
    """Return whether `Page.navigate` accepts the URL."""
    scheme, colon, _ = url.partition(":")
    if not colon or not scheme[:1].isalpha() or not all(letter.isalnum() or letter in "+-." for letter in scheme):
        return False
    try:
        parts = urlsplit(url)
    except ValueError:  # a bracket in the host that nothing closes
        return False
    return parts.scheme not in ("http", "https") or (bool(parts.hostname) and " " not in parts.netloc)
