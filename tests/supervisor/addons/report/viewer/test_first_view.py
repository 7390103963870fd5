"""The report of a flight on which much goes wrong, at first sight: nothing overlaps, everything can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cdp_typed.protocol import emulation
from supervisor.addons.report import Report, report_of
from tests.supervisor.addons.report.viewer.conftest import Viewed
from website.checkout_flight import REPORT_SIZES, record

pytestmark = pytest.mark.thorough

_SEEN = """(() => {
  const boxes = [];
  const clip = (element) => {
    let { left, top, right, bottom } = element.getBoundingClientRect();
    for (let outer = element.parentElement; outer; outer = outer.parentElement) {
      if (getComputedStyle(outer).overflow === 'visible' || outer === document.documentElement) continue;
      const box = outer.getBoundingClientRect();
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return { left, top, right, bottom };
  };
  for (const element of document.querySelectorAll('body *')) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest('.unseen, dialog, script, style, option')) continue;
    const words = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
    if (!words.length && !element.matches('button, input, select, img, canvas')) continue;
    const box = clip(element);
    if (box.right - box.left > 1 && box.bottom - box.top > 1) boxes.push({ element, words: words.length > 0, ...box });
  }
  return boxes;
})()"""

OVERLAPS = f"""(() => {{
  const boxes = {_SEEN};
  const name = ({{ element: {{ id, className, textContent }} }}) =>
    `#${{id}}.${{className}} ${{textContent.slice(0, 40)}}`;
  const found = [];
  const pairs = boxes.flatMap((one, place) => boxes.slice(place + 1).map((two) => [one, two]));
  for (const [one, two] of pairs) {{
    if (one.element.contains(two.element) || two.element.contains(one.element)) continue;
    if ([one, two].some((box) => box.element.closest('.drawn-dialog, #lanes'))) continue;
    const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
    const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
    if (wide > 1 && high > 1) found.push(`${{name(one)}} and ${{name(two)}}`);
  }}
  return found;
}})()"""
"""Texts, buttons and pictures that lie on each other. A drawn dialog lies on the picture of its page, on purpose."""

PALE = f"""(() => {{
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {{
    const [red, green, blue] = numbers(colour).slice(0, 3).map((value) => value / 255)
      .map((value) => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }};
  const ground = (element) => {{
    for (let outer = element; outer; outer = outer.parentElement) {{
      const colour = getComputedStyle(outer).backgroundColor;
      if ((numbers(colour)[3] ?? 1) > 0) return colour;
    }}
  }};
  return {_SEEN}.filter(({{ words, element }}) => words && !element.matches(':disabled')).flatMap(({{ element }}) => {{
    const [one, two] = [light(getComputedStyle(element).color), light(ground(element))].sort((a, b) => b - a);
    const contrast = (one + 0.05) / (two + 0.05);
    return contrast < 4.5 ? [`${{element.className}} ${{element.textContent.slice(0, 30)}}: ${{contrast}}`] : [];
  }});
}})()"""
"""Texts whose contrast is less than what WCAG 2.2 asks for."""


TABS = ("action-tab-page", "action-tab-result", "action-tab-calls", "view-requests", "view-errors", "view-timeline")


@pytest.fixture(scope="module")
def flown(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The report of a flight over a real shop."""
    path: Path = tmp_path_factory.mktemp("flight") / "checkout.jsonl"
    record(path)
    return report_of(path)


def test_a_flight_is_told_by_its_actions_and_a_few_causes(flown: Report) -> None:
    counts = flown.summary.counts

    assert counts["actions"] == counts["tools"] == 45
    assert counts["failed_calls"] > 20
    items = [(item.kind, item.action) for item in flown.summary.items]
    assert [kind for kind, _ in items[:2]] == ["reconnect", "crash"]
    assert ("dialog", 6) in items
    assert ("busy", 16) in items
    assert ("failed", 21) in items
    assert len(items) <= 6


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), REPORT_SIZES)
async def test_nothing_overlaps_and_everything_can_be_read(
    flown: Report, viewed: Viewed, width: int, height: int, scheme: str
) -> None:
    preferred = emulation.MediaFeature(name="prefers-color-scheme", value=scheme)
    await viewed.tab.send(emulation.SetEmulatedMedia(features=[preferred]))
    await viewed.open(flown, "", width=width, height=height)

    for tab in ("", "view-actions", *TABS):
        if tab:
            await viewed.js("(id) => new Promise((done) => { document.getElementById(id).click();"
                            " requestAnimationFrame(() => requestAnimationFrame(done)) })", tab)  # fmt: skip
        found: list[Any] = [tab, await viewed.js(OVERLAPS), await viewed.js(PALE)]
        assert found == [tab, [], []]
        assert await viewed.js("document.documentElement.scrollWidth <= innerWidth")


async def test_the_point_of_a_click_is_marked_on_the_button(flown: Report, viewed: Viewed) -> None:
    await viewed.open(flown, "#action=6")

    assert (await viewed.texts("#action-title"))[0] == '6 · Click button "Empty the cart"'
    assert await viewed.js("document.querySelectorAll('.press').length") == 1
    assert (await viewed.texts(".drawn-dialog b")) == ["confirm is open"]
    await viewed.press("n")
    assert "blocks the page" in (await viewed.texts("#action-outcome"))[0]
    await viewed.until("location.hash === '#action=7'")


async def test_an_action_is_copied_for_a_model(flown: Report, viewed: Viewed) -> None:
    await viewed.open(flown, "#action=21")
    await viewed.js("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve() }")

    await viewed.js("document.getElementById('copy-prompt').click()")
    prompt: str = await viewed.js("copied")
    assert '21. Click button "Write the letter" -> failed' in prompt
    assert "The page as the agent read it in action 21" in prompt
    assert "- crash" not in prompt
    assert "The page crashed." in prompt


async def test_requests_stand_beside_the_console_and_errors_alone(flown: Report, viewed: Viewed) -> None:
    await viewed.open(flown, "#view=requests")
    refused = next(number for number, one in enumerate(flown.requests) if one.status == 404)

    assert len(await viewed.texts("#request-rows .row")) == len(flown.requests) > 15
    assert "voucher refused: 404" in await viewed.texts("#console-rows .label")
    await viewed.js("(number) => document.querySelectorAll('#request-rows .row')[number].click()", refused)
    facts = (await viewed.texts("#request-facts"))[0]
    assert "voucher?code=WINTER" in facts
    assert "script http://localhost" in facts
    assert "Content-Type" in facts
    await viewed.js("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve() }")
    await viewed.js("document.getElementById('copy-curl').click()")
    assert (await viewed.js("copied")).startswith("curl 'http://localhost")
    await viewed.js("document.getElementById('view-errors').click()")
    assert 'Click button "Write the letter"' in await viewed.texts("#error-rows .label")
    assert "voucher refused: 404" in await viewed.texts("#error-rows .label")
