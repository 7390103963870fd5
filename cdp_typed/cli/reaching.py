"""Which session of a browser a command line talks to."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from cdp_typed.channel import Channel
from cdp_typed.cli.parsing import UsageError
from cdp_typed.client import Connection
from cdp_typed.protocol import target
from cdp_typed.session import Session

__all__ = ["attach", "is_direct", "list_targets", "reach"]

# They speak of the browser as a whole; Chromium 156 has some of them on no page at all.
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


async def reach(browser: Connection, url: str, wanted: str | None, domain: str) -> Channel:
    """Where commands of `domain` go: to the target that is wanted, else to the browser or its first page.

    Raises `UsageError` where there is no such target.
    """
    return browser.root if is_direct(url, wanted, domain) else await attach(browser, wanted)


def is_direct(url: str, wanted: str | None, domain: str) -> bool:
    """Whether commands of `domain` go over the connection itself: to the browser, or to the page that `url` names."""
    return wanted == "browser" or (wanted is None and (domain in _BROWSER_DOMAINS or _is_page(url)))


async def attach(browser: Connection, wanted: str | None) -> Session:
    """A session of the wanted target, or of the first page. Raises `UsageError` where there is none."""
    return await browser.attach(_choose(await list_targets(browser), wanted))


async def list_targets(browser: Connection) -> Sequence[target.TargetInfo]:
    """What can be attached to (`Target.getTargets`)."""
    return (await browser.send(target.GetTargets())).target_infos


def _choose(targets: Sequence[target.TargetInfo], wanted: str | None) -> str:
    if wanted is None:
        pages = [each for each in targets if each.type == "page" and not each.url.startswith(_HIDDEN_PAGES)]
        if not pages:
            raise UsageError("the browser has no page open; open one: call URL Target.createTarget --url about:blank")
        return pages[0].target_id
    found = [each.target_id for each in targets if each.target_id.lower().startswith(wanted.lower())]
    if len(found) != 1:
        count = "no target's id begins" if not found else f"the ids of {len(found)} targets begin"
        raise UsageError(f"{count} with {wanted!r}; see: cdp-typed targets URL")
    return found[0]


def _is_page(url: str) -> bool:
    """Whether the address is that of one page's own websocket, which gives no way to other targets."""
    return "/devtools/page/" in urlsplit(url).path
