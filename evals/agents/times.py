"""How long each server takes for single actions, and how many characters its results have.

Three Chromiums are launched alike, and each server is connected to one of them. The servers play each row in turns, and
each turn begins with another server. Opening the page and the snapshot for the refs are not timed. The page notes when
the action has done its work, and a judge asks for that moment over a separate connection. If the moment never comes, or
comes after the server's answer, the row has failed.

Each row is one call, except for the alert, which takes a click and its answer. `HANDS` names the tools: `type` of
chrome-devtools-mcp is its tool `fill`. No call asks for a snapshot. Before its first call, a server has listed its
tools. A page has a script only if its row needs one, because our server gives a page with a script more time.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks import table
from evals.agents.devtools_hands import DevToolsHands
from evals.agents.mcp_servers import NO_UPDATE_CHECKS, devtools_command, our_command, peers, playwright_command
from evals.agents.playwright_hands import PlaywrightHands
from evals.agents.stdio_client import StdioClient
from evals.tasks.desk import until
from evals.tasks.hands import Hands, NotOnPage, ToolFailed
from evals.tasks.our_hands import OurHands
from evals.tasks.raw_cdp import RawBrowser
from tests.support.browsers import launched
from tests.support.servers.sites import Request, Sites

ROUNDS = 9
_ICON = "<!doctype html><link rel=icon href=data:,>"
_DONE = "<script>const done = () => { window.doneAt ??= Date.now() }</script>"
_FRAME = "<iframe src=$other/frame></iframe>"
_IN_FRAME = """<button onclick="parent.postMessage(1, '*')">Buy</button>"""
_FORM = """<form oninput="if ([...this].map(each => each.checked || each.value) == 'Ann,Bern,a@b.c,true,red') done()">
<label>Name <input></label><label>City <input></label><label>Mail <input></label>
<label>Gift <input type=checkbox></label><label>Color <select><option>blue<option>red</select></label></form>"""
_FIELDS = ("Name", "textbox"), ("City", "textbox"), ("Mail", "textbox"), ("Gift", "checkbox"), ("Color", "combobox")
_VALUES = ("text", "Ann"), ("text", "Bern"), ("text", "a@b.c"), ("check", "true"), ("select", "red")
_TYPED = "<label>Name <input oninput=\"if (value == 'Ann Example') done()\"></label>"
_FETCH = "fetch('/slow').then(answer => answer.text()).then(text => { state.textContent = text; done() })"
_LATER = "setTimeout(() => { state.textContent = 'bought'; done() }, 200)"


@dataclass(frozen=True)
class Row:
    """A page and an action. If the action needs refs of elements, the page calls `done` when it has done its work."""

    html: str
    act: Callable[[Hands, Sequence[str]], object] | None = None
    """The action, with the refs. None: opening the page."""
    elements: Sequence[tuple[str, str]] = ()
    """Their names and roles."""


def _button(script: str) -> str:
    return f'<button onclick="{script}">Buy</button><p id=state>nothing</p>'


def _click(html: str) -> Row:
    return Row(html, lambda hands, refs: hands.click(refs[0]), [("Buy", "button")])


def _alert(hands: Hands, refs: Sequence[str]) -> None:
    hands.click(refs[0])
    hands.answer(accept=True)


def _snapshot(count: int) -> Row:
    rows = (f"<tr><td>Item {number}<td>${number}<td><button>Buy {number}</button>" for number in range(1, count + 1))
    return Row(f"<table>{''.join(rows)}</table>", lambda hands, _: hands.snapshot().ref("Buy 1", "button"))


INITIALIZE, FIRST = "initialize", "navigate, the server's first call"
ROWS: Mapping[str, Row] = {
    FIRST: Row(_button("")),
    "navigate, small page": Row(_button("")),
    "navigate, small page with a script": Row(_button("") + "<script>state.textContent = 'built'</script>"),
    "navigate, four frames of another site": Row(4 * _FRAME),
    "click, nothing follows": _click(_button("done()")),
    "click that fetches, 50 ms": _click(_button(_FETCH)),
    "click, the page changes 200 ms later": _click(_button(_LATER)),
    "click in a frame of another site": _click(f"<script>onmessage = done</script>{_FRAME}"),
    "type": Row(_TYPED, lambda hands, refs: hands.type(refs[0], "Ann Example"), [("Name", "textbox")]),
    "fill of five fields": Row(_FORM, lambda hands, refs: hands.fill(dict(zip(refs, _VALUES, strict=True))), _FIELDS),
    "snapshot of 300 rows": _snapshot(300),
    "snapshot of 3,000 rows": _snapshot(3000),
    "click that opens an alert, and its answer": Row(_button("alert('Bought'); done()"), _alert, [("Buy", "button")]),
}


@dataclass(frozen=True)
class Sample:
    """One play of a row by one server."""

    seconds: float = 0
    characters: int = 0
    failure: str = ""


STARTS: Mapping[str, Callable[[str, Path], StdioClient]] = {
    OurHands.name: lambda browser, _: StdioClient(our_command(browser), Path.cwd(), {"PYTHONDONTWRITEBYTECODE": ""}),
    PlaywrightHands.name: lambda browser, folder: StdioClient(playwright_command("--cdp-endpoint", browser), folder),
    DevToolsHands.name: lambda browser, folder: StdioClient(
        devtools_command("--wsEndpoint", browser), folder, NO_UPDATE_CHECKS
    ),
}
"""`start(browser_url, folder)` -> a server that uses this browser. Python keeps what it compiles."""
HANDS: Mapping[str, Callable[[StdioClient], Hands]] = {
    OurHands.name: lambda client: OurHands(client.call, frozenset(client.tools())),
    PlaywrightHands.name: PlaywrightHands,
    DevToolsHands.name: DevToolsHands,
}


def report(rounds: int = ROUNDS) -> str:
    """Play all rows, and return the table."""
    names = list(STARTS) if peers().is_dir() else [OurHands.name]
    played = {row: {name: list[Sample]() for name in names} for row in (INITIALIZE, *ROWS)}
    turns = [(turn, names[(turn + place) % len(names)]) for turn in range(rounds) for place in range(len(names))]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sites = stack.enter_context(Sites({"/slow": _slow, "/frame": _IN_FRAME, "/before": "before"}))
        browsers = {name: stack.enter_context(launched()).ws_url for name in names}
        judges = {name: stack.enter_context(RawBrowser(url)) for name, url in browsers.items()}
        for number, row in enumerate(ROWS.values()):
            html = _ICON + (_DONE if row.elements else "") + row.html.replace("$other", sites.remote(""))
            sites.pages[f"/{number}"] = html
        for turn, name in turns:
            began = time.perf_counter()
            with STARTS[name](browsers[name], folder) as client:
                played[INITIALIZE][name].append(Sample(time.perf_counter() - began, len(json.dumps(client.greeting))))
                client.tools()
                url = sites.local(f"/{list(ROWS).index(FIRST)}?{turn}")
                played[FIRST][name].append(_play(ROWS[FIRST], HANDS[name](client), judges[name], url))
        hands = {name: HANDS[name](stack.enter_context(STARTS[name](browsers[name], folder))) for name in names}
        for number, title in enumerate(ROWS):
            for turn, name in turns if title != FIRST else ():
                url = sites.local(f"/{number}?{turn}")
                opened = sites.local("/before") if ROWS[title].act is None else url
                played[title][name].append(_play(ROWS[title], hands[name], judges[name], url, opened))
    return render(played)


def _play(row: Row, hands: Hands, judge: RawBrowser, url: str, opened: str = "") -> Sample:
    """Play a row on its page at `url`, after opening another address if one is given."""
    try:
        if opened:
            hands.navigate(opened)
        refs = [hands.look().ref(*each) for each in row.elements]
        hands.begin()
        if row.act is not None:
            row.act(hands, refs)
        else:
            hands.navigate(url)
    except (ToolFailed, NotOnPage) as error:
        return Sample(failure=str(error))
    answered = time.time() * 1000
    moment = "window.doneAt" if row.elements else "performance.timing.loadEventEnd"
    if not until(lambda: judge.is_true(url, moment)):
        return Sample(failure="not done")
    if judge.is_true(url, f"{moment} > {answered}"):
        return Sample(failure="done only after the answer")
    return Sample(sum(map(sum, hands.usage.seconds.values())), hands.usage.characters)


def render(played: Mapping[str, Mapping[str, Sequence[Sample]]]) -> str:
    """Return the table of the samples of each row and server, with the reasons of failures."""
    failed = [
        f"{title}: {name}: {' '.join(sample.failure.split())[:160]}"
        for title, by_name in played.items() for name, samples in by_name.items() for sample in samples
        if sample.failure
    ]  # fmt: skip
    title = "medians: milliseconds until the answer (characters of the result)"
    lines = [_line(row, by_name) for row, by_name in played.items()]
    return "\n".join([table.render(title, ("", *played[INITIALIZE], "quickest"), lines), *dict.fromkeys(failed)])


def _line(row: str, by_name: Mapping[str, Sequence[Sample]]) -> tuple[str, ...]:
    done = {name: samples for name, samples in by_name.items() if not any(each.failure for each in samples)}
    seconds = {name: statistics.median(each.seconds for each in samples) for name, samples in done.items()}
    characters = {name: statistics.median_low(each.characters for each in samples) for name, samples in done.items()}
    cells = [f"{seconds[name] * 1000:.0f} ({characters[name]:,})" if name in done else "failed" for name in by_name]
    return row, *cells, min(seconds, key=seconds.__getitem__, default="")


def _slow(_: Request) -> str:
    time.sleep(0.05)  # the delay is what is measured
    return "slow"
