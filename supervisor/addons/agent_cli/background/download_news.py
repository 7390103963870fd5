"""Where the files of downloads are, in a browser that the session launched."""

from __future__ import annotations

from cdp_typed.protocol import browser
from supervisor import CDPSupervisor
from supervisor.driver.driver import Driver
from supervisor.tools import Toolbox

_TIMEOUT_S = 10.0


class OwnToolbox(Toolbox):
    """A toolbox whose browser reports the path and the end of each download, also after its tab has closed.

    That takes `Browser.setDownloadBehavior`, which would override the setting of another client.
    """

    _asked: CDPSupervisor | None = None

    async def guard(self, supervisor: CDPSupervisor) -> None:
        """Ask the browser once, before the first call of a tool."""
        await super().guard(supervisor)
        if self._asked is not supervisor:
            self._asked = supervisor
            await supervisor.aio.with_driver(_ask)


async def _ask(driver: Driver) -> None:
    command = browser.SetDownloadBehavior(behavior="default", events_enabled=True)
    await driver.send_unrecorded(command, None, _TIMEOUT_S)
