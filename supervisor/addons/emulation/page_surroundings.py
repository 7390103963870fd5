"""The device and the surroundings as a page has them, and whether they are those that a caller wants."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from cdp_typed.conversions import convert
from cdp_typed.helpers.shared.emulation import Emulation, Setting, commands, platform_of
from cdp_typed.protocol import emulation
from supervisor.aio import AsyncSupervisor
from supervisor.tools.page.page_frames import run, top_frame

_READ = """(async (names, placed) => {
    const frame = () => new Promise(done => requestAnimationFrame(done));
    await Promise.race([frame().then(frame), new Promise(done => setTimeout(done, 250))]);
    const is = query => matchMedia(query).matches, agent = navigator.userAgentData;
    const state = name => navigator.permissions.query({name}).then(found => found.state, () => 'unknown');
    const format = Intl.DateTimeFormat().resolvedOptions(), permissions = {}, link = navigator.connection;
    for (const name of names) permissions[name] = await state(name);
    const high = agent?.getHighEntropyValues ? await agent.getHighEntropyValues(['model', 'platformVersion']) : null;
    const place = placed && await state('geolocation') === 'granted' ? await new Promise(done =>
        navigator.geolocation.getCurrentPosition(
            at => done([at.coords.latitude, at.coords.longitude, at.coords.accuracy]), () => done(null),
            {timeout: 1000})) : null;
    return {
        width: innerWidth, height: innerHeight, screen_width: screen.width, screen_height: screen.height,
        scale: devicePixelRatio, orientation: screen.orientation?.type ?? '', touch_points: navigator.maxTouchPoints,
        locale: format.locale, languages: [...navigator.languages], time_zone: format.timeZone,
        user_agent: navigator.userAgent, platform: navigator.platform,
        client_hints: high && {
            platform: high.platform, platform_version: high.platformVersion ?? '', model: high.model ?? '',
            mobile: high.mobile, brands: (high.brands ?? []).map(each => each.brand + ' ' + each.version)},
        color_scheme: is('(prefers-color-scheme: dark)') ? 'dark' : 'light',
        reduced_motion: is('(prefers-reduced-motion: reduce)'),
        contrast: ['more', 'less', 'custom'].find(each => is(`(prefers-contrast: ${each})`)) ?? 'no-preference',
        forced_colors: is('(forced-colors: active)'), media: is('print') ? 'print' : 'screen', online: navigator.onLine,
        connection: link ? `${link.effectiveType}, ${link.rtt} ms, ${link.downlink} Mbit/s` : '',
        permissions, geolocation: place,
    };
})(%s, %s)"""

_TIME_ZONE = """(name => {
    if (/^[+-]/.test(name)) return null;  // an offset is a time zone for Intl, and none for the emulation
    try { return Intl.DateTimeFormat(undefined, {timeZone: name}).resolvedOptions().timeZone } catch { return null }
})(%s)"""


class ClientHints(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`navigator.userAgentData`."""

    platform: str
    platform_version: str = ""
    model: str = ""
    mobile: bool = False
    brands: list[str] = []


class PageSurroundings(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The values that the top document of the page sees."""

    width: int
    """The viewport in CSS pixels. A mobile page without a `meta viewport` has a wide one."""
    height: int
    screen_width: int
    screen_height: int
    scale: float
    orientation: str
    touch_points: int
    locale: str
    languages: list[str]
    """A document that was loaded before a change may keep the former ones."""
    time_zone: str
    user_agent: str
    platform: str
    client_hints: ClientHints | None = None
    color_scheme: str
    reduced_motion: bool
    contrast: str
    forced_colors: bool
    media: str
    online: bool
    connection: str = ""
    """The browser's estimate: `navigator.connection`."""
    permissions: dict[str, str] = {}
    geolocation: list[float] | None = None
    """Latitude, longitude and metres of accuracy. It is read only with the permission."""


async def surroundings(supervisor: AsyncSupervisor, wanted: Emulation, permissions: Iterable[str]) -> PageSurroundings:
    """Return the values that the top document of the current page sees, read in our own world of it.

    Raises `NoPage`, and what `AsyncSupervisor.evaluate` raises.
    """
    script = _READ % (json.dumps(list(permissions)), json.dumps(wanted.geolocation is not None))
    return convert(await run(supervisor, top_frame(supervisor).frame_id, script), PageSurroundings)


async def time_zone_named(supervisor: AsyncSupervisor, name: str) -> str | None:
    """Return the name that the current page has for a time zone, such as `Asia/Calcutta` for `Asia/Kolkata`; None if it
    knows none of that name. Raises what `surroundings` raises."""
    found: str | None = await run(supervisor, top_frame(supervisor).frame_id, _TIME_ZONE % json.dumps(name))
    return found


def differing(wanted: Emulation, page: PageSurroundings, permissions: Mapping[str, str]) -> Iterator[str]:
    """Yield each setting whose values in the page are not the wanted ones, as far as they can be compared."""
    for command in commands(wanted).get("viewport", ()):
        if isinstance(command, emulation.SetDeviceMetricsOverride) and not _is_of(command, page):
            yield "viewport"
    pairs: dict[Setting, tuple[object, object]] = {
        "touch": (wanted.touch, page.touch_points > 0),
        "locale": (wanted.locale, page.locale),
        "time_zone": (wanted.time_zone, page.time_zone),
        "network": (wanted.network and wanted.network != "offline", page.online),
    }
    yield from (setting for setting, (asked, has) in pairs.items() if asked is not None and asked != has)
    if wanted.user_agent is not None:
        platform = platform_of(wanted.user_agent) or page.platform
        if (wanted.user_agent, platform) != (page.user_agent, page.platform):
            yield "user_agent"
    media = ("color_scheme", "reduced_motion", "contrast", "forced_colors", "media")
    if any(getattr(wanted, name) not in (None, getattr(page, name)) for name in media):
        yield "media"
    if any(page.permissions.get(name) != state for name, state in permissions.items()):
        yield "permissions"


def _is_of(command: emulation.SetDeviceMetricsOverride, page: PageSurroundings) -> bool:
    return (
        command.device_scale_factor in (0, page.scale)
        and command.screen_width in (None, page.screen_width)
        and command.screen_height in (None, page.screen_height)
    )
