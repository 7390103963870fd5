"""The frame tree over all sessions: seeds, swaps, navigations, removals."""

from __future__ import annotations

from typing import Literal

import pytest
from msgspec.structs import replace

from cdp_typed.protocol import network, page, runtime
from supervisor.core.pages.frames import LOADED_WITHIN_S
from supervisor.core.vocabulary import command_tags, inputs, timers
from supervisor.core.vocabulary.effects import Arm, Send
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
    on,
    sent,
    shown,
    tree,
    with_oopif,
    with_page,
)


def detach_frame(frame_id: str, reason: Literal["remove", "swap"], session: str = PAGE) -> inputs.EventReceived:
    return on(session, page.FrameDetached(frame_id=page.FrameId(frame_id), reason=reason))


def navigate(
    frame_id: str, url: str, parent: str | None = None, *, session: str = PAGE, kind: page.NavigationType = "Navigation"
) -> inputs.EventReceived:
    return on(session, page.FrameNavigated(frame=frame(frame_id, url, parent), type=kind))


CHECK = timers.UnloadedFramesCheck(PAGE)


def test_a_frame_that_never_loaded_and_is_not_in_the_frame_tree_is_removed() -> None:
    core = with_page()
    assert core.play(attach_frame("gone", TOP), attach_frame("slow", TOP)) == [Arm(CHECK, LOADED_WITHIN_S)]

    (asked,) = sent(core.play(inputs.TimerFired(CHECK)))
    assert (asked.command, asked.session_id) == (page.GetFrameTree(), PAGE)
    core.play(frame_tree_reply(PAGE, tree(frame(TOP, "http://a.test/"), tree(frame("slow", "about:blank", TOP)))))
    assert [frame_id for frame_id, *_ in shown(core)] == ["slow"]


def test_where_all_frames_have_loaded_no_frame_tree_is_asked_for() -> None:
    core = with_oopif().after(attach_frame("f", TOP), navigate("f", "http://a.test/f", TOP))

    assert core.play(inputs.TimerFired(CHECK)) == []
    assert core.play(attach_frame("g", TOP)) == [Arm(CHECK, LOADED_WITHIN_S)]


def test_a_frame_tree_removes_no_frame_that_has_loaded_or_moves() -> None:
    core = with_oopif().after(attach_frame("f", TOP), navigate("f", "http://a.test/f", TOP), detached(OOPIF, PAGE))

    core.play(frame_tree_reply(PAGE, tree(frame(TOP, "http://a.test/"))))
    assert sorted(frame_id for frame_id, *_ in shown(core)) == ["f", INNER]


def test_a_page_is_seeded_with_the_frames_it_has() -> None:
    core = with_page().after(
        frame_tree_reply(
            PAGE,
            tree(
                frame(TOP, "http://a.test/"),
                tree(
                    frame("child", "http://a.test/c", TOP, "c"), tree(frame("grandchild", "http://a.test/g", "child"))
                ),
            ),
        )
    )

    assert shown(core) == [("child", TOP, PAGE, False), ("grandchild", "child", PAGE, False)]
    top = core.seen.frame_tree.top
    assert top is not None
    assert (top.frame_id, top.url, top.origin) == (TOP, "http://a.test/", "http://a.test")


def test_an_oopif_keeps_its_place_and_names_its_session() -> None:
    core = with_oopif()

    assert shown(core) == [(INNER, TOP, OOPIF, True)]


def test_a_swap_that_is_announced_late_changes_nothing() -> None:
    """Measured: the parent session's `frameDetached{swap}` comes after the child session is attached."""
    core = with_oopif().after(detach_frame(INNER, "swap"))

    assert shown(core) == [(INNER, TOP, OOPIF, True)]


def test_an_oopif_that_existed_before_us_is_placed_by_its_parent_frame() -> None:
    core = with_page().after(
        attach_frame("local", TOP),
        attached("s-2", "inner-2", kind="iframe", parent=PAGE, parent_frame="local", url="http://b.test/x"),
    )

    assert shown(core) == [("local", TOP, PAGE, False), ("inner-2", "local", "s-2", True)]


def test_an_oopif_without_a_named_parent_hangs_below_the_target_that_announced_it() -> None:
    core = with_oopif().after(attached("s-2", "inner-2", kind="iframe", parent=OOPIF))

    assert ("inner-2", INNER, "s-2", True) in shown(core)


def test_an_oopif_keeps_the_name_that_only_its_parent_knows() -> None:
    core = with_page().after(
        attach_frame(INNER, TOP),
        on(PAGE, page.FrameNavigated(frame=frame(INNER, "about:blank", TOP, "payment"), type="Navigation")),
        attached(OOPIF, INNER, kind="iframe", parent=PAGE, parent_frame=TOP),
        navigate(INNER, "http://b.test/", TOP, session=OOPIF),
    )

    (inner,) = core.seen.frame_tree.children
    assert (inner.name, inner.url) == ("payment", "http://b.test/")


