"""The flight recorder: a field report that becomes a test."""

from __future__ import annotations

import json
import resource
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from cdp_typed import CommandError
from cdp_typed.protocol import page, runtime
from cdp_typed.redaction import Redaction
from supervisor import BlockedByDialog, Config, InvalidConfig
from supervisor.core.snapshot import snapshot
from supervisor.core.vocabulary import command_tags, inputs, requests, timers
from supervisor.driver.driver import TOOL_BEGAN
from supervisor.driver.recorder import Recorder
from supervisor.journal import decode, encode, replay
from tests.support.core.play import PAGE, TOP, attached, context, frame, frame_tree_reply, opening, tree
from tests.support.secrets import CANARY
from tests.support.stages.stages import Stage, open_page


def record(stage: Stage, path: Path) -> Any:
    """Record a flow with frames, console, dialogs and errors; return the supervisor's last snapshot."""
    with stage.supervisor(call_timeout_s=10, dialog_timeout_s=77, record_to=str(path)) as supervisor:
        open_page(supervisor, f"{stage.own}/frames")
        supervisor.evaluate("console.log('\\ud800 and \u202e')")
        with pytest.raises(BlockedByDialog):
            supervisor.evaluate("window.answer = prompt('Your word?'); 1")
        supervisor.respond_to_dialog("accept", CANARY)
        supervisor.wait_for(lambda now: bool(now.recent_dialogs))
        with pytest.raises(CommandError):
            supervisor.send(page.Navigate(url="not a url"))
        return supervisor.snapshot()


def test_a_flight_can_be_stepped_through_again(stage: Stage, tmp_path: Path) -> None:
    seen = record(stage, tmp_path / "flight.jsonl")

    states = list(replay(tmp_path / "flight.jsonl"))

    assert states[0].world.dialogs.timeout_s == 77
    (stopped,) = [number for number, state in enumerate(states) if state.world.connection.state == "stopped"]
    before = snapshot(states[stopped - 1])
    assert before.frame_tree == seen.frame_tree
    assert before.console == seen.console
    assert [record.message for record in before.recent_dialogs] == ["Your word?"]
    assert before.pages == seen.pages


def test_what_was_typed_is_not_in_it_and_only_its_owner_may_read_it(stage: Stage, tmp_path: Path) -> None:
    path = tmp_path / "flight.jsonl"
    record(stage, path)

    text = path.read_text("ascii")
    assert CANARY not in text
    assert "Your word?" in text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_is_for_its_owner_alone_and_new_at_each_start(stage: Stage, tmp_path: Path) -> None:
    path = tmp_path / "flight.jsonl"
    path.write_text("before")
    (tmp_path / "theirs").write_text("theirs")
    (tmp_path / "flight-2.jsonl").symlink_to(tmp_path / "theirs")
    (tmp_path / "flight-3.jsonl").symlink_to(tmp_path / "not-there-yet")

    for _ in range(2):
        with stage.supervisor(record_to=str(path)):
            pass

    texts = {file.name: file.read_text() for file in tmp_path.iterdir() if file.exists()}
    assert texts.keys() == {"flight.jsonl", "theirs", "flight-2.jsonl", "flight-4.jsonl", "flight-5.jsonl"}
    assert (texts["flight.jsonl"], texts["theirs"]) == ("before", "theirs")
    for name in ("flight-4.jsonl", "flight-5.jsonl"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
        assert texts[name].count('"settings"') == 1


def test_a_file_that_cannot_be_written_fails_the_start_and_leaves_nothing(stage: Stage, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        stage.supervisor(record_to=str(tmp_path / "missing" / "flight.jsonl")).start()


def test_a_disk_that_takes_no_more_ends_the_recording_and_nothing_else(
    stage: Stage, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    if sys.platform == "win32":
        pytest.skip("Windows has no limit of a file's size")
    with stage.supervisor(record_to=str(tmp_path / "flight.jsonl")) as supervisor:
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, before[1]))
        try:
            assert supervisor.evaluate("1+1").value == 2
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)

    assert [log_record.getMessage() for log_record in caplog.records if log_record.levelname == "ERROR"] == [
        "the flight recorder stops: File too large"
    ]


@pytest.mark.parametrize(
    "received",
    [
        inputs.Connected(None),
        attached(PAGE, TOP, url="http://a.test/"),
        context(PAGE, TOP, "unique"),
        frame_tree_reply(PAGE, tree(frame(TOP, "http://a.test/"), tree(frame("f", "http://b.test/", TOP)))),
        opening("hello", "prompt", default="you"),
        inputs.CommandFailed(
            command_tags.CallReply("c-1"), CommandError(-32000, "no", {"a": [1]}, method="m", session=None)
        ),
        requests.CallRequested(call_id="c", work=runtime.Evaluate(expression="1"), frame_id=None, timeout_s=1.5),
        inputs.TimerFired(timers.SetupDeadline("s")),
    ],
    ids=lambda received: type(received).__name__,
)
def test_every_input_comes_back_as_it_was(received: inputs.Input) -> None:
    back = decode(json.loads(json.dumps(encode(received))))

    assert encode(back) == encode(received)
    if not isinstance(received, inputs.CommandFailed):
        assert back == received
    else:
        assert str(back.error) == str(received.error)


def test_an_exception_of_somebody_else_is_recorded_as_what_it_is_a_kind_of() -> None:
    class Weird(ConnectionResetError):
        pass

    assert type(decode(encode(Weird("gone")))) is ConnectionResetError


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("not json", "flight.jsonl:2"),
        ('{"at": 1, "input": {"$": "os:system"}}', "'os:system' is unknown"),
        ('{"at": 1, "input": {"$": "inputs.NoSuchInput"}}', "'inputs.NoSuchInput' is unknown"),
        ('{"at": 1, "input": {"$": "page.lazy"}}', "'page.lazy' is unknown"),
        ('{"at": 1, "input": {"$": "builtins.SystemExit"}}', "'builtins.SystemExit' is unknown"),
        ('{"at": 1, "input": {"!": "inputs.Connected"}}', "'inputs.Connected' is unknown"),
        ('{"at": 1, "input": {"?": 1}}', "nothing that a journal holds"),
        ('{"input": {"$": "inputs.StopRequested"}}', "'at'"),
        ('{"at": 1, "input": {"$": "inputs.TimerFired"}}', "timer"),
    ],
)
def test_a_line_that_is_none_is_refused_by_its_number(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "flight.jsonl"
    Recorder(path, Config(cdp_url="ws://127.0.0.1:1")).close()
    path.write_text(path.read_text() + line + "\n")

    with pytest.raises(InvalidConfig, match=reason):
        list(replay(path))


def test_a_secret_that_is_a_word_of_ours_leaves_the_recording_readable(tmp_path: Path) -> None:
    redaction = Redaction()
    redaction.hide("name")
    recorder = Recorder(tmp_path / "flight.jsonl", Config(cdp_url="ws://127.0.0.1:1"), redaction=redaction)

    recorder.remark(TOOL_BEGAN, {"id": 1, "name": "a name"})
    recorder.close()

    *_, line = (tmp_path / "flight.jsonl").read_text().splitlines()
    assert json.loads(line)[TOOL_BEGAN] == {"id": 1, "name": "a <redacted>"}
