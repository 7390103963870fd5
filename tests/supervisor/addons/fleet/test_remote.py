"""`RemoteSupervisor`: a supervisor that is somewhere else; here, behind a copy of everything that is said."""

from __future__ import annotations

import asyncio
import inspect
import operator
import pickle
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cdp_typed.mock import MockServer, Page
from cdp_typed.protocol import browser
from supervisor import (
    AsyncSupervisor,
    BlockedByDialog,
    DialogRule,
    InvalidConfig,
    NavigationFailed,
    NoDialogOpen,
    NotRunning,
    SupervisorSnapshot,
    UnknownBlocker,
    UrlRules,
)
from supervisor.addons.fleet.hosting.perform import METHODS, perform
from supervisor.addons.fleet.remote import RemoteSupervisor
from supervisor.addons.fleet.remote_calls import ChangesLost
from supervisor.tools import Policy, PolicyRefused

SITE = {"http://a.test/": Page(title="A"), "http://b.test/": Page(title="B")}
NOT_FROM_AFAR = {
    "answer_for_person",
    "config_of_others",
    "from_config",
    "is_recording",
    "on_change",
    "record",
    "seconds",
    "start",
    "stop",
    "with_driver",
}


class Copies:
    """A caller that reaches the supervisors of this process, and copies what is said as a connection would."""

    def __init__(self, supervisors: dict[str, AsyncSupervisor]) -> None:
        self.supervisors = supervisors
        self.deadlines: list[float | None] = []

    async def call(
        self, task_id: str, method: str, args: tuple[Any, ...], kwargs: dict[str, Any], timeout_s: float | None
    ) -> Any:
        self.deadlines.append(timeout_s)
        args, kwargs = _copied((args, kwargs))
        try:
            return _copied(await perform(self.supervisors[task_id], method, args, kwargs, Policy()))
        except Exception as error:
            raise _copied(error) from None


