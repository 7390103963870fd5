"""zendriver does the flow; usage: play_zendriver.py HTTP_ADDRESS PAGE."""

from __future__ import annotations

import asyncio
import json
import sys
from urllib.parse import urlsplit

import zendriver
from zendriver import cdp


async def main(http: str, url: str) -> None:
    address = urlsplit(http)
    browser = await zendriver.start(host=address.hostname, port=address.port)
    tab = await browser.get(url, new_tab=True)
    dialogs: list[list[str]] = []

    async def answer(event: cdp.page.JavascriptDialogOpening) -> None:
        dialogs.append([event.type_.value, event.message])
        await tab.send(cdp.page.handle_java_script_dialog(accept=True, prompt_text="Ada"))

    tab.add_handler(cdp.page.JavascriptDialogOpening, answer)
    await tab.send(cdp.page.enable())
    seen = {
        "title": await tab.evaluate("document.title"),
        "value": await tab.evaluate("6 * 7"),
        "answer": await tab.evaluate("prompt('Name?')"),
        "dialogs": dialogs,
    }
    await tab.close()
    await browser.stop()
    print(json.dumps(seen))


asyncio.run(main(*sys.argv[1:]))
