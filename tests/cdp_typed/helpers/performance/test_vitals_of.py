"""Vitals computed from the performance timeline of a document, without a browser."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.helpers.shared.performance.timeline import (
    Drawn,
    Happened,
    Loaded,
    Painted,
    PerformanceTimeline,
    Ran,
    Shifted,
)
from cdp_typed.helpers.shared.performance.vitals import HostUse, LargestPaint, rating
from cdp_typed.helpers.shared.performance.vitals_of import vitals_of


def timeline(**entries: object) -> PerformanceTimeline:
    """A document of which the browser kept these entries."""
    fields: dict[str, Any] = {"url": "http://a.test/", "host": "a.test", "origin": 0.0, "was_hidden": False, **entries}
    return PerformanceTimeline(**fields)


def loaded(url: str, host: str, *, size: float = 100, start: float = 10, end: float = 30) -> Loaded:
    return Loaded(url, host, start=start, request=start + 5, end=end, blocking=False, size=size, body=size)


def click(number: int, duration: float, *, start: float = 0.0) -> Happened:
    return Happened("click", number, f"b{number}", start, duration, start + 2, start + duration - 3)


def test_layout_shifts_count_as_the_largest_session() -> None:
    shifts = [
        Shifted(0.1, 0, input=False),
        Shifted(0.1, 900, input=False),
        Shifted(0.7, 950, input=True),
        Shifted(0.15, 5_000, input=False),
        *(Shifted(0.05, 10_000 + 900 * number, input=False) for number in range(7)),
    ]

    vitals = vitals_of(timeline(shifts=tuple(shifts)))

    assert vitals.cls == 0.3
    assert vitals_of(timeline(unsupported=("layout-shift",))).cls is None
    assert [shift.score for shift in vitals.shifts] == [0.15, 0.1, 0.1, 0.05, 0.05]


def test_the_slowest_interaction_counts_without_one_of_fifty() -> None:
    events = tuple(click(number, 200 + number) for number in range(1, 4))

    few = vitals_of(timeline(events=events, interactions=49))
    many = vitals_of(timeline(events=events, interactions=100))

    assert (few.inp_ms, few.slowest and few.slowest.target) == (203, "b3")
    assert (many.inp_ms, many.interactions) == (201, 100)


def test_an_interaction_is_the_events_that_ended_with_the_same_paint() -> None:
    events = (
        Happened("pointerdown", 7, "", 100, 40, 101, 102),
        Happened("pointerup", 7, "", 300, 160, 301, 302),
        Happened("click", 7, "button#b", 300, 160, 302, 450),
    )

    slowest = vitals_of(timeline(events=events)).slowest

    assert slowest is not None
    assert (slowest.type, slowest.target, slowest.duration_ms) == ("click", "button#b", 160)
    assert (slowest.input_delay_ms, slowest.processing_ms, slowest.presentation_ms) == (1, 149, 10)


def test_interactions_that_the_browser_did_not_keep_are_not_guessed() -> None:
    short = vitals_of(timeline(events=(click(1, 16),), interactions=3))
    alone = vitals_of(timeline(events=(click(1, 16),), interactions=1))

    assert short.inp_ms is None
    assert short.unknown == [
        "inp: those that count were shorter than 104 ms, which the browser does not keep, or are not painted yet"
    ]
    assert (alone.inp_ms, alone.ratings["inp"], alone.unknown) == (16, "good", [])


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        ({"was_hidden": True}, "lcp: the page was hidden, and nothing is measured from then on"),
        ({"fcp": 20.0}, "lcp: the document was painted, but the browser has reported no largest paint"),
        ({"unsupported": ("event", "paint")}, "this browser does not measure interactions"),
        ({"dropped": {"layout-shift": 3}}, "3 entries of the type layout-shift were not kept"),
    ],
)
def test_each_gap_is_named(entries: dict[str, object], sentence: str) -> None:
    assert vitals_of(timeline(**entries)).unknown == [sentence]


def test_the_time_of_an_image_has_four_parts() -> None:
    image = loaded("http://a.test/i.png", "a.test", start=90, end=400)

    vitals = vitals_of(
        timeline(response=50.0, paint=Painted("img#hero", "http://a.test/i.png", 450.0), resources=(image,))
    )

    assert vitals.lcp == LargestPaint(
        element="img#hero", url="http://a.test/i.png", wait_ms=50, load_delay_ms=45, load_ms=305, render_ms=50
    )
    assert (vitals.lcp_ms, vitals.ttfb_ms) == (450, 50)


def test_the_times_of_a_prerendered_page_begin_when_it_is_shown() -> None:
    image = loaded("http://a.test/i.png", "a.test", start=90, end=400)

    vitals = vitals_of(
        timeline(origin=1000.0, response=50.0, paint=Painted("img", image.url, 1020.0), resources=(image,))
    )

    assert (vitals.ttfb_ms, vitals.lcp_ms) == (0, 20)
    assert vitals.lcp == LargestPaint(element="img", url=image.url, wait_ms=0, load_delay_ms=0, load_ms=0, render_ms=20)


def test_other_hosts_have_their_requests_and_their_scripts() -> None:
    frame = Drawn(
        0, 90, 40, (Ran("https://x:y@ads.test/a.js", "f", "", 80, 5), Ran("http://a.test/own.js", "", "", 9, 0))
    )
    resources = (
        loaded("http://a.test/own.js", "a.test"),
        loaded("https://ads.test/a.js", "ads.test", size=700),
        loaded("https://ads.test/pixel", "ads.test", size=0),
        loaded("https://cdn.test/font", "cdn.test"),
    )

    vitals = vitals_of(timeline(resources=resources, frames=(frame,)))

    assert vitals.other_hosts == [
        HostUse(host="ads.test", requests=2, size=700, unknown_sizes=1, script_ms=80),
        HostUse(host="cdn.test", requests=1, size=100),
    ]
    assert vitals.blocking_ms == 40


@pytest.mark.parametrize(
    ("metric", "value", "expected"),
    [("lcp", 2500, "good"), ("lcp", 4000, "needs improvement"), ("lcp", 4001, "poor"), ("cls", 0.26, "poor")],
)
def test_ratings_are_those_of_the_thresholds(metric: str, value: float, expected: str) -> None:
    assert rating(metric, value) == expected
