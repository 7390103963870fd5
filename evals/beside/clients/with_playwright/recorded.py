"""Plays a recorded test for Playwright's `page`: `python recorded.py BROWSER FILE`. It needs nothing but Playwright."""

from __future__ import annotations

import runpy
import sys

from playwright.sync_api import sync_playwright  # type: ignore[import-not-found]  # in .venv/foreign only


def main(executable: str, path: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(20_000)
        (test,) = (value for name, value in runpy.run_path(path).items() if name.startswith("test_"))
        test(page)
        browser.close()


main(*sys.argv[1:])
