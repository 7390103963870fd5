"""Refs: one for each element, good as long as its document, forgotten with it."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.protocol import page
from supervisor import FrameInfo, FrameTree, SupervisorSnapshot
from supervisor.tools.page.element_errors import StaleRef, UnknownRef
from supervisor.tools.page.page_frames import find
from supervisor.tools.page.refs import MAX_GONE_DOCUMENTS, Node, Refs, refs_of
from tests.support.stages.playground import Playground


def tree(*frames: tuple[str, str]) -> FrameTree:
    rest: dict[str, Any] = {
        "parent_id": None,
        "url": "",
        "origin": "",
        "name": "",
        "is_oopif": False,
        "session_id": "s",
    }
    infos = [FrameInfo(frame_id=frame, loader_id=loader, is_loading=False, **rest) for frame, loader in frames]
    return FrameTree(top=infos[0], children=tuple(infos[1:]), truncated=False, total=len(infos))


def test_an_element_has_one_ref_and_no_ref_is_used_twice() -> None:
    refs = Refs()

    assert [refs.name(Node("f", "l", number)) for number in (1, 2, 1)] == ["e1", "e2", "e1"]
    assert refs.name(Node("f", "another", 1)) == "e3"
    assert refs.find("e2", tree(("f", "l"))).backend_node_id == 2
    known = [refs.has(node) for node in (Node("f", "l", 2), Node("f", "l", 3), Node("g", "l", 2))]
    assert known == [True, False, False]


def test_the_refs_that_were_not_shown_for_longest_are_forgotten() -> None:
    refs = Refs(limit=2)
    for number in (1, 2, 1, 3):
        refs.name(Node("f", "l", number))

    with pytest.raises(StaleRef, match="not shown for long"):
        refs.find("e2", tree(("f", "l")))
    assert refs.find("e1", tree(("f", "l"))).backend_node_id == 1
    assert refs.name(Node("f", "l", 2)) == "e4"


def test_a_ref_is_good_as_long_as_its_document() -> None:
    refs = Refs()
    refs.name(Node("f", "l", 1))

    for frames, why in [
        (tree(("f", "next")), "its document was replaced"),
        (tree(("other", "l")), "its frame is gone"),
        (FrameTree(top=None, children=(), truncated=False, total=0), "its frame is gone"),
    ]:
        with pytest.raises(StaleRef, match=why):
            refs.find("e1", frames)
    assert refs.find("e1", tree(("top", "x"), ("f", "l"))).frame.frame_id == "f"


@pytest.mark.parametrize("ref", ["e2", "e0", "e01", "e-1", "e\u0661", "x1", "e", "", "e" + "9" * 5000])
def test_what_was_never_handed_out_is_unknown(ref: str) -> None:
    refs = Refs()
    refs.name(Node("f", "l", 1))

    with pytest.raises(UnknownRef):
        refs.find(ref, tree(("f", "l")))


def test_refs_of_documents_that_are_gone_are_forgotten_but_for_the_last_few() -> None:
    refs = Refs()
    for number in range(100):
        refs.name(Node("f", f"l{number}", 1))
        refs.forget_gone({("f", f"l{number}")})

    with pytest.raises(StaleRef, match="its document is gone"):
        refs.find("e1", tree(("f", "l0")))
    back = 100 - MAX_GONE_DOCUMENTS
    assert refs.find(f"e{back}", tree(("f", f"l{back - 1}"))).backend_node_id == 1
    with pytest.raises(StaleRef, match="its document is gone"):
        refs.find(f"e{back - 1}", tree(("f", f"l{back - 2}")))
    assert refs.name(Node("f", "l0", 1)) == "e101"


def loader_id(now: SupervisorSnapshot) -> str:
    return now.frame_tree.top.loader_id if now.frame_tree.top else ""


async def test_refs_outlive_the_back_forward_cache_and_other_tabs_and_no_more(ground: Playground) -> None:
    async def open_many() -> None:
        for number in range(MAX_GONE_DOCUMENTS + 2):
            await ground.open(f"<button>Button {number}</button>")
            await ground.ref(f'button "Button {number}"')

    await ground.open("<title>First</title><button onclick=\"document.title = 'clicked'\">First button</button>")
    first = await ground.ref('button "First button"')
    document = loader_id(ground.supervisor.snapshot())
    ground.sites.pages["/second"] = "<!doctype html><link rel=icon href=data:,><button>Second button</button>"
    await ground.supervisor.navigate(ground.sites.local("/second"))
    await ground.settled(1)
    await ground.ref('button "Second button"')
    with pytest.raises(StaleRef, match="its document was replaced"):
        find(ground.supervisor, first)

    entries = (await ground.supervisor.send(page.GetNavigationHistory())).entries
    await ground.supervisor.send(page.NavigateToHistoryEntry(entry_id=entries[-2].id))
    await ground.supervisor.wait_for(lambda now: loader_id(now) == document)
    again = find(ground.supervisor, first)

    tab = await ground.supervisor.open_page()
    await open_many()
    with pytest.raises(StaleRef, match="not in the current page"):
        find(ground.supervisor, first)
    await ground.supervisor.close_page(tab.target_id)
    assert find(ground.supervisor, first) == again

    await open_many()
    with pytest.raises(StaleRef, match="its document is gone"):
        refs_of(ground.supervisor).find(first, ground.supervisor.snapshot().frame_tree)
