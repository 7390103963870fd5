"""A report of hostile texts in a real browser: nothing of it is run, nothing is fetched."""

from __future__ import annotations

from pathlib import Path

import pytest

from cdp_typed import connect_sync
from cdp_typed.helpers.blocking import goto, js, press
from cdp_typed.protocol import log, network, page, runtime
from supervisor.addons.report import report_html, report_of
from supervisor.core.vocabulary import inputs
from tests.support.core.play import PAGE, TOP, evaluate, frame, on, opening
from tests.support.core.recordings import READY, write_recording
from tests.support.hostile_texts import TEXTS
from tests.support.stages.stages import Stage

pytestmark = pytest.mark.parametrize("stage", ["chromium"], indirect=True)

RUNS = "alert('PWNED'); document.title = 'PWNED'"
MARKUP = (
    f"</script><script>{RUNS}</script>",
    f'<img src="http://evil.test/" onerror="{RUNS}">',
    f'<svg onload="{RUNS}">',
    f"javascript:{RUNS}",
    f'"><iframe srcdoc="<script>{RUNS}</script>">',
    "<base href='http://evil.test/'><style>@import 'http://evil.test/'</style>",
    "{{data}}{{script}}{{title}}",
)


SHOWN = """
(async () => {
  while (!document.querySelector("#findings").children.length) await new Promise(requestAnimationFrame);
  return document.querySelector("#findings").children.length;
})()
"""
"""The number of findings in the summary, once they are there."""


def hostile() -> list[inputs.Input]:
    """Everything that a page or an agent writes is hostile."""
    received: list[inputs.Input] = [*READY]
    for number, text in enumerate([*MARKUP, *TEXTS, "x" * 1_000_000]):
        document = frame(TOP, text, name=text, loader=f"loader-{number}")
        received.append(on(PAGE, page.FrameNavigated(frame=document, type="Navigation")))
        received.append(evaluate(text, call=f"c-{number}"))
        said = (runtime.RemoteObject(type="string", value=text),)
        context, now = runtime.ExecutionContextId(1), runtime.Timestamp(number)
        received.append(
            on(PAGE, runtime.ConsoleAPICalled(type="error", args=said, execution_context_id=context, timestamp=now))
        )
        received.append(opening(text, "confirm"))
    return received


def test_nothing_of_a_hostile_recording_is_run(stage: Stage, tmp_path: Path) -> None:
    recording = write_recording(tmp_path / "flight.jsonl", hostile())
    report = report_of(recording, title=f"</title><script>{RUNS}</script>")
    (tmp_path / "report.html").write_text(report_html(report), "utf-8")
    happened: list[object] = []
    with connect_sync(stage.cdp_url) as browser, browser.new_page() as tab:
        for command in (page.Enable(), runtime.Enable(), log.Enable(), network.Enable()):
            tab.send(command)
        kinds = (page.JavascriptDialogOpening, runtime.ExceptionThrown, log.EntryAdded, network.RequestWillBeSent)
        tab.listen(lambda _, event: happened.append(event), *kinds)

        goto(tab, (tmp_path / "report.html").as_uri())
        findings = js(tab, SHOWN)
        for key in ("End", *["ArrowLeft"] * 20, "Home"):
            press(tab, key)
        title = js(tab, "new Promise(requestAnimationFrame).then(() => document.title)")

    assert title != "PWNED"
    assert findings > 0
    requests = [one.request.url for one in happened if isinstance(one, network.RequestWillBeSent)]
    assert [url for url in requests if not url.startswith("data:")] == [(tmp_path / "report.html").as_uri()]
    assert [one for one in happened if not isinstance(one, network.RequestWillBeSent)] == []
    assert len(report.dialogs) == len(MARKUP) + len(TEXTS) + 1
