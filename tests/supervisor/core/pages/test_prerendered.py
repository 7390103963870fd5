"""A page that was prerendered before we came is shown: its frames, and the processes that they are in."""

from __future__ import annotations

from cdp_typed.protocol import page, runtime
from supervisor.core.vocabulary import command_tags
from supervisor.core.vocabulary.effects import Send
from tests.support.core.play import (
    INNER,
    OOPIF,
    PAGE,
    TOP,
    attach_frame,
    attached,
    context,
    frame,
    frame_tree_reply,
    on,
    shown,
    tree,
    with_oopif,
    with_page,
)


def test_a_frame_that_shows_itself_by_its_scripts_alone_is_asked_for_once() -> None:
    """Measured: so it is with a page that was prerendered before we came, when it is shown."""
    core = with_page().after(attach_frame("old", TOP))

    effects = core.play(
        on(PAGE, runtime.ExecutionContextsCleared()),
        context(PAGE, "child", "context-child"),
        context(PAGE, "prerendered", "context-prerendered", number=2),
    )

    assert effects == [Send(command=page.GetFrameTree(), session_id=PAGE, tag=command_tags.FrameTreeReply(PAGE))]
    core.play(
        attached(OOPIF, INNER, kind="iframe", parent=PAGE, parent_frame="prerendered"),
        context(OOPIF, INNER, "context-inner"),
        frame_tree_reply(
            PAGE, tree(frame("prerendered", "http://a.test/n"), tree(frame("child", "http://a.test/c", "prerendered")))
        ),
    )
    assert shown(core) == [(INNER, "prerendered", OOPIF, True), ("child", "prerendered", PAGE, False)]
    assert [core.state.world.frames.context(node) is not None for node in core.state.world.frames.nodes.values()] == [
        True,
        True,
        True,
    ]
    assert core.seen.pages[0].url == "http://a.test/n"


def test_an_iframe_stays_in_its_own_process_though_that_of_its_parent_still_lists_it() -> None:
    """Recorded on Chromium 156, when a prerendered page is shown: the reply has the document that the iframe left."""
    core = with_oopif()
    before = shown(core)

    core.play(frame_tree_reply(PAGE, tree(frame(TOP, "http://a.test/"), tree(frame(INNER, "", TOP, loader="left")))))

    assert shown(core) == before == [(INNER, TOP, OOPIF, True)]
    assert core.seen.frame_tree.children[0].url == "http://b.test/"


def test_an_iframe_that_comes_back_to_the_process_of_its_parent_is_taken_from_its_frame_tree() -> None:
    core = with_oopif().after(attach_frame(INNER, TOP))
    core.play(frame_tree_reply(PAGE, tree(frame(TOP, "http://a.test/"), tree(frame(INNER, "http://a.test/c", TOP)))))

    assert shown(core) == [(INNER, TOP, PAGE, False)]
