"""`emulate` and `virtual_authenticator`: show a page another device, place, network or authenticator."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from typing import Any

from cdp_typed._base import Command
from cdp_typed.client.blocks import async_block
from cdp_typed.client.session import Session
from cdp_typed.errors import CDPError, CommandError
from cdp_typed.helpers.shared.devices import with_device
from cdp_typed.helpers.shared.emulation import OF_PAGES, PLATFORM, RESETS, Emulation, Setting, commands
from cdp_typed.protocol import browser, web_authn


@async_block
async def emulate(tab: Session, wanted: Emulation) -> AsyncGenerator[None]:
    """Emulate a device and its surroundings during a block: `async with emulate(tab, Emulation(device="iPhone 15")):`.

    The page keeps the settings when it navigates. A new tab does not have them. For an iframe in another process, call
    `emulate` with its session, which ignores the settings of a whole page. The end of the block resets these settings,
    even those that another client of the same page has made. `devices()` has the names of the devices. To read
    `geolocation`, the page also needs the permission (`Browser.setPermission`).

    Uses commands of the domain Emulation, and for `network` also `Network.enable` and
    `Network.emulateNetworkConditions`. Raises `ValueError` for an unknown device, `CommandError` for a value that the
    browser does not know, for example a time zone, and otherwise as `send` does. Locale and time zone belong to a
    process: the browser refuses a second one for another page of the same process.
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


class VirtualAuthenticator:
    """An authenticator of a tab; `virtual_authenticator` creates it."""

    def __init__(self, tab: Session, authenticator_id: web_authn.AuthenticatorId) -> None:
        self._tab = tab
        self.authenticator_id = authenticator_id

    async def credentials(self) -> tuple[web_authn.Credential, ...]:
        """Return the passkeys with their private keys (`WebAuthn.getCredentials`).

        Raises as `Session.send` does.
        """
        ask = web_authn.GetCredentials(authenticator_id=self.authenticator_id)
        return (await self._tab.send(ask)).credentials

    async def add(self, credential: web_authn.Credential) -> None:
        """Add a passkey, for example from an earlier tab (`WebAuthn.addCredential`).

        Raises as `Session.send` does.
        """
        await self._tab.send(web_authn.AddCredential(authenticator_id=self.authenticator_id, credential=credential))


@async_block
async def virtual_authenticator(
    tab: Session, options: web_authn.VirtualAuthenticatorOptions = PLATFORM
) -> AsyncGenerator[VirtualAuthenticator]:
    """Let the pages of a tab, iframes included, create and use passkeys during a block, without a person.

    `async with virtual_authenticator(tab) as authenticator:`. By default the authenticator stores passkeys, and
    confirms at once that a person is present and verified (`WebAuthn.enable`, `WebAuthn.addVirtualAuthenticator`). Its
    passkeys end with the block. Raises `CommandError` if the tab already has an internal authenticator, and otherwise
    as `Session.send` does.
    """
    await tab.send(web_authn.Enable())
    added = await tab.send(web_authn.AddVirtualAuthenticator(options=options))
    try:
        yield VirtualAuthenticator(tab, added.authenticator_id)
    finally:
        with suppress(CDPError):  # a tab that is gone
            await tab.send(web_authn.Disable())