def test_an_oopif_that_becomes_local_lives_on_in_the_page_session() -> None:
    """Measured: its session is detached, then the page session attaches the same frame id."""
    core = with_oopif().after(detached(OOPIF, PAGE), attach_frame(INNER, TOP), navigate(INNER, "http://a.test/c", TOP))

    assert shown(core) == [(INNER, TOP, PAGE, False)]


def test_a_removed_frame_takes_its_descendants_with_it() -> None:
    core = with_page().after(attach_frame("a", TOP), attach_frame("b", "a"), attach_frame("c", TOP))

    core.play(detach_frame("a", "remove"))

    assert shown(core) == [("c", TOP, PAGE, False)]


def test_a_detached_oopif_takes_its_nested_ones_with_it() -> None:
    core = with_oopif().after(attached("s-2", "inner-2", kind="iframe", parent=OOPIF, parent_frame=INNER))
    assert len(shown(core)) == 2

    core.play(detached(OOPIF, PAGE))

    assert shown(core) == [(INNER, TOP, PAGE, False)]
    core.play(detach_frame(INNER, "remove"))
    assert shown(core) == []


@pytest.mark.parametrize(("url", "is_loading"), [("about:blank", False), ("http://a.test/", True), ("", True)])
def test_a_page_that_was_opened_empty_is_not_loading(url: str, is_loading: bool) -> None:
    """Chromium 156 often tells nothing of how it loads: it has before Page is enabled."""
    core = with_page().after(attached("s-2", "opened", url=url, waiting=True))

    assert core.state.world.frames.nodes["opened"].is_loading is is_loading


def test_an_iframe_of_which_nothing_is_announced_has_the_empty_document_in_which_every_frame_begins() -> None:
    """One with the address `javascript:1`, on Chromium 156."""
    core = with_page().after(attach_frame("f", TOP))

    assert [inner.url for inner in core.seen.frame_tree.children] == ["about:blank"]


def test_an_iframe_whose_document_is_announced_by_its_script_context_alone_is_asked_for() -> None:
    """One with a `javascript:` address, on Chromium 150 and 156."""
    core = with_page().after(attach_frame("f", TOP))

    asked = core.play(context(PAGE, "f", "context-f"))
    core.play(frame_tree_reply(PAGE, tree(frame(TOP, "http://a.test/"), tree(frame("f", "about:blank", TOP)))))

    assert asked == [Send(command=page.GetFrameTree(), session_id=PAGE, tag=command_tags.FrameTreeReply(PAGE))]
    assert [inner.url for inner in core.seen.frame_tree.children] == ["about:blank"]


def test_a_document_that_is_not_announced_is_asked_for() -> None:
    """Measured on Chrome 131, of one that comes at once after one that failed: only its script context is seen."""
    core = with_page().after(on(PAGE, runtime.ExecutionContextsCleared()))

    (asking,) = sent(core.play(context(PAGE, TOP, "context-new")))
    assert asking == Send(command=page.GetFrameTree(), session_id=PAGE, tag=command_tags.FrameTreeReply(PAGE))
    core.play(frame_tree_reply(PAGE, tree(frame(TOP, "about:blank", loader="new"))))

    assert core.seen.pages[0].url == "about:blank"
    assert sent(core.play(context(PAGE, TOP, "context-more"))) == []


def test_a_navigation_of_the_page_ends_its_frames() -> None:
    """Measured: OOPIFs of the old document get no `frameDetached`."""
    core = with_oopif().after(attach_frame("local", TOP), navigate(TOP, "http://c.test/"))

    assert shown(core) == []


def test_a_page_from_the_back_forward_cache_is_asked_for_its_frames_again() -> None:
    core = with_page()

    effects = core.play(navigate(TOP, "http://a.test/", kind="BackForwardCacheRestore"))

    assert effects == [Send(command=page.GetFrameTree(), session_id=PAGE, tag=command_tags.FrameTreeReply(PAGE))]


def test_the_oopifs_of_a_page_from_that_cache_are_there_before_it() -> None:
    """Its other iframes are told with its tree; one that holds an OOPIF takes it from below the top."""
    core = with_page().after(
        attach_frame("old", TOP),
        attached(OOPIF, INNER, kind="iframe", parent=PAGE, parent_frame="middle"),
        navigate(TOP, "http://a.test/", kind="BackForwardCacheRestore"),
    )
    assert shown(core) == [(INNER, TOP, OOPIF, True)]

    core.play(frame_tree_reply(PAGE, tree(frame(TOP, "http://a.test/"), tree(frame("middle", "http://a.test/m", TOP)))))

    assert shown(core) == [("middle", TOP, PAGE, False), (INNER, "middle", OOPIF, True)]


def test_a_page_that_has_not_told_its_frames_is_not_asked_again() -> None:
    core = Core().after(inputs.Connected(None), attached(PAGE, TOP))

    assert sent(core.play(context(PAGE, "child", "context-child"))) == []


