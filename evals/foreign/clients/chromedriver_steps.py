"""chromedriver, by the WebDriver protocol; usage: HTTP_ADDRESS ORIGIN CHROMEDRIVER."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from typing import Any

from steps import Step, play


class Driver:
    """A session of a chromedriver."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.session = ""

    async def command(self, method: str, path: str, body: object = None) -> Any:
        """Return the value of the command's reply, or raise its error."""
        return await asyncio.to_thread(self._send, method, path, body)

    def _send(self, method: str, path: str, body: object) -> Any:
        data = None if method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(f"{self.base}{self.session}{path}", data, method=method)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=8) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            message = value["message"].partition("\n")[0]
            raise RuntimeError(f"{value['error']}: {message}") from None


async def main(http: str, origin: str, program: str) -> None:
    process = subprocess.Popen([program, "--port=0"], stdout=subprocess.PIPE, text=True)  # noqa: ASYNC220
    try:
        assert process.stdout is not None
        port = next(match[1] for line in process.stdout if (match := re.search(r"successfully on port (\d+)", line)))
        driver = Driver(f"http://127.0.0.1:{port}/session")
        options = {"debuggerAddress": http.removeprefix("http://")}

        async def start() -> Any:
            wanted = {"pageLoadStrategy": "normal", "unhandledPromptBehavior": "ignore", "goog:chromeOptions": options}
            made = await driver.command("POST", "", {"capabilities": {"alwaysMatch": wanted}})
            driver.session = f"/{made['sessionId']}"
            await driver.command("POST", "/timeouts", {"script": 3000, "pageLoad": 4000, "implicit": 0})
            return made["capabilities"]["browserName"]

        def get(path: str) -> Step:
            return lambda: driver.command("GET", path)

        def post(path: str, **body: object) -> Step:
            return lambda: driver.command("POST", path, body)

        def script(text: str, *arguments: object) -> Step:
            return post("/execute/sync", script=text, args=arguments)

        def size(method: str, path: str, **body: object) -> Step:
            async def measured() -> Any:
                return len(await driver.command(method, path, body)) > 0

            return measured

        async def prompted() -> Any:
            await driver.command(
                "POST", "/execute/sync", {"script": "setTimeout(() => prompt('Name?'), 0)", "args": []}
            )
            await asyncio.sleep(0.3)
            text = await driver.command("GET", "/alert/text")
            await driver.command("POST", "/alert/text", {"text": "Ada"})
            await driver.command("POST", "/alert/accept")
            return text

        async def cookie() -> Any:
            await driver.command("POST", "/cookie", {"cookie": {"name": "a", "value": "1"}})
            return [[known["name"], known["value"]] for known in await driver.command("GET", "/cookie")]

        steps: dict[str, Step] = {
            "session": start,
            "get": post("/url", url=f"{origin}/"),
            "url": get("/url"),
            "title": get("/title"),
            "script": script("return 6 * 7"),
            "script with arguments": script("return arguments[0] + 1", 41),
            "script that throws": script("throw new Error('no')"),
            "script, a variable": script("return window.total"),
            "dialog": prompted,
            "alert where none is": get("/alert/text"),
            "element": size("POST", "/element", using="css selector", value="#near"),
            "element that is not there": post("/element", using="css selector", value="#absent"),
            "elements": post("/elements", using="css selector", value="#absent"),
            "source": size("GET", "/source"),
            "cookies": cookie,
            "screenshot": size("GET", "/screenshot"),
            "window handles": size("GET", "/window/handles"),
            "get another page": post("/url", url=f"{origin}/second"),
            "back": post("/back"),
            "refresh": post("/refresh"),
            "get a page that is not there": post("/url", url="http://127.0.0.2:1234/"),
            "close": lambda: driver.command("DELETE", "/window"),
        }
        await play(steps)
    finally:
        process.kill()
        process.wait()


asyncio.run(main(*sys.argv[1:]))
