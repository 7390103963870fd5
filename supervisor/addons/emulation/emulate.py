"""The tool `browser_emulate`."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, to_builtins
from msgspec.structs import asdict, replace

from cdp_typed.helpers.shared.devices import with_device
from cdp_typed.helpers.shared.emulation import Emulation, Geolocation, NetworkSpeed, commands
from cdp_typed.protocol import browser
from supervisor.core.state.pages import Emulated
from supervisor.core.vocabulary.requests import EmulationRequested
from supervisor.driver.driver import Driver
from supervisor.tools.framework.tool import ToolContext, tool
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.page.page_frames import top_frame
from supervisor.tools.raw_commands.checks import check_command

from .page_surroundings import PageSurroundings, differing, surroundings, time_zone_named

SETTLING_S = 2.0
"""The page sees new values some frames after the browser took them."""
_PAUSE_S = 0.03
_OF_DEVICES = (
    "width",
    "height",
    "screen_width",
    "screen_height",
    "scale",
    "mobile",
    "touch",
    "user_agent",
    "landscape",
)
_NOT_READ = ("geolocation", "cpu_slowdown", "network")
_ARGUMENTS = {"viewport": "width"}


class EmulateArguments(Struct, frozen=True, kw_only=True):
    """Arguments of `browser_emulate`."""

    action: Literal["set", "reset", "show"]
    """set keeps the rest."""
    device: str | None = None
    """iPhone 15, ..."""
    width: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    height: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    scale: Annotated[float, Meta(gt=0, le=20)] | None = None
    """devicePixelRatio."""
    mobile: bool | None = None
    """Obey meta viewport."""
    landscape: bool | None = None
    touch: bool | None = None
    locale: str | None = None
    time_zone: str | None = None
    """Europe/Berlin"""
    geolocation: Annotated[list[float], Meta(min_length=2, max_length=3)] | None = None
    """Latitude, longitude."""
    permissions: Annotated[list[str], Meta(max_length=50)] | None = None
    """camera grants, -camera denies."""
    user_agent: str | None = None
    color_scheme: Literal["light", "dark"] | None = None
    reduced_motion: bool | None = None
    contrast: Literal["more", "less", "custom", "no-preference"] | None = None
    forced_colors: bool | None = None
    media: Literal["screen", "print"] | None = None
    cpu_slowdown: Annotated[float, Meta(ge=1, le=100)] | None = None
    """Factor."""
    network: NetworkSpeed | None = None


class Emulating(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the page sees; with `show` the settings in force, too."""

    emulated: Emulation = Emulation()
    permissions: list[str] = []
    """Granted, or denied (`-camera`), to the origin that the page had then."""
    page: dict[str, Any] = {}
    """With `show` all its values (`PageSurroundings`), else those that changed."""
    differs: list[str] = []
    """Settings that the page does not show."""
    not_read: list[str] = []
    """Settings in force that cannot be read back from the page."""


class _Known(Struct, frozen=True):
    emulated: Emulated
    session_id: str | None
    """The session of the current page; None if the page is not the agent's."""
    context_id: browser.BrowserContextID | None


@tool(toolset="browser-emulation")
async def browser_emulate(context: ToolContext, arguments: EmulateArguments) -> Emulating:
    """Emulate a device or surroundings in all pages. Returns what changed."""
    supervisor = context.supervisor
    before = await supervisor.with_driver(_known)
    former = await surroundings(supervisor, Emulation(), [])  # raises where a dialog is open, or the page has crashed
    if arguments.action == "reset":
        await supervisor.with_driver(lambda driver: _request(driver, Emulation(), ()))
    elif arguments.action == "set":
        wanted, granted = await _wanted(context, arguments, before)
        await supervisor.with_driver(lambda driver: _request(driver, wanted, granted))
    result, refused = await _settled(context)
    if arguments.action == "set" and refused:
        earlier = before.emulated
        await supervisor.with_driver(lambda driver: _request(driver, earlier.wanted, earlier.permissions))
        setting, why = next(iter(refused.items()))
        raise InvalidArgument(_ARGUMENTS.get(setting, setting), f"the browser refused it ({why}); nothing was set")
    if arguments.action == "show":
        return result
    values = to_builtins(former)
    changed = {name: value for name, value in result.page.items() if value != values.get(name)}
    return Emulating(page=changed, differs=result.differs, not_read=result.not_read)


async def _known(driver: Driver) -> _Known:
    world = driver.state.world
    current = world.targets.page(world.targets.current) if world.targets.current else None
    is_managed = current is not None and world.page_ownership.manages(current.page_id)
    session_id = current.session_id if current is not None and is_managed else None
    return _Known(world.emulated, session_id, world.page_ownership.context_id)


async def _request(driver: Driver, wanted: Emulation, granted: tuple[browser.SetPermission, ...]) -> None:
    await driver.request(lambda call: EmulationRequested(call_id=call, emulation=wanted, permissions=granted))


