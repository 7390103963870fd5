"""`Emulation`: the device and the surroundings that a page is to see, and the commands for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from cdp_typed._base import Command
from cdp_typed.protocol import emulation, network, web_authn

NetworkSpeed: TypeAlias = Literal["offline", "slow-3g", "fast-3g", "slow-4g", "fast-4g", "full"]
"""`offline`: nothing loads. `full`: as without emulation. The others are those of Chrome's developer tools, which call
`fast-3g` `slow-4g` today."""

PLATFORM = web_authn.VirtualAuthenticatorOptions(
    protocol="ctap2",
    transport="internal",
    has_resident_key=True,
    has_user_verification=True,
    is_user_verified=True,
)
"""As in a computer or a phone: it keeps passkeys, and confirms at once that a person is present and verified."""

Setting: TypeAlias = Literal[
    "viewport", "touch", "locale", "time_zone", "geolocation", "user_agent", "media", "cpu_slowdown", "network"
]
"""A group of fields of `Emulation` that the browser takes in one command."""

_SPEEDS: Mapping[NetworkSpeed, tuple[float, float, float]] = {
    "slow-3g": (2000, 50_000, 50_000),
    **dict.fromkeys(("fast-3g", "slow-4g"), (562.5, 180_000, 84_375)),
    "fast-4g": (165, 1_012_500, 168_750),
    "full": (0, -1, -1),
}
"""Milliseconds of latency, and bytes per second down and up. Source: the predefined network conditions of npm
`puppeteer-core` 24.43.1 (November 2026), which are those of Chrome's developer tools."""

TOUCH_POINTS = 5
_CHROME = re.compile(r"Chrome/(\d+)([.\d]*)")
_PLATFORMS: tuple[tuple[str, str, str], ...] = (
    (r"iPhone", "iPhone", ""),
    (r"iPad", "iPad", ""),
    (r"Android ([\d.]+)", "Linux armv81", "Android"),
    (r"CrOS \S+ ([\d.]+)", "Linux x86_64", "Chrome OS"),
    (r"Mac OS X ([\d_.]+)", "MacIntel", "macOS"),
    (r"Windows NT ([\d.]+)", "Win32", "Windows"),
    (r"Linux", "Linux x86_64", "Linux"),
)
"""A pattern of user agents, the `navigator.platform` of those browsers, and their platform in client hints."""


class Geolocation(Struct, frozen=True):
    """A place on the earth, in degrees."""

    latitude: float
    longitude: float
    accuracy_m: float = 10.0


