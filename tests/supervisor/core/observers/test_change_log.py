"""The log of changes: numbered, in order, bounded."""

from __future__ import annotations

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


def news(core: Core, cursor: int) -> list[tuple[str, str, str]]:
    return [(change.kind, change.subject, change.text) for change in core.state.world.change_log.since(cursor).changes]


def test_a_dialog_s_life_is_two_changes() -> None:
    core = with_page()
    cursor = core.seen.cursor

    core.play(opening("hello"), closed(result=False))

    assert news(core, cursor) == [
        ("dialog_opened", "d-1", "alert: hello"),
        ("dialog_closed", "d-1", "dismissed by remote"),
    ]


def test_changes_are_numbered_without_a_gap_and_carry_their_time() -> None:
    core = with_page()
    cursor, core.now = core.seen.cursor, 1234.5

    core.play(opening("hello"))

    (change,) = core.state.world.change_log.since(cursor).changes
    assert change == Change(seq=cursor + 1, at=1234.5, kind="dialog_opened", subject="d-1", text="alert: hello")
    assert core.seen.cursor == cursor + 1
    every = core.state.world.change_log.since(0)
    assert [change.seq for change in every.changes] == list(range(1, cursor + 2))


def test_pages_come_go_and_change_their_state() -> None:
    core = with_page()
    cursor = core.seen.cursor

    core.play(
        attached("s-2", "page-2", url="http://b.test/"),
        crashed("s-2"),
        detached("s-2"),
        inputs.Disconnected("gone"),
    )

    assert news(core, cursor) == [
        ("page_opened", "page-2", "http://b.test/"),
        ("frame_attached", "page-2", "http://b.test/"),
        ("page_status", "page-2", "crashed"),
        ("page_closed", "page-2", "http://b.test/"),
        ("frame_detached", "page-2", "http://b.test/"),
        ("link", "reconnecting", "gone"),
    ]


def test_frames_come_go_and_navigate() -> None:
    core = with_page()
    cursor = core.seen.cursor

    core.play(
        attach_frame("f", TOP),
        navigates("f", "http://a.test/f", TOP),
        removed("f"),
    )

    assert news(core, cursor) == [
        ("frame_attached", "f", "about:blank"),
        ("frame_navigated", "f", "http://a.test/f"),
        ("frame_detached", "f", "http://a.test/f"),
    ]


def test_a_frame_that_moves_to_another_process_has_navigated_and_no_more() -> None:
    core = with_oopif()
    cursor = core.seen.cursor

    core.play(detached(OOPIF, PAGE))
    moving = core.seen.frame_tree.children
    core.play(
        attach_frame(INNER, TOP),
        navigates(INNER, "http://a.test/in", TOP, loader="new"),
    )

    assert [(frame.frame_id, frame.url, frame.is_moving) for frame in moving] == [(INNER, "http://b.test/", True)]
    assert news(core, cursor) == [("frame_navigated", INNER, "http://a.test/in")]


def test_a_frame_that_comes_to_no_other_process_is_gone_after_a_while() -> None:
    core = with_oopif()
    cursor = core.seen.cursor
    deadline = timers.FrameMoveDeadline(INNER)

    assert Arm(deadline, 5.0) in core.play(detached(OOPIF, PAGE))
    core.play(inputs.TimerFired(deadline))

    assert news(core, cursor) == [("frame_detached", INNER, "http://b.test/")]


def test_a_reload_is_a_navigation_and_a_move_within_a_document_without_a_new_address_is_none() -> None:
    core = with_page()
    cursor = core.seen.cursor

    core.play(
        navigates(TOP, "http://a.test/", loader="again"),
        navigates(TOP, "http://a.test/", loader="again"),
    )

    assert news(core, cursor) == [("frame_navigated", TOP, "http://a.test/")]


def test_only_the_newest_are_held_and_what_was_missed_is_counted() -> None:
    core = with_page()
    cursor = core.seen.cursor
    for number in range(CAPACITY):
        core.play(opening(str(number)), closed())

    held = core.state.world.change_log.since(cursor)

    assert (len(held.changes), held.missed, held.cursor) == (CAPACITY, CAPACITY, cursor + 2 * CAPACITY)
    assert core.state.world.change_log.since(held.cursor).changes == ()


def test_a_long_text_of_a_page_is_cut() -> None:
    core = with_page()
    cursor = core.seen.cursor

    core.play(opening("x" * 10_000))

    ((_, _, text),) = news(core, cursor)
    assert len(text) == 200
