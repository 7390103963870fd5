"""Parts of an outline: one element, lines with a text, what changed since the last one; on real Chromium and alone."""

from __future__ import annotations

import pytest

from supervisor.tools.page.element_errors import StaleRef
from supervisor.tools.page.outline_parts import OutlineOptions, selected
from tests.support.stages.playground import Playground

PAGE = (
    '- document "Shop" url="http://shop.test/"',
    "  - list",
    '    - listitem "Tea" [ref=e1]',
    '      - button "Buy" [ref=e2]',
    '    - listitem "Cake" [ref=e3]',
    '      - button "Buy" [ref=e4]',
    '  - button "Pay" [ref=e5]',
)


def part(before: tuple[str, ...] = (), **options: object) -> tuple[str, ...]:
    return selected(PAGE, OutlineOptions(**options), before)  # type: ignore[arg-type]


def test_without_a_wish_all_of_it() -> None:
    assert part() == PAGE


def test_one_element_and_what_is_in_it() -> None:
    assert part(ref="e3") == PAGE[4:6]
    with pytest.raises(StaleRef, match="does not show it"):
        part(ref="e9")


def test_lines_with_a_text_and_what_they_are_in() -> None:
    assert part(find="cake") == (*PAGE[:2], PAGE[4])
    assert part(find="BUTTON", ref="e1") == (*PAGE[:2], *PAGE[2:4])
    assert part(find="coffee") == ()


def test_what_is_new_and_what_is_gone() -> None:
    assert part(before=PAGE, changed_only=True) == ()
    assert part(before=(*PAGE[:4], *PAGE[6:], '  - alert: "Old"'), changed_only=True) == (
        *PAGE[:2],
        *PAGE[4:6],
        'gone: - alert: "Old"',
    )


async def test_a_second_snapshot_shows_what_a_script_changed(ground: Playground) -> None:
    await ground.open("<ul id=list><li>Tea</ul><button>Pay</button>")
    await ground.text()
    await ground.value("list.innerHTML = '<li>Tea<li>Cake'; document.querySelector('button').disabled = true")

    seen = (await ground.text(changed_only=True)).splitlines()

    assert [line.strip().partition(" [ref")[0] for line in seen[1:]] == [
        "- list",
        '- listitem: "Cake"',
        '- button "Pay"',
        'gone: - button "Pay"',
    ]
    assert await ground.text(changed_only=True) == ""
