"""HTTP credentials of the environment, each for one site, which a model names and never sees."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Mapping
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from cdp_typed.protocol import fetch
from supervisor.tools.framework.tool_errors import InvalidArgument

VARIABLE = "CDP_HTTP_LOGIN_"
"""The start of the variables: `CDP_HTTP_LOGIN_STAGING=https://ada:secret@shop.example` is the login `staging`."""

_NAME = re.compile(r"[A-Za-z0-9_]+", re.ASCII)


class HttpLogin(Struct, frozen=True, kw_only=True):
    """A name and a password for one origin."""

    origin: str
    username: str
    password: str

    def __repr__(self) -> str:
        return "<HttpLogin>"

    def pattern(self, wanted: str | None) -> str:
        """Return the pattern of a route: all of the origin, or a part of it. Raises `InvalidArgument`."""
        if wanted is None:
            return f"{self.origin}/*"
        if not wanted.startswith(f"{self.origin}/"):
            raise InvalidArgument("pattern", "with login, the pattern begins with the site of the login")
        return wanted

    def header(self) -> fetch.HeaderEntry:
        """Return the header of HTTP's basic authentication."""
        text = b64encode(f"{self.username}:{self.password}".encode()).decode()
        return fetch.HeaderEntry(name="Authorization", value=f"Basic {text}")


def login_named(name: str, environment: Mapping[str, str] = os.environ) -> HttpLogin:
    """Return a login of the environment. Raises `InvalidArgument` for an unknown one, and for one that is no URL."""
    given = environment.get(VARIABLE + name.upper()) if _NAME.fullmatch(name) else None
    if given is None:
        raise InvalidArgument("login", f"no login has this name ({VARIABLE}NAME in the environment)")
    try:
        parts = urlsplit(given)
        port = "" if parts.port is None else f":{parts.port}"
    except ValueError:
        parts, port = urlsplit(""), ""
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is None:
        raise InvalidArgument("login", f"its {VARIABLE}NAME is not of the form https://user:password@host")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return HttpLogin(
        origin=f"{parts.scheme}://{host}{port}",
        username=unquote(parts.username),
        password=unquote(parts.password or ""),
    )
