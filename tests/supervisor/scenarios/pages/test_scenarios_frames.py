"""Frames and where an expression runs: on the mock and on real Chromium."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from cdp_typed.mock import sample
from cdp_typed.protocol import dom, page, runtime, target
from supervisor import (
    CDPSupervisor,
    EvaluationFailed,
    FrameGone,
    FrameInfo,
    NavigationInterrupted,
    NoPage,
    NotForOneFrame,
    SupervisorSnapshot,
    Terminated,
    UnknownFrame,
)
from tests.support.stages.stages import ENDLESS, Stage, has_begun, open_page, send_as_another_client


def by_name(now: SupervisorSnapshot) -> dict[str, FrameInfo]:
    return {frame.name: frame for frame in now.frame_tree.children}


def shown(*frames: FrameInfo) -> list[tuple[str, str, str | None, bool]]:
    return sorted((frame.url, frame.frame_id, frame.parent_id, frame.is_oopif) for frame in frames)


def has_url(name: str, url: str, now: SupervisorSnapshot) -> bool:
    return by_name(now)[name].url == url


def test_the_frame_tree_names_every_frame_and_its_process(stage: Stage, supervisor: CDPSupervisor) -> None:
    now = open_page(supervisor, f"{stage.own}/frames")

    top, frames = now.frame_tree.top, by_name(now)
    assert top is not None
    local, inner = frames["local"], frames["inner"]
    assert (top.url, top.parent_id, top.is_oopif) == (f"{stage.own}/frames", None, False)
    assert (local.url, local.parent_id, local.is_oopif) == (f"{stage.own}/local", top.frame_id, False)
    assert (inner.url, inner.parent_id, inner.is_oopif) == (f"{stage.other}/inner", top.frame_id, True)
    assert local.session_id == top.session_id != inner.session_id
    assert (inner.origin, now.frame_tree.total, now.frame_tree.truncated) == (stage.other, 3, False)


def test_an_expression_runs_in_the_frame_that_is_named_and_its_result_says_so(
    stage: Stage, supervisor: CDPSupervisor
) -> None:
    now = open_page(supervisor, f"{stage.own}/frames")
    frames = by_name(now)
    for name, title in (("local", "Local"), ("inner", "Inner")):
        frame = frames[name]
        supervisor.evaluate(f"window.mark = '{name}'", frame.frame_id)

        found = supervisor.evaluate("document.title + window.mark", frame.frame_id)

        assert (found.value, found.type, found.description) == (title + name, "string", title + name)
        assert (found.frame_id, found.session_id, found.url) == (frame.frame_id, frame.session_id, frame.url)
        assert found.target_id == now.pages[0].target_id
    assert supervisor.evaluate("document.title").value == "Frames"
    assert supervisor.evaluate("window.mark").type == "undefined"


def test_a_command_goes_to_the_process_of_its_frame(stage: Stage, supervisor: CDPSupervisor) -> None:
    inner = by_name(open_page(supervisor, f"{stage.own}/frames"))["inner"]

    tree = supervisor.send(page.GetFrameTree(), inner.frame_id).frame_tree

    assert (tree.frame.id, tree.frame.url) == (inner.frame_id, inner.url)


def test_an_oopif_inside_an_oopif_is_reached_too(stage: Stage, supervisor: CDPSupervisor) -> None:
    frames = by_name(open_page(supervisor, f"{stage.own}/nested"))
    supervisor.wait_for(lambda now: now.frame_tree.total == 3, timeout_s=10)
    frames = by_name(supervisor.wait_for(lambda now: not any(f.is_loading for f in now.frame_tree.children)))

    assert frames["inner"].parent_id == frames["middle"].frame_id
    assert frames["inner"].is_oopif
    assert supervisor.evaluate("document.title", frames["middle"].frame_id).value == "Middle"
    assert supervisor.evaluate("document.title", frames["inner"].frame_id).value == "Inner"


def test_frames_that_existed_before_the_supervisor_are_found(stage: Stage, supervisor: CDPSupervisor) -> None:
    before = open_page(supervisor, f"{stage.own}/frames")

    with stage.supervisor() as late:
        late.wait_for(lambda now: now.frame_tree.total == 3, timeout_s=20)
        now = late.wait_for(lambda now: all(frame.origin for frame in now.frame_tree.children), timeout_s=20)

        assert shown(*now.frame_tree.children) == shown(*before.frame_tree.children)
        assert late.evaluate("document.title", by_name(now)["inner"].frame_id).value == "Inner"


def test_a_frame_of_a_page_that_was_left_is_gone(stage: Stage, supervisor: CDPSupervisor) -> None:
    frames = by_name(open_page(supervisor, f"{stage.own}/frames"))
    open_page(supervisor, f"{stage.own}/plain")
    supervisor.wait_for(lambda now: now.frame_tree.total == 1, timeout_s=20)

    for frame in frames.values():
        with pytest.raises(FrameGone) as gone:
            supervisor.evaluate("document.title", frame.frame_id)
        assert not gone.value.maybe_executed


def test_a_frame_keeps_its_id_while_it_moves_between_processes(stage: Stage, supervisor: CDPSupervisor) -> None:
    """Navigated by its parent to the page's own site and back: OOPIF, local, OOPIF."""
    inner = by_name(open_page(supervisor, f"{stage.own}/frames"))["inner"]

    def move(url: str, *, is_oopif: bool) -> object:
        supervisor.evaluate(f"document.getElementById('inner').src = '{url}'")

        def arrived(now: SupervisorSnapshot) -> bool:
            frame = next((frame for frame in now.frame_tree.children if frame.frame_id == inner.frame_id), None)
            return frame is not None and frame.url == url and frame.is_oopif is is_oopif and not frame.is_loading

        supervisor.wait_for(arrived, timeout_s=10)
        return supervisor.evaluate("location.href", inner.frame_id).value

    assert move(f"{stage.own}/local", is_oopif=False) == f"{stage.own}/local"
    assert move(f"{stage.other}/plain", is_oopif=True) == f"{stage.other}/plain"


