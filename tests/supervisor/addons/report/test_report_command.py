"""`report`: the recordings that it accepts, and its errors for all others."""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cdp_typed.redaction import Redaction
from supervisor.addons.report import report_json, report_of
from supervisor.core.vocabulary import inputs
from supervisor.journal import FORMAT
from tests.supervisor.cli.conftest import Run
from tests.support.core.play import TOP, evaluate, opening
from tests.support.core.recordings import READY, write_recording
from tests.support.hostile_texts import MARK, TEXTS


def data_in(page: str) -> Any:
    """The data in a report's file."""
    (packed,) = re.findall(r'<script type="application/octet-stream;base64" id="data">([^<]*)</script>', page)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """A page, a call, and the dialog that blocks it."""
    path = tmp_path / "flight.jsonl"
    return write_recording(path, [*READY, evaluate("confirm('Sure?')", call="c-1"), opening("Sure?", "confirm")])


def test_a_report_is_one_file_for_its_owner_with_the_data_in_it(run: Run, recording: Path) -> None:
    done = run("report", str(recording))

    written = recording.with_suffix(".html")
    assert (done.code, done.out, done.err) == (0, f"{written}\n", "")
    assert stat.S_IMODE(written.stat().st_mode) == 0o600
    page = written.read_text("utf-8")
    assert data_in(page) == json.loads(report_json(report_of(recording)))
    assert not re.search(r"""(?:src|href)=["'](?!data:,|#)""", page)


def test_the_data_says_what_blocked_a_call(run: Run, recording: Path) -> None:
    done = run("report", str(recording), "--json")

    told = json.loads(done.out)
    (call,), (dialog,) = told["calls"], told["dialogs"]
    assert (call["kind"], call["arguments"], call["outcome"]) == ("evaluate", "confirm('Sure?')", "failed")
    assert (call["error"], call["blocked_by"], call["page"]) == ("BlockedByDialog", ["d-1"], TOP)
    assert (dialog["id"], dialog["message"], dialog["end"], dialog["page"]) == ("d-1", "Sure?", None, TOP)
    (cause,) = told["summary"]["items"]
    assert (cause["kind"], cause["action"], cause["later"]) == ("dialog", 1, [])
    assert cause["text"].endswith("Run confirm('Sure?') failed because of it.")


def test_an_output_replaces_what_was_there_but_never_the_recording(run: Run, recording: Path, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text("of yesterday")
    (tmp_path / "link.html").symlink_to(recording)
    before = recording.read_bytes()

    assert run("report", str(recording), "-o", str(tmp_path / "report.html")).code == 0
    refused = run("report", str(recording), "--json", "-o", str(tmp_path / "link.html"))
    missing = run("report", str(recording), "-o", str(tmp_path / "missing" / "report.html"))

    assert "of yesterday" not in (tmp_path / "report.html").read_text("utf-8")
    assert (refused.code, refused.err) == (2, f"cdp-agent: error: {tmp_path}/link.html is the recording itself\n")
    assert (missing.code, missing.err.count("\n")) == (2, 1)
    assert recording.read_bytes() == before


def test_open_shows_the_file(run: Run, recording: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr("webbrowser.open", shown.append)

    assert run("report", str(recording), "--open").code == 0
    assert run("report", str(recording), "--open", "--json").code == 2

    assert shown == [recording.with_suffix(".html").as_uri()]


def test_a_broken_last_line_ends_the_report_before_it_and_is_told(run: Run, recording: Path) -> None:
    whole = recording.read_bytes()
    recording.write_bytes(whole[:-20])

    done = run("report", str(recording), "--json")

    told = json.loads(done.out)
    note = f"The recording breaks off in its last line, {whole.count(10)}: the report ends before it."
    assert (done.code, done.err) == (0, f"cdp-agent: note: {note}\n")
    assert told["summary"]["notes"] == [note]
    assert told["summary"]["inputs"] == len(READY) + 1
    assert told["calls"][0]["outcome"] == "pending"


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"at": NaN, "input": {"$": "stop_requested"}}',
        b'{"at": 1e300, "input": {"$": "stop_requested"}}',
        b'{"at": "1", "input": {"$": "stop_requested"}}',
        b'{"at": 1, "input": {"$": "os:system"}}',
        b'{"at": 1, "picture": {"page": "", "reason": "", "mime": "image/svg+xml", "data": "", "at": 1}}',
        b'{"picture": {"at": 1, "page": "", "reason": "", "mime": "image/png", "data": "\\"><script>"}}',
        b'{"tool_ended": {"at": 1}}',
    ],
    ids=lambda line: line[:50].decode("latin-1"),
)
def test_a_line_that_no_recorder_writes_ends_the_report_before_it(run: Run, recording: Path, line: bytes) -> None:
    lines = recording.read_bytes().splitlines(keepends=True)
    recording.write_bytes(b"".join([*lines[:5], line, b"\n", *lines[5:]]))

    done = run("report", str(recording), "--json")

    assert done.err.count("\n") == 1
    told = json.loads(done.out)
    assert {len(told["inputs"][name]) for name in ("time", "kind", "page", "severity", "text")} == {4}
    assert told["summary"]["notes"][0].startswith("Line 6 is not ")
    assert f"{len(lines) - 5} lines after it" in told["summary"]["notes"][0]


