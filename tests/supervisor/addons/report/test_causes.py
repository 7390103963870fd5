"""The agent's actions, and one cause for all that failed because of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from cdp_typed.protocol import inspector, runtime
from supervisor.addons.report import Report, model, report_of
from supervisor.addons.report.story.actions import actions_of
from supervisor.addons.report.story.causes import causes_of
from supervisor.addons.report.story.phrases import phrase_of_tool
from supervisor.core.vocabulary import inputs, timers
from tests.supervisor.addons.report.viewer.flights import SHOP, short_flight
from tests.support.core.play import (
    ALL_ANNOUNCED,
    INNER,
    OOPIF,
    PAGE,
    TOP,
    attached,
    closed,
    detached,
    evaluate,
    on,
    oopif_comes,
    opening,
)
from tests.support.core.recordings import READY, write_recording


def reported(folder: Path, *received: inputs.Input) -> Report:
    return report_of(write_recording(folder / "flight.jsonl", [*READY, *received]))


def tool(
    name: str, time: float, end: float, *, fails: bool = False, arguments: str = "{}", text: str = "said\nmore"
) -> model.ToolSpan:
    more: dict[str, Any] = {"page": SHOP, "input": 1, "end_input": 2, "text": text}
    return model.ToolSpan(name=name, arguments=arguments, time=time, end=end, is_error=fails, **more)


def test_calls_that_one_dialog_blocks_are_one_cause(tmp_path: Path) -> None:
    report = reported(tmp_path, opening("Sure?"), *(evaluate(f"{n}", call=f"c-{n}") for n in range(1, 6)), closed())

    (item,) = report.summary.items
    assert (item.kind, item.severity, item.action, item.later) == ("dialog", "error", 1, [2, 3, 4, 5])
    assert item.text.endswith("Run 1 failed because of it. 4 later actions failed because of it.")


LOST = inputs.Disconnected("gone")
CLEARED = on(PAGE, runtime.ExecutionContextsCleared())
HANGS = [inputs.TimerFired(timer) for timer in (timers.HangCheck("call"), timers.HangDeadline(PAGE))]


@pytest.mark.parametrize(
    ("received", "obstacles"),
    [
        ([*oopif_comes(), detached(OOPIF, PAGE), evaluate(frame_id=INNER)], ["frame moving"]),
        ([LOST, evaluate()], ["reconnecting"]),
        (
            [
                *oopif_comes(),
                LOST,
                inputs.Connected("this"),
                attached("new", TOP),
                ALL_ANNOUNCED,
                evaluate(frame_id=INNER),
            ],
            ["reconnecting"],
        ),
        ([CLEARED, evaluate()], ["document loading"]),
        ([CLEARED, evaluate(), opening()], ["document loading", "d-1"]),
        ([evaluate(), *HANGS], ["unresponsive"]),
    ],
)
def test_a_call_tells_what_delayed_it(tmp_path: Path, received: list[inputs.Input], obstacles: list[str]) -> None:
    (call,) = reported(tmp_path, *received).calls

    assert call.blocked_by == obstacles


def test_a_crash_stands_before_what_happened_earlier(tmp_path: Path) -> None:
    crash = on(PAGE, inspector.TargetCrashed())
    report = reported(tmp_path, opening("Sure?"), evaluate("1", call="c-1"), closed(), crash)

    assert [item.kind for item in report.summary.items] == ["crash", "dialog"]


@pytest.mark.parametrize(
    ("ended", "frame_id", "kind", "since"),
    [
        (99.0, TOP, "evaluate", 100.0),
        (100.0, TOP, "evaluate", 450.0),
        (500.0, TOP, "evaluate", 450.0),
        (501.0, TOP, "evaluate", 100.0),
        (300.0, INNER, "evaluate", 100.0),
        (300.0, TOP, "Page.captureScreenshot", 100.0),
    ],
)
def test_a_page_was_busy_since_a_call_that_was_given_up_unless_it_ran_a_script_later(
    ended: float, frame_id: str, kind: str, since: float
) -> None:
    _, report = short_flight()
    call = replace(report.calls[0], frame_id=TOP, error="", blocked_by=[])
    calls = [
        replace(call, time=100.0, end=400.0, outcome="abandoned"),
        replace(call, time=90.0, end=ended, outcome="succeeded", frame_id=frame_id, kind=kind),
        replace(call, time=450.0, end=600.0, outcome="failed", blocked_by=["unresponsive"]),
    ]
    busy = model.BlockerSpan(
        id="b-1", kind="unresponsive", text="", url="", page=SHOP, input=1, time=500.0, end=900.0, end_input=2
    )

    (item,) = (each for each in causes_of(replace(report, calls=calls, blockers=[busy])) if each.kind == "busy")

    assert (item.time, item.duration) == (since, 900.0 - since)


def test_internal_calls_that_fail_below_a_tool_that_succeeds_are_no_cause() -> None:
    _, report = short_flight()
    report = replace(report, dialogs=[])

    assert [call.outcome for call in report.calls] == ["failed", "succeeded"]
    assert [action.status for action in report.actions] == ["succeeded", "succeeded"]
    assert [item.kind for item in causes_of(report)] == ["reconnect"]


def test_an_action_has_its_calls_its_pictures_and_the_point_that_it_pressed() -> None:
    _, report = short_flight()
    press = '{"type": "mousePressed", "x": 120.5, "y": 40, "button": "left"}'
    pressed = [replace(report.calls[0], kind="Input.dispatchMouseEvent", arguments=press)]

    first, last = actions_of(report.tools, pressed, report.dialogs, report.pictures)

    assert (first.calls, first.before, first.after, first.point) == ([0], 0, None, [120.5, 40.0])
    assert report.dialogs[first.dialog or 0].id == "d-1"
    assert (last.calls, last.before, last.after, last.point, last.dialog) == ([], 0, 1, [], None)


def test_a_call_that_no_tool_made_is_an_action() -> None:
    _, report = short_flight()

    (first, between, last) = actions_of([tool("browser_click", 0, 10), tool("browser_snapshot", 5_000, 5_001)],
        report.calls[:1], [], [])  # fmt: skip

    assert (first.tool, between.tool, last.tool) == (0, None, 1)
    assert (between.text, between.status) == ("Run removeAll()", "failed")


def test_a_command_right_after_a_tool_is_its_own() -> None:
    _, report = short_flight()
    late = replace(report.calls[0], kind="Performance.disable", time=620.0)

    (action,) = actions_of([tool("browser_click", 0, 600)], [late], [], [])

    assert action.calls == [0]


@pytest.mark.parametrize(
    ("name", "arguments", "phrase"),
    [
        ("browser_click", '{"ref": "button \\"Save\\""}', 'Click button "Save"'),
        ("browser_type", '{"text": "x"}', "Type into the focus"),
        ("browser_wait", '{"until": "text", "value": "Paid"}', "Wait for text Paid"),
        ("browser_fill_form", '{"fields": [{"ref": "label=Name"}, {"ref": "e2"}]}', "Fill in label=Name, e2"),
        ("browser_drag", '{"ref": "{to_ref}", "to_ref": "e2"}', "Drag {to_ref} to e2"),
        ("browser_dialog", '{"action": "accept"}', "Accept the dialog"),
        ("my_tool", '{"a": 1}', 'my_tool {"a": 1}'),
        ("browser_navigate", "(not JSON)", "Open"),
    ],
)
def test_a_tool_is_told_in_words(name: str, arguments: str, phrase: str) -> None:
    assert phrase_of_tool(tool(name, 0, 1, arguments=arguments)) == phrase


def test_a_person_reads_names_in_place_of_refs_and_no_words_for_a_model() -> None:
    page = 'row "Ada" textbox "Name" [ref=e1]\n form\n  button "Say \\"e1\\"" disabled [ref=e2]'
    refused = "element 'button \"A; b\"': e2 covers it. It did nothing; scroll, then click e2"

    tools = [
        tool("browser_click", 0, 1, arguments='{"ref": "e2"}'),
        tool("browser_snapshot", 2, 3, text=page),
        tool("browser_click", 4, 5, arguments='{"ref": "e2"}', text=refused, fails=True),
        tool("browser_fill_form", 6, 7, arguments='{"fields": [{"ref": "e1"}]}', text='e1 "Ada; b"'),
    ]
    actions = actions_of(tools, [], [], [])

    assert [(action.text, action.outcome) for action in actions[:1]] == [("Click e2", "said")]
    assert [(action.text, action.outcome) for action in actions[2:]] == [
        ('Click button "Say \\"e1\\""', """element 'button "A; b"': button "Say \\"e1\\"" covers it"""),
        ('Fill in textbox "Name"', 'textbox "Name" "Ada; b"'),
    ]
