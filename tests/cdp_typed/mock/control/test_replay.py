"""Replay: a recorded browser repeats its messages, with the ids and sessions of the new client."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cdp_typed import connect
from cdp_typed.errors import CommandError
from cdp_typed.mock import MockServer
from cdp_typed.mock.control.replay import RecordedMessage, ReplayBrowser, load_recording, parse_recording
from cdp_typed.mock.errors import ScenarioError
from cdp_typed.protocol import page, runtime, target
from tests.cdp_typed.mock.raw_client import Client

RECORDED = Path(__file__).parents[3] / "data" / "alert.jsonl"
SESSION = "4B0E7E0C11D245D4B1B3BBA6D5C0F1AA"


def info(**more: Any) -> dict[str, Any]:
    return {"targetId": "T", "type": "page", "title": "", "url": "", "attached": True, "canAccessOpener": False, **more}


def attached(session: str = SESSION) -> dict[str, Any]:
    params = {"sessionId": session, "targetInfo": info(), "waitingForDebugger": False}
    return {"dir": "recv", "method": "Target.attachedToTarget", "params": params}


def recording(*lines: dict[str, Any]) -> tuple[RecordedMessage, ...]:
    return parse_recording("\n".join(json.dumps(line) for line in lines).encode())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'{"dir": "note"}\n\n{"dir": "sent"}', r"^r\.jsonl:3: Invalid enum value 'sent'"),
        (b'{"dir": "recv", "id": "7"}', r"^r\.jsonl:1: Expected `int \| null`, got `str`"),
        (b'{"dir"', r"^r\.jsonl:1: "),
        (b"\xff", r"^r\.jsonl:1: "),
        (b'{"dir": "send", "method": "Page.enable"}', r"^r\.jsonl:1: a call has an id and a method"),
        (b'{"dir": "recv"}', r"^r\.jsonl:1: a message has an id or a method"),
        (b'{"dir": "recv", "id": 3, "result": {}}', r"^r\.jsonl:1: a reply to call 3, which was not made"),
    ],
)
def test_a_bad_line_is_told_by_its_number(tmp_path: Path, text: bytes, message: str) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(text)

    with pytest.raises(ScenarioError, match=message):
        load_recording(path)


async def test_our_client_meets_a_recorded_alert_again(no_leaks: None) -> None:
    """Recorded from Chromium 156, with another client."""
    browser = ReplayBrowser(load_recording(RECORDED))
    async with MockServer(browser) as mock, connect(mock.url) as connection:
        created = await connection.send(target.CreateTarget(url="about:blank"))
        tab = await connection.attach(created.target_id)
        await tab.send(page.Enable())
        async with tab.expect(page.JavascriptDialogOpening) as opening:
            asked = tab.send_nowait(runtime.Evaluate(expression="alert('hello')"))
        await tab.send(page.HandleJavaScriptDialog(accept=True))

        assert (await opening).message == "hello"
        assert (await asked).result.type == "undefined"
        with pytest.raises(CommandError, match=r"Page\.reload was not recorded here; the recording waits for nothing"):
            await tab.send(page.Reload())
    assert [call.method for call in browser.unexpected] == ["Page.reload"]


def test_sessions_and_ids_are_the_clients_own() -> None:
    client = Client(
        ReplayBrowser(
            recording(
                {"dir": "send", "id": 90, "method": "Target.attachToTarget"},
                attached(),
                {"dir": "recv", "id": 90, "result": {"sessionId": SESSION}},
                {"dir": "send", "id": 91, "session": SESSION[:8], "method": "Page.enable"},
                {"dir": "recv", "id": 91, "sessionId": SESSION, "error": {"code": -1, "message": "no"}},
                {
                    "dir": "recv",
                    "sessionId": SESSION,
                    "method": "Page.loadEventFired",
                    "params": {"timestamp": [1, None]},
                },
            )
        )
    )
    event, reply = client.send("Target.attachToTarget")
    ours = reply["result"]["sessionId"]

    assert reply["id"] == 1
    assert ours == event["params"]["sessionId"] != SESSION
    assert client.send("Page.enable", {}, ours) == [
        {"id": 2, "error": {"code": -1, "message": "no"}, "sessionId": ours},
        {"method": "Page.loadEventFired", "params": {"timestamp": [1, None]}, "sessionId": ours},
    ]


def test_calls_may_come_in_another_order() -> None:
    client = Client(
        ReplayBrowser(
            recording(
                {"dir": "send", "id": 1, "method": "Browser.getVersion"},
                {"dir": "recv", "id": 1, "result": {"n": 1}},
                {"dir": "send", "id": 2, "method": "Target.getTargets"},
                {"dir": "recv", "id": 2, "result": {"n": 2}},
            )
        )
    )

    assert client.send("Target.getTargets") == []
    assert client.send("Browser.getVersion") == [{"id": 2, "result": {"n": 1}}, {"id": 1, "result": {"n": 2}}]


def test_the_same_call_gets_what_it_got_each_time() -> None:
    lines: list[dict[str, Any]] = []
    for number in (1, 2):
        lines.append({"dir": "send", "id": number, "method": "Browser.getVersion"})
        lines.append({"dir": "recv", "id": number, "result": {"n": number}})
    client = Client(ReplayBrowser(recording(*lines)))

    assert [client.result("Browser.getVersion")["n"] for _ in range(2)] == [1, 2]


def test_each_client_gets_a_connection_of_its_own() -> None:
    browser = ReplayBrowser(
        recording(
            {"dir": "send", "conn": "A", "id": 1, "method": "Browser.getVersion"},
            {"dir": "recv", "conn": "A", "id": 1, "result": {"of": "A"}},
            {"dir": "send", "conn": "B", "id": 1, "method": "Browser.getVersion"},
            {"dir": "recv", "conn": "B", "id": 1, "result": {"of": "B"}},
        )
    )
    first, second, third = Client(browser), Client(browser), Client(browser)

    assert second.result("Browser.getVersion") == {"of": "B"}
    assert first.result("Browser.getVersion") == {"of": "A"}
    assert "waits for nothing" in third.error("Browser.getVersion")["message"]


def test_what_is_no_call_is_answered_as_ever() -> None:
    client = Client(ReplayBrowser(()))
    client.text("[]")

    (answer,) = client.take()
    assert answer["error"]["message"] == "Message must be an object"


def test_a_call_on_a_session_that_was_not_recorded_is_refused() -> None:
    client = Client(ReplayBrowser(recording({"dir": "send", "id": 1, "method": "Browser.getVersion"})))

    (answer,) = client.send("Page.enable", {}, "nope")
    assert (answer["sessionId"], answer["error"]["code"]) == ("nope", -32000)
    assert answer["error"]["message"].endswith("the recording waits for Browser.getVersion")


async def test_a_call_that_nobody_makes_is_skipped_and_nobody_gets_its_reply(no_leaks: None) -> None:
    browser = ReplayBrowser(
        recording(
            {"dir": "send", "id": 1, "method": "Page.navigate", "params": {"url": "x"}},
            {"dir": "recv", "id": 1, "result": {"frameId": "F"}},
            {"dir": "recv", "method": "Target.targetCreated", "params": {"targetInfo": info()}},
            {"dir": "send", "id": 2, "method": "Target.getTargets", "params": {}},
            {"dir": "recv", "id": 2, "result": {"targetInfos": []}},
        )
    )
    async with MockServer(browser) as mock, connect(mock.url) as connection:
        async with connection.expect(target.TargetCreated, timeout=10) as created:
            assert browser.skip() == ("Page.navigate",)
        assert (await created).target_info.target_id == "T"
        assert (await connection.send(target.GetTargets())).target_infos == ()
        assert browser.skip() == ()
