"""The log of changes: numbered, in order, bounded."""

from __future__ import annotations

import pytest

from supervisor import Change
from supervisor.core.observers.change_log import CAPACITY
from supervisor.core.vocabulary import inputs, timers
from supervisor.core.vocabulary.effects import Arm
from tests.support.core.play import (
    INNER,
    OOPIF,
    PAGE,
    TOP,
    Core,
    attach_frame,
    attached,
    closed,
    crashed,
    detached,
    navigates,
    opening,
    removed,
    with_oopif,
    with_page,
)


def news(core: Core, *received: inputs.Input) -> list[tuple[str, str, str]]:
    """The changes that come of these inputs."""
    cursor = core.seen.cursor
    changes = core.after(*received).state.world.change_log.since(cursor).changes
    return [(change.kind, change.subject, change.text) for change in changes]


NEWS: dict[str, tuple[Core, list[inputs.Input], list[tuple[str, str, str]]]] = {
    "a dialog opens and is closed": (
        with_page(),
        [opening("hello"), closed(result=False)],
        [("dialog_opened", "d-1", "alert: hello"), ("dialog_closed", "d-1", "dismissed by remote")],
    ),
    "a long text of a page is cut": (
        with_page(),
        [opening("x" * 10_000)],
        [("dialog_opened", "d-1", f"alert: {'x' * 193}")],
    ),
    "pages come, go and change their state": (
        with_page(),
        [attached("s-2", "page-2", url="http://b.test/"), crashed("s-2"), detached("s-2"), inputs.Disconnected("gone")],
        [
            ("page_opened", "page-2", "http://b.test/"),
            ("frame_attached", "page-2", "http://b.test/"),
            ("page_status", "page-2", "crashed"),
            ("page_closed", "page-2", "http://b.test/"),
            ("frame_detached", "page-2", "http://b.test/"),
            ("link", "reconnecting", "gone"),
        ],
    ),
    "frames come, go and navigate": (
        with_page(),
        [attach_frame("f", TOP), navigates("f", "http://a.test/f", TOP), removed("f")],
        [
            ("frame_attached", "f", "about:blank"),
            ("frame_navigated", "f", "http://a.test/f"),
            ("frame_detached", "f", "http://a.test/f"),
        ],
    ),
    "a frame comes to no other process, and is gone after a while": (
        with_oopif(),
        [detached(OOPIF, PAGE), inputs.TimerFired(timers.FrameMoveDeadline(INNER))],
        [("frame_detached", INNER, "http://b.test/")],
    ),
    "a reload is a navigation, and its document without a new address is none": (
        with_page(),
        [navigates(TOP, "http://a.test/", loader="again")] * 2,
        [("frame_navigated", TOP, "http://a.test/")],
    ),
}


@pytest.mark.parametrize(("core", "received", "changes"), NEWS.values(), ids=NEWS)
def test_what_changes(core: Core, received: list[inputs.Input], changes: list[tuple[str, str, str]]) -> None:
    assert news(core, *received) == changes


def test_changes_are_numbered_without_a_gap_and_carry_their_time() -> None:
    core = with_page()
    cursor, core.now = core.seen.cursor, 1234.5

    core.play(opening("hello"))

    (change,) = core.state.world.change_log.since(cursor).changes
    assert change == Change(seq=cursor + 1, at=1234.5, kind="dialog_opened", subject="d-1", text="alert: hello")
    assert core.seen.cursor == cursor + 1
    every = core.state.world.change_log.since(0)
    assert [change.seq for change in every.changes] == list(range(1, cursor + 2))


def test_a_frame_that_moves_to_another_process_has_navigated_and_no_more() -> None:
    core = with_oopif()
    back = (attach_frame(INNER, TOP), navigates(INNER, "http://a.test/in", TOP, loader="new"))

    assert Arm(timers.FrameMoveDeadline(INNER), 5.0) in core.play(detached(OOPIF, PAGE))
    moving = [(frame.frame_id, frame.url, frame.is_moving) for frame in core.seen.frame_tree.children]

    assert moving == [(INNER, "http://b.test/", True)]
    assert news(core, *back) == [("frame_navigated", INNER, "http://a.test/in")]


def test_only_the_newest_are_held_and_what_was_missed_is_counted() -> None:
    core = with_page()
    cursor = core.seen.cursor
    for number in range(CAPACITY):
        core.play(opening(str(number)), closed())

    held = core.state.world.change_log.since(cursor)

    assert (len(held.changes), held.missed, held.cursor) == (CAPACITY, CAPACITY, cursor + 2 * CAPACITY)
    assert core.state.world.change_log.since(held.cursor).changes == ()
