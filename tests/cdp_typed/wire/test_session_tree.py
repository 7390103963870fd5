"""The tree of sessions."""

from __future__ import annotations

import msgspec

from cdp_typed.wire.session_tree import Announced, SessionTree, announced, crashed_target, detached


def _tree(*edges: tuple[str, str | None]) -> SessionTree:
    tree = SessionTree()
    for session, parent in edges:
        tree.add(Announced(session, f"target of {session}", b"{}"), parent_id=parent)
    return tree


def test_parents_and_children_are_known_by_their_ids() -> None:
    tree = _tree(("P", None), ("C1", "P"), ("C2", "P"), ("G", "C1"))

    assert tree.all() == ("P", "C1", "C2", "G")
    assert tree.children("P") == ("C1", "C2")
    assert (tree.parent("G"), tree.parent("P"), tree.parent("nobody")) == ("C1", None, None)
    assert tree.of_target("target of C2") == ["C2"]
    assert (tree.remove("C2"), tree.children("P")) == (["C2"], ("C1",))


def test_an_announcement_repeated_keeps_the_children() -> None:
    tree = _tree(("P", None), ("C", "P"))

    tree.add(Announced("P", "another target", b"{}"), parent_id="elsewhere")

    assert (tree.children("P"), tree.parent("P"), tree.of_target("another target")) == (("C",), None, ["P"])


def test_parameters_that_cannot_be_read_name_nobody() -> None:
    bomb = msgspec.Raw(b"[" * 100_000)

    assert (announced(bomb), detached(bomb), crashed_target(bomb)) == (None, None, None)


def test_the_end_of_a_session_that_was_never_announced_counts_and_only_so_many_are_remembered() -> None:
    tree = SessionTree()
    for number in range(5000):
        assert tree.remove(str(number)) == [str(number)]

    assert not tree.is_over("0")
    assert tree.is_over("4999")
