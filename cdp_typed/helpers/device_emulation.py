"""`emulate`: shows a page another device, place or network."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from cdp_typed._base import Command
from cdp_typed.client.session import Session
from cdp_typed.errors import CDPError, CommandError
from cdp_typed.helpers.shared.devices import with_device
from cdp_typed.helpers.shared.emulation import OF_PAGES, RESETS, Emulation, Setting, commands
from cdp_typed.protocol import browser


@asynccontextmanager
async def emulate(tab: Session, wanted: Emulation) -> AsyncGenerator[None]:
    """Emulate a device and its surroundings during a block: `async with emulate(tab, Emulation(device="iPhone 15")):`.

    The page keeps them when it navigates. A new tab does not have them. For an iframe in another process, call
    `emulate` with its session, which ignores the settings of a whole page. The end of the block resets these settings,
    also those of another client of the same page. `devices()` has the names of the devices. To read `geolocation`, the
    page also needs the permission (`Browser.setPermission`).

    Behind it are commands of the domain Emulation, and for `network` also `Network.enable` and
    `Network.emulateNetworkConditions`. Raises `ValueError` for an unknown device, `CommandError` for what the browser
    does not know, for example a time zone, and otherwise as `send` does. Locale and time zone belong to a process: the
    browser refuses a second one for another page of the same process.
    """
    version = await tab.send(browser.GetVersion())
    settings: Mapping[Setting, tuple[Command[Any], ...]] = commands(with_device(wanted, version.user_agent))
    if tab.target_info.type == "iframe":
        settings = {setting: each for setting, each in settings.items() if setting not in OF_PAGES}
    try:
        for each in settings.values():
            for command in each:
                await tab.send(command)
        yield
    finally:
        with suppress(CDPError):  # a page that is gone, or does not answer
            for setting in settings:
                for command in RESETS[setting]:
                    with suppress(CommandError):
                        await tab.send(command)