async def _wanted(
    context: ToolContext, arguments: EmulateArguments, before: _Known
) -> tuple[Emulation, tuple[browser.SetPermission, ...]]:
    """Return the earlier settings with the new ones. Raises `InvalidArgument`, and `PolicyRefused` for a command that
    the caller may not send."""
    supervisor = context.supervisor
    if before.session_id is None:
        raise InvalidArgument("action", "the current page is not the agent's; open or select another one")
    version = await supervisor.send(browser.GetVersion())
    if arguments.time_zone is not None:
        arguments = replace(arguments, time_zone=await _time_zone(context, arguments.time_zone))
    wanted = _merged(before.emulated.wanted, arguments, version.user_agent)
    granted = before.emulated.permissions
    if arguments.permissions is not None:
        granted = _grants(arguments.permissions, top_frame(supervisor).origin, before.context_id)
    for command in (*(command for each in commands(wanted).values() for command in each), *granted):
        await check_command(supervisor, context.policy, command)
    return wanted, granted


async def _time_zone(context: ToolContext, name: str) -> str:
    """Return the name that pages have for a time zone. Raises `InvalidArgument` for an unknown one.

    Chromium 156 takes any name without an error, and ignores an unknown one, while a time zone is in force.
    """
    found = await time_zone_named(context.supervisor, name)
    if found is None:
        raise InvalidArgument("time_zone", "the browser has no time zone of that name; nothing was set")
    return found


def _merged(earlier: Emulation, arguments: EmulateArguments, browser_user_agent: str) -> Emulation:
    given: dict[str, Any] = {
        name: value
        for name, value in asdict(arguments).items()
        if value is not None and name not in ("action", "geolocation", "permissions")
    }
    for name in ("user_agent", "locale"):
        if not given.get(name, "given").strip():
            raise InvalidArgument(name, "an empty text emulates nothing; use reset")
    if arguments.geolocation is not None:
        latitude, longitude, *accuracy = arguments.geolocation
        if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
            raise InvalidArgument("geolocation", "expected a latitude from -90 to 90 and a longitude from -180 to 180")
        given["geolocation"] = Geolocation(latitude, longitude, *accuracy)
    if not given and arguments.permissions is None:
        raise InvalidArgument("action", "set needs something to emulate")
    if arguments.device is not None:
        earlier = replace(earlier, **dict.fromkeys(_OF_DEVICES))
    elif not given.keys().isdisjoint(("width", "height")):
        earlier = replace(earlier, screen_width=None, screen_height=None)
    merged = replace(earlier, **given)
    if arguments.device is None:
        return merged
    try:
        return with_device(merged, browser_user_agent)
    except ValueError as error:
        raise InvalidArgument("device", str(error)) from None


def _grants(
    names: list[str], origin: str, context_id: browser.BrowserContextID | None
) -> tuple[browser.SetPermission, ...]:
    if not origin.startswith("http"):
        raise InvalidArgument("permissions", "the page has no origin; navigate first")
    return tuple(
        browser.SetPermission(
            permission=browser.PermissionDescriptor(name=name.removeprefix("-")),
            setting="denied" if name.startswith("-") else "granted",
            origin=origin,
            browser_context_id=context_id,
        )
        for name in names
    )


async def _settled(context: ToolContext) -> tuple[Emulating, dict[str, str]]:
    """Return the values of the page once they are the wanted ones and rest, or at the deadline; and the settings that
    the browser refused and the page does not have."""
    supervisor = context.supervisor
    deadline = asyncio.get_running_loop().time() + SETTLING_S
    last: Emulating | None = None
    while True:
        now = await supervisor.with_driver(_known)
        wanted = now.emulated.wanted
        states = {command.permission.name: command.setting for command in now.emulated.permissions}
        named = [f"-{name}" if state == "denied" else name for name, state in states.items()]
        page = await surroundings(supervisor, wanted, states)
        differs = list(differing(wanted, page, states))
        not_read = [name for name in _NOT_READ if _is_hidden(name, wanted, page)]
        result = Emulating(
            emulated=wanted, permissions=named, page=to_builtins(page), differs=differs, not_read=not_read
        )
        refused = {
            setting: why
            for (session_id, setting), why in now.emulated.refused.items()
            if session_id in (None, now.session_id) and (setting in differs or setting in _NOT_READ)
        }
        if refused or (result == last and not differs) or asyncio.get_running_loop().time() > deadline:
            return result, refused
        last = result
        await asyncio.sleep(_PAUSE_S)


def _is_hidden(name: str, wanted: Emulation, page: PageSurroundings) -> bool:
    value = getattr(wanted, name)
    if name == "network":
        return value not in (None, "offline", "full")
    return value is not None and not (name == "geolocation" and page.geolocation is not None)
