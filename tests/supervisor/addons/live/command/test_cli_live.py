"""`live` and `mcp --live` as programs: what they print, what they serve, how they end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from cdp_typed.addresses import redact
from cdp_typed.mock import ThreadedMockServer
from supervisor import Config, SupervisorRegistry
from supervisor.probe import CAPABILITIES
from supervisor.tools import Toolbox
from tests.supervisor.cli.conftest import Run
from tests.supervisor.tools.conftest import calls
from tests.support.forgetting import forget
from tests.support.secrets import CANARY, heard
from tests.support.servers.sites import Sites
from tests.support.wheels import ROOT

pytestmark = pytest.mark.thorough


def started(*words: str, cwd: str = str(ROOT), **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "supervisor", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        env={**os.environ, **environment},
    )


def feed(url: str, token: str) -> ClientConnection:
    """The connection of a viewer."""
    protocols = [Subprotocol("cdp-live"), Subprotocol(f"token.{token.encode().hex()}")]
    return connect(f"{url.replace('http', 'ws')}/feed", subprotocols=protocols)


@pytest.mark.parametrize(
    ("token", "number", "code", "told"),
    [
        (CANARY, signal.SIGINT, 130, "cdp-agent: error: interrupted\n"),
        (CANARY, signal.SIGTERM, 143, ""),
        ("", signal.SIGTERM, 143, ""),
    ],
    ids=["given, SIGINT", "given, SIGTERM", "made up, SIGTERM"],
)
def test_live_serves_with_a_token_that_was_given_or_made_up_until_it_is_interrupted_while_somebody_looks(
    mock: ThreadedMockServer, token: str, number: signal.Signals, code: int, told: str
) -> None:
    with started("live", mock.url, CDP_LIVE_TOKEN=token) as program:
        assert program.stdout is not None
        line = program.stdout.readline()
        url, _, made_up = (heard(line) if token else line).split()[2].partition("/#token=")
        with feed(url, token or made_up) as socket:
            state = json.loads(socket.recv(20))
            program.send_signal(number)
            out, err = program.communicate(timeout=20)

    assert line.startswith("live view: http://127.0.0.1:")
    assert state["connection"]["state"] == "ready"
    assert [tab["current"] for tab in state["tabs"]] == [True]
    assert state["control"] == {"by": "agent", "since": None, "viewers": 1}
    assert (program.returncode, heard(out), heard(err)) == (code, "", told)


def test_a_launched_browser_comes_with_the_command_by_which_an_agent_uses_it() -> None:
    with started("live", "--launch") as program:
        assert program.stdout is not None
        told = program.stdout.readline()
        url = told.split()[-1]
        version = json.loads(urlopen(f"{url}/json/version", timeout=20).read())
        program.send_signal(signal.SIGTERM)
        program.communicate(timeout=20)

    assert told == f"for an agent: cdp-agent mcp --cdp-url {url}\n"
    assert "webSocketDebuggerUrl" in version


def test_the_mcp_server_has_the_live_view_beside_it(mock: ThreadedMockServer) -> None:
    with started("mcp", "--cdp-url", mock.url, "--live", "--approve", CDP_LIVE_TOKEN=CANARY) as program:
        assert program.stderr is not None
        told = heard(program.stderr.readline())
        url = told.split()[3].partition("/#")[0]
        with feed(url, CANARY) as socket:
            state = json.loads(socket.recv(20))
        out, err = program.communicate(timeout=20)  # it closes stdin

    assert told.startswith("cdp-agent: live view: http://127.0.0.1:")
    assert (state["connection"]["state"], state["approvals"]) in (("ready", []), ("not started", []))
    assert (program.returncode, heard(out), heard(err)) == (0, "", "")


def test_without_a_browser_it_lists_the_views_that_run(mock: ThreadedMockServer, tmp_path: Path) -> None:
    runtime = {"XDG_RUNTIME_DIR": str(tmp_path)}
    with started("live", mock.url, **runtime) as view, started("live", CDP_LIVE_TOKEN=CANARY, **runtime) as grid:
        assert view.stdout is not None
        assert grid.stdout is not None
        address, _, token = view.stdout.readline().split()[2].partition("/#token=")
        url = heard(grid.stdout.readline()).split()[2].partition("/#")[0]
        request = Request(f"{url}/sessions", headers={"Authorization": f"Bearer {CANARY}"})
        with urlopen(request, timeout=20) as answer:
            listed = json.load(answer)
        for program in (grid, view):
            program.send_signal(signal.SIGINT)
        ends = [heard("".join(program.communicate(timeout=20))) for program in (grid, view)]

    assert [(each["name"], each["url"], each["token"]) for each in listed] == [
        (f"live {redact(mock.url)}", address, token)
    ]
    assert ends == ["cdp-agent: error: interrupted\n"] * 2
    assert list((tmp_path / "cdp-typed-live").iterdir()) == []


def test_a_port_that_is_taken_is_told(run: Run, mock: ThreadedMockServer) -> None:
    port = str(urlsplit(mock.url).port)

    done = run("live", mock.url, "--port", port)

    assert (done.code, done.out) == (2, "")
    assert done.err == f"cdp-agent: error: 127.0.0.1:{port}: Address already in use\n"


def test_without_its_extra_it_says_what_to_install(
    run: Run, mock: ThreadedMockServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("supervisor.addons.live", "supervisor.http_server"):
        forget(monkeypatch, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)

    done = run("live", mock.url)

    told = "cdp-agent: error: the live view needs uvicorn: pip install 'cdp-typed[mcp]'\n"
    assert done == (2, "", told)


@pytest.mark.chromium
def test_downloads_of_a_launched_browser_lie_beside_the_caller(
    sites: Sites, registry: SupervisorRegistry, tmp_path: Path
) -> None:
    sites.pages["/"] = "<title>T</title><a download=figures.csv href='data:text/csv,1'>Save</a>"
    home, tree = tmp_path / "home", tmp_path / "tree"
    for folder in (home, tree):
        folder.mkdir()
    program = started("live", "--launch", cwd=str(tree), HOME=str(home), PYTHONPATH=str(ROOT))
    with program:
        assert program.stdout is not None
        address = heard(program.stdout.readline()).split()[-1]
        call = calls(Toolbox(Config(cdp_url=address), registry=registry))
        call("browser_navigate", url=sites.local("/"))
        call("browser_click", ref='link "Save"')
        call("browser_wait", until="download", timeout=20)
        program.send_signal(signal.SIGINT)
        _, err = program.communicate(timeout=20)

    saved = sorted(path.name for path in (tree / ".cdp-agent").iterdir())
    assert (saved, (home / "Downloads").exists()) == ([".gitignore", "figures.csv"], False), err


@pytest.mark.chromium
def test_a_command_launches_a_browser_of_its_own() -> None:
    with started("doctor", "--launch", "--json", "--require", "dialog_respond") as program:
        out, err = program.communicate(timeout=60)

    assert (program.returncode, {row["capability"] for row in json.loads(out)}) == (0, {*CAPABILITIES}), err
