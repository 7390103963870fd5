"""A second report beside the first, embedded or dropped on the page, in a real Chromium."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from supervisor.addons.report import Report, first_difference
from supervisor.addons.report.html import report_html, report_json
from tests.supervisor.addons.report.viewer.conftest import Viewed
from tests.supervisor.addons.report.viewer.flights import short_flight
from tests.support.hostile_texts import MARK, TEXTS

pytestmark = pytest.mark.thorough

_DROP = """async (name, text) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  const event = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
  return event.defaultPrevented;
}"""

SHOWN = "!document.getElementById('view-beside').hidden"
REFUSED = "document.querySelector('#notes').textContent.includes('cannot be compared')"


def failing_at(report: Report, place: int) -> Report:
    """The same flight, but one action came out another way, with texts that a page wrote."""
    actions = list(report.actions)
    status = "failed" if actions[place].status == "succeeded" else "succeeded"
    actions[place] = replace(actions[place], status=status, outcome=" ".join(TEXTS))
    return replace(report, actions=actions)


@pytest.mark.parametrize("form", [report_html, report_json])
async def test_a_dropped_report_is_shown_beside_with_the_first_difference(viewed: Viewed, form: object) -> None:
    report = short_flight()[1]
    last = len(report.actions) - 1
    other = failing_at(report, last)
    difference = first_difference(report, other)
    assert difference is not None
    await viewed.open(report)

    assert await viewed.js(_DROP, "other.html", (report_html if form is report_html else report_json)(other))
    await viewed.until(SHOWN)

    assert await viewed.texts("#difference") == [f"The first difference is action {difference.number}."]
    [one, two] = await viewed.texts(".side-action .action-outcome")
    assert one != two
    assert await viewed.texts("#other-rows [aria-selected=true] .nr") == [str(last + 1)]
    assert MARK in two
    assert not {"\n", "\x1b", "\u202e"} & set(two)
    await viewed.js("document.querySelector('#one-rows .row').click()")
    assert (await viewed.texts("#other-action h3"))[0].startswith("1 · ")


async def test_a_flight_that_did_less_has_no_such_action(viewed: Viewed) -> None:
    report = short_flight()[1]
    await viewed.open(report, against=replace(report, actions=report.actions[:1]))

    assert await viewed.texts("#difference") == ["The first difference is action 2."]
    assert await viewed.texts("#other-action p") == ["This flight has no action 2."]


async def test_the_same_flight_twice_has_no_difference(viewed: Viewed) -> None:
    report = short_flight()[1]
    await viewed.open(report, against=report)

    assert (await viewed.texts("#difference"))[0].startswith("No difference")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"settings": {}}\n{"input": 1}\n', 'it is no report. "cdp-agent report" makes a report of a recording'),
        ("<p>a page of somebody else</p>", "it is no report"),
        (json.dumps({"format": 1}), "its data has the format 1"),
        (json.dumps({"format": 2}), "Cannot read properties"),
    ],
)
async def test_another_file_is_refused_in_a_sentence(viewed: Viewed, text: str, reason: str) -> None:
    await viewed.open(short_flight()[1], "")

    await viewed.js(_DROP, "flight.jsonl", text)
    await viewed.until(REFUSED)

    notes = await viewed.texts("#notes li:last-child")
    assert notes[0].startswith("flight.jsonl cannot be compared: ")
    assert reason in notes[0]
    assert not await viewed.js(SHOWN)
