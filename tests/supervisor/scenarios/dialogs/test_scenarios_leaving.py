"""The ways out of a page that is stuck: on the mock and on real Chromium."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator

import pytest

import cdp_typed
from cdp_typed import CommandError, connect
from cdp_typed.protocol import input as input_
from cdp_typed.protocol import page, runtime, target
from supervisor import (
    BlockedByDialog,
    CDPSupervisor,
    DialogPolicy,
    FrameGone,
    NavigationFailed,
    NoPage,
    SupervisorSnapshot,
    UnknownPage,
)
from tests.support.stages.stages import Stage, freeze_unseen, is_loaded, open_as_another_client, open_page, raise_stage


def status(now: SupervisorSnapshot, page_id: str) -> str:
    return next((info.status for info in now.pages if info.target_id == page_id), "gone")


def current_url(now: SupervisorSnapshot) -> str:
    return next(info.url for info in now.pages if info.is_current)


@pytest.mark.usefixtures("soon_unresponsive")
@pytest.mark.parametrize("way", ["reload", "navigate", "close"])
def test_the_ways_out_of_a_dialog_from_before_us(stage: Stage, way: str) -> None:
    """The reloaded page shows the same dialog again, and now it takes an answer."""
    page_id = freeze_unseen(stage)
    with stage.supervisor(call_timeout_s=20) as supervisor:
        assert status(supervisor.snapshot(), page_id) == "unresponsive"

        if way == "close":
            supervisor.close_page(page_id)
            assert status(supervisor.snapshot(), page_id) == "gone"
        elif way == "navigate":
            supervisor.navigate(f"{stage.own}/plain", page_id)
            assert status(supervisor.snapshot(), page_id) == "ok"
        else:
            with contextlib.suppress(BlockedByDialog):  # unless it is quicker than its dialog
                supervisor.reload_page(page_id)
            now = supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=20)
            assert [dialog.answerable for dialog in now.pending_dialogs] == [True]
            supervisor.respond_to_dialog("accept")
            supervisor.wait_for(lambda now: status(now, page_id) == "ok", timeout_s=20)


def freeze_once(stage: Stage) -> str:
    """A page (its target id) frozen by an alert from before us, which its document does not open again."""
    (target_id,) = open_as_another_client(stage, f"{stage.own}/plain")

    async def freeze() -> None:
        async with connect(stage.cdp_url) as browser:
            session = await browser.attach(target_id)
            await session.send(runtime.Enable())  # and not Page: then nobody could answer
            async with session.expect(runtime.ConsoleAPICalled, timeout=10):
                _ = session.send_nowait(
                    runtime.Evaluate(expression="console.log('soon'); setTimeout(() => alert('from before'))")
                )

    asyncio.run(freeze())
    return target_id


@pytest.mark.usefixtures("soon_unresponsive")
def test_after_a_reload_out_of_a_dialog_from_before_us_the_new_document_is_there(stage: Stage) -> None:
    page_id = freeze_once(stage)
    with stage.supervisor(call_timeout_s=20) as supervisor:
        supervisor.select_page(page_id)
        assert status(supervisor.snapshot(), page_id) == "unresponsive"

        supervisor.reload_page()

        assert supervisor.evaluate("document.title").value == "Plain"


def test_a_page_that_shows_a_dialog_is_left(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    with pytest.raises(BlockedByDialog):
        supervisor.evaluate("window.answer = confirm('sure?')")

    supervisor.reload_page()

    assert current_url(supervisor.snapshot()) == f"{stage.own}/plain"
    supervisor.wait_for(is_loaded, timeout_s=20)
    assert supervisor.evaluate("window.answer").type == "undefined"
    (record,) = supervisor.snapshot().recent_dialogs
    assert (record.closed_by, record.accepted) == ("remote" if stage.shows_dialogs else "auto_policy", False)


def test_a_second_dialog_in_a_tab_can_be_left(stage: Stage, supervisor: CDPSupervisor) -> None:
    now = open_page(supervisor, f"{stage.own}/frames")
    inner = next(frame for frame in now.frame_tree.children if frame.is_oopif)
    for frame_id in (inner.frame_id, None):
        with pytest.raises(BlockedByDialog):
            supervisor.evaluate("alert('one of two')", frame_id)
    now = supervisor.wait_for(lambda now: len(now.pending_dialogs) == (1 if stage.shows_dialogs else 2), timeout_s=20)
    (stuck,) = (dialog for dialog in now.pending_dialogs if not dialog.answerable)
    assert stuck.ways_out == ("wait", "reload", "navigate", "close")

    supervisor.navigate(f"{stage.own}/plain")

    supervisor.wait_for(is_loaded, timeout_s=20)
    assert supervisor.evaluate("document.title").value == "Plain"


def test_a_page_is_closed_under_the_dialog_of_its_iframe(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_as_another_client(stage, "about:blank")
    now = open_page(supervisor, f"{stage.own}/frames")
    page_id = now.pages[0].target_id
    inner = next(frame for frame in now.frame_tree.children if frame.is_oopif)
    with pytest.raises(BlockedByDialog):
        supervisor.evaluate("alert('inner')", inner.frame_id)

    supervisor.close_page(page_id)

    now = supervisor.snapshot()
    assert (status(now, page_id), now.pending_dialogs) == ("gone", ())
    (record,) = now.recent_dialogs
    assert not record.accepted
    assert record.bridged or record.closed_by == "auto_policy", "one of the browser's own is dismissed beforehand"
    assert supervisor.evaluate("1+1").value == 2


def freeze_iframe_unseen(stage: Stage) -> str:
    """A page (its target id) whose OOPIF shows a dialog that opened before any supervisor was attached."""

    async def freeze() -> str:
        async with connect(stage.cdp_url) as browser:
            created = await browser.send(target.CreateTarget(url="about:blank"))
            session = await browser.attach(created.target_id)
            await session.send(page.Enable())
            async with session.expect(page.LoadEventFired, timeout=20):
                await session.send(page.Navigate(url=f"{stage.own}/frames"))
            infos = (await browser.send(target.GetTargets())).target_infos
            inner = await browser.attach(next(info.target_id for info in infos if info.type == "iframe"))
            async with session.expect(page.JavascriptDialogOpening, timeout=20):
                _ = inner.send_nowait(runtime.Evaluate(expression="setTimeout(() => alert('from before'))"))
            return created.target_id

    return asyncio.run(freeze())


@pytest.mark.usefixtures("soon_unresponsive")
@pytest.mark.parametrize("way", ["close_page", "Target.closeTarget", "Page.close"])
def test_a_page_whose_iframe_shows_a_dialog_from_before_us_is_closed_and_nothing_else(stage: Stage, way: str) -> None:
    """Closed the plain way, Chromium 156 dies."""
    page_id = freeze_iframe_unseen(stage)
    with CDPSupervisor(stage.cdp_url, call_timeout_s=20) as supervisor:
        assert status(supervisor.snapshot(), page_id) == "partly_unresponsive"
        now = supervisor.wait_for(lambda now: all(info.status != "unresponsive" for info in now.pages), timeout_s=20)
        (blocker,) = now.blockers
        assert (blocker.kind, blocker.target_id) == ("unresponsive", page_id)
        assert blocker.frame_id not in (None, page_id)

        if way == "close_page":
            supervisor.close_page(page_id)
        elif way == "Target.closeTarget":
            supervisor.send(target.CloseTarget(target_id=target.TargetID(page_id)))
        else:
            supervisor.select_page(page_id)
            with contextlib.suppress(FrameGone):
                supervisor.send(page.Close())

        now = supervisor.wait_for(lambda now: status(now, page_id) == "gone", timeout_s=20)
        assert (now.state, now.epoch) == ("ready", 1)
        assert supervisor.evaluate("1+1").value == 2


def test_a_page_that_was_opened_is_there(stage: Stage, supervisor: CDPSupervisor) -> None:
    for _ in range(15):
        opened = supervisor.open_page(f"{stage.own}/plain")

        assert opened.url == f"{stage.own}/plain"
        assert supervisor.evaluate("location.href").value == f"{stage.own}/plain"
        supervisor.close_page(opened.target_id)


def test_a_page_that_was_reloaded_is_there(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    for _ in range(15):
        supervisor.evaluate("window.old = true")
        supervisor.reload_page()

        assert supervisor.evaluate("window.old === undefined").value is True


def test_a_page_that_cannot_be_opened_at_its_address_says_so(stage: Stage, supervisor: CDPSupervisor) -> None:
    with pytest.raises(NavigationFailed, match="net::ERR_"):
        supervisor.open_page("http://127.0.0.1:1/")
    with pytest.raises(CommandError, match="Cannot navigate to invalid URL"):
        supervisor.open_page("nonsense")


def test_the_question_whether_to_leave_comes_back_to_the_caller(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/staying")
    for kind in ("mousePressed", "mouseReleased"):
        supervisor.send(input_.DispatchMouseEvent(type=kind, x=5, y=5, button="left", click_count=1))

    with pytest.raises(BlockedByDialog) as caught:
        supervisor.navigate(f"{stage.own}/plain")

    assert caught.value.dialog.type == "beforeunload"
    supervisor.respond_to_dialog("dismiss")
    assert supervisor.evaluate("document.title").value == "Staying"


def test_what_cannot_be_left_or_reached_says_so(stage: Stage, supervisor: CDPSupervisor) -> None:
    with pytest.raises(UnknownPage, match="no page has the id 'page-9'"):
        supervisor.close_page("page-9")
    with pytest.raises(CommandError, match="Cannot navigate to invalid URL"):
        supervisor.navigate("nonsense")
    with pytest.raises(cdp_typed.NavigationFailed, match="net::ERR_") as failed:
        supervisor.navigate("http://127.0.0.1:1/?token=secret")

    assert isinstance(failed.value, NavigationFailed)
    assert failed.value.url == "http://127.0.0.1:1/?token=secret"
    assert "secret" not in str(failed.value)
    assert supervisor.evaluate("document.URL").value == "chrome-error://chromewebdata/"


async def test_the_same_can_be_awaited(stage: Stage, supervisor: CDPSupervisor) -> None:
    await supervisor.aio.navigate(f"{stage.own}/plain")
    await supervisor.aio.reload_page()
    assert current_url(supervisor.snapshot()) == f"{stage.own}/plain"

    await supervisor.aio.close_page()

    with pytest.raises(NoPage):
        await supervisor.aio.reload_page()


@pytest.fixture
def chromium_stage(no_leaks: None) -> Iterator[Stage]:
    with raise_stage("chromium") as raised:
        yield raised


@pytest.mark.parametrize("policy", ["must_respond", "auto_dismiss"])
def test_a_page_that_alerts_for_ever_is_left(chromium_stage: Stage, policy: DialogPolicy) -> None:
    """Also when the first of its dialogs is all that was seen of it, and stays open."""
    stage = chromium_stage
    stays = policy == "must_respond"
    with stage.supervisor(dialog_policy=policy, dialog_storm_limit=5, call_timeout_s=20) as supervisor:
        open_page(supervisor, f"{stage.own}/plain")
        supervisor.evaluate("setTimeout(() => { while (true) alert('again') }, 0)")
        supervisor.wait_for(lambda now: bool(now.pending_dialogs if stays else now.dialog_storms), timeout_s=20)

        supervisor.navigate(f"{stage.own}/local")

        supervisor.wait_for(is_loaded, timeout_s=20)
        assert supervisor.evaluate("document.title").value == "Local"


def test_a_page_that_alerts_for_ever_and_was_left_the_plain_way_can_only_be_closed(
    chromium_stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chromium takes no answer for the last of its dialogs, and says so in words of its own."""
    monkeypatch.setattr("supervisor.core.dialogs.answers.MAX_TRIES", 5)
    stage = chromium_stage
    open_as_another_client(stage, "about:blank")
    with stage.supervisor(dialog_policy="auto_dismiss", call_timeout_s=20) as supervisor:
        page_id = open_page(supervisor, f"{stage.own}/plain").pages[0].target_id
        supervisor.evaluate("setTimeout(() => { while (true) alert('again') }, 0)")
        supervisor.wait_for(lambda now: bool(now.dialog_storms), timeout_s=20)
        supervisor.send(page.Navigate(url=f"{stage.own}/local"))
        now = supervisor.wait_for(
            lambda now: any(not dialog.answerable for dialog in now.pending_dialogs), timeout_s=20
        )
        assert now.pending_dialogs[0].note.endswith("only closing the page helps")

        supervisor.close_page(page_id)

        assert status(supervisor.snapshot(), page_id) == "gone"


def test_a_page_is_closed_in_the_moment_in_which_it_opens(stage: Stage, supervisor: CDPSupervisor) -> None:
    (first,) = supervisor.snapshot().pages
    for _ in range(6):  # about every third time Chromium 156 forgets the first request
        supervisor.close_page(supervisor.open_page(f"{stage.own}/plain").target_id)

    assert [info.target_id for info in supervisor.snapshot().pages] == [first.target_id]
