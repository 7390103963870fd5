"""Servers that ask for a name and a password: on the mock and on real Chromium."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator

import pytest

from cdp_typed.protocol import page
from supervisor import Blocker, CDPSupervisor, LoginRequired, SupervisorSnapshot, UnknownBlocker
from tests.support.secrets import CANARY
from tests.support.stages.stages import Stage, is_loaded, open_page


@pytest.fixture
def supervisor(stage: Stage) -> Iterator[CDPSupervisor]:
    with stage.supervisor(call_timeout_s=20, watch_http_auth=True) as running:
        yield running


def logins(now: SupervisorSnapshot) -> list[Blocker]:
    return [blocker for blocker in now.blockers if blocker.kind == "http_auth"]


def go_to_members(supervisor: CDPSupervisor, stage: Stage) -> Blocker:
    supervisor.evaluate(f"setTimeout(() => {{ location.href = '{stage.own}/members' }}, 0)")
    now = supervisor.wait_for(lambda now: bool(logins(now)), timeout_s=20)
    return logins(now)[0]


def test_a_login_is_asked_for_and_the_right_one_lets_in(
    stage: Stage, supervisor: CDPSupervisor, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    open_page(supervisor, f"{stage.own}/plain")
    asked = go_to_members(supervisor, stage)
    assert (asked.url, asked.ways_out) == (f"{stage.own}/members", ("answer_auth", "cancel_auth"))
    assert "basic" in asked.text.lower()

    supervisor.answer_auth("ada", f"wrong-{CANARY}", asked.id)
    again = supervisor.wait_for(
        lambda now: [blocker.id for blocker in logins(now)] not in ([], [asked.id]), timeout_s=20
    )
    supervisor.answer_auth("ada", CANARY)

    supervisor.wait_for(lambda now: is_loaded(now) and not logins(now) and now.pages[0].url == asked.url, timeout_s=20)
    assert logins(again)[0].id != asked.id
    assert supervisor.evaluate("document.title").value == "Members"
    assert CANARY not in caplog.text + repr(supervisor.changes_since(0)) + repr(supervisor.snapshot())


@pytest.mark.parametrize("how", ["navigate", "open_page", "reload_page"])
def test_a_navigation_that_needs_a_login_ends_at_once_and_goes_on_with_the_answer(
    stage: Stage, supervisor: CDPSupervisor, how: str
) -> None:
    members = f"{stage.own}/members"
    if how == "reload_page":
        open_page(supervisor, f"{stage.own}/plain")
        with contextlib.suppress(LoginRequired):
            supervisor.navigate(members)
        supervisor.cancel_auth()
        supervisor.wait_for(lambda now: is_loaded(now) and now.pages[0].url == members, timeout_s=20)

    with pytest.raises(LoginRequired) as required:
        supervisor.reload_page() if how == "reload_page" else getattr(supervisor, how)(members)

    assert [blocker.id for blocker in logins(supervisor.snapshot())] == [required.value.blocker.id]
    supervisor.answer_auth("ada", CANARY, required.value.blocker.id)
    target_id = required.value.blocker.target_id
    supervisor.wait_for(
        lambda now: (target_id, members) in [(one.target_id, one.url) for one in now.pages], timeout_s=20
    )


def test_a_login_that_is_not_given_shows_what_strangers_see(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    go_to_members(supervisor, stage)

    supervisor.cancel_auth()

    supervisor.wait_for(lambda now: not logins(now) and is_loaded(now), timeout_s=20)
    supervisor.wait_for(lambda now: now.pages[0].url == f"{stage.own}/members", timeout_s=20)
    assert supervisor.evaluate("document.title").value != "Members"
    with pytest.raises(UnknownBlocker):
        supervisor.cancel_auth()


def test_pages_and_their_frames_load_as_ever(stage: Stage, supervisor: CDPSupervisor) -> None:
    now = open_page(supervisor, f"{stage.own}/frames")
    assert sorted(frame.name for frame in now.frame_tree.children) == ["inner", "local"]


def test_a_page_that_is_left_needs_no_login(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    go_to_members(supervisor, stage)

    supervisor.send(page.Navigate(url=f"{stage.other}/local"))

    supervisor.wait_for(lambda now: not logins(now), timeout_s=20)
