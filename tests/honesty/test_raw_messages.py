"""Messages as bytes, and the connections of targets: mock and Chromium say the same."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Final

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.honesty.player import Params
from tests.honesty.stages import SocketStage

_OFFSET: Final = re.compile(r" at position \d+")
PATIENCE_S: Final = 20
MESSAGES: Final = (
    '{"id":1,"method":"Browser.nope","params":"x"}',
    '{"id":1,"method":"Browser.nope","params":5}',
    '{"id":1,"method":"Browser.nope","params":true}',
    '{"params":"x","id":1,"method":"Browser.nope"}',
    '{"id":1,"method":"Target.getTargetInfo","params":"x"}',
    '{"id":1,"method":"Target.attachToTarget","params":[]}',
    '{"id":1,"method":"Target.attachToTarget","params":null}',
    '{"id":1,"method":"Target.attachToTarget"}',
    '{"id":1,"method":"Storage.clearCookies","params":null}',
    '{"id":1,"method":"Storage.clearCookies","params":[]}',
    '{"id":1,"method":""}',
    '{"id":1,"method":"","sessionId":"nowhere"}',
    '{"id":1,"method":"."}',
    '{"id":1,"method":"Target.activateTarget","params":{"targetId":"nowhere"},"sessionId":""}',
    '{"id":1,"method":"Runtime.evaluate","sessionId":""}',
    '{"id":1,"method":"Browser.nope","sessionId":null}',
    '{"id":1,"method":"Browser.nope","sessionId":"nowhere"}',
    '{"id":1,"sessionId":5,"method":"Browser.nope","params":5}',
    '{"id":1,"params":5,"method":"Browser.nope","sessionId":5}',
    '{"id":1,"extra":1,"params":5,"method":"Browser.nope"}',
    '{"extra":1,"id":1}',
    '{"id":1}',
    "{}",
    "[]",
    " ",
)
OF_A_PAGE: Final = (
    '{"id":1,"method":"Runtime.evaluate","params":"x"',
    '{"id":1,"method":"Runtime.evaluate","params":null',
    '{"id":1,"method":"Runtime.evaluate","params":[]',
    '{"id":1,"method":"Page.enable","params":"x"',
    '{"id":1,"method":"Page.enable","params":[]',
    '{"id":1,"method":"Page.enable","params":null',
    '{"id":1,"method":"Page.stopLoading","params":[]',
    '{"id":1,"method":""',
)


async def _replies(stage: SocketStage, texts: tuple[str, ...], *, page: bool = False) -> list[str]:
    """Return the reply to each text, without the offset that the mock does not know."""
    async with asyncio.timeout(PATIENCE_S), connect(stage.url) as socket:

        async def reply(text: str) -> Params:
            await socket.send(text)
            while True:
                message: Params = json.loads(await socket.recv())
                if "method" not in message:
                    return message

        session, target = "", ""
        if page:
            made = await reply('{"id":1,"method":"Target.createTarget","params":{"url":"about:blank"}}')
            target = made["result"]["targetId"]
            attach = {"id": 1, "method": "Target.attachToTarget", "params": {"targetId": target, "flatten": True}}
            session = str((await reply(json.dumps(attach)))["result"]["sessionId"])
        ends = f',"sessionId":"{session}"}}' if page else ""
        replies = [json.dumps(await reply(text + ends)).replace(session or "?", "the session") for text in texts]
        if page:
            await reply(json.dumps({"id": 1, "method": "Target.closeTarget", "params": {"targetId": target}}))
    return [f"{text}: {_OFFSET.sub('', said)}" for text, said in zip(texts, replies, strict=True)]


@pytest.mark.parametrize(("texts", "page"), [(MESSAGES, False), (OF_A_PAGE, True)], ids=["browser", "page"])
async def test_odd_envelopes_get_chromiums_answers(
    texts: tuple[str, ...], page: bool, mock_socket_stage: SocketStage, chromium_stage: SocketStage
) -> None:
    assert await _replies(mock_socket_stage, texts, page=page) == await _replies(chromium_stage, texts, page=page)


async def _ends(stage: SocketStage, how: str) -> list[str]:
    """Close a page, and return what the page's own connection gets, with the code of its end."""
    base = stage.url.partition("/devtools")[0]
    async with asyncio.timeout(PATIENCE_S), connect(stage.url) as browser:

        async def call(method: str, params: Params, **where: str) -> Params:
            await browser.send(json.dumps({"id": 1, "method": method, "params": params, **where}))
            while True:
                message: Params = json.loads(await browser.recv())
                if "id" in message:
                    return message

        target = (await call("Target.createTarget", {"url": f"{stage.own}/plain"}))["result"]["targetId"]
        async with connect(f"{base}/devtools/page/{target}") as own:
            await own.send('{"id":1,"method":"Runtime.evaluate","params":{"expression":"1"}}')
            await own.recv()
            if how == "crash":
                await own.send('{"id":2,"method":"Page.crash"}')
                await own.recv()
            if how == "itself":
                await own.send('{"id":2,"method":"Page.close"}')
            else:
                await call("Target.closeTarget", {"targetId": target})
            said: list[str] = []
            try:
                while True:
                    said.append(str(await own.recv()))
            except ConnectionClosed as end:
                # 1006: without a closing frame.
                return [*said, str(end.rcvd.code if end.rcvd else 1006)]


@pytest.mark.parametrize("how", ["closed", "itself", "crash"])
async def test_the_connection_of_a_page_ends_with_it(
    how: str, mock_socket_stage: SocketStage, chromium_stage: SocketStage
) -> None:
    said = await _ends(mock_socket_stage, how)

    assert said == await _ends(chromium_stage, how)
    assert [json.loads(text)["params"]["reason"] for text in said[-2:-1]] == ["target_closed"]