WRONG_TYPES = ('"message": "Sure?"', '"message": {"{": {"innerHTML": "Sure?"}}')
OTHER_FORMAT = (f'"format": {FORMAT}', f'"format": {FORMAT + 1}')


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "No such file or directory"),
        ("", "expected"),
        ("not json", "expected"),
        ('{"t": 0, "conn": "A", "dir": "send", "msg": {}}', "expected"),
        ('{"settings": []}', "expected"),
        ('{"format": 1, "settings": {"a_setting_of_tomorrow": 1}}', "a_setting_of_tomorrow"),
        (WRONG_TYPES, "values of the types that a recorder writes"),
        (OTHER_FORMAT, f"its format is {FORMAT + 1}, and this version of cdp-typed reads format {FORMAT}"),
    ],
)
def test_what_is_no_recording_is_refused_in_one_sentence(
    run: Run, recording: Path, content: str | tuple[str, str] | None, complaint: str
) -> None:
    """The file has another content, or a recording in which one text takes the place of another."""
    whole = recording.read_text("ascii")
    recording.unlink()
    if isinstance(content, tuple):
        assert content[0] in whole
        content = whole.replace(*content)
    if content is not None:
        recording.write_text(content)

    done = run("report", str(recording))

    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert complaint in done.err
    assert not recording.with_suffix(".html").exists()


def test_texts_of_pages_are_nothing_but_data(run: Run, tmp_path: Path) -> None:
    """Script tags, directions of writing, halves of characters, ten megabytes."""
    texts = [*TEXTS, f"</script><script>{MARK}()</script>", "x" * 10_000_000]
    received: list[inputs.Input] = [*READY, *(opening(text, "confirm") for text in texts)]
    path = write_recording(tmp_path / "flight.jsonl", received)

    done = run("report", str(path))

    page = path.with_suffix(".html").read_text("utf-8")
    assert (done.code, done.err) == (0, "")
    assert MARK not in page
    assert len(page) < 3_000_000
    messages = [dialog["message"] for dialog in data_in(page)["dialogs"]]
    shown = map(Redaction().text, texts[:-1])
    assert messages[:-1] == [text if len(text) <= 2_000 else f"{text[:1999]}…" for text in shown]
    assert len(messages[-1]) == 2_000
    assert f"{MARK}()" in messages[-2]


def test_a_terminal_shows_how_far_it_has_read(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "flight.jsonl", [*READY, *(evaluate("1", call=f"c-{n}") for n in range(1_200))])
    ours, theirs = os.openpty()

    command = [sys.executable, "-m", "supervisor", "report", str(path)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, timeout=60, check=True)
    shown = os.read(ours, 10_000).decode()
    os.close(theirs)
    os.close(ours)

    assert [int(share) for share in re.findall(r"reading flight.jsonl: (\d+)%", shown)] == [41, 83]
    assert shown.endswith(" \r")
    assert done.stdout.decode() == f"{path.with_suffix('.html')}\n"
