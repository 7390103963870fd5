"""The tool `browser_cookies`."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from msgspec import Struct

from cdp_typed.errors import CommandError
from cdp_typed.protocol import network
from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.policy import Policy
from supervisor.tools.framework.redaction import TypedText
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import LongPageText, PageText
from supervisor.tools.page.page_frames import top_frame
from supervisor.tools.raw_commands.checks import check_command

from .cookie_line import cookie_of
from .cookie_lists import cookies_in, is_cookie_list
from .jar import permitted_cookies

LARGEST_FILE = 1_000_000
"""Bytes."""


class CookiesArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_cookies`."""

    action: Literal["list", "get", "set", "delete", "clear"] = "list"
    """get shows values; clear deletes all, or those of a domain."""
    name: str | None = None
    """For get and delete."""
    cookie: TypedText = ""
    """For set: a=1; Path=/; HttpOnly. Or @path: a file with a curl command, Cookie header,
    cookies.txt or JSON."""
    domain: str | None = None
    """This host, subdomains too, or host/path. For set: the host, else the page's."""


class CookieView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One cookie."""

    name: PageText
    value: LongPageText = ""
    """Only for `get` and `set`."""
    domain: PageText
    """With a leading dot, subdomains get the cookie, too."""
    path: PageText = "/"
    expires: float | None = None
    """Seconds since the epoch. Omitted for a cookie that ends with the browser."""
    http_only: bool = False
    secure: bool = False
    same_site: str = ""
    partition: PageText = ""
    """The site of the pages on which a partitioned cookie is used."""


class Cookies(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The cookies that were asked for, or those that were set. Of several that were set, without their values."""

    cookies: list[CookieView] = []
    refused: list[PageText] = []
    """The names of the cookies that the browser did not keep, for example because they have expired."""
    deleted: int = 0
    """The number of cookies that no longer exist."""


@tool(toolset="browser-storage", destructive=True)
async def browser_cookies(context: ToolContext, arguments: CookiesArguments) -> Cookies:
    """List, get, set, delete or clear cookies, HttpOnly ones too."""
    supervisor, policy = context.supervisor, context.policy
    if arguments.action == "set":
        return await _set(context, arguments)
    if arguments.action in ("get", "delete") and arguments.name is None:
        raise InvalidArgument("name", f"{arguments.action} needs the name of a cookie")
    found = [cookie for cookie in await permitted_cookies(supervisor, policy) if _is_meant(cookie, arguments)]
    if arguments.action in ("delete", "clear"):
        return Cookies(deleted=await _delete(supervisor, policy, found))
    return Cookies(cookies=[_view(cookie, with_value=arguments.action == "get") for cookie in found])


async def _set(context: ToolContext, arguments: CookiesArguments) -> Cookies:
    """Set cookies (`Network.setCookie`), and return them as the browser then has them."""
    supervisor, policy = context.supervisor, context.policy
    text = await _file(context, arguments.cookie[1:]) if arguments.cookie.startswith("@") else arguments.cookie
    if arguments.domain is not None and "/" in arguments.domain:
        raise InvalidArgument("domain", "set takes a host without a path")
    page = top_frame(supervisor).url if arguments.domain is None else f"https://{arguments.domain}/"
    is_list = arguments.cookie.startswith("@") or is_cookie_list(text)
    commands = cookies_in(text, page, arguments.domain) if is_list else [cookie_of(text, page)]
    for command in commands:
        await check_command(supervisor, policy, command)
    for command in commands:
        supervisor.redaction.hide(command.value)
        await _try_to_set(supervisor, command)
    found, refused = list[network.Cookie](), list[str]()
    kept = await permitted_cookies(supervisor, policy)
    for command in commands:
        cookie = next((each for each in kept if _is_of(each, command)), None)
        found += [cookie] if cookie is not None else []
        refused += [command.name] if cookie is None else []
    if not found:
        raise InvalidArgument("cookie", f"the browser did not keep {'any cookie' if is_list else 'the cookie'}: it has "
                              "expired, or its Domain or prefix does not fit the host")  # fmt: skip
    return Cookies(cookies=[_view(each, with_value=not is_list) for each in found], refused=refused)


async def _try_to_set(supervisor: AsyncSupervisor, command: network.SetCookie) -> None:
    """Set one cookie. The jar tells afterwards whether the browser kept it."""
    with contextlib.suppress(CommandError):
        await supervisor.send(command)


async def _file(context: ToolContext, path: str) -> str:
    """Read a file with cookies. Raises `PolicyRefused`, and `InvalidArgument` for one that cannot be read."""
    context.policy.check_file(path)
    if not Path(path).is_absolute():
        raise InvalidArgument("cookie", "expected the absolute path of a file after @")
    try:
        return await asyncio.to_thread(_text_of, Path(path))
    except (OSError, ValueError):
        raise InvalidArgument("cookie", "the file cannot be read as text") from None


def _text_of(path: Path) -> str:
    if path.stat().st_size > LARGEST_FILE:
        raise InvalidArgument("cookie", f"the file is larger than {LARGEST_FILE} bytes")
    return path.read_text("utf-8")


def _is_of(cookie: network.Cookie, command: network.SetCookie) -> bool:
    named = (cookie.name, cookie.value) == (command.name, command.value)
    return named and _reaches(cookie, command.url or "")


def _reaches(cookie: network.Cookie, url: str) -> bool:
    host = (urlsplit(url).hostname or "").lower()
    return host == cookie.domain.strip("[]") or (cookie.domain.startswith(".") and f".{host}".endswith(cookie.domain))


async def _delete(supervisor: AsyncSupervisor, policy: Policy, found: list[network.Cookie]) -> int:
    """Delete cookies (`Network.deleteCookies`), and count those that are gone."""
    for cookie in found:
        command = network.DeleteCookies(
            name=cookie.name, domain=cookie.domain, path=cookie.path, partition_key=cookie.partition_key
        )
        await supervisor.send(command)
    left = {_identity(cookie) for cookie in await permitted_cookies(supervisor, policy)}
    return sum(_identity(cookie) not in left for cookie in found)


def _identity(cookie: network.Cookie) -> tuple[object, ...]:
    return cookie.name, cookie.domain, cookie.path, cookie.partition_key


def _is_meant(cookie: network.Cookie, arguments: CookiesArguments) -> bool:
    """Whether the cookie has the name, and is of the host and below the path."""
    if arguments.name is not None and cookie.name != arguments.name:
        return False
    wanted, slash, path = (arguments.domain or "").partition("/")
    host, wanted = cookie.domain.lstrip("."), wanted.lstrip(".").lower()
    is_below = not slash or f"{cookie.path.rstrip('/')}/".startswith(f"/{path.rstrip('/')}/".replace("//", "/"))
    return is_below and (not wanted or host == wanted or host.endswith(f".{wanted}"))


def _view(cookie: network.Cookie, *, with_value: bool) -> CookieView:
    return CookieView(
        name=cookie.name,
        value=cookie.value if with_value else "",
        domain=cookie.domain,
        path=cookie.path,
        expires=None if cookie.session else cookie.expires,
        http_only=cookie.http_only,
        secure=cookie.secure,
        same_site=str(cookie.same_site or ""),
        partition=cookie.partition_key.top_level_site if cookie.partition_key else "",
    )
