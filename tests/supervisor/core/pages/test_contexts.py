"""The default script context of each frame."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.protocol import runtime
from supervisor.core.vocabulary import inputs
from tests.support.core.play import INNER, OOPIF, PAGE, TOP, context, crashed, destroyed, on, with_oopif, with_page


def test_the_context_of_a_frame_is_that_of_its_present_process() -> None:
    core = with_oopif()
    frames = core.state.world.frames

    core.play(context(PAGE, INNER, "stale"))

    inner = core.state.world.frames.nodes[INNER]
    assert core.state.world.frames.context(inner) == frames.context(inner) is not None


def test_the_context_that_an_iframe_leaves_behind_ends_alone() -> None:
    """Recorded on Chromium 156, when a prerendered page is shown whose process is busy: that process announces the
    first document of an iframe after the iframe's own process has announced the next one, and ends it then."""
    core = with_oopif()
    before = core.state.world.frames

    core.play(context(PAGE, INNER, "left", number=3), destroyed(PAGE, "left", number=3))

    inner = core.state.world.frames.nodes[INNER]
    assert core.state.world.frames.contexts == before.contexts
    assert core.state.world.frames.context(inner) == before.context(inner) is not None
    assert core.state.world.frames.numbers == before.numbers


def test_a_number_that_is_used_again_is_the_new_frame_s() -> None:
    """Numbers begin anew in each process, and a page changes its process."""
    core = with_page().after(context(PAGE, "next", "context-next"))

    frames = core.state.world.frames
    assert frames.numbers == {PAGE: {1: "next"}}
    assert set(frames.contexts) == {"next"}
    assert not frames.without_contexts(["next"]).numbers


@pytest.mark.parametrize("ends", [on(OOPIF, runtime.ExecutionContextsCleared()), crashed(OOPIF)], ids=["all", "crash"])
def test_contexts_that_are_cleared_or_destroyed_are_forgotten(ends: inputs.Input) -> None:
    core = with_oopif().after(ends)
    assert set(core.state.world.frames.contexts) == {TOP}

    core.play(destroyed(PAGE, "context-top"))
    assert not core.state.world.frames.contexts


@pytest.mark.parametrize("aux_data", [{"isDefault": False, "type": "isolated", "frameId": TOP}, None])
def test_isolated_worlds_and_workers_are_not_a_frame_s_own_context(aux_data: dict[str, Any] | None) -> None:
    other = runtime.ExecutionContextDescription(
        id=runtime.ExecutionContextId(7), origin="", name="", unique_id="other", aux_data=aux_data
    )
    core = with_page().after(on(PAGE, runtime.ExecutionContextCreated(context=other)))

    assert [one.unique_id for one in core.state.world.frames.contexts[TOP]] == ["context-top"]
