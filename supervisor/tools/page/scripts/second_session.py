"""Sessions of the current page and its workers on a second connection. The core sees neither."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Container, Iterable
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

from cdp_typed import Connection, Session
from cdp_typed._base import Command
from cdp_typed.errors import CDPError, CommandTimeout
from cdp_typed.protocol import runtime, target
from supervisor.aio import AsyncSupervisor
from supervisor.core.state.frames import origin_of
from supervisor.core.vocabulary.errors import CallTimeout, NoPage
from supervisor.driver.connecting import opening_of
from supervisor.tools.framework.policy import Policy
from supervisor.tools.framework.tool_errors import PageTextError
from supervisor.tools.page.page_frames import check_no_dialog
from supervisor.tools.page.refs import all_frames
from supervisor.tools.raw_commands.bounds import bounds_of

R = TypeVar("R")

ATTACH_TIMEOUT_S = 5.0
"""Seconds for a page to list its workers; a busy one answers late."""
CONSOLE_TIMEOUT_S = 10.0
_NAMED = "worker="
_DEDICATED, _FRAME = "worker", "iframe"
OF_SITES = frozenset({"service_worker", "shared_worker"})
"""The types of workers that all pages of a site share."""
_BELOW = (target.FilterEntry(type=_DEDICATED), target.FilterEntry(type=_FRAME), target.FilterEntry(exclude=True))


@asynccontextmanager
async def second_session(supervisor: AsyncSupervisor) -> AsyncGenerator[Session]:
    """Connect to the browser once more, and attach to the current page until the end of the block.

    Raises `NoPage`, and what `connect` and `attach` raise.
    """
    async with second_connection(supervisor) as (_, tab):
        yield tab


@asynccontextmanager
async def second_connection(supervisor: AsyncSupervisor) -> AsyncGenerator[tuple[Connection, Session]]:
    """The same, with the connection itself."""
    page_id = next((page.target_id for page in supervisor.snapshot().pages if page.is_current), None)
    if page_id is None:
        raise NoPage
    async with opening_of(supervisor.config_of_others) as connection:
        yield connection, await connection.attach(page_id)


class NoWorker(PageTextError):
    """No worker, or more than one, has this text in its URL. `page_text` lists the workers of the page."""

    def __init__(self, count: int, others: str) -> None:
        if not others:
            why = "the page has no workers"
        elif count:
            why = f"{count} workers have this text in the URL; give more of it: page_error lists the workers"
        else:
            why = "no worker has this text in the URL; page_error lists the workers of the page"
        super().__init__(why, maybe_executed=False)
        self.page_text = others


def named_worker(frame_id: str | None) -> str | None:
    """The part of a worker's URL that an argument names (`worker=sw.js`); None if it means a frame."""
    return frame_id.removeprefix(_NAMED) if frame_id is not None and frame_id.startswith(_NAMED) else None


class PageWorker:
    """A worker of the page, and scripts in it."""

    def __init__(self, session: Session) -> None:
        self.session = session

    async def send(self, command: Command[R], timeout_s: float) -> R:
        """Send a command. Raises `CallTimeout` when the worker is busy, and what `Session.send` raises."""
        try:
            return await self.session.send(command, timeout=timeout_s)
        except CommandTimeout:
            raise CallTimeout(timeout_s, "slow", "the worker is busy", maybe_executed=True) from None

    async def console(self) -> list[runtime.ConsoleAPICalled | runtime.ExceptionThrown]:
        """The console calls and uncaught exceptions that the browser holds, oldest first (`Runtime.enable`).

        Raises what `send` raises.
        """
        said = list[runtime.ConsoleAPICalled | runtime.ExceptionThrown]()
        self.session.listen(lambda _, event: said.append(event), runtime.ConsoleAPICalled, runtime.ExceptionThrown)
        await self.send(runtime.Enable(), CONSOLE_TIMEOUT_S)
        return said


@asynccontextmanager
async def worker_named(supervisor: AsyncSupervisor, policy: Policy, part: str) -> AsyncGenerator[PageWorker]:
    """The one worker whose URL has this part, until the end of the block.

    These are the dedicated workers of the page and its iframes, and the shared and service workers of their origins;
    all of the browser context if the caller has the browser for itself. Raises `NoWorker`, `BlockedByDialog`,
    `CallTimeout` for a page that does not respond, and what `second_connection` raises.
    """
    await check_no_dialog(supervisor)  # such a page does not list its workers
    async with second_connection(supervisor) as (browser, tab):
        try:
            below = await tab.auto_attach(filter=_BELOW, wait_for_debugger=False, timeout=ATTACH_TIMEOUT_S)
        except CommandTimeout:
            raise CallTimeout(ATTACH_TIMEOUT_S, "slow", "the page is busy", maybe_executed=False) from None
        origins = {frame.origin for frame in all_frames(supervisor.snapshot().frame_tree)}
        found = await _dedicated(lambda: below.sessions, origins)
        found += await _of_sites(supervisor, policy, browser, tab.target_info.browser_context_id, origins)
        chosen = [worker for worker in found if part in worker.target_info.url]
        if len(chosen) != 1:
            listed = (f"{each.target_info.type} {each.target_info.url}" for each in found)
            raise NoWorker(len(chosen), "\n".join(listed))
        yield PageWorker(chosen[0])


async def _dedicated(attached: Callable[[], Iterable[Session]], origins: Container[str]) -> list[Session]:
    """The sessions of workers below a page, also in its iframes of other processes and in other workers.

    Those of documents that the browser keeps for going back are announced, too: the origins leave most of them out.
    """
    asked = list[Session]()
    while new := [session for session in attached() if session not in asked]:
        asked += new
        for session in new:  # its reply comes after those below the session were announced
            with suppress(CDPError):
                await session.send(target.GetTargetInfo())
    workers = [session for session in attached() if session.target_info.type == _DEDICATED]
    of_whom = [origin_of(worker.target_info.url.removeprefix("blob:")) for worker in workers]
    return [worker for worker, origin in zip(workers, of_whom, strict=True) if not origin or origin in origins]


async def _of_sites(
    supervisor: AsyncSupervisor, policy: Policy, browser: Connection, context_id: str | None, origins: Container[str]
) -> list[Session]:
    """The sessions of shared and service workers that the caller may use."""
    bounds = await bounds_of(supervisor, None)
    if bounds.is_shared and not bounds.has_own_context:  # they serve pages of others, too
        return []
    rules = (*bounds.url_rules, policy.url_rules)
    found = list[Session]()
    for info in (await browser.send(target.GetTargets())).target_infos:
        is_near = not bounds.hold or origin_of(info.url) in origins
        is_allowed = info.browser_context_id == context_id and not any(each.why_not(info.url) for each in rules)
        if info.type in OF_SITES and is_near and is_allowed:
            with suppress(CDPError):  # it ended meanwhile
                found.append(await browser.attach(info.target_id))
    return found
