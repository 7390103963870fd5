"""Tool calls that wait for a person's approval, as the live view shows them."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from cdp_typed.errors import CDPError
from cdp_typed.printable import visible
from supervisor.aio import AsyncSupervisor
from supervisor.driver.takeover import allowed
from supervisor.tools.page.boxes import seen_of
from supervisor.tools.page.locators import refs_for
from supervisor.tools.page.page_frames import find

from .approvals import Approval


class Aim(Struct, frozen=True):
    """The element that a call is about to touch."""

    tab: str
    left: float
    top: float
    width: float
    height: float


async def aim_of(supervisor: AsyncSupervisor, approval: Approval) -> Aim | None:
    """The place of the element that a call names, in CSS pixels of its tab's window; None when it cannot be seen."""
    if approval.ref is None or not supervisor.is_running:
        return None
    tab = next((page.target_id for page in supervisor.snapshot().pages if page.is_current), "")
    try:
        with allowed():
            (ref,) = await refs_for(supervisor, [approval.ref])
            box, _ = await seen_of(supervisor, find(supervisor, ref))
    except (CDPError, TimeoutError):
        return None
    return Aim(tab, box.left, box.top, box.right - box.left, box.bottom - box.top)


def shown_approval(approval: Approval, aim: Aim | None) -> dict[str, Any]:
    """The approval for the page, with all of its arguments: nobody approves a part."""
    return {
        "id": approval.id,
        "tool": visible(approval.tool, 100),
        "arguments": approval.arguments,
        "since": approval.since,
        "aim": aim,
    }
