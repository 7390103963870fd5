"""pydoll does the flow; usage: play_pydoll.py HTTP_ADDRESS PAGE."""

from __future__ import annotations

import asyncio
import json
import sys
import urllib.request
from typing import Any

from pydoll.browser import Chrome
from pydoll.protocol.page.events import PageEvent


async def main(http: str, url: str) -> None:
    with urllib.request.urlopen(f"{http}/json/version") as response:  # noqa: ASYNC210  nothing else runs yet
        address = json.load(response)["webSocketDebuggerUrl"]
    browser = Chrome()
    await browser.connect(address)
    tab = await browser.new_tab()
    dialogs: list[list[str]] = []

    async def answer(event: Any) -> None:
        dialogs.append([event["params"]["type"], event["params"]["message"]])
        await tab.handle_dialog(accept=True, prompt_text="Ada")

    async def evaluate(script: str) -> Any:
        reply: Any = await tab.execute_script(script)
        return reply["result"]["result"].get("value")

    await tab.enable_page_events()
    await tab.on(PageEvent.JAVASCRIPT_DIALOG_OPENING, answer)
    await tab.go_to(url)
    seen = {
        "title": await tab.title(),
        "value": await evaluate("return 6 * 7"),
        "answer": await evaluate("return prompt('Name?')"),
        "dialogs": dialogs,
    }
    await tab.close()
    await browser.close()
    print(json.dumps(seen))


asyncio.run(main(*sys.argv[1:]))
