"""The frame tree over all sessions: seeds, swaps, navigations, removals."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cdp_typed.protocol import network, page, runtime
from supervisor.core.pages.frames import LOADED_WITHIN_S
from supervisor.core.vocabulary import command_tags, inputs, timers
from supervisor.core.vocabulary.effects import Arm, Send
from supervisor.core.vocabulary.values import FrameInfo
from tests.support.core.play import (
    INNER,
    OOPIF,
    PAGE,
    TOP,
    Core,
    attach_frame,
    attached,
    context,
    detached,
    frame,
    frame_tree_reply,
    navigates,
    on,
    removed,
    sent,
    shown,
    tree,
    with_oopif,
    with_page,
)


def swapped(frame_id: str) -> inputs.EventReceived:
    return on(PAGE, page.FrameDetached(frame_id=page.FrameId(frame_id), reason="swap"))


def restored() -> inputs.EventReceived:
    """The page is one of the back-forward cache."""
    return on(PAGE, page.FrameNavigated(frame=frame(TOP, "http://a.test/"), type="BackForwardCacheRestore"))


CHECK = timers.UnloadedFramesCheck(PAGE)
ASKS = Send(command=page.GetFrameTree(), session_id=PAGE, tag=command_tags.FrameTreeReply(PAGE))


def told_tree(*children: page.FrameTree) -> inputs.CommandSucceeded:
    """The page tells its frames."""
    return frame_tree_reply(PAGE, tree(frame(TOP, "http://a.test/"), *children))


def top_of(core: Core) -> FrameInfo:
    assert core.seen.frame_tree.top is not None
    return core.seen.frame_tree.top


def test_a_frame_that_never_loaded_and_is_not_in_the_frame_tree_is_removed() -> None:
    core = with_page()
    assert core.play(attach_frame("gone", TOP), attach_frame("slow", TOP)) == [Arm(CHECK, LOADED_WITHIN_S)]

    (asked,) = sent(core.play(inputs.TimerFired(CHECK)))
    assert (asked.command, asked.session_id) == (page.GetFrameTree(), PAGE)
    core.play(told_tree(tree(frame("slow", "about:blank", TOP))))
    assert [frame_id for frame_id, *_ in shown(core)] == ["slow"]


def test_where_all_frames_have_loaded_no_frame_tree_is_asked_for() -> None:
    core = with_oopif().after(attach_frame("f", TOP), navigates("f", "http://a.test/f", TOP))

    assert core.play(inputs.TimerFired(CHECK)) == []
    assert core.play(attach_frame("g", TOP)) == [Arm(CHECK, LOADED_WITHIN_S)]


def test_a_frame_tree_removes_no_frame_that_has_loaded_or_moves() -> None:
    core = with_oopif().after(attach_frame("f", TOP), navigates("f", "http://a.test/f", TOP), detached(OOPIF, PAGE))

    core.play(told_tree())
    assert sorted(frame_id for frame_id, *_ in shown(core)) == ["f", INNER]


def test_a_page_is_seeded_with_the_frames_it_has() -> None:
    below = tree(frame("grandchild", "http://a.test/g", "child"))
    core = with_page().after(told_tree(tree(frame("child", "http://a.test/c", TOP, "c"), below)))

    assert shown(core) == [("child", TOP, PAGE, False), ("grandchild", "child", PAGE, False)]
    top = top_of(core)
    assert (top.frame_id, top.url, top.origin) == (TOP, "http://a.test/", "http://a.test")


AS_OOPIF, AS_LOCAL = (INNER, TOP, OOPIF, True), (INNER, TOP, PAGE, False)
SECOND_BELOW_LOCAL = attached("s-2", "inner-2", kind="iframe", parent=PAGE, parent_frame="local", url="http://b.test/x")
PLACES: dict[str, tuple[Core, list[tuple[str, str | None, str, bool]]]] = {
    "an OOPIF keeps its place and names its session": (with_oopif(), [AS_OOPIF]),
    # Measured: the parent session's `frameDetached{swap}` comes after the child session is attached.
    "a swap that is announced late changes nothing": (with_oopif().after(swapped(INNER)), [AS_OOPIF]),
    "an OOPIF from before us is placed by its parent frame": (
        with_page().after(attach_frame("local", TOP), SECOND_BELOW_LOCAL),
        [("local", TOP, PAGE, False), ("inner-2", "local", "s-2", True)],
    ),
    "an OOPIF without a named parent hangs below the target that announced it": (
        with_oopif().after(attached("s-2", "inner-2", kind="iframe", parent=OOPIF)),
        [AS_OOPIF, ("inner-2", INNER, "s-2", True)],
    ),
    # Measured: its session is detached, then the page session attaches the same frame id.
    "an OOPIF that becomes local lives on in the page session": (
        with_oopif().after(detached(OOPIF, PAGE), attach_frame(INNER, TOP), navigates(INNER, "http://a.test/c", TOP)),
        [AS_LOCAL],
    ),
    "a removed frame takes its descendants along": (
        with_page().after(attach_frame("a", TOP), attach_frame("b", "a"), attach_frame("c", TOP), removed("a")),
        [("c", TOP, PAGE, False)],
    ),
    # Measured: OOPIFs of the old document get no `frameDetached`.
    "a navigation of the page ends its frames": (
        with_oopif().after(attach_frame("local", TOP), navigates(TOP, "http://c.test/")),
        [],
    ),
    # Recorded on Chromium 156, when a prerendered page is shown: the reply has the document that the iframe left.
    "an iframe stays in its own process though that of its parent still lists it": (
        with_oopif().after(told_tree(tree(frame(INNER, "", TOP, loader="left")))),
        [AS_OOPIF],
    ),
    "an iframe that comes back to the process of its parent is taken from its frame tree": (
        with_oopif().after(attach_frame(INNER, TOP), told_tree(tree(frame(INNER, "http://a.test/c", TOP)))),
        [AS_LOCAL],
    ),
}


@pytest.mark.parametrize(("core", "expected"), PLACES.values(), ids=PLACES)
def test_where_frames_are(core: Core, expected: list[tuple[str, str | None, str, bool]]) -> None:
    assert shown(core) == expected
    assert {child.url for child in core.seen.frame_tree.children if child.session_id == OOPIF} <= {"http://b.test/"}


def test_an_oopif_keeps_the_name_that_only_its_parent_knows() -> None:
    core = with_page().after(
        attach_frame(INNER, TOP),
        on(PAGE, page.FrameNavigated(frame=frame(INNER, "about:blank", TOP, "payment"), type="Navigation")),
        attached(OOPIF, INNER, kind="iframe", parent=PAGE, parent_frame=TOP),
        navigates(INNER, "http://b.test/", TOP, session=OOPIF),
    )

    assert [(inner.name, inner.url) for inner in core.seen.frame_tree.children] == [("payment", "http://b.test/")]


def test_a_detached_oopif_takes_its_nested_ones_with_it() -> None:
    core = with_oopif().after(attached("s-2", "inner-2", kind="iframe", parent=OOPIF, parent_frame=INNER))
    assert len(shown(core)) == 2

    assert shown(core.after(detached(OOPIF, PAGE))) == [AS_LOCAL]
    assert shown(core.after(removed())) == []


@pytest.mark.parametrize(("url", "is_loading"), [("about:blank", False), ("http://a.test/", True), ("", True)])
def test_a_page_that_was_opened_empty_is_not_loading(url: str, is_loading: bool) -> None:
    """Chromium 156 often tells nothing of how it loads: it has before Page is enabled."""
    core = with_page().after(attached("s-2", "opened", url=url, waiting=True))

    assert core.state.world.frames.nodes["opened"].is_loading is is_loading


def test_an_iframe_whose_document_is_announced_by_its_script_context_alone_is_empty_and_asked_for() -> None:
    """One with a `javascript:` address, on Chromium 150 and 156."""
    core = with_page().after(attach_frame("f", TOP))
    assert [inner.url for inner in core.seen.frame_tree.children] == ["about:blank"]

    assert core.play(context(PAGE, "f", "context-f")) == [ASKS]
    core.play(told_tree(tree(frame("f", "about:blank", TOP))))
    assert [inner.url for inner in core.seen.frame_tree.children] == ["about:blank"]


def test_a_document_that_is_not_announced_is_asked_for() -> None:
    """Measured on Chrome 131, of one that comes at once after one that failed: only its script context is seen."""
    core = with_page().after(on(PAGE, runtime.ExecutionContextsCleared()))

    assert sent(core.play(context(PAGE, TOP, "context-new"))) == [ASKS]
    core.play(frame_tree_reply(PAGE, tree(frame(TOP, "about:blank", loader="new"))))
    assert core.seen.pages[0].url == "about:blank"
    assert sent(core.play(context(PAGE, TOP, "context-more"))) == []


def test_a_page_from_the_back_forward_cache_is_asked_for_its_frames_again() -> None:
    assert with_page().play(restored()) == [ASKS]


def test_the_oopifs_of_a_page_from_that_cache_are_there_before_it() -> None:
    """Its other iframes are told with its tree; one that holds an OOPIF takes it from below the top."""
    inner = attached(OOPIF, INNER, kind="iframe", parent=PAGE, parent_frame="middle")
    core = with_page().after(attach_frame("old", TOP), inner, restored())
    assert shown(core) == [AS_OOPIF]

    core.play(told_tree(tree(frame("middle", "http://a.test/m", TOP))))
    assert shown(core) == [("middle", TOP, PAGE, False), (INNER, "middle", OOPIF, True)]


def test_a_page_that_has_not_told_its_frames_is_not_asked_again() -> None:
    core = Core().after(inputs.Connected(None), attached(PAGE, TOP))

    assert sent(core.play(context(PAGE, "child", "context-child"))) == []


def test_a_navigation_within_the_document_changes_the_url_only() -> None:
    within = page.NavigatedWithinDocument(
        frame_id=page.FrameId(INNER), url="http://b.test/#two", navigation_type="fragment"
    )
    core = with_oopif()
    (before,) = core.seen.frame_tree.children

    core.play(on(OOPIF, within))

    assert before.loader_id == "loader"
    assert core.seen.frame_tree.children == (replace(before, url="http://b.test/#two"),)


@pytest.mark.parametrize(
    ("document", "url", "origin"),
    [
        (replace(frame(TOP, "http://a.test/"), url_fragment="#x"), "http://a.test/#x", "http://a.test"),
        (replace(frame(TOP, "data:,"), security_origin="://"), "data:,", "null"),
    ],
    ids=["the fragment is part of the url", "without an origin"],
)
def test_a_document_is_shown_with_its_url_and_origin(document: page.Frame, url: str, origin: str) -> None:
    core = with_page().after(on(PAGE, page.FrameNavigated(frame=document, type="Navigation")))

    assert (top_of(core).url, top_of(core).origin) == (url, origin)


def test_a_page_whose_top_frame_is_replaced_has_one_top_frame() -> None:
    core = with_oopif().after(navigates("frame-prerendered", "http://a.test/next"))

    assert (top_of(core).frame_id, core.seen.frame_tree.total) == ("frame-prerendered", 1)


def test_loading_follows_the_process_that_the_frame_lives_in() -> None:
    core, inner = with_oopif(), page.FrameId(INNER)
    stops = page.FrameStoppedLoading(frame_id=inner)

    for event, is_loading in (
        (on(OOPIF, page.FrameStartedLoading(frame_id=inner)), True),
        (on(PAGE, stops), True),
        (on(OOPIF, stops), False),
    ):
        core.play(event)
        assert core.seen.frame_tree.children[0].is_loading is is_loading


def lifecycle(name: str, loader: str) -> inputs.EventReceived:
    event = page.LifecycleEvent(
        frame_id=page.FrameId(TOP), loader_id=network.LoaderId(loader), name=name, timestamp=network.MonotonicTime(1.0)
    )
    return on(PAGE, event)


def test_a_page_that_loaded_before_it_was_watched_has_loaded() -> None:
    core = Core().after(inputs.Connected(), attached(PAGE, TOP, url="http://a.test/", waiting=True))
    assert top_of(core).is_loading

    asked = sent(core.play(told_tree()))
    assert page.SetLifecycleEventsEnabled(enabled=True) in [each.command for each in asked]
    for name, loader, is_loading in (("init", "loader", True), ("load", "another", True), ("load", "loader", False)):
        assert top_of(core.after(lifecycle(name, loader))).is_loading is is_loading

    core.play(on(PAGE, page.FrameStartedLoading(frame_id=page.FrameId(TOP))), lifecycle("load", "loader"))
    assert top_of(core).is_loading


UNKNOWN = page.FrameId("x")


@pytest.mark.parametrize(
    "received",
    [
        [attach_frame("x", TOP, session="gone"), navigates("x", "http://x.test/", session="gone")],
        [frame_tree_reply("gone", tree(frame("x", "http://x.test/")))],
        [removed("x"), on(PAGE, page.FrameStartedLoading(frame_id=UNKNOWN))],
        [on(PAGE, page.NavigatedWithinDocument(frame_id=UNKNOWN, url="u", navigation_type="fragment"))],
    ],
    ids=["session", "its frame tree", "frame", "navigation within"],
)
def test_events_of_sessions_and_frames_that_are_not_known_are_ignored(received: list[inputs.Input]) -> None:
    core = with_page()
    before = core.state.world.frames

    assert not sent(core.play(*received))
    assert core.state.world.frames == before


@pytest.mark.parametrize("url", ["", ":"])
def test_what_is_there_before_the_first_document_of_a_process_says_nothing(url: str) -> None:
    core = with_oopif()
    before = core.seen.frame_tree

    assert core.after(frame_tree_reply(OOPIF, tree(frame(INNER, url, TOP, loader="other")))).seen.frame_tree == before


def test_a_frame_that_shows_itself_by_its_scripts_alone_is_asked_for_once() -> None:
    """Measured: so it is with a page that was prerendered before we came, when it is shown."""
    core = with_page().after(attach_frame("old", TOP))
    child = tree(frame("child", "http://a.test/c", "prerendered"))

    effects = core.play(
        on(PAGE, runtime.ExecutionContextsCleared()),
        context(PAGE, "child", "context-child"),
        context(PAGE, "prerendered", "context-prerendered", number=2),
    )

    assert effects == [ASKS]
    core.play(
        attached(OOPIF, INNER, kind="iframe", parent=PAGE, parent_frame="prerendered"),
        context(OOPIF, INNER, "context-inner"),
        frame_tree_reply(PAGE, tree(frame("prerendered", "http://a.test/n"), child)),
    )
    assert shown(core) == [(INNER, "prerendered", OOPIF, True), ("child", "prerendered", PAGE, False)]
    frames = core.state.world.frames
    assert [frames.context(node) is not None for node in frames.nodes.values()] == [True] * 3
    assert core.seen.pages[0].url == "http://a.test/n"
