"""`browser_heap`, on Chromium, and the graph of a heap without a browser."""

from __future__ import annotations

import gc
import json
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cdp_typed.helpers.shared.performance.heap_graph import HeapChange, HeapClass, HeapGraph, with_strings
from cdp_typed.loop_thread import LOOP_THREAD
from supervisor import Config, SupervisorRegistry
from supervisor.tools import Policy, Toolbox
from supervisor.tools.performance import heap
from tests.supervisor.tools.conftest import Call, calls
from tests.support.secrets import CANARY
from tests.support.stages.shared_browser import SharedBrowser

PAGE = """<h1>x</h1><script>
class Leaked { constructor() { this.number = Math.random() } }
const cache = {list: [new Leaked()]};
window.cache = cache;
function leak(count) { for (let i = 0; i < count; i++) cache.list.push(new Leaked()) }
</script>"""

META = {
    "node_fields": ["type", "name", "id", "self_size", "edge_count"],
    "node_types": [["synthetic", "object", "string"], "string", "number", "number", "number"],
    "edge_fields": ["type", "name_or_index", "to_node"],
    "edge_types": [["property", "element", "weak"], "string_or_number", "node"],
}
STRINGS = ["", "Window", "Held", "Weakly", "cache", "gc"]


def snapshot(nodes: list[tuple[int, int, int, int, int]], edges: list[tuple[int, int, int]]) -> bytes:
    """Nodes are (type, name, id, size, edges), edges (type, name or index, number of the node)."""
    plain = {
        "snapshot": {"meta": META, "node_count": len(nodes)},
        "nodes": [number for node in nodes for number in node],
        "edges": [number for kind, name, to in edges for number in (kind, name, to * 5)],
        "strings": STRINGS,
    }
    return json.dumps(plain, separators=(",", ":")).encode()


ROOT, ROOTS, WINDOW, HELD, WEAKLY = (
    (0, 0, 1, 0, 2),
    (0, 5, 3, 0, 1),
    (1, 1, 5, 10, 2),
    (1, 2, 7, 20, 0),
    (1, 3, 9, 30, 0),
)
EDGES = [(1, 1, 1), (1, 2, 2), (0, 5, 3), (0, 4, 3), (2, 0, 4)]
GRAPH = snapshot([ROOT, ROOTS, WINDOW, HELD, WEAKLY], EDGES)


def test_a_path_leads_over_the_globals_and_no_weak_reference() -> None:
    graph = HeapGraph(GRAPH)

    assert graph.retaining_path("Held") == ["cache of Window", "[2] of the root"]
    assert graph.retaining_path("Weakly") is None
    assert graph.retaining_path("Nothing") is None
    assert graph.classes()[0] == HeapClass(name="Weakly", count=1, size=30)


def test_changes_are_those_of_objects_by_their_number() -> None:
    another = (1, 2, 11, 25, 0)
    later = HeapGraph(snapshot([ROOT, ROOTS, WINDOW, another, WEAKLY], EDGES))

    assert later.changes_since(HeapGraph(GRAPH)) == [
        HeapChange(name="Held", added=1, removed=1, added_size=25, removed_size=20)
    ]


def test_texts_are_replaced_and_other_data_are_refused() -> None:
    clean = with_strings(GRAPH, str.upper)

    assert HeapGraph(clean).retaining_path("HELD") is not None
    for data in (b"", b"{}", GRAPH[:200], b'{"snapshot":{"meta":3},"nodes":[],"edges":[],"strings":[]}'):
        with pytest.raises(ValueError, match="no heap snapshot"):
            HeapGraph(data)


def test_a_leak_shows_between_two_snapshots_with_the_path_that_keeps_it(show: Callable[[str], Call]) -> None:
    call = show(PAGE)

    first = call("browser_heap")
    call("browser_evaluate", expression="leak(300)")
    second = call("browser_heap", since=first["file"], retained="Leaked")

    (leaked,) = (change for change in second["changes"] if change["name"] == "Leaked")
    assert (leaked["added"], leaked.get("removed", 0)) == (300, 0)
    assert second["retaining_path"][1] == "list of Object"
    assert second["retaining_path"][2].startswith("cache of Window")
    assert {"retaining_path[]", "classes[].name"} <= set(second["untrusted"])
    path = Path(second["folder"], second["file"])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert json.loads(path.read_bytes())["snapshot"]["node_count"] > 1000
    assert call("browser_heap", retained="No such class")["not_found"]


def test_a_snapshot_has_no_secret_of_the_page(show: Callable[[str], Call], registry: SupervisorRegistry) -> None:
    call = show(f"<h1>x</h1><script>window.kept = '{CANARY}' + '!'</script>")
    running = registry.get("default")
    assert running is not None
    running.aio.redaction.hide(CANARY)

    result = call("browser_heap")

    assert CANARY not in Path(result["folder"], result["file"]).read_text()


@pytest.mark.parametrize("name", ["nothing.heapsnapshot", "../passwd", "/etc/passwd"])
def test_an_earlier_snapshot_is_one_of_the_folder(show: Callable[[str], Call], name: str) -> None:
    result = show("<h1>x</h1>")("browser_heap", since=name)

    assert (result["error_type"], result["argument"]) == ("InvalidArgument", "since")


def test_a_large_heap_is_refused(show: Callable[[str], Call], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heap, "LARGEST", 2**10)

    assert "the page uses" in show("<h1>x</h1>")("browser_heap")["error"]


def test_a_policy_that_denies_snapshots_denies_it(registry: SupervisorRegistry, shared_chromium: SharedBrowser) -> None:
    config = Config(cdp_url=shared_chromium.empty().ws_url, call_timeout_s=20)
    call = calls(Toolbox(config, registry=registry, toolsets="all", policy=Policy(deny_methods=("HeapProfiler.*",))))

    assert call("browser_heap")["error_type"] == "Refused"


def test_the_end_of_the_supervisor_ends_the_session_of_snapshots_quietly(
    show: Callable[[str], Call], registry: SupervisorRegistry, caplog: pytest.LogCaptureFixture
) -> None:
    assert show("<h1>x</h1>")("browser_heap")["success"]
    running = registry.get("default")
    assert running is not None
    session = heap.SESSIONS[running.aio]
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
    heap.SESSIONS.clear()
    gc.collect()

    assert [record.getMessage() for record in caplog.records if record.name == "asyncio"] == []


def test_a_crashed_page_is_an_error(show: Callable[[str], Call]) -> None:
    call = show("<h1>x</h1>")
    call("browser_cdp", method="Page.crash")

    assert call("browser_heap")["error_type"] == "TargetCrashed"