def test_a_frame_that_moves_between_processes_is_there_all_the_while(stage: Stage, supervisor: CDPSupervisor) -> None:
    now = open_page(supervisor, f"{stage.own}/frames")
    inner = by_name(now)["inner"]
    moves = [f"{stage.own}/local", f"{stage.other}/inner"] * 5
    stop = threading.Event()
    missing: list[SupervisorSnapshot] = []

    def look() -> int:
        looks = 0
        while not stop.is_set():
            seen = supervisor.snapshot()
            looks += 1
            if inner.frame_id not in {frame.frame_id for frame in seen.frame_tree.children if frame.name == "inner"}:
                missing.append(seen)
        return looks

    with ThreadPoolExecutor(1) as pool:
        looking = pool.submit(look)
        for url in moves:
            supervisor.evaluate(f"document.getElementById('inner').src = '{url}'")
            supervisor.wait_for(partial(has_url, "inner", url), timeout_s=20)
            assert supervisor.evaluate("location.href", inner.frame_id).value == url
        stop.set()
        assert looking.result() > 100

    assert missing == []
    changes = supervisor.changes_since(now.cursor).changes
    assert [(change.kind, change.text) for change in changes if change.subject == inner.frame_id] == [
        ("frame_navigated", url) for url in moves
    ]


def test_a_call_in_flight_in_a_frame_that_moves_says_that_it_is_still_there(
    stage: Stage, supervisor: CDPSupervisor
) -> None:
    inner = by_name(open_page(supervisor, f"{stage.own}/frames"))["inner"]
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(supervisor.evaluate, ENDLESS, inner.frame_id)
        supervisor.wait_for(has_begun)

        supervisor.evaluate(f"document.getElementById('inner').src = '{stage.own}/local'")

        with pytest.raises(NavigationInterrupted, match="it is still there"):
            call.result()


def test_a_reload_is_a_change(stage: Stage, supervisor: CDPSupervisor) -> None:
    now = open_page(supervisor, f"{stage.own}/plain")

    supervisor.reload_page()

    change = supervisor.wait_for_change("frame_navigated", since=now.cursor, timeout_s=20)
    assert (change.subject, change.text) == (now.pages[0].target_id, f"{stage.own}/plain")


