"""Holds pages and frames to the URL rules of the policy, however they get there.

The supervisor lets no request for a document out that the policy refuses; see `CDPSupervisor.restrict`. What the
browser shows without such a request (`blob:`, `chrome:`, a page that comes back from the history, or one that it had
asked for before the event arrived) is seen on the change feed when the frame is there already, and the frame is sent to
`about:blank` at once. What a tool asks for is refused before anything is sent; see `Policy.check_url`.
"""

from __future__ import annotations

import asyncio
import logging
from weakref import WeakKeyDictionary, WeakSet

from cdp_typed.errors import CDPError
from cdp_typed.protocol import page
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.chromium import LACKS
from supervisor.core.vocabulary.errors import NavigationInterrupted
from supervisor.core.vocabulary.values import Change
from supervisor.driver import controls
from supervisor.driver.takeover import allowed

from .policy import Policy
from .tool_errors import PolicyRefused

AWAY = "about:blank"
_HOLDING = ("hold_requests", "hold_all_requests")

_log = logging.getLogger("supervisor.tools.guard")


class Guards:
    """One guard for each supervisor, for as long as it lives."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._watched: WeakKeyDictionary[AsyncSupervisor, controls.ControlRules] = WeakKeyDictionary()
        """With the person's servers that it is kept from."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._reported: WeakSet[AsyncSupervisor] = WeakSet()

    async def watch(self, supervisor: AsyncSupervisor) -> None:
        """Guard its pages and frames, those that it has now included. Later calls add what a person serves since."""
        known, served = self._watched.get(supervisor), controls.rules()
        if known == served:
            return
        self._watched[supervisor] = served
        if known is None:
            supervisor.on_change(lambda change: self._see(supervisor, change))
            if self._policy.watches:
                await supervisor.restrict(self._policy.url_rules)
        if served.restricts:
            await supervisor.restrict(served)

    def _see(self, supervisor: AsyncSupervisor, change: Change) -> None:
        if change.kind == "navigation_refused":
            self._policy.note_stop(change)
        if change.kind not in ("frame_navigated", "frame_attached", "page_opened") or change.text == AWAY:
            return
        self._tell_gaps(supervisor)
        try:
            self._policy.check_url(change.text)
        except PolicyRefused as refused:
            _log.warning("a frame that no request told of is sent away: %s", refused)
            task = asyncio.get_running_loop().create_task(block_document(supervisor, change.subject))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _tell_gaps(self, supervisor: AsyncSupervisor) -> None:
        """Log once which navigations this browser cannot block."""
        gaps = [LACKS[name] for name in _HOLDING if LACKS[name] in supervisor.snapshot().lacks]
        if gaps and supervisor not in self._reported:
            self._reported.add(supervisor)
            _log.warning("the policy has gaps on this browser: %s", "; ".join(gaps))


async def block_document(supervisor: AsyncSupervisor, frame_id: str) -> None:
    """Send a frame to `about:blank` (`Page.navigate`); a page's target id is the id of its top frame."""
    try:
        with allowed():  # a person may not go there either
            await supervisor.send(page.Navigate(url=AWAY, frame_id=page.FrameId(frame_id)), frame_id)
    except NavigationInterrupted:
        return  # by this navigation, which moves it into another process, or by one that is seen in its turn
    except CDPError as error:
        _log.warning("a frame could not be turned away from where it may not be: %s", type(error).__name__)
