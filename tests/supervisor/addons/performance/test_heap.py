"""`browser_heap`, on Chromium."""

from __future__ import annotations

import gc
import json
import stat
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from cdp_typed.loop_thread import LOOP_THREAD
from supervisor import SupervisorRegistry
from supervisor.addons.performance import heap, heap_session
from supervisor.tools import Policy
from tests.supervisor.tools.conftest import Tools, running_in
from tests.support.secrets import CANARY

from .conftest import Show

PAGE = """<h1>x</h1><script>
class Leaked { constructor() { this.number = Math.random() } }
const cache = {list: [new Leaked()]};
window.cache = cache;
function leak(count) { for (let i = 0; i < count; i++) cache.list.push(new Leaked()) }
window.lost = document.createElement('section');
lost.append(document.createElement('nav'));
window.copies = Array.from({length: 40}, (_, i) => JSON.parse('"a text with copies"'));
</script>"""


def test_a_leak_is_found_its_objects_and_what_keeps_them(show: Show) -> None:
    call = show(PAGE)

    first = call("browser_heap")
    call("browser_evaluate", expression="leak(300)")
    second = call("browser_heap", since=first["file"])

    (leaked,) = (change for change in second["changes"] if change["name"] == "Leaked")
    assert (leaked["added"], leaked.get("removed", 0)) == (300, 0)
    assert "changes[].name" in second["untrusted"]
    assert "classes[].name" in first["untrusted"]
    path = Path(second["folder"], second["file"])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert json.loads(path.read_bytes())["snapshot"]["node_count"] > 1000

    came = call("browser_heap", file=second["file"], since=first["file"], of="Leaked")
    assert (came["pages"], len(came["objects"])) == (15, 20)
    assert came["retaining_path"][1].startswith("list of Object @")
    assert came["retaining_path"][2].startswith("cache of Window")
    assert {"objects[].name", "retaining_path[]"} <= set(came["untrusted"])
    assert call("browser_heap", file=second["file"], of="No such class")["not_found"]
    sent = {"objectId": came["objects"][0]["id"].removeprefix("@")}
    known = call("browser_cdp", method="HeapProfiler.getObjectByHeapObjectId", params=sent)
    assert known["result"]["result"]["className"] == "Leaked"


def test_an_earlier_snapshot_is_asked_while_a_dialog_is_open(show: Show) -> None:
    call = show(PAGE)
    taken = call("browser_heap")
    file, files = taken["file"], {*Path(taken["folder"]).iterdir()}
    call("browser_evaluate", expression="setTimeout(() => alert('x'))")
    call("browser_wait", until="dialog")

    (lost,) = call("browser_heap", file=file, of="Detached <section>")["objects"]

    (copied,) = (each for each in call("browser_heap", file=file, show="strings")["strings"] if each["count"] == 40)
    assert lost["is_detached"]
    assert copied["text"] == "a text with copies"
    assert {*Path(taken["folder"]).iterdir()} == files
    assert call("browser_heap")["error_type"] == "BlockedByDialog"


UNANSWERED: list[tuple[str, Mapping[str, object]]] = [
    ("page", {"page": 0}),
    ("show", {"of": "Leaked", "show": "strings"}),
    ("show", {"since": "a.heapsnapshot", "show": "strings"}),
    *(("file", {"file": name}) for name in ("nothing.heapsnapshot", "../passwd")),
    *(("since", {"since": name}) for name in ("nothing.heapsnapshot", "../passwd", "/etc/passwd")),
]


def test_a_question_without_an_answer_is_refused_before_a_snapshot(show: Show, tmp_path: Path) -> None:
    call = show("<h1>x</h1>")
    for argument, arguments in UNANSWERED:
        result = call("browser_heap", **arguments)

        assert (result["error_type"], result["argument"]) == ("InvalidArgument", argument)
    assert [*tmp_path.iterdir()] == []


def test_what_an_earlier_snapshot_does_not_have_is_an_error(show: Show, tmp_path: Path) -> None:
    call = show("<h1>x</h1>")
    file = call("browser_heap")["file"]
    (tmp_path / "other.heapsnapshot").write_text("{}")

    for argument, arguments in (
        ("file", {"file": "other.heapsnapshot"}),
        ("since", {"file": file, "since": "other.heapsnapshot"}),
    ):
        result = call("browser_heap", **arguments)
        assert (result["error_type"], result["argument"]) == ("InvalidArgument", argument)


def test_a_snapshot_has_no_secret_of_the_page(show: Show, registry: SupervisorRegistry) -> None:
    call = show(f"<h1>x</h1><script>window.kept = '{CANARY}' + '!'</script>")
    running = running_in(registry)
    running.aio.redaction.hide(CANARY)

    result = call("browser_heap")

    assert CANARY not in Path(result["folder"], result["file"]).read_text()


def test_a_large_heap_is_refused(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heap, "LARGEST", 2**10)

    assert "the page uses" in show("<h1>x</h1>")("browser_heap")["error"]


def test_a_policy_that_denies_snapshots_denies_it(tools: Tools) -> None:
    call = tools(Policy(deny_methods=("HeapProfiler.*",)))

    assert call("browser_heap")["error_type"] == "Refused"
    assert call("browser_heap", file="some.heapsnapshot")["error_type"] == "Refused"


def test_the_end_of_the_supervisor_ends_the_session_of_snapshots_quietly(
    show: Show, registry: SupervisorRegistry, caplog: pytest.LogCaptureFixture
) -> None:
    assert show("<h1>x</h1>")("browser_heap")["success"]
    running = running_in(registry)
    session = heap_session.SESSIONS[running.aio]
    LOOP_THREAD.acquire()  # a loop that ends first would cancel the session
    try:
        registry.stop_all()
        deadline = time.monotonic() + 20
        while not session.measurement.has_ended and time.monotonic() < deadline:
            time.sleep(0.05)  # ends on the loop thread, without an event
        assert session.measurement.has_ended
    finally:
        LOOP_THREAD.release()
    del session
    heap_session.SESSIONS.clear()
    gc.collect()

    assert [record.getMessage() for record in caplog.records if record.name == "asyncio"] == []


def test_a_crashed_page_is_an_error(show: Show) -> None:
    call = show("<h1>x</h1>")
    call("browser_cdp", method="Page.crash")

    assert call("browser_heap")["error_type"] == "TargetCrashed"
