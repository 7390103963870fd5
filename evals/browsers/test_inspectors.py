"""Node and Deno: an inspector that evaluates, and no pages."""

from __future__ import annotations

from evals.browsers.asking import call, refusal
from evals.browsers.starting import Started


def test_the_command_line_works_there(inspector: Started) -> None:
    assert '"value": 42' in call(inspector.ws_url, "6 * 7")


def test_a_supervisor_says_that_there_are_no_pages(inspector: Started) -> None:
    assert "page" in refusal(inspector.ws_url)