class Emulation(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The device and the surroundings that a page is to see. A field that is None is not emulated."""

    device: str | None = None
    """A name from `devices()`. Other fields that are set replace those of the device."""
    width: int | None = None
    """The viewport, in CSS pixels."""
    height: int | None = None
    screen_width: int | None = None
    """The screen, in CSS pixels; None: as large as the viewport."""
    screen_height: int | None = None
    scale: float | None = None
    """Physical pixels for each CSS pixel: `devicePixelRatio`."""
    mobile: bool | None = None
    """The page's `meta viewport` applies, and scroll bars lie over the page."""
    landscape: bool | None = None
    """True: the longer side of viewport and screen is horizontal; False: it is vertical."""
    touch: bool | None = None
    """The device has a touch screen with five points."""
    locale: str | None = None
    """The locale of dates, numbers, `navigator.languages` and `Accept-Language`, for example `de-DE`."""
    time_zone: str | None = None
    """A name of the IANA database, for example `Europe/Berlin`."""
    geolocation: Geolocation | None = None
    """The page also needs the permission `geolocation`."""
    user_agent: str | None = None
    """A user agent that names Chrome gets matching client hints; another one gets none."""
    color_scheme: Literal["light", "dark"] | None = None
    reduced_motion: bool | None = None
    """`prefers-reduced-motion`."""
    contrast: Literal["more", "less", "custom", "no-preference"] | None = None
    """`prefers-contrast`."""
    forced_colors: bool | None = None
    """`forced-colors`: the page has only a few colours, which the user chose."""
    media: Literal["screen", "print"] | None = None
    """The media type of the style sheets."""
    cpu_slowdown: float | None = None
    """The factor by which scripts run slower, from 1."""
    network: NetworkSpeed | None = None


def commands(wanted: Emulation) -> Mapping[Setting, tuple[Command[Any], ...]]:
    """Return the commands for each emulated setting. `device` has to be resolved first: see `with_device`."""
    made: dict[Setting, tuple[Command[Any], ...] | None] = {
        "viewport": _viewport(wanted),
        "touch": None if wanted.touch is None else (_touch(enabled=wanted.touch),),
        "locale": None if wanted.locale is None else (emulation.SetLocaleOverride(locale=wanted.locale),),
        "time_zone": None if wanted.time_zone is None else (_time_zone(wanted.time_zone),),
        "geolocation": None if wanted.geolocation is None else (_geolocation(wanted.geolocation),),
        "user_agent": _user_agent(wanted),
        "media": _media(wanted),
        "cpu_slowdown": None if wanted.cpu_slowdown is None else (_cpu(wanted.cpu_slowdown),),
        "network": None if wanted.network is None else (network.Enable(), _network(wanted.network)),
    }
    return {setting: each for setting, each in made.items() if each is not None}


def _time_zone(name: str) -> Command[Any]:
    return emulation.SetTimezoneOverride(timezone_id=name)


def _cpu(factor: float) -> Command[Any]:
    return emulation.SetCPUThrottlingRate(rate=factor)


def _touch(*, enabled: bool) -> Command[Any]:
    return emulation.SetTouchEmulationEnabled(enabled=enabled, max_touch_points=TOUCH_POINTS if enabled else None)


def _geolocation(place: Geolocation) -> Command[Any]:
    return emulation.SetGeolocationOverride(
        latitude=place.latitude, longitude=place.longitude, accuracy=place.accuracy_m
    )


def _network(speed: NetworkSpeed) -> Command[Any]:
    latency, download, upload = _SPEEDS.get(speed, (0, -1, -1))
    # The commands in its place (`emulateNetworkConditionsByRule`) are unknown to browsers before 2026.
    return network.EmulateNetworkConditions(  # pyright: ignore[reportDeprecated]
        offline=speed == "offline", latency=latency, download_throughput=download, upload_throughput=upload
    )


RESETS: Mapping[Setting, tuple[Command[Any], ...]] = {
    "viewport": (emulation.ClearDeviceMetricsOverride(),),
    "touch": (_touch(enabled=False),),
    "locale": (emulation.SetLocaleOverride(),),
    "time_zone": (_time_zone(""),),
    "geolocation": (emulation.ClearGeolocationOverride(),),
    "user_agent": (emulation.SetUserAgentOverride(user_agent=""),),
    "media": (emulation.SetEmulatedMedia(media="", features=[]),),
    "cpu_slowdown": (_cpu(1),),
    "network": (_network("full"),),
}
"""The commands that end each setting. `Network.enable` came before `network`, and may be needed for something else."""

OF_PAGES: frozenset[Setting] = frozenset({"viewport", "geolocation"})
"""The settings of a whole page. Each session of an iframe in another process needs the rest, too: measured on
Chromium 156, it inherits only a dark colour scheme, from the element that holds it."""


def _viewport(wanted: Emulation) -> tuple[Command[Any], ...] | None:
    asked = (wanted.width, wanted.height, wanted.scale, wanted.mobile, wanted.landscape)
    if all(each is None for each in asked):
        return None
    width, height = _turned(wanted.width or 0, wanted.height or 0, landscape=wanted.landscape)
    screen = _turned(wanted.screen_width or width, wanted.screen_height or height, landscape=wanted.landscape)
    is_landscape = width > height if wanted.landscape is None else wanted.landscape
    has_orientation = wanted.mobile or wanted.landscape is not None
    return (
        emulation.SetDeviceMetricsOverride(
            width=width,
            height=height,
            device_scale_factor=wanted.scale or 0,
            mobile=bool(wanted.mobile),
            screen_width=screen[0] or None,
            screen_height=screen[1] or None,
            screen_orientation=_orientation(is_landscape=is_landscape) if has_orientation else None,
        ),
    )


def _turned(width: int, height: int, *, landscape: bool | None) -> tuple[int, int]:
    if landscape is None or not (width and height):
        return width, height
    return (max(width, height), min(width, height)) if landscape else (min(width, height), max(width, height))


def _orientation(*, is_landscape: bool) -> emulation.ScreenOrientation:
    if is_landscape:
        return emulation.ScreenOrientation(type="landscapePrimary", angle=90)
    return emulation.ScreenOrientation(type="portraitPrimary", angle=0)


def _media(wanted: Emulation) -> tuple[Command[Any], ...] | None:
    motion = {None: None, True: "reduce", False: "no-preference"}[wanted.reduced_motion]
    asked = {
        "prefers-color-scheme": wanted.color_scheme,
        "prefers-reduced-motion": motion,
        "prefers-contrast": wanted.contrast,
        "forced-colors": {None: None, True: "active", False: "none"}[wanted.forced_colors],
    }
    features = [emulation.MediaFeature(name=name, value=value) for name, value in asked.items() if value is not None]
    if not features and wanted.media is None:
        return None
    return (emulation.SetEmulatedMedia(media=wanted.media or "", features=features),)


def _user_agent(wanted: Emulation) -> tuple[Command[Any], ...] | None:
    if wanted.user_agent is None and wanted.locale is None:
        return None
    text = wanted.user_agent or ""
    return (
        emulation.SetUserAgentOverride(
            user_agent=text,
            accept_language=wanted.locale,
            platform=platform_of(text) or None,
            user_agent_metadata=client_hints(text),
        ),
    )


def platform_of(user_agent: str) -> str:
    """Return the `navigator.platform` that a browser with this user agent has; empty for an unknown one."""
    return next((platform for pattern, platform, _ in _PLATFORMS if re.search(pattern, user_agent)), "")


def client_hints(user_agent: str) -> emulation.UserAgentMetadata | None:
    """Return the client hints that agree with the user agent of a Chrome; None for another browser, which has none."""
    chrome = _CHROME.search(user_agent)
    if chrome is None:
        return None
    platform, version = "", ""
    for pattern, _, name in _PLATFORMS:
        found = re.search(pattern, user_agent)
        if found is not None:
            platform, version = name, (found[1] if found.groups() else "").replace("_", ".")
            break
    model = re.search(r"Android [\d.]+; ([^;)]+?)(?: Build/[^;)]*)?\)", user_agent)
    return emulation.UserAgentMetadata(
        brands=[_brand(name, major) for name, major in (("Chromium", chrome[1]), ("Not:A-Brand", "8"))],
        full_version_list=[
            _brand(name, full) for name, full in (("Chromium", chrome[1] + chrome[2]), ("Not:A-Brand", "8.0.0.0"))
        ],
        platform=platform,
        platform_version=version,
        architecture="" if platform == "Android" else "x86",
        model=model[1] if model is not None else "",
        mobile="Mobile" in user_agent,
    )


def _brand(brand: str, version: str) -> emulation.UserAgentBrandVersion:
    return emulation.UserAgentBrandVersion(brand=brand, version=version)