def _copied(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@pytest.fixture
async def local(no_leaks: None) -> AsyncIterator[AsyncSupervisor]:
    async with MockServer(SITE) as server, AsyncSupervisor(server.url, call_timeout_s=10) as running:
        yield running


@pytest.fixture
def remote(local: AsyncSupervisor) -> RemoteSupervisor:
    return RemoteSupervisor("errand", Copies({"errand": local}))


def has_no_dialog(now: SupervisorSnapshot) -> bool:
    return not now.pending_dialogs


async def test_dialogs_are_seen_and_answered_from_afar(remote: RemoteSupervisor) -> None:
    with pytest.raises(BlockedByDialog) as blocked:
        await remote.evaluate("window.answer = confirm('sure?')")
    assert (blocked.value.dialog.message, blocked.value.maybe_executed) == ("sure?", True)
    assert (await remote.snapshot()).pending_dialogs == (blocked.value.dialog,)

    receipt = await remote.respond_to_dialog("accept", dialog_id=blocked.value.dialog.id)

    assert receipt.accepted
    assert [record.message for record in (await remote.wait_for(has_no_dialog)).recent_dialogs] == ["sure?"]
    assert (await remote.evaluate("window.answer")).value is True
    rule = await remote.arm_dialog(DialogRule(action="accept", type="confirm", count=1))
    assert [armed.id for armed in (await remote.snapshot()).dialog_rules] == [rule]
    await remote.disarm_dialog(rule)
    with pytest.raises(NoDialogOpen):
        await remote.respond_to_dialog("accept")


async def test_what_is_known_is_what_is_known_there(local: AsyncSupervisor, remote: RemoteSupervisor) -> None:
    page = await remote.open_page("http://a.test/", select=True, timeout_s=9)
    await remote.navigate("http://b.test/", page.target_id)
    await remote.evaluate("console.log('hello')")

    assert (await remote.select_page(page.target_id)).url == "http://b.test/"
    assert await remote.is_running()
    assert await remote.snapshot() == local.snapshot()
    assert await remote.frames() == local.frames()
    assert await remote.calls() == ()
    assert (await remote.status()).state == "ready"
    version: browser.GetVersionResult = await remote.send(browser.GetVersion())
    assert version.product
    assert await remote.console_since(0) == local.console_since(0)
    assert await remote.changes_since(0) == local.changes_since(0)
    change = await remote.wait_for_change("console", since=0)
    assert change.kind == "console"
    await remote.restrict(UrlRules(allow_origins=("http://b.test",)))
    with pytest.raises(NavigationFailed) as refused:
        await remote.navigate("http://a.test/")
    assert (refused.value.url, refused.value.error_text) == ("http://a.test/", "net::ERR_BLOCKED_BY_CLIENT")
    await remote.close_page(page.target_id)
    assert page.target_id not in {info.target_id for info in (await remote.snapshot()).pages}


async def test_a_deadline_is_told_to_the_caller_too(local: AsyncSupervisor) -> None:
    caller = Copies({"errand": local})
    remote = RemoteSupervisor("errand", caller)
    with pytest.raises(TimeoutError):
        await remote.wait_for(operator.not_, timeout_s=0.01)
    await remote.evaluate("1+1")
    assert caller.deadlines == [0.01, None]


async def test_files_may_come_from_an_iterator_and_not_as_one_text(remote: RemoteSupervisor) -> None:
    with pytest.raises(UnknownBlocker):
        await remote.choose_files((Path(name) for name in ("/a", "/b")), "none")
    with pytest.raises(InvalidConfig, match="several paths, not one text"):
        await remote.choose_files("/a")


async def test_files_are_those_that_the_policy_allows(local: AsyncSupervisor) -> None:
    policy = Policy(allow_files=("/srv/*",))
    with pytest.raises(PolicyRefused, match="/etc/passwd is refused by the policy"):
        await perform(local, "choose_files", (["/srv/a", "/etc/passwd"], "none"), {}, policy)
    with pytest.raises(UnknownBlocker):
        await perform(local, "choose_files", (["/srv/a"], "none"), {}, policy)


async def test_changes_come_once_and_in_order_until_the_supervisor_has_stopped(
    local: AsyncSupervisor, remote: RemoteSupervisor
) -> None:
    cursor = local.snapshot().cursor
    told: list[int] = []
    later: list[int] = []

    async def listen() -> None:
        told.extend([change.seq async for change in remote.changes(since=0)])

    async def listen_from_now() -> None:
        later.extend([change.seq async for change in remote.changes()])

    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        group.create_task(listen())
        group.create_task(listen_from_now())
        await local.wait_for(lambda _: local.status().pending_calls == 0)
        for number in range(20):
            await local.evaluate(f"console.log({number})")
        await local.stop()

    last = local.snapshot().cursor
    assert told == list(range(1, last + 1))
    assert later == list(range(later[0], last + 1))
    assert later[0] > cursor


async def test_changes_that_are_no_longer_held_are_told(local: AsyncSupervisor, remote: RemoteSupervisor) -> None:
    changes = remote.changes(since=0)
    assert (await anext(changes)).seq == 1
    first = local.snapshot().cursor
    await local.evaluate("; ".join(["console.log(0)"] * 600))
    await local.wait_for_change("console", since=first + 550)

    for number in range(2, first + 1):
        assert (await anext(changes)).seq == number
    with pytest.raises(ChangesLost) as lost:
        await anext(changes)
    assert (lost.value.since, lost.value.missed) == (first, local.changes_since(first).missed)
    with pytest.raises(ChangesLost, match="is a new one"):
        await anext(remote.changes(since=10_000))
    assert _copied(lost.value) == lost.value


async def test_of_a_supervisor_that_was_never_started_there_are_no_changes() -> None:
    remote = RemoteSupervisor("errand", Copies({"errand": AsyncSupervisor("ws://127.0.0.1:1/")}))
    with pytest.raises(NotRunning):
        await anext(remote.changes())


async def test_nothing_else_can_be_asked_for(local: AsyncSupervisor) -> None:
    for name in ("stop", "config", "handover", "_call", "__class__"):
        with pytest.raises(AttributeError, match=f"has no method {name!r}"):
            await perform(local, name, (), {}, Policy())


def test_it_has_every_method_but_those_of_the_host() -> None:
    here = {name for name in vars(AsyncSupervisor) if not name.startswith("_")}
    assert here - NOT_FROM_AFAR == METHODS
    assert all(inspect.iscoroutinefunction(getattr(RemoteSupervisor, name)) for name in METHODS)
