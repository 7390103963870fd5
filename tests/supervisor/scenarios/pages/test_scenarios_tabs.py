"""The tabs that a supervisor of each scope supervises and closes, on the mock and on real Chromium."""

from __future__ import annotations

import time

import pytest

from cdp_typed.protocol import page, runtime, target
from supervisor import BlockedByDialog, CDPSupervisor, PageInfo, UnknownPage
from supervisor.config import Settings
from tests.support.stages.stages import Stage, is_loaded, open_as_another_client, open_page, send_as_another_client


def target_ids(stage: Stage) -> set[str]:
    """The pages that the browser has."""
    (result,) = send_as_another_client(stage, target.GetTargets())
    return {info.target_id for info in result.target_infos if info.type == "page"}


def are_gone(stage: Stage, *gone: str) -> bool:
    """Wait until the pages are gone, for 10 seconds at most. (Chromium confirms a close a moment before it happens.)"""
    give_up = time.monotonic() + 10
    while (left := target_ids(stage) & {*gone}) and time.monotonic() < give_up:
        time.sleep(0.05)
    return not left


def foreign_page(stage: Stage) -> str:
    return open_as_another_client(stage, f"{stage.own}/plain")[0]


def current(supervisor: CDPSupervisor) -> PageInfo:
    return next(info for info in supervisor.snapshot().pages if info.is_current)


def open_popup(supervisor: CDPSupervisor, url: str) -> PageInfo:
    opener = current(supervisor)
    supervisor.wait_for(is_loaded)
    supervisor.send(runtime.Evaluate(expression=f"window.open('{url}')", user_gesture=True))
    now = supervisor.wait_for(lambda now: any(info.opener_id == opener.target_id for info in now.pages))
    return next(info for info in now.pages if info.opener_id == opener.target_id)


def test_a_page_that_is_opened_is_the_current_one_and_ends_with_the_supervisor(stage: Stage) -> None:
    before = target_ids(stage)
    with stage.supervisor(call_timeout_s=10) as supervisor:
        first = current(supervisor)

        opened = supervisor.open_page(f"{stage.own}/plain")

        assert (opened.is_current, opened.is_ours, opened.opener_id) == (True, True, None)
        supervisor.wait_for(lambda now: is_loaded(now) and current(supervisor).url == f"{stage.own}/plain")
        assert supervisor.evaluate("document.title").value == "Plain"
        assert supervisor.select_page(first.target_id).is_current
        assert supervisor.evaluate("document.title").value != "Plain"
        assert target_ids(stage) == {*before, first.target_id, opened.target_id}
        with pytest.raises(UnknownPage):
            supervisor.select_page("nope")

    assert are_gone(stage, opened.target_id)
    assert first.target_id in target_ids(stage)


def test_a_dialog_of_a_page_that_is_just_opened_is_seen(stage: Stage, supervisor: CDPSupervisor) -> None:
    opened = supervisor.open_page(f"{stage.own}/early")

    now = supervisor.wait_for(lambda now: bool(now.pending_dialogs))

    assert now.pending_dialogs[0].target_id == opened.target_id
    supervisor.respond_to_dialog("accept")


def test_two_tasks_on_one_browser_never_touch_each_other_s_tabs(stage: Stage) -> None:
    own_scope = Settings(scope="own", call_timeout_s=10)
    with stage.supervisor(**own_scope) as first, stage.supervisor(**own_scope) as second:
        foreign = foreign_page(stage)
        popup = open_popup(first, f"{stage.own}/plain")
        with pytest.raises(BlockedByDialog):
            second.evaluate("alert('mine alone')")

        first_ids = {page.target_id for page in first.snapshot().pages}
        second_ids = {page.target_id for page in second.snapshot().pages}
        assert not first_ids & second_ids
        assert not {foreign} & (first_ids | second_ids)
        assert popup.target_id in first_ids
        assert first.snapshot().pending_dialogs == ()
        assert [dialog.message for dialog in second.snapshot().pending_dialogs] == ["mine alone"]

    assert are_gone(stage, *(first_ids | second_ids) - {popup.target_id})
    assert foreign in target_ids(stage)


def test_one_tab_and_its_popups_are_supervised_and_nothing_else(stage: Stage) -> None:
    tab_id, foreign = foreign_page(stage), foreign_page(stage)
    with stage.supervisor(scope="tab", target_id=tab_id, call_timeout_s=10) as supervisor:
        assert [info.target_id for info in supervisor.snapshot().pages] == [tab_id]
        supervisor.wait_for(lambda now: is_loaded(now) and current(supervisor).url == f"{stage.own}/plain")
        popup = open_popup(supervisor, f"{stage.own}/plain")
        late = foreign_page(stage)

        assert [info.target_id for info in supervisor.snapshot().pages] == [tab_id, popup.target_id]

    assert {tab_id, popup.target_id, foreign, late} <= target_ids(stage)


def test_a_tab_that_is_not_there_is_an_error_and_leaves_nothing(stage: Stage) -> None:
    before = target_ids(stage)

    with pytest.raises(UnknownPage, match="no page has the id 'nope'"):
        stage.supervisor(scope="tab", target_id="nope").start()

    assert target_ids(stage) == before


def test_a_context_of_its_own_shares_no_cookies_and_ends_with_the_supervisor(stage: Stage) -> None:
    with stage.supervisor(call_timeout_s=10) as plain:
        open_page(plain, f"{stage.own}/plain")
        with stage.supervisor(scope="own", own_context=True, call_timeout_s=10) as apart:
            (own,) = apart.snapshot().pages
            infos = send_as_another_client(stage, target.GetTargets())[0].target_infos
            contexts = {info.target_id: info.browser_context_id for info in infos}
            assert contexts[own.target_id] != contexts[current(plain).target_id]
            popup = open_popup(apart, f"{stage.own}/plain")
            assert popup.target_id in target_ids(stage)

        assert are_gone(stage, own.target_id, popup.target_id)
        assert plain.evaluate("document.title").value == "Plain"


def test_a_page_that_shows_a_dialog_in_an_iframe_is_closed_at_the_end_without_harm(stage: Stage) -> None:
    """Chromium 156 dies when such a page is closed the plain way."""
    foreign = foreign_page(stage)
    with stage.supervisor(scope="own", call_timeout_s=10) as supervisor:
        own = current(supervisor)
        inner = next(
            frame for frame in open_page(supervisor, f"{stage.own}/frames").frame_tree.children if frame.is_oopif
        )
        with pytest.raises(BlockedByDialog):
            supervisor.evaluate("alert('still here')", inner.frame_id)

    assert are_gone(stage, own.target_id)
    assert foreign in target_ids(stage)


def test_the_current_page_moves_on_when_it_is_closed(stage: Stage, supervisor: CDPSupervisor) -> None:
    first = current(supervisor)
    (opened,) = open_as_another_client(stage, "about:blank")
    supervisor.wait_for(lambda now: len(now.pages) == 2, timeout_s=20)
    supervisor.select_page(opened)

    supervisor.send(page.Close())

    supervisor.wait_for(lambda now: [info.target_id for info in now.pages if info.is_current] == [first.target_id])
    assert opened not in {info.target_id for info in supervisor.snapshot().pages}
