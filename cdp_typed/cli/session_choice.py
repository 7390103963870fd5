"""Chooses the session that a command line sends its commands to."""

from __future__ import annotations

from collections.abc import Sequence

from cdp_typed.cli.arguments import UsageError
from cdp_typed.client.channel import Channel
from cdp_typed.client.connection import Connection
from cdp_typed.client.session import Session
from cdp_typed.protocol import target

# These domains concern the browser as a whole; Chromium 156 has some of them on no page.
_BROWSER_DOMAINS = frozenset(
    {
        "BluetoothEmulation",
        "Browser",
        "Extensions",
        "PWA",
        "SmartCardEmulation",
        "SystemInfo",
        "Target",
        "Tethering",
        "Tracing",
    }
)
_HIDDEN_PAGES = ("devtools://", "chrome-extension://")


async def reach(browser: Connection, wanted: str | None, domain: str) -> Channel:
    """Return the channel for commands of `domain`: the wanted target's session, else the browser or its first page.

    Raises `UsageError` if there is no such target.
    """
    return browser.root if await is_direct(browser, wanted, domain) else await attach(browser, wanted)


async def is_direct(browser: Connection, wanted: str | None, domain: str) -> bool:
    """Return True if commands of `domain` need no session: they go to the browser, or to the websocket's one target.

    Raises `UsageError` for a wanted target of an inspector of Node or Deno.
    """
    kind = await browser.kind()
    if kind == "node" and wanted is not None:
        raise UsageError("an inspector of Node or Deno has no targets to choose from; leave --target out")
    return kind == "node" or wanted == "browser" or (wanted is None and (kind == "page" or domain in _BROWSER_DOMAINS))


async def attach(browser: Connection, wanted: str | None) -> Session:
    """Attach to the wanted target, or to the first page. Raises `UsageError` if there is none."""
    return await browser.attach(_choose(await list_targets(browser), wanted))


async def list_targets(browser: Connection) -> Sequence[target.TargetInfo]:
    """Return all targets (`Target.getTargets`)."""
    return (await browser.send(target.GetTargets())).target_infos


def _choose(targets: Sequence[target.TargetInfo], wanted: str | None) -> str:
    if wanted is None:
        pages = [info for info in targets if info.type == "page" and not info.url.startswith(_HIDDEN_PAGES)]
        if not pages:
            raise UsageError("the browser has no page open; open one: call URL Target.createTarget --url about:blank")
        return pages[0].target_id
    matches = [info.target_id for info in targets if info.target_id.lower().startswith(wanted.lower())]
    if len(matches) != 1:
        count = "no target's id begins" if not matches else f"the ids of {len(matches)} targets begin"
        raise UsageError(f"{count} with {wanted!r}; see: cdp-typed targets URL")
    return matches[0]
