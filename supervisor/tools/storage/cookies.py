"""The tool `browser_cookies`."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlsplit

from msgspec import Struct

from cdp_typed.protocol import network
from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.policy import Policy
from supervisor.tools.framework.redaction import TypedText
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.framework.untrusted_text import PageText
from supervisor.tools.page.page_frames import top_frame
from supervisor.tools.raw_commands.checks import check_command

from .cookie_line import cookie_of
from .jar import permitted_cookies


class CookiesArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_cookies`."""

    action: Literal["list", "get", "set", "delete", "clear"] = "list"
    """get shows values; clear deletes every cookie, or those of a domain."""
    name: str | None = None
    """For get and delete."""
    cookie: TypedText = ""
    """For set, as in Set-Cookie: a=1; Path=/; Max-Age=60; HttpOnly"""
    domain: str | None = None
    """This host and its subdomains only. For set: the host, by default the page's."""


class CookieView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One cookie."""

    name: PageText
    value: PageText = ""
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
    """The cookies that were asked for, or the one that was set."""

    cookies: list[CookieView] = []
    deleted: int = 0
    """The number of cookies that no longer exist."""


@tool(toolset="browser-storage", destructive=True)
async def browser_cookies(context: ToolContext, arguments: CookiesArguments) -> Cookies:
    """List, get, set, delete or clear cookies, HttpOnly ones included."""
    supervisor, policy = context.supervisor, context.policy
    if arguments.action == "set":
        return Cookies(cookies=[_view(await _set(supervisor, policy, arguments), with_value=True)])
    if arguments.action in ("get", "delete") and arguments.name is None:
        raise InvalidArgument("name", f"{arguments.action} needs the name of a cookie")
    found = [cookie for cookie in await permitted_cookies(supervisor, policy) if _is_meant(cookie, arguments)]
    if arguments.action in ("delete", "clear"):
        return Cookies(deleted=await _delete(supervisor, policy, found))
    return Cookies(cookies=[_view(cookie, with_value=arguments.action == "get") for cookie in found])


async def _set(supervisor: AsyncSupervisor, policy: Policy, arguments: CookiesArguments) -> network.Cookie:
    """Set a cookie (`Network.setCookie`), and return it as the browser then has it."""
    page = top_frame(supervisor).url if arguments.domain is None else f"https://{arguments.domain}/"
    command = cookie_of(arguments.cookie, page)
    await check_command(supervisor, policy, command)
    supervisor.redaction.hide(command.value)
    await supervisor.send(command)
    for cookie in await permitted_cookies(supervisor, policy):
        if (cookie.name, cookie.value) == (command.name, command.value) and _reaches(cookie, command.url or ""):
            return cookie
    raise InvalidArgument("cookie", "the browser did not keep the cookie: it has expired, or its Domain or prefix "
                          "does not fit the host")  # fmt: skip


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
    if arguments.name is not None and cookie.name != arguments.name:
        return False
    if arguments.domain is None:
        return True
    host, wanted = cookie.domain.lstrip("."), arguments.domain.lstrip(".").lower()
    return host == wanted or host.endswith(f".{wanted}")


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
