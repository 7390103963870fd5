"""Runs snippets of cdp-use, PyCDP or pydoll; usage: play_python.py PEER HTTP_ADDRESS < SNIPPETS.

SNIPPETS is JSON: by title the source and the name whose value is asked for. The values are printed as JSON.
"""

from __future__ import annotations

import asyncio
import importlib
import itertools
import json
import sys
import textwrap
import urllib.request
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any

Names = dict[str, Any]


@asynccontextmanager
async def cdp_use(address: str) -> AsyncGenerator[Names]:
    """`client`, and `session_id` of a page."""
    async with importlib.import_module("cdp_use.client").CDPClient(address) as client:
        target = (await client.send.Target.createTarget({"url": "about:blank"}))["targetId"]
        attached = await client.send.Target.attachToTarget({"targetId": target, "flatten": True})
        yield {"client": client, "session_id": attached["sessionId"]}
        await client.send.Target.closeTarget({"targetId": target})


class PyCDPSession:
    """A session as trio-cdp has it, on asyncio: PyCDP itself sends and receives nothing."""

    def __init__(self, websocket: Any) -> None:
        self._websocket = websocket
        self._numbers = itertools.count()
        self._events: list[Any] = []
        self._parse: Callable[[Any], Any] = importlib.import_module("cdp.util").parse_json_event
        self.session_id: str | None = None

    async def execute(self, command: Generator[dict[str, Any], Any, Any]) -> Any:
        """Send the command that a generator yields, and return what it makes of the result."""
        number = next(self._numbers)
        await self._websocket.send(json.dumps({**next(command), "id": number} | self._session()))
        while (message := await self._read()).get("id") != number:
            pass
        try:
            command.send(message["result"])
        except StopIteration as end:
            return end.value

    @asynccontextmanager
    async def wait_for(self, kind: type) -> AsyncGenerator[None]:
        """Wait for an event at the end of the block."""
        self._events.clear()
        yield
        while not any(isinstance(event, kind) for event in self._events):
            await self._read()

    def _session(self) -> dict[str, str]:
        return {} if self.session_id is None else {"sessionId": self.session_id}

    async def _read(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(self._websocket.recv(), 20))
        if "method" in message:
            with suppress(KeyError):  # an event that is newer than PyCDP
                self._events.append(self._parse(message))
        return message


@asynccontextmanager
async def pycdp(address: str) -> AsyncGenerator[Names]:
    """`session` of a page."""
    websockets, target = importlib.import_module("websockets"), importlib.import_module("cdp.target")
    async with websockets.connect(address, max_size=None) as websocket:
        session = PyCDPSession(websocket)
        target_id = await session.execute(target.create_target("about:blank"))
        session.session_id = await session.execute(target.attach_to_target(target_id, flatten=True))
        yield {"session": session}
        session.session_id = None
        await session.execute(target.close_target(target_id))


@asynccontextmanager
async def pydoll(address: str) -> AsyncGenerator[Names]:
    """`browser`, and `tab` of a page."""
    browser = importlib.import_module("pydoll.browser").Chrome()
    await browser.connect(address)
    tab = await browser.new_tab()
    yield {"browser": browser, "tab": tab}
    await tab.close()
    await browser.close()


PEERS: dict[str, Callable[[str], AbstractAsyncContextManager[Names]]] = {
    "cdp_use": cdp_use,
    "pycdp": pycdp,
    "pydoll": pydoll,
}


async def run(peer: str, address: str, source: str, name: str) -> object:
    """Return the value of a name that a snippet leaves, on a page of its own."""
    async with PEERS[peer](address) as names:
        body = textwrap.indent(source, "    ")
        left: Names = {}
        exec(compile(f"async def snippet({', '.join(names)}):\n{body}\n    return {name}", name, "exec"), left)
        value: object = await left["snippet"](**names)
        return value


async def main(peer: str, http: str) -> None:
    with urllib.request.urlopen(f"{http}/json/version") as response:  # noqa: ASYNC210  nothing else runs yet
        address = json.load(response)["webSocketDebuggerUrl"]
    values: dict[str, object] = {}
    for title, (source, name) in json.load(sys.stdin).items():
        try:
            values[title] = await run(peer, address, source, name)
        except Exception as error:  # each peer has errors of its own; the error is what the snippet gave
            values[title] = repr(error)
    sys.stdout.write(json.dumps(values))


asyncio.run(main(*sys.argv[1:]))