def test_a_navigation_within_the_document_changes_the_url_only() -> None:
    core = with_oopif()
    core.play(
        on(
            OOPIF,
            page.NavigatedWithinDocument(
                frame_id=page.FrameId(INNER), url="http://b.test/#two", navigation_type="fragment"
            ),
        )
    )

    assert [child.url for child in core.seen.frame_tree.children] == ["http://b.test/#two"]


def test_the_fragment_is_part_of_the_url() -> None:
    core = with_page()
    document = frame(TOP, "http://a.test/")
    with_fragment = replace(document, url_fragment="#x")
    core.play(on(PAGE, page.FrameNavigated(frame=with_fragment, type="Navigation")))

    top = core.seen.frame_tree.top
    assert top is not None
    assert top.url == "http://a.test/#x"


def test_a_page_whose_top_frame_is_replaced_has_one_top_frame() -> None:
    core = with_oopif().after(navigate("frame-prerendered", "http://a.test/next"))

    top = core.seen.frame_tree.top
    assert top is not None
    assert top.frame_id == "frame-prerendered"
    assert core.seen.frame_tree.total == 1


def test_loading_follows_the_process_that_the_frame_lives_in() -> None:
    core = with_oopif()

    def is_loading() -> bool:
        return core.seen.frame_tree.children[0].is_loading

    inner = page.FrameId(INNER)
    core.play(on(OOPIF, page.FrameStartedLoading(frame_id=inner)))
    assert is_loading()
    core.play(on(PAGE, page.FrameStoppedLoading(frame_id=inner)))
    assert is_loading()
    core.play(on(OOPIF, page.FrameStoppedLoading(frame_id=inner)))
    assert not is_loading()


def test_a_page_that_loaded_before_it_was_watched_has_loaded() -> None:
    core = Core().after(inputs.Connected(), attached(PAGE, TOP, url="http://a.test/", waiting=True))
    assert core.seen.frame_tree.top is not None
    assert core.seen.frame_tree.top.is_loading

    asked = sent(core.play(frame_tree_reply(PAGE, tree(frame(TOP, "http://a.test/")))))
    assert page.SetLifecycleEventsEnabled(enabled=True) in [each.command for each in asked]
    for name, loader, is_loading in (("init", "loader", True), ("load", "another", True), ("load", "loader", False)):
        core.play(on(PAGE, lifecycle(name, loader)))
        assert core.seen.frame_tree.top.is_loading is is_loading

    core.play(on(PAGE, page.FrameStartedLoading(frame_id=page.FrameId(TOP))), on(PAGE, lifecycle("load", "loader")))
    assert core.seen.frame_tree.top.is_loading


def lifecycle(name: str, loader: str) -> page.LifecycleEvent:
    return page.LifecycleEvent(
        frame_id=page.FrameId(TOP),
        loader_id=network.LoaderId(loader),
        name=name,
        timestamp=network.MonotonicTime(1.0),
    )


def test_events_of_a_session_that_is_gone_are_ignored() -> None:
    core = with_page()
    before = core.state

    core.play(attach_frame("x", TOP, session="gone"), navigate("x", "http://x.test/", session="gone"))
    core.play(frame_tree_reply("gone", tree(frame("x", "http://x.test/"))))

    assert core.state.world.frames == before.world.frames


def test_events_of_frames_that_are_not_known_are_ignored() -> None:
    core = with_page()

    effects = core.play(
        detach_frame("x", "remove"),
        on(PAGE, page.NavigatedWithinDocument(frame_id=page.FrameId("x"), url="u", navigation_type="fragment")),
        on(PAGE, page.FrameStartedLoading(frame_id=page.FrameId("x"))),
    )

    assert not sent(effects)
    assert core.seen.frame_tree.total == 1


def test_the_tree_is_capped_in_number_and_depth_and_says_so() -> None:
    core = with_page().after(*(attach_frame(f"f-{n}", TOP) for n in range(40)))

    assert (len(core.seen.frame_tree.children), core.seen.frame_tree.truncated, core.seen.frame_tree.total) == (
        30,
        True,
        41,
    )

    deep = with_oopif().after(
        attached("s-2", "inner-2", kind="iframe", parent=OOPIF, parent_frame=INNER),
        attached("s-3", "inner-3", kind="iframe", parent="s-2", parent_frame="inner-2"),
    )
    assert [child.frame_id for child in deep.seen.frame_tree.children] == [INNER, "inner-2"]
    assert deep.seen.frame_tree.truncated


def test_a_document_without_an_origin_is_shown_as_such() -> None:
    core = with_page().after(
        on(PAGE, page.FrameNavigated(frame=replace(frame(TOP, "data:,"), security_origin="://"), type="Navigation"))
    )

    top = core.seen.frame_tree.top
    assert top is not None
    assert (top.url, top.origin) == ("data:,", "null")


@pytest.mark.parametrize("url", ["", ":"])
def test_what_is_there_before_the_first_document_of_a_process_says_nothing(url: str) -> None:
    core = with_oopif()
    before = core.seen.frame_tree

    core.play(frame_tree_reply(OOPIF, tree(frame(INNER, url, TOP, loader="other"))))

    assert core.seen.frame_tree == before
