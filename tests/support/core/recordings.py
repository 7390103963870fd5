"""Flight recordings made of inputs, by the recorder itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Unpack

from cdp_typed.protocol import network, page, runtime
from supervisor.config import Settings, config_of
from supervisor.core.vocabulary import command_tags, inputs
from supervisor.driver.recorder import Recorder
from tests.support.core.play import (
    PAGE,
    TOP,
    answer,
    attached,
    children_announced,
    closed,
    context,
    evaluate,
    frame,
    frame_tree_reply,
    on,
    opening,
    tree,
    value,
)

BEGINNING = 1_700_000_000.0

READY: tuple[inputs.Input, ...] = (
    inputs.Connected("this"),
    attached(PAGE, TOP, url="http://a.test/"),
    inputs.CommandSucceeded(command_tags.BrowserAutoAttach(), None),
    context(PAGE, TOP, "context-top"),
    frame_tree_reply(PAGE, tree(frame(TOP, "http://a.test/"))),
    children_announced(PAGE),
)
"""What makes a supervisor ready, with one page."""


def write_recording(path: Path, received: Iterable[inputs.Input], **settings: Unpack[Settings]) -> Path:
    """A recording of these inputs, ten milliseconds apart."""
    recorder = Recorder(path, config_of("ws://127.0.0.1:1/", settings))
    for number, one in enumerate(received):
        recorder.take(one, BEGINNING + number / 100)
    recorder.close()
    return path


def long_flight(count: int) -> Iterator[inputs.Input]:
    """So many inputs: console messages and failed requests, with navigations, calls and dialogs among them."""
    yield from READY
    number = len(READY)
    while number < count:
        for one in _hundred(number):
            if number < count:
                yield one
                number += 1


def _hundred(number: int) -> Iterator[inputs.Input]:
    loader = f"loader-{number}"
    yield on(PAGE, page.FrameStartedLoading(frame_id=page.FrameId(TOP)))
    yield on(PAGE, page.FrameNavigated(frame=frame(TOP, f"http://a.test/{number}", loader=loader), type="Navigation"))
    yield context(PAGE, TOP, f"context-{number}")
    yield on(PAGE, page.FrameStoppedLoading(frame_id=page.FrameId(TOP)))
    yield evaluate("document.title", call=f"c-{number}")
    yield inputs.CommandSucceeded(command_tags.CallReply(f"c-{number}"), value(number))
    yield opening(f"Go on with {number}?", "confirm")
    yield answer(call=f"a-{number}")
    yield closed()
    yield inputs.CommandSucceeded(command_tags.DialogAnswer(f"d-{_nth(number)}"), None)
    for offset in range(10, 100):
        yield on(PAGE, (_asked, _failed, _said)[offset % 3](number + offset - offset % 3))


def _nth(number: int) -> int:
    return 1 + (number - len(READY)) // 100


def _asked(number: int) -> Any:
    return network.RequestWillBeSent(
        request_id=network.RequestId(str(number)),
        loader_id=network.LoaderId("loader"),
        document_url="http://a.test/",
        request=network.Request(
            url=f"http://a.test/picture-{number}.png",
            method="GET",
            headers=network.Headers({}),
            initial_priority="Low",
            referrer_policy="origin",
        ),
        timestamp=network.MonotonicTime(number),
        wall_time=network.TimeSinceEpoch(BEGINNING),
        initiator=network.Initiator(type="parser"),
        redirect_has_extra_info=False,
        type="Image",
    )


def _said(number: int) -> Any:
    return runtime.ConsoleAPICalled(
        type="error" if number % 7 == 0 else "log",
        args=(runtime.RemoteObject(type="string", value=f"message {number} of a page that says much"),),
        execution_context_id=runtime.ExecutionContextId(1),
        timestamp=runtime.Timestamp(BEGINNING * 1000 + number),
    )


def _failed(number: int) -> Any:
    return network.LoadingFailed(
        request_id=network.RequestId(str(number)),
        timestamp=network.MonotonicTime(number),
        type="Image",
        error_text="net::ERR_FAILED",
    )
