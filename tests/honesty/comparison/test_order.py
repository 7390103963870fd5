"""Messages that come too early between lanes are found."""

from __future__ import annotations

from typing import Any

from tests.honesty.comparison.order import disorder
from tests.honesty.player import Entry, Params


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


def test_an_answer_before_the_dialog_closed_is_found() -> None:
    answer = sent(1, "Page.handleJavaScriptDialog")

    assert len(disorder([answer, reply(1), CLOSED])) == 1
    assert len(disorder([CLOSED, answer, reply(1)])) == 1


def test_a_refusal_needs_no_event() -> None:
    assert disorder([sent(1, "Page.handleJavaScriptDialog"), received(id=1, error={})]) == []


def test_a_session_before_its_announcement_is_found() -> None:
    assert len(disorder([sent(1, "Target.attachToTarget"), reply(1, {"sessionId": "S"}), ATTACHED])) == 1


def test_a_swap_before_the_attachment_is_found() -> None:
    assert len(disorder([SWAPPED, ATTACHED])) == 1
