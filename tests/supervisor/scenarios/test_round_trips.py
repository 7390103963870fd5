"""Attaching takes two round trips, and one more for each level of nested out-of-process iframes, whatever is there."""

from __future__ import annotations

import pytest

from cdp_typed import connect_sync
from cdp_typed.protocol import page
from tests.support.stages.stages import Stage, open_as_another_client
from tests.support.wires.traffic import Message, note_traffic


def round_trips(seen: list[Message]) -> int:
    """The number of round trips: how often a message had to arrive before a further command could be sent.

    A session's commands go out because it was announced, hence one round trip after those that made its parent announce
    it. Whatever goes out on a session on which something has come back already, has waited for it. (Making the page
    visible has, and no call waits for that.)
    """
    depth = {"": 1}
    answered: set[str] = set()
    waited = 0
    for message in seen:
        session_id = message.content.get("sessionId", "")
        if message.method == "Emulation.setFocusEmulationEnabled":
            continue
        if message.direction == "sent":
            waited += session_id in answered
            continue
        if message.method == "Target.attachedToTarget":
            depth[message.content["params"]["sessionId"]] = depth[session_id] + 1
        if session_id:
            answered.add(session_id)
    return max(depth.values()) + waited


@pytest.mark.parametrize(
    ("paths", "expected"),
    [(["/plain", "/plain", "/plain"], 2), (["/plain", "/frames", "/frames"], 3), (["/nested"], 4)],
)
def test_the_first_picture_is_complete_after_so_many_round_trips(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, paths: list[str], expected: int
) -> None:
    opened = open_as_another_client(stage, *["about:blank"] * len(paths))
    with connect_sync(stage.cdp_url) as browser:
        for path, target_id in zip(paths, opened, strict=True):
            session = browser.attach(target_id, enable=[page.Enable()])
            with session.expect(page.LoadEventFired, timeout=20):
                session.send(page.Navigate(url=stage.own + path))
    seen = note_traffic(monkeypatch)

    with stage.supervisor(dialog_bridge="auto") as supervisor:
        needed = round_trips(list(seen))
        now = supervisor.snapshot()

    assert needed == expected
    assert {info.url.removeprefix(stage.own) for info in now.pages} >= set(paths)
    assert {info.status for info in now.pages} == {"ok"}
