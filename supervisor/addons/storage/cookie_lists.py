"""Cookies from what a person exports: a copied curl command, a Cookie header, cookies.txt or JSON."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from cdp_typed.conversions import decode
from cdp_typed.printable import visible
from cdp_typed.protocol import network
from supervisor.tools.framework.tool_errors import InvalidArgument

from .cookie_line import SAME_SITE

MOST_COOKIES = 1000
_FIELDS = 7
_NO_COOKIE = re.compile(r"\s*(#(?!HttpOnly_).*)?")
"""A comment or an empty line of cookies.txt."""
_FLAGS = {"TRUE": True, "FALSE": False}
_COOKIE_OPTIONS = ("-b", "--cookie")
_HEADER_OPTIONS = ("-H", "--header")
_ATTACHED = re.compile(r"(-[bH])(.+)", re.DOTALL)
"""An option of curl and its value in one word."""
_COOKIE_HEADER = re.compile(r"cookie:\s*", re.IGNORECASE)
_QUOTED = re.compile(r"""'[^']*'|"(?:\\.|[^"\\])*"|\\.|\$'((?:\\.|[^'\\])*)'""", re.DOTALL)
"""A quoted part of a shell command. Only the last form, which `shlex` does not know, has a group."""
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t"}
_SAME_SITE = {**SAME_SITE, "no_restriction": "None", "unspecified": None}
_FORMS = "expected a copied curl command, a Cookie header, cookies.txt or JSON"


class _Exported(Struct, frozen=True, rename="camel"):
    """A cookie as Playwright and the extensions of browsers write it."""

    name: str
    value: str
    domain: str | None = None
    host_only: bool | None = None
    path: str | None = None
    expires: float | None = None
    expiration_date: float | None = None
    """Seconds since 1970, as `expires`."""
    http_only: bool | None = None
    secure: bool | None = None
    same_site: str | None = None


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
        lines = text.replace("\r\n", "\n").split("\n")
        found = [_of_fields(line.split("\t")) for line in lines if not _NO_COOKIE.fullmatch(line)]
    elif _COOKIE_HEADER.match(begin):
        found = list(_of_header(_COOKIE_HEADER.sub("", begin, count=1), url))
    else:
        raise InvalidArgument("cookie", _FORMS)
    if not 0 < len(found) <= MOST_COOKIES:
        raise InvalidArgument("cookie", f"expected 1 to {MOST_COOKIES} cookies, got {len(found)}")
    return found


def _of_header(header: str, url: str) -> Iterator[network.SetCookie]:
    """The pairs of a Cookie header. It does not say which of them are secure: of an https address, all are."""
    for pair in filter(None, map(str.strip, header.split(";"))):
        name, equals, value = pair.partition("=")
        if not (equals and name) or "\n" in pair:
            raise InvalidArgument("cookie", "a part of the Cookie header is not name=value")
        yield _of_host(name, value, url)


def _of_host(name: str, value: str, url: str) -> network.SetCookie:
    is_secure = True if urlsplit(url).scheme == "https" else None
    return network.SetCookie(name=name, value=value, url=url, path="/", secure=is_secure)


def _of_curl(command: str) -> tuple[str, str]:
    """The address and the cookies of a command as developer tools copy it, for a Unix shell or for `cmd`."""
    if '^"' in command:
        command = re.sub(r"\^(.)", r"\1", re.sub(r"\^\r?\n", " ", command))
    try:
        words = shlex.split(_QUOTED.sub(_quoted, command).encode("utf-16", "surrogatepass").decode("utf-16"))
    except ValueError:
        raise InvalidArgument(
            "cookie", "the curl command has a quote that is not closed, or half of a surrogate pair"
        ) from None
    words = [part for word in words for part in _parts(word)]
    addresses = [word for word in words if re.match(r"https?://", word)]
    headers: list[str] = []
    for option, word in pairwise(words):
        if option in _HEADER_OPTIONS and _COOKIE_HEADER.match(word):
            headers.append(_COOKIE_HEADER.sub("", word, count=1))
        elif option in _COOKIE_OPTIONS:
            headers.append(word)
    if not addresses or not headers:
        raise InvalidArgument("cookie", "the curl command has no https address, or no cookies")
    if len(addresses) > 1 and addresses[0] != words[1]:
        raise InvalidArgument(
            "cookie", "the curl command has several addresses; put the one that it requests right after curl"
        )
    return addresses[0], ";".join(headers)


def _parts(word: str) -> tuple[str, ...]:
    attached = _ATTACHED.fullmatch(word)
    return (attached[1], attached[2]) if attached else (word,)


def _quoted(match: re.Match[str]) -> str:
    def character(escape: re.Match[str]) -> str:
        code = escape[1] or escape[2]
        return chr(int(code, 16)) if code else _CONTROLS.get(escape[3], escape[3])

    return match[0] if match[1] is None else shlex.quote(_ESCAPE.sub(character, match[1]))


def _of_fields(fields: list[str]) -> network.SetCookie:
    """A line of cookies.txt: domain, whether subdomains get it, path, secure, expiry, name, value."""
    is_http_only = fields[0].startswith("#HttpOnly_")
    domain = fields[0].removeprefix("#HttpOnly_")
    if len(fields) != _FIELDS or not re.fullmatch(r"(-?[0-9]{1,15})?", fields[4]):
        raise InvalidArgument("cookie", f"a line of cookies.txt has not {_FIELDS} fields, or its expiry is no number")
    if not {fields[1].upper(), fields[3].upper()} <= _FLAGS.keys():
        raise InvalidArgument("cookie", "the second and the fourth field of cookies.txt are TRUE or FALSE")
    return _cookie(
        fields[5],
        fields[6],
        domain,
        for_subdomains=_FLAGS[fields[1].upper()],
        path=fields[2] or "/",
        is_secure=_FLAGS[fields[3].upper()],
        expires=float(fields[4] or 0) or None,
        http_only=True if is_http_only else None,
    )


def _of_json(text: str, url: str) -> Iterator[network.SetCookie]:
    try:
        exported = decode(text, type=list[_Exported])
    except msgspec.ValidationError as error:
        raise InvalidArgument("cookie", f"the JSON is no list of cookies: {visible(str(error))}") from None
    except (ValueError, RecursionError):
        raise InvalidArgument("cookie", "the JSON does not parse") from None
    for each in exported:
        yield _of_exported(each, url)


def _of_exported(cookie: _Exported, url: str) -> network.SetCookie:
    same_site = (cookie.same_site or "unspecified").lower()
    if same_site not in _SAME_SITE:
        raise InvalidArgument("cookie", "a sameSite of the JSON is none of Strict, Lax and None")
    page, domain = urlsplit(url), cookie.domain or ""
    expires = cookie.expiration_date if cookie.expires is None else cookie.expires
    return _cookie(
        cookie.name,
        cookie.value,
        domain or page.netloc,
        for_subdomains=domain.startswith(".") or bool(domain and cookie.host_only is False),
        path=cookie.path or "/",
        is_secure=cookie.secure is True or (not domain and page.scheme == "https"),
        expires=expires if expires is not None and expires > 0 else None,
        http_only=cookie.http_only or None,
        same_site=_SAME_SITE[same_site],
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
