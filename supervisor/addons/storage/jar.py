"""The cookies of the browser context of the current page, as far as the caller may see them."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.protocol import network
from supervisor.aio import AsyncSupervisor
from supervisor.tools.framework.policy import Policy
from supervisor.tools.framework.tool_errors import OutOfReach
from supervisor.tools.raw_commands.bounds import bounds_of


async def permitted_cookies(supervisor: AsyncSupervisor, policy: Policy) -> list[network.Cookie]:
    """Return the cookies of the context (`Network.getAllCookies`), without those of sites that a URL rule refuses.

    Raises `PolicyRefused` where the policy denies the command, and `OutOfReach` in a browser context that other pages
    share.
    """
    # Storage.getCookies on a page's session reads the default browser context, whichever the page has.
    command = network.GetAllCookies()  # pyright: ignore[reportDeprecated]
    policy.check_method(command.METHOD)
    bounds = await bounds_of(supervisor, None)
    if why := replace(bounds, url_rules=()).why_not(command.METHOD, {}):
        raise OutOfReach(command.METHOD, why)
    rules = (*bounds.url_rules, policy.url_rules)
    cookies = (await supervisor.send(command)).cookies
    return [cookie for cookie in cookies if not any(each.why_not(address_of(cookie)) for each in rules)]


def address_of(cookie: network.Cookie) -> str:
    """The address of the site that set the cookie; of a cookie of unknown source, that of its domain."""
    host = cookie.domain.lstrip(".")
    host = f"[{host}]" if ":" in host and not host.startswith("[") else host
    port = f":{cookie.source_port}" if cookie.source_port > 0 else ""
    return f"{'https' if cookie.source_scheme == 'Secure' else 'http'}://{host}{port}/"
