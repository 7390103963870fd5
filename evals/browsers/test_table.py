"""The page says what was measured."""

from __future__ import annotations

from evals.browsers.catalogue import BROWSERS
from evals.browsers.table import PAGE, read_measured, rendered


def test_the_page_is_made_of_the_measurements() -> None:
    page = PAGE.read_text()

    assert rendered(page, read_measured()) == page


def test_every_browser_of_the_catalogue_is_measured() -> None:
    assert list(read_measured()) == list(BROWSERS)
