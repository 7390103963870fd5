"""The chain of pages always ends, and says of each page what came of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.web_platform.feature import Feature
from evals.web_platform.runs import STALLS, run
from tests.support.servers.sites import Response

pytestmark = [pytest.mark.thorough, pytest.mark.chromium, pytest.mark.timeout(180)]

GOES_AWAY = "document.open(); location.href = 'gone'; await wait('the end', never)"
GONE = {"gone": "<!doctype html><title>No report comes from here.</title>"}


LIMIT_S = 0.5
LEAVING_S = 3.0
"""Enough for a page to be gone before it reports that it waits, on a busy machine, too."""


def test_what_a_page_reports_is_told(tmp_path: Path) -> None:
    features = [
        Feature("well", "same([1, {a: 'b'}], [1, {a: 'b'}])"),
        Feature("different", "same([1], [2])"),
        Feature("absent", "need(window.nothing, 'a thing that no browser has')"),
        Feature("told", "tell({seen: 1})"),
        Feature("thrown", "null.property"),
        Feature("uncaught", "setTimeout(() => { throw new Error('later') }); await never"),
        Feature("rejected", "Promise.reject(new Error('unheard')); await never"),
        Feature("prevented", "onerror = () => true; setTimeout(() => { throw 1 }); await sleep(50)"),
        Feature("endless", "await once(window, 'storage')"),
        Feature("later", "if (!step) await go(1)"),
        Feature("with_a_header", "same(crossOriginIsolated, false)", headers={"Content-Security-Policy": "img-src *"}),
        Feature("with_a_file", "same(await text('file'), 'content')", files={"file": Response("content")}),
    ]

    assert run("bare", features, tmp_path, limit_s=LIMIT_S).outcomes == {
        "well": "ok",
        "different": "saw: [1], not [2]",
        "absent": "absent: a thing that no browser has",
        "told": 'told: {"seen":1}',
        "thrown": "threw: TypeError: Cannot read properties of null (reading 'property')",
        "uncaught": "threw: Error: uncaught Uncaught Error: later",
        "rejected": "threw: Error: uncaught Error: unheard",
        "prevented": "ok",
        "endless": "timeout: waited for storage of Window",
        "later": "ok",
        "with_a_header": "ok",
        "with_a_file": "ok",
    }


def test_a_page_that_is_gone_is_told_and_the_chain_goes_on(tmp_path: Path) -> None:
    features = [Feature("gone", GOES_AWAY, files=GONE), Feature("next", "")]

    assert run("bare", features, tmp_path, limit_s=LEAVING_S).outcomes == {
        "gone": "stuck: the page neither reported nor went on",
        "next": "ok",
    }


def test_a_chain_that_comes_to_a_stop_again_and_again_is_given_up(tmp_path: Path) -> None:
    names = [f"gone_{number}" for number in range(STALLS + 2)]

    features = [Feature(name, GOES_AWAY, files=GONE) for name in names]

    outcomes = run("bare", features, tmp_path, limit_s=LEAVING_S).outcomes

    assert list(outcomes) == names[:STALLS]
