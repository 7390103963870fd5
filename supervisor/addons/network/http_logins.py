"""Saved logins as HTTP credentials: the header of basic authentication, for the origin of the login alone."""

from __future__ import annotations

from base64 import b64encode

from cdp_typed.protocol import fetch
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import InvalidConfig
from supervisor.saved_state.logins import LoginFiles
from supervisor.tools.framework.redaction import hide_from_results
from supervisor.tools.framework.tool_errors import InvalidArgument


def credentials(supervisor: AsyncSupervisor, name: str, pattern: str | None) -> tuple[str, fetch.HeaderEntry]:
    """Return the pattern of a route, by default all of the login's origin, and the header that it adds.

    The password and the header are removed from later results and recordings. Raises `InvalidArgument` for an unknown
    login and for a pattern of another site, and what `LoginFiles.load` raises.
    """
    try:
        login = LoginFiles().load(name)
    except InvalidConfig as error:
        raise InvalidArgument("login", str(error)) from None
    if login is None:
        raise InvalidArgument("login", "no login has this name")
    if pattern is not None and not pattern.startswith(f"{login.origin}/"):
        raise InvalidArgument("pattern", "with login, the pattern begins with the origin of the login")
    text = b64encode(f"{login.user}:{login.password}".encode()).decode()
    for secret in (login.password, text):
        supervisor.redaction.hide(secret)
        hide_from_results(supervisor, secret)
    return pattern or f"{login.origin}/*", fetch.HeaderEntry(name="Authorization", value=f"Basic {text}")
