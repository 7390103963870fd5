"""What we compute from a heap snapshot is what chrome-devtools-mcp computes from the same file (`make beside`)."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from cdp_typed import SyncSession, connect_sync
from cdp_typed.helpers import blocking
from cdp_typed.helpers.shared.performance.heap.heap_graph import HeapGraph
from cdp_typed.helpers.shared.performance.heap.heap_values import HeapClass
from cdp_typed.protocol import runtime
from evals.agents.mcp_servers import FOR_NODE_20
from tests.support.browsers import launched
from tests.support.servers.sites import Sites

PACKAGE = Path(os.environ.get("CDP_TYPED_AGENTS", "nowhere"), "node_modules", "chrome-devtools-mcp").absolute()
LIBRARIES = Path(os.environ.get("CDP_TYPED_LIBRARIES", "nowhere"), "node_modules").absolute()
pytestmark = [
    pytest.mark.chromium,
    pytest.mark.thorough,
    pytest.mark.timeout(300),
    pytest.mark.skipif(not (PACKAGE.is_dir() and LIBRARIES.is_dir()), reason="`make beside` installs the packages"),
]
PROGRAM = Path(__file__).parent / "clients" / "heap_figures.mjs"

GRID = """<div id=grid style="height: 500px"></div>
<script src=/node_modules/ag-grid-community/dist/ag-grid-community.js></script><script>
const rows = Array.from({length: 3000}, (_, i) => ({id: i, name: 'row ' + i, tags: ['a' + i % 7, 'b']}));
agGrid.createGrid(document.getElementById('grid'), {columnDefs: [{field: 'id'}, {field: 'name'}], rowData: rows});
window.lost = Array.from({length: 50}, () => {
  const each = document.createElement('div');
  each.append(document.createElement('span'));
  return each;
});
window.keys = rows.slice(0, 100);
window.kept = new WeakMap(keys.map(key => [key, {of: key.id}]));
window.ready = true;
function more() { window.added = Array.from({length: 400}, (_, i) => ({id: i, text: `text ${i}`})); rows.length = 1 }
</script>"""
REACT = """<div id=root></div><script src=/node_modules/react/umd/react.development.js></script>
<script src=/node_modules/react-dom/umd/react-dom.development.js></script><script>
const {createElement: h, useState} = React;
function Row({i}) { const [s] = useState('s' + i); return h('li', {onClick: () => console.log(s)}, 'row ', i) }
const root = ReactDOM.createRoot(document.getElementById('root'));
const show = count => root.render(h('ul', null, Array.from({length: count}, (_, i) => h(Row, {i, key: i}))));
show(500);
console.log({kept: 'by the console'});
setTimeout(() => { window.ready = true }, 500);
function more() { show(700); addEventListener('x', () => root) }
</script>"""
MONACO = """<div id=editor style="height: 500px"></div>
<script src=/node_modules/monaco-editor/min/vs/loader.js></script><script>
require.config({paths: {vs: '/node_modules/monaco-editor/min/vs'}});
require(['vs/editor/editor.main'], () => {
  const value = Array(300).fill('const text = "a text";').join('\\n');
  window.editor = monaco.editor.create(document.getElementById('editor'), {value, language: 'javascript'});
  window.ready = true;
});
function more() { editor.setValue('let other = 1;') }
</script>"""
PAGES = {"ag-Grid": GRID, "React": REACT, "Monaco": MONACO}


def run(tab: SyncSession, script: str) -> object:
    reply = tab.send(runtime.Evaluate(expression=script, await_promise=True, return_by_value=True))
    assert reply.exception_details is None
    return reply.result.value


def snapshots(html: str, folder: Path) -> tuple[Path, Path]:
    """Two snapshots of a page, between which it has done more."""
    earlier, later = folder / "earlier.heapsnapshot", folder / "later.heapsnapshot"
    ready = "new Promise(done => { const each = () => window.ready ? done(1) : setTimeout(each, 50); each() })"
    with (
        Sites({"/": html}, folders={"/node_modules/": LIBRARIES}) as sites,
        launched() as browser,
        connect_sync(browser.ws_url) as connection,
        connection.new_page() as tab,
    ):
        blocking.goto(tab, sites.local("/"))
        run(tab, ready)
        earlier.write_bytes(blocking.heap_snapshot(tab))
        run(tab, "void more()")
        later.write_bytes(blocking.heap_snapshot(tab))
    return earlier, later


def theirs(earlier: Path, later: Path) -> Any:
    added, out = later.with_name("for_node_20.mjs"), later.with_name("figures.json")
    added.write_text(FOR_NODE_20)
    command = ["node", f"--import={added}", str(PROGRAM), str(PACKAGE), str(out), str(earlier), str(later)]
    environment = {**os.environ, "NODE_OPTIONS": f"--import={added}"}
    played = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=200)
    assert out.exists(), played.stderr[-2000:]
    return json.loads(out.read_text())


def shown(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:100]}…"


def rows(found: Iterable[HeapClass]) -> list[tuple[object, ...]]:
    return sorted((each.name, each.count, each.size) for each in found)


def named(found: Iterable[list[Any]]) -> list[tuple[Any, ...]]:
    """Their rows, whose first text is a name."""
    return sorted((shown(each[0]), *each[1:]) for each in found)


@pytest.mark.parametrize("page", PAGES)
def test_the_figures_of_a_page_are_those_of_the_developer_tools(page: str, tmp_path: Path) -> None:
    earlier, later = snapshots(PAGES[page], tmp_path)
    graph, before = HeapGraph(later.read_bytes()), HeapGraph(earlier.read_bytes())

    figures = theirs(earlier, later)

    assert rows(graph.classes()) == named(each[:3] for each in figures["classes"])
    assert sorted((each.text, each.count, each.size) for each in graph.repeated_texts()) == named(figures["strings"])
    assert sorted(
        (each.name, each.added, each.removed, each.added_size, each.removed_size)
        for each in graph.changes_since(before)
    ) == named(figures["changes"])
