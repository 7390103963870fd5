"""`devices` and `with_device`: the names and figures of phones, tablets and computers, from `devices.json`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from msgspec import Struct
from msgspec.structs import replace

from cdp_typed.conversions import decode
from cdp_typed.spelling import did_you_mean

from .emulation import Emulation

_VERSION = re.compile(r"Chrome/([\d.]+)")


class _Device(Struct, frozen=True, kw_only=True):
    viewport: tuple[int, int]
    landscape: tuple[int, int] | None = None
    """The viewport in landscape, where the browser's bars have other heights."""
    screen: tuple[int, int] | None = None
    scale: float
    mobile: bool
    touch: bool
    user_agent: str


class _Devices(Struct, frozen=True):
    source: str
    """The source of the names and figures: package, version, day and licence."""
    devices: dict[str, _Device]


@cache
def _known() -> Mapping[str, _Device]:
    return decode(files("cdp_typed.helpers.shared").joinpath("devices.json").read_bytes(), type=_Devices).devices


def devices() -> tuple[str, ...]:
    """Return the names of the devices that `Emulation(device=...)` knows."""
    return tuple(_known())


def with_device(wanted: Emulation, browser_user_agent: str) -> Emulation:
    """Return a copy that has the fields of its device, except where they are set.

    `browser_user_agent` is that of `Browser.getVersion`: a device whose browser is Chrome gets that version. Raises
    `ValueError` for an unknown device, with the names that resemble it.
    """
    if wanted.device is None:
        return wanted
    device = _known().get(wanted.device)
    if device is None:
        raise ValueError(f"unknown device{did_you_mean(wanted.device, _known()) or '; devices() has their names'}")
    width, height = device.landscape if wanted.landscape and device.landscape else device.viewport
    version = _VERSION.search(browser_user_agent)
    has_size = wanted.width is not None or wanted.height is not None
    screen = (None, None) if has_size or device.screen is None else device.screen
    filled = {
        "width": None if has_size else width,
        "height": None if has_size else height,
        "screen_width": screen[0],
        "screen_height": screen[1],
        "scale": device.scale,
        "mobile": device.mobile,
        "touch": device.touch,
        "user_agent": device.user_agent.replace("{chrome}", version[1] if version else "0.0.0.0"),
    }
    missing = {name: value for name, value in filled.items() if getattr(wanted, name) is None}
    return replace(wanted, **missing)
