"""Saves or loads a storage state with Playwright: `python stored.py BROWSER save|load URL SCRIPT FILE`."""

from __future__ import annotations

import sys
from typing import Any

from playwright.sync_api import sync_playwright  # type: ignore[import-not-found]  # in .venv/foreign only


def main(executable: str, action: str, url: str, script: str, path: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        options: dict[str, Any] = {"storage_state": path} if action == "load" else {}
        context = browser.new_context(**options)
        page = context.new_page()
        page.goto(url)
        sys.stdout.write(page.evaluate(script))
        if action == "save":
            context.storage_state(path=path, indexed_db=True)
        browser.close()


main(*sys.argv[1:])