def test_objects_and_arrays_are_values_and_what_throws_is_an_error_with_its_message(
    stage: Stage, supervisor: CDPSupervisor
) -> None:
    open_page(supervisor, f"{stage.own}/plain")

    result = supervisor.evaluate("({list: [1, 'two', null], inner: {a: true}})")

    assert (result.value, result.type) == ({"list": [1, "two", None], "inner": {"a": True}}, "object")
    assert (supervisor.evaluate("[1, 2]").value, supervisor.evaluate("[1, 2]").type) == ([1, 2], "array")
    with pytest.raises(EvaluationFailed, match="Error: no such basket"):
        supervisor.evaluate("throw new Error('no such basket')")


def test_an_unknown_frame_is_an_error_and_nothing_runs(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")

    with pytest.raises(UnknownFrame, match=r"no frame has the id 'nope'"):
        supervisor.evaluate("window.ran = 1", "nope")

    assert supervisor.evaluate("window.ran").type == "undefined"


def test_a_page_that_vanishes_during_a_call_ends_it(stage: Stage, supervisor: CDPSupervisor) -> None:
    now = open_page(supervisor, f"{stage.own}/plain")
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(supervisor.evaluate, ENDLESS)
        supervisor.wait_for(has_begun)
        send_as_another_client(stage, target.CloseTarget(target_id=target.TargetID(now.pages[0].target_id)))

        with pytest.raises(FrameGone) as caught:
            call.result(5)

    assert caught.value.maybe_executed


@pytest.mark.parametrize("name", ["inner", "local"])
def test_a_command_for_a_frame_means_that_frame_in_whatever_process_it_is(
    stage: Stage, supervisor: CDPSupervisor, name: str
) -> None:
    frame = by_name(open_page(supervisor, f"{stage.own}/frames"))[name]

    result = supervisor.send(runtime.Evaluate(expression="location.href"), frame.frame_id)
    assert result.result.value == frame.url

    title = "document.title"
    called = runtime.CallFunctionOn(function_declaration=f"function () {{ return {title} }}", return_by_value=True)
    assert supervisor.send(called, frame.frame_id).result.value == supervisor.evaluate(title, frame.frame_id).value


def test_a_command_for_the_whole_page_is_refused_for_a_frame_that_shares_its_process(
    stage: Stage, supervisor: CDPSupervisor
) -> None:
    if stage.mock is not None:
        stage.mock.on(dom.GetDocument, sample(dom.GetDocumentResult))
    frames = by_name(open_page(supervisor, f"{stage.own}/frames"))

    with pytest.raises(NotForOneFrame, match=r"DOM.getDocument means the whole page"):
        supervisor.send(dom.GetDocument(), frames["local"].frame_id)

    assert isinstance(supervisor.send(dom.GetDocument(), frames["inner"].frame_id), dom.GetDocumentResult)


def test_what_only_the_browser_can_do_goes_to_it_without_a_page(stage: Stage, supervisor: CDPSupervisor) -> None:
    first = supervisor.snapshot().pages[0]
    supervisor.send(target.CloseTarget(target_id=target.TargetID(first.target_id)))
    supervisor.wait_for(lambda now: not now.pages)
    with pytest.raises(NoPage):
        supervisor.evaluate("1+1")

    created = supervisor.send(target.CreateTarget(url="about:blank"))

    supervisor.wait_for(lambda now: [info.target_id for info in now.pages] == [created.target_id])
    assert supervisor.evaluate("1+1").value == 2


def test_a_script_without_end_is_stopped_and_its_caller_told(stage: Stage, supervisor: CDPSupervisor) -> None:
    open_page(supervisor, f"{stage.own}/plain")
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(supervisor.evaluate, "console.log('begun'); while (true) {}")
        supervisor.wait_for(has_begun)

        supervisor.terminate()

        with pytest.raises(Terminated):
            call.result(10)
    assert supervisor.evaluate("1+1").value == 2
    supervisor.terminate()
    assert supervisor.evaluate("1+1").value == 2


@pytest.mark.parametrize(("path", "total", "shown"), [("/many", 36, 30), ("/deep", 4, 2)])
def test_what_is_shown_of_a_page_with_too_many_frames_is_there(
    stage: Stage, supervisor: CDPSupervisor, path: str, total: int, shown: int
) -> None:
    open_page(supervisor, f"{stage.own}{path}")

    now = supervisor.wait_for(lambda now: now.frame_tree.total == total)

    assert (len(now.frame_tree.children), now.frame_tree.truncated) == (shown, True)
