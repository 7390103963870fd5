"""cdp-use does the flow; usage: play_cdp_use.py HTTP_ADDRESS PAGE."""

from __future__ import annotations

import asyncio
import json
import sys
import urllib.request
from typing import Any

from cdp_use.client import CDPClient


async def play(client: CDPClient, url: str) -> dict[str, Any]:
    target = (await client.send.Target.createTarget({"url": "about:blank"}))["targetId"]
    session = (await client.send.Target.attachToTarget({"targetId": target, "flatten": True}))["sessionId"]
    dialogs: list[list[str]] = []
    answers: list[asyncio.Task[Any]] = []
    loaded = asyncio.Event()

    def answer(event: Any, _session: str | None) -> None:
        dialogs.append([event["type"], event["message"]])
        given = client.send.Page.handleJavaScriptDialog({"accept": True, "promptText": "Ada"}, session)
        answers.append(asyncio.create_task(given))

    async def evaluate(expression: str) -> Any:
        reply = await client.send.Runtime.evaluate({"expression": expression}, session)
        return reply["result"].get("value")

    client.register.Page.javascriptDialogOpening(answer)
    client.register.Page.loadEventFired(lambda _event, _session: loaded.set())
    await client.send.Page.enable(session_id=session)
    await client.send.Page.navigate({"url": url}, session)
    await loaded.wait()
    seen = {
        "title": await evaluate("document.title"),
        "value": await evaluate("6 * 7"),
        "answer": await evaluate("prompt('Name?')"),
        "dialogs": dialogs,
    }
    await asyncio.gather(*answers)
    await client.send.Target.closeTarget({"targetId": target})
    return seen


async def main(http: str, url: str) -> None:
    with urllib.request.urlopen(f"{http}/json/version") as response:  # noqa: ASYNC210  nothing else runs yet
        address = json.load(response)["webSocketDebuggerUrl"]
    async with CDPClient(address) as client:
        print(json.dumps(await play(client, url)))


asyncio.run(main(*sys.argv[1:]))
