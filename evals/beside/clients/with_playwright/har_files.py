"""Playwright records or replays a HAR file; usage: har_files record|replay CHROMIUM HAR URL SCRIPT.

It prints what the script returns in the page, as JSON. It runs in the environment of `make beside`.
"""

from __future__ import annotations

import json
import sys

from playwright.sync_api import sync_playwright


def main() -> None:
    action, chromium, har, url, script = sys.argv[1:]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        context = browser.new_context(record_har_path=har) if action == "record" else browser.new_context()
        if action == "replay":
            context.route_from_har(har)
        page = context.new_page()
        page.goto(url)
        sys.stdout.write(json.dumps(page.evaluate(script)))
        context.close()
        browser.close()


main()
