"""HTTP credentials: the header of basic authentication, for one origin alone."""

from __future__ import annotations

import re
from base64 import b64encode

from cdp_typed.protocol import fetch
from cdp_typed.redaction import protect
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import InvalidConfig
from supervisor.saved_state.logins import Login, LoginFiles
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.page.page_frames import top_frame

_ORIGIN = re.compile(r"(https?://[^/*?\\]+)/")


def credentials(supervisor: AsyncSupervisor, given: str, pattern: str | None) -> tuple[str, fetch.HeaderEntry]:
    """Return the pattern of a route, by default all of the login's origin, and the header that it adds.

    `given` is the name of a saved login, or `user:password` for the origin with which the pattern begins, by default
    that of the current page. The password and the header are removed from later results and recordings. Raises
    `InvalidArgument` for an unknown login and for a pattern of another site or of several, and what `LoginFiles.load`
    raises.
    """
    login = _typed(supervisor, given, pattern) if ":" in given else _saved(given)
    if pattern is not None and not pattern.startswith(f"{login.origin}/"):
        raise InvalidArgument("pattern", "with login, the pattern begins with the origin of the login")
    text = b64encode(f"{login.user}:{login.password}".encode()).decode()
    for secret in (login.password, text):
        protect(secret)
    return pattern or f"{login.origin}/*", fetch.HeaderEntry(name="Authorization", value=f"Basic {text}")


def _typed(supervisor: AsyncSupervisor, given: str, pattern: str | None) -> Login:
    user, _, password = given.partition(":")
    origin = _ORIGIN.match(f"{top_frame(supervisor).origin}/" if pattern is None else pattern)
    if origin is None:
        raise InvalidArgument("pattern", "with login, it begins with one origin: https://shop.example/*")
    return Login(origin=origin[1], user=user, password=password)


def _saved(name: str) -> Login:
    try:
        login = LoginFiles().load(name)
    except InvalidConfig as error:
        raise InvalidArgument("login", str(error)) from None
    if login is None:
        raise InvalidArgument("login", "no login has this name; user:password is one without a name")
    return login
