"""The connection options: headers, a proxy and a CA, from the command line to the wire."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest
from websockets.http11 import Request, Response

from cdp_typed.cli.main import main
from tests.cdp_typed.cli.conftest import Run, refused
from tests.support.secrets import CANARY
from tests.support.servers.gateways import CA, browser_behind, proxy, refusal, server_tls

NOWHERE = "127.0.0.1:1"
CALL = ("Browser.getVersion",)


async def _aside(*words: str) -> int:
    """The command line, which has a loop of its own, on a thread beside the server's loop."""
    return await asyncio.to_thread(main, words)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--header", CANARY), "--header: 'NAME: VALUE' is expected"),
        (
            ("--header", f"X: {CANARY}\r\nHost: evil"),
            "--header: the value of header 'X' has a line break, a control character or is not latin-1",
        ),
        (("--header", f": {CANARY}"), "--header: '' is not a name of a header"),
        (("--ca", "/no/such"), "--ca: /no/such: No such file or directory"),
        (("--ca", __file__), f"--ca: {__file__}: no certificates in PEM form"),
    ],
)
def test_a_mistake_is_one_line_without_the_secret(run: Run, words: tuple[str, ...], complaint: str) -> None:
    shown = f"cdp-typed: error: argument {complaint} (see cdp-typed targets --help)\n"
    assert run("targets", NOWHERE, *words) == (2, "", shown)


def test_a_proxy_that_is_none_is_told_without_its_password(run: Run) -> None:
    done = run("call", "--proxy", f"socks5://user:{CANARY}@h:1", "ws://browsers.test/x", *CALL)

    assert (done.code, done.out) == (2, "")
    assert "not an address of a proxy" in done.err
    assert CANARY not in done.err


def test_after_the_method_it_is_no_parameter_of_the_command(run: Run) -> None:
    assert run("call", NOWHERE, *CALL, "--proxy", "http://h:1") == refused(
        "Browser.getVersion has no parameter '--proxy' (see cdp-typed call URL Browser.getVersion --help)"
    )


def _wants_key(seen: list[str]) -> Callable[[Request], Response | None]:
    def answer(request: Request) -> Response | None:
        seen.append(request.path.split("?")[0])
        keys = (request.headers.get("X-Key"), request.headers.get("X-Other"))
        return None if keys == ("k: 1", "2") else refusal(401)

    return answer


async def test_headers_go_with_every_request(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[str] = []
    given = ("--header", "X-Key: k: 1", "--header", "X-Other:2")
    async with browser_behind(_wants_key(seen)) as port:
        assert await _aside("call", *given, f"http://127.0.0.1:{port}", *CALL) == 0
        assert await _aside("call", f"http://127.0.0.1:{port}", *CALL) == 2

    assert json.loads(capsys.readouterr().out)["product"] == "P"
    assert seen == ["/json/version", "/devtools/browser/abc", "/json/version"]


@pytest.mark.parametrize("words", [("targets",), ("events", "Target.targetCreated", "--timeout", "0.1"), ("diff",)])
async def test_the_other_commands_send_them_too(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    """The gateway refuses requests without the key, and is no real browser for those with it."""
    seen: list[str] = []
    async with browser_behind(_wants_key(seen)) as port:
        url = f"http://127.0.0.1:{port}"
        await _aside(words[0], url, *words[1:], "--header", "X-Key: k: 1", "--header", "X-Other: 2")
        assert "HTTP 401" not in capsys.readouterr().err
        assert await _aside(words[0], url, *words[1:]) == 2

    assert "HTTP 401" in capsys.readouterr().err


async def test_a_ca_of_ones_own_is_trusted_and_otherwise_it_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    async with browser_behind(tls=server_tls()) as port:
        url = f"https://localhost:{port}"

        assert await _aside("call", "--ca", str(CA), url, *CALL) == 0
        assert json.loads(capsys.readouterr().out)["product"] == "P"
        assert await _aside("call", url, *CALL) == 2
        assert "TLS" in capsys.readouterr().err


async def test_a_proxy_is_asked_to_connect(capsys: pytest.CaptureFixture[str]) -> None:
    heads: list[str] = []
    async with browser_behind(tls=server_tls()) as port, proxy(port, heads) as proxy_port:
        words = ("--proxy", f"http://u:p@127.0.0.1:{proxy_port}", "wss://browsers.test/x", *CALL)
        assert await _aside("call", *words) == 2

    assert [head.split("\r\n")[0] for head in heads] == ["CONNECT browsers.test:443 HTTP/1.1"]
    assert "Proxy-Authorization: Basic dTpw" in heads[0]
    assert "TLS" in capsys.readouterr().err  # the certificate is not for this name
