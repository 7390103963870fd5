"""The processor time of an event in the supervisor's core, with one tab and with 300, next to the typed client."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence

import msgspec

from benchmarks.decoding import typed
from benchmarks.table import render
from cdp_typed.protocol import page, runtime, target
from supervisor.core.state.world import State
from supervisor.core.step import step
from supervisor.core.vocabulary import command_tags as tags
from supervisor.core.vocabulary import inputs

FEW, MANY, FRAMES = 1, 300, 6
EVENTS, ROUNDS = 1_000, 7
GOALS = {"console message": 20, "frame loading": 60, "frame navigated": 60}


def report() -> str:
    """Return the table."""
    states = {tabs: _state(tabs) for tabs in (FEW, MANY)}
    times: dict[tuple[str, int], list[float]] = {}
    for _ in range(ROUNDS):
        for tabs, state in states.items():
            for name, events in _events(tabs).items():
                times.setdefault((name, tabs), []).append(_time(state, events))
        for name, events in _events(FEW).items():
            times.setdefault((name, 0), []).append(_time_of_client(events))
    rows: list[list[str]] = []
    for name, goal in GOALS.items():
        client, few, many = (statistics.median(times[name, tabs]) for tabs in (0, FEW, MANY))
        figures = [f"{client:.0f} us", f"{few:.0f} us", f"{many:.0f} us", f"{many / few:.2f}x"]
        rows.append([name, *figures, f"{goal} us, 1.5x"])
    header = ["", "client, from bytes", f"core, {FEW} tab", f"core, {MANY} tabs", "ratio", "goal, at most"]
    return render(f"An event in the supervisor's core, processor time, {FRAMES} frames a tab", header, rows)


def _time(state: State, events: Sequence[inputs.EventReceived]) -> float:
    """Return the microseconds of an event."""
    started = time.process_time()
    for event in events:
        state, _ = step(state, event, 1000.0)
    return (time.process_time() - started) / len(events) * 1e6


def _time_of_client(events: Sequence[inputs.EventReceived]) -> float:
    """Return the microseconds in which the typed client makes such an event from what the browser sends."""
    messages = [
        msgspec.json.encode({"method": received.event.METHOD, "sessionId": "S", "params": received.event})
        for received in events
    ]
    works = [typed(message, type(received.event)) for message, received in zip(messages, events, strict=True)]
    started = time.process_time()
    for work in works:
        work()
    return (time.process_time() - started) / len(events) * 1e6


def _state(tabs: int) -> State:
    """Return the state of a supervisor that is ready, with this number of tabs."""
    state, _ = step(State(), inputs.Connected("browser"), 1000.0)
    for tab in range(tabs):
        for received in _attached(tab):
            state, _ = step(state, received, 1000.0)
    for done in (tags.BrowserIdentity(), tags.BrowserAutoAttach()):
        state, _ = step(state, inputs.CommandSucceeded(done, target.GetTargetsResult(target_infos=())), 1000.0)
    assert state.world.connection.state == "ready", state.world.connection
    return state


def _frame_id(tab: int, number: int) -> page.FrameId:
    return page.FrameId(f"T{tab}" if number == 0 else f"T{tab}F{number}")


def _frame(tab: int, number: int, loader: str = "first") -> page.Frame:
    return msgspec.convert(
        {
            "id": _frame_id(tab, number),
            "parentId": None if number == 0 else _frame_id(tab, 0),
            "loaderId": loader,
            "url": f"https://shop.example/{loader}",
            "domainAndRegistry": "shop.example",
            "securityOrigin": "https://shop.example",
            "mimeType": "text/html",
            "secureContextType": "Secure",
            "crossOriginIsolatedContextType": "NotIsolated",
            "gatedAPIFeatures": [],
        },
        page.Frame,
    )


def _attached(tab: int) -> list[inputs.Input]:
    session = f"S{tab}"
    info = target.TargetInfo(
        target_id=target.TargetID(_frame_id(tab, 0)),
        type="page",
        title="",
        url="",
        attached=True,
        can_access_opener=False,
    )
    announced = target.AttachedToTarget(
        session_id=target.SessionID(session), target_info=info, waiting_for_debugger=False
    )
    children = tuple(page.FrameTree(frame=_frame(tab, number)) for number in range(1, FRAMES))
    tree = page.GetFrameTreeResult(frame_tree=page.FrameTree(frame=_frame(tab, 0), child_frames=children))
    contexts = [
        runtime.ExecutionContextDescription(
            id=runtime.ExecutionContextId(number + 1),
            origin="https://shop.example",
            name="",
            unique_id=f"{tab}.{number}",
            aux_data={"isDefault": True, "frameId": _frame_id(tab, number)},
        )
        for number in range(FRAMES)
    ]
    return [
        inputs.EventReceived(None, announced),
        inputs.CommandSucceeded(tags.FrameTreeReply(session), tree),
        inputs.CommandSucceeded(tags.ChildAutoAttach(session), None),
        *(inputs.EventReceived(session, runtime.ExecutionContextCreated(context=context)) for context in contexts),
    ]


def _events(tabs: int) -> Mapping[str, Sequence[inputs.EventReceived]]:
    """Events of the last tab."""
    session, frame_id = f"S{tabs - 1}", _frame_id(tabs - 1, 3)

    def on_session(make: Callable[[int], inputs.CdpEvent]) -> list[inputs.EventReceived]:
        return [inputs.EventReceived(session, make(number)) for number in range(EVENTS)]

    return {
        "console message": on_session(_message),
        "frame loading": on_session(
            lambda number: (page.FrameStoppedLoading if number % 2 else page.FrameStartedLoading)(frame_id=frame_id)
        ),
        "frame navigated": on_session(
            lambda number: page.FrameNavigated(frame=_frame(tabs - 1, 3, f"loader {number}"), type="Navigation")
        ),
    }


def _message(number: int) -> runtime.ConsoleAPICalled:
    return runtime.ConsoleAPICalled(
        type="log",
        args=(runtime.RemoteObject(type="string", value=f"message {number}"),),
        execution_context_id=runtime.ExecutionContextId(4),
        timestamp=float(number),
    )
