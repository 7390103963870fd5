"""The default script context of each frame."""

from __future__ import annotations

from cdp_typed.protocol import inspector, runtime
from tests.support.core.play import INNER, OOPIF, PAGE, TOP, context, on, with_oopif, with_page


def test_the_context_of_a_frame_is_that_of_its_present_process() -> None:
    core = with_oopif()
    frames = core.state.world.frames

    core.play(context(PAGE, INNER, "stale"))

    inner = core.state.world.frames.nodes[INNER]
    assert core.state.world.frames.context(inner) is None
    assert frames.context(inner) == frames.contexts[INNER]


def test_cleared_and_destroyed_contexts_are_forgotten() -> None:
    core = with_oopif()
    core.play(on(OOPIF, runtime.ExecutionContextsCleared()))
    assert set(core.state.world.frames.contexts) == {TOP}

    core.play(
        on(
            PAGE,
            runtime.ExecutionContextDestroyed(
                execution_context_id=runtime.ExecutionContextId(1), execution_context_unique_id="context-top"
            ),
        )
    )
    assert not core.state.world.frames.contexts


def test_a_crash_ends_the_contexts_of_its_process() -> None:
    core = with_oopif()

    core.play(on(OOPIF, inspector.TargetCrashed()))

    assert set(core.state.world.frames.contexts) == {TOP}


def test_isolated_worlds_and_workers_are_not_a_frame_s_own_context() -> None:
    core = with_page()
    isolated = runtime.ExecutionContextDescription(
        id=runtime.ExecutionContextId(7),
        origin="",
        name="extension",
        unique_id="isolated",
        aux_data={"isDefault": False, "type": "isolated", "frameId": TOP},
    )
    worker = runtime.ExecutionContextDescription(
        id=runtime.ExecutionContextId(8), origin="", name="", unique_id="worker"
    )
    core.play(
        on(PAGE, runtime.ExecutionContextCreated(context=isolated)),
        on(PAGE, runtime.ExecutionContextCreated(context=worker)),
    )

    assert core.state.world.frames.contexts[TOP].unique_id == "context-top"
