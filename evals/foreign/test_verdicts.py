"""The verdicts on steps of foreign clients, and their table; `make foreign` plays the clients."""

from __future__ import annotations

import datetime
import sys
from pathlib import Path

import pytest

from evals.foreign.playing import CLIENTS, Installed, Step, why_left_out
from evals.foreign.report import DOCUMENT, table
from evals.foreign.verdicts import Verdict, verdicts

REFUSED = "MockError: cdp_typed.mock does not know this: Array"
VALUE, ERROR = Step("s", value=42), Step("s", error="no such element")


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        (VALUE, VALUE, "agrees"),
        (Step("s", error="not found"), ERROR, "agrees"),
        (Step("s", hangs=True), Step("s", hangs=True), "agrees"),
        (Step("s", error=REFUSED), VALUE, "refused"),
        (Step("s", error="it did not work", refusals=(REFUSED,)), VALUE, "refused"),
        (Step("s", refusals=(REFUSED,)), VALUE, "unheard"),
        (Step("s", error="it did not work"), VALUE, "unclear"),
        (Step("s"), VALUE, "lies"),
        (VALUE, ERROR, "lies"),
        (Step("s", hangs=True, refusals=(REFUSED,)), VALUE, "hangs"),
    ],
)
def test_a_step_agrees_or_is_refused_and_all_else_is_bad(ours: Step, theirs: Step, expected: Verdict) -> None:
    assert verdicts({"s": ours}, {"s": theirs}) == {"s": expected}


def test_a_step_that_was_not_played_is_missing() -> None:
    assert verdicts({}, {"s": VALUE}) == {"s": "missing"}


def test_the_table_names_what_is_refused_and_what_is_wrong() -> None:
    steps: dict[str, Verdict] = {"goto": "agrees", "pdf": "refused", "find": "unheard", "title": "lies"}

    assert table({"A": steps, "B": "not installed"}, datetime.date(2026, 11, 22)).splitlines()[5:] == [
        "| A | 4 | 1 | 2 | pdf; find (the client does not say so); **lies**: title |",
        "| B | not installed | | | |",
        "",
    ]


def test_the_manual_has_a_row_for_each_client() -> None:
    written = DOCUMENT.read_text("utf-8").partition("<!-- foreign:")[2].partition("<!-- end of foreign -->")[0]

    assert [name for name in CLIENTS if f"| {name} |" not in written] == []
    assert "**" not in written


def test_a_client_is_left_out_for_a_reason_that_is_told() -> None:
    python = Path(sys.executable)
    on_debian_12 = Installed(python, Path("packages"), (18, 20, 4), Path("absent"), None)

    assert {client: why for client in CLIENTS if (why := why_left_out(client, on_debian_12))} == {
        "chromedriver": "not installed",
        "browser-use": "not installed",
        "chrome-devtools-mcp": "needs Node 20.19",
        "@playwright/mcp": "needs Node 20.19",
    }
