"""pydoll; usage: HTTP_ADDRESS ORIGIN."""

from __future__ import annotations

import asyncio
import json
import sys
import urllib.request
from typing import Any

from pydoll.browser import Chrome
from pydoll.protocol.page.events import PageEvent
from steps import Step, play


async def main(http: str, origin: str) -> None:
    with urllib.request.urlopen(f"{http}/json/version") as response:  # noqa: ASYNC210  nothing else runs yet
        address = json.load(response)["webSocketDebuggerUrl"]
    browser = Chrome()
    await browser.connect(address)
    tab = await browser.new_tab()
    dialogs: list[list[str]] = []

    async def answer(event: Any) -> None:
        dialogs.append([event["params"]["type"], event["params"]["message"]])
        await tab.handle_dialog(accept=True, prompt_text="Ada")

    async def script(text: str) -> Any:
        reply: Any = await tab.execute_script(text)
        said = reply["result"]
        return said.get("exceptionDetails", {}).get("exception", said["result"]).get("value", said["result"]["type"])

    async def thrown(text: str) -> Any:
        reply: Any = await tab.execute_script(text)
        details = reply["result"].get("exceptionDetails")
        return details and details["exception"].get("description", "").partition("\n")[0]

    async def prompt() -> Any:
        await tab.enable_page_events()
        await tab.on(PageEvent.JAVASCRIPT_DIALOG_OPENING, answer)
        return [await script("return prompt('Name?')"), dialogs]

    async def cookies() -> Any:
        await tab.set_cookies([{"name": "a", "value": "1", "url": origin}])
        return sorted([cookie["name"], cookie["value"]] for cookie in await tab.get_cookies())

    async def element(selector: str) -> Any:
        found = await tab.find(id=selector, timeout=1, raise_exc=False)
        return found and await found.text

    async def source() -> Any:
        return "near" in await tab.page_source

    async def size(picture: Any) -> bool:
        return len(await picture) > 100

    async def nothing(closed: Any) -> None:
        await closed

    steps: dict[str, Step] = {
        "goto": lambda: tab.go_to(f"{origin}/"),
        "title": lambda: tab.title(),
        "url": lambda: tab.current_url(),
        "execute_script": lambda: script("return 6 * 7"),
        "execute_script, text": lambda: script("return 'a' + 'b'"),
        "execute_script that throws": lambda: thrown("throw new Error('no')"),
        "execute_script of a name that is not there": lambda: thrown("return nowhere"),
        "a variable": lambda: script("return window.total"),
        "dialog": prompt,
        "cookies": cookies,
        "find": lambda: element("near"),
        "find nothing": lambda: element("absent"),
        "query": lambda: tab.query("#absent", timeout=1, raise_exc=False),
        "page_source": lambda: source(),
        "screenshot": lambda: size(tab.take_screenshot(as_base64=True)),
        "refresh": lambda: tab.refresh(),
        "goto another page": lambda: tab.go_to(f"{origin}/second"),
        "title of another page": lambda: tab.title(),
        "goto a page that is not there": lambda: tab.go_to(f"{origin}/absent"),
        "close": lambda: nothing(tab.close()),
    }
    await play(steps)
    await asyncio.wait_for(browser.close(), 5)


asyncio.run(main(*sys.argv[1:]))
