"""Cookies from what a person exports: a copied curl command, a Cookie header, cookies.txt or JSON."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

from cdp_typed.protocol import network
from cdp_typed.wire.json_text import is_object
from supervisor.tools.framework.tool_errors import InvalidArgument

from .cookie_line import SAME_SITE

MOST_COOKIES = 1000
_FIELDS = 7
_LINE = re.compile(r"(?!#(?!HttpOnly_))\S+\t")
"""A line of cookies.txt that is no comment."""
_COOKIE_OPTION = re.compile(r"-b|--cookie")
_HEADER_OPTION = re.compile(r"-H|--header")
_COOKIE_HEADER = re.compile(r"cookie:\s*", re.IGNORECASE)
_ANSI_C = re.compile(r"\$'((?:\\.|[^'\\])*)'", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t"}
_FORMS = "expected a copied curl command, a Cookie header, cookies.txt or JSON"


def is_cookie_list(text: str) -> bool:
    """Whether the text is one of these forms, and not that of a Set-Cookie header."""
    begin = text.lstrip()
    return bool(re.match(r"curl\s|\[|#", begin) or _COOKIE_HEADER.match(begin)) or "\t" in begin


def cookies_in(text: str, url: str, host: str | None) -> list[network.SetCookie]:
    """Return the commands that set these cookies. A header is for `url`, a curl command for its own address; `host`
    replaces both.

    Raises `InvalidArgument` for a text that is none of these forms. It does not quote the text, which has secrets.
    """
    begin = text.lstrip()
    if re.match(r"curl\s", begin):
        address, header = _of_curl(begin)
        found = list(_of_header(header, url if host is not None else address))
    elif begin.startswith("["):
        found = list(_of_json(begin, url))
    elif "\t" in begin:
        found = [_of_fields(line.split("\t")) for line in text.replace("\r\n", "\n").split("\n") if _LINE.match(line)]
    elif _COOKIE_HEADER.match(begin):
        found = list(_of_header(_COOKIE_HEADER.sub("", begin, count=1), url))
    else:
        raise InvalidArgument("cookie", _FORMS)
    if not 0 < len(found) <= MOST_COOKIES:
        raise InvalidArgument("cookie", f"expected 1 to {MOST_COOKIES} cookies, got {len(found)}")
    return found


def _of_header(header: str, url: str) -> Iterator[network.SetCookie]:
    """The pairs of a Cookie header. It does not say which of them are secure: of an https address, all are."""
    for pair in header.strip().split(";"):
        name, equals, value = pair.strip().partition("=")
        if equals and name:
            yield _of_host(name, value, url)


def _of_host(name: str, value: str, url: str) -> network.SetCookie:
    is_secure = True if urlsplit(url).scheme == "https" else None
    return network.SetCookie(name=name, value=value, url=url, path="/", secure=is_secure)


def _of_curl(command: str) -> tuple[str, str]:
    """The address and the cookies of a command as developer tools copy it, for a Unix shell or for `cmd`."""
    if '^"' in command:
        command = re.sub(r"\^(.)", r"\1", re.sub(r"\^\r?\n", " ", command))
    try:
        words = shlex.split(_ANSI_C.sub(_quoted, command))
    except ValueError:
        raise InvalidArgument("cookie", "a quote of the curl command is not closed") from None
    address = next((word for word in words if re.match(r"https?://", word)), None)
    header = ""
    for option, word in pairwise(words):
        if _HEADER_OPTION.fullmatch(option) and _COOKIE_HEADER.match(word):
            header = _COOKIE_HEADER.sub("", word, count=1)
        elif _COOKIE_OPTION.fullmatch(option):
            header = word
    if address is None or "=" not in header:
        raise InvalidArgument("cookie", "the curl command has no https address, or no cookies")
    return address, header


def _quoted(match: re.Match[str]) -> str:
    def character(escape: re.Match[str]) -> str:
        code = escape[1] or escape[2]
        return chr(int(code, 16)) if code else _CONTROLS.get(escape[3], escape[3])

    return shlex.quote(_ESCAPE.sub(character, match[1]))


def _of_fields(fields: list[str]) -> network.SetCookie:
    """A line of cookies.txt: domain, whether subdomains get it, path, secure, expiry, name, value."""
    is_http_only = fields[0].startswith("#HttpOnly_")
    domain = fields[0].removeprefix("#HttpOnly_")
    if len(fields) != _FIELDS or not re.fullmatch(r"-?\d*", fields[4]):
        raise InvalidArgument("cookie", f"a line of cookies.txt has not {_FIELDS} fields, or its expiry is no number")
    return _cookie(
        fields[5],
        fields[6],
        domain,
        for_subdomains=fields[1].upper() == "TRUE",
        path=fields[2] or "/",
        is_secure=fields[3].upper() == "TRUE",
        expires=float(fields[4] or 0) or None,
        http_only=True if is_http_only else None,
    )


def _of_json(text: str, url: str) -> Iterator[network.SetCookie]:
    """An array of cookies as Playwright and the extensions of browsers write it."""
    try:
        entries = json.loads(text)
    except ValueError:
        raise InvalidArgument("cookie", "the JSON does not parse") from None
    for entry in entries:
        if not (is_object(entry) and isinstance(entry.get("name"), str) and isinstance(entry.get("value"), str)):
            raise InvalidArgument("cookie", "each object of the JSON needs a name and a value, both strings")
        yield _of_object(entry, url)


def _of_object(entry: Mapping[str, Any], url: str) -> network.SetCookie:
    if not entry.get("domain"):
        return _of_host(entry["name"], entry["value"], url)
    domain, expires = str(entry["domain"]), entry.get("expires", entry.get("expirationDate"))
    same_site = {**SAME_SITE, "no_restriction": "None"}.get(str(entry.get("sameSite", "")).lower())
    return _cookie(
        entry["name"],
        entry["value"],
        domain,
        for_subdomains=domain.startswith("."),
        path=str(entry.get("path") or "/"),
        is_secure=entry.get("secure") is True,
        expires=float(expires) if isinstance(expires, (int, float)) and expires > 0 else None,
        http_only=True if entry.get("httpOnly") is True else None,
        same_site=same_site,
    )


def _cookie(
    name: str, value: str, domain: str, *, for_subdomains: bool, path: str, is_secure: bool, **fields: Any
) -> network.SetCookie:
    host = domain.lstrip(".")
    return network.SetCookie(
        name=name,
        value=value,
        url=f"{'https' if is_secure else 'http'}://{host}{path}",
        domain=f".{host}" if for_subdomains else None,
        path=path,
        secure=True if is_secure else None,
        **fields,
    )
