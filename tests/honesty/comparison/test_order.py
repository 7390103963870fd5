"""Messages that come too early between lanes are found."""

from __future__ import annotations

from typing import Any

import pytest

from tests.honesty.comparison.order import disorder
from tests.honesty.player import Entry, Params, Trace


def sent(number: int, method: str) -> Entry:
    return Entry("A", sent=True, message={"id": number, "method": method, "params": {}, "sessionId": "S"})


def received(**message: Any) -> Entry:
    return Entry("A", sent=False, message=message)


ATTACHED = received(method="Target.attachedToTarget", params={"sessionId": "S", "targetInfo": {"targetId": "F"}})
CLOSED = received(method="Page.javascriptDialogClosed", params={}, sessionId="S")
SWAPPED = received(method="Page.frameDetached", params={"frameId": "F", "reason": "swap"}, sessionId="S")


def reply(number: int, result: Params | None = None) -> Entry:
    return received(id=number, result=result or {})


def test_the_guaranteed_order_is_no_disorder() -> None:
    attach, answer = sent(1, "Target.attachToTarget"), sent(2, "Page.handleJavaScriptDialog")

    assert disorder([attach, ATTACHED, reply(1, {"sessionId": "S"}), SWAPPED, answer, CLOSED, reply(2)]) == []


EARLY = {
    "an answer before the dialog closed": [sent(1, "Page.handleJavaScriptDialog"), reply(1), CLOSED],
    "an answer after the end of another dialog": [CLOSED, sent(1, "Page.handleJavaScriptDialog"), reply(1)],
    "a session before its announcement": [sent(1, "Target.attachToTarget"), reply(1, {"sessionId": "S"}), ATTACHED],
    "a swap before the attachment": [SWAPPED, ATTACHED],
}


@pytest.mark.parametrize("trace", EARLY.values(), ids=EARLY)
def test_what_comes_too_early_is_found(trace: Trace) -> None:
    assert len(disorder(trace)) == 1


def test_a_refusal_needs_no_event() -> None:
    assert disorder([sent(1, "Page.handleJavaScriptDialog"), received(id=1, error={})]) == []
