"""The live view of a task on a host of a real Ray cluster, looked at from here."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from cdp_agent.program import main
from supervisor.addons.fleet import Fleet, Hosts, NoSuchTask
from supervisor.addons.live import announced
from tests.supervisor.addons.fleet.running import called, evaluated, wait_until
from tests.support.wheels import ROOT

SITE = "data:text/html,<title>Shop</title><script>setTimeout(() => {document.title = confirm('Buy?')})</script>"

LOOPBACK, LISTENS = "0100007F:", "0A"
"""As Linux writes them in its table of sockets."""


def looking(address: str, token: str) -> ClientConnection:
    """A websocket as the page of the live view opens it."""
    protocols = [Subprotocol("cdp-live"), Subprotocol(f"token.{token.encode().hex()}")]
    return connect(f"{address.replace('http', 'ws')}/feed", subprotocols=protocols, origin=Origin(address))


def told_of(socket: ClientConnection, section: str, is_meant: Callable[[Any], bool]) -> Any:
    """Read what a viewer is shown until a section is as it is meant."""
    while True:
        message = socket.recv(60)
        if isinstance(message, str):
            state = json.loads(message)
            if section in state and is_meant(state[section]):
                return state[section]


def status_of(url: str, **headers: str) -> int:
    request = urllib.request.Request(url, headers={name.title(): value for name, value in headers.items()})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.fixture(scope="module")
def shop(ray_address: str) -> Iterator[Fleet]:
    """A fleet whose hosts have a Chromium each."""
    with Fleet(name="watched", hosts=Hosts(tasks=4), toolsets="all") as fleet:
        yield fleet
        fleet.stop()


@contextmanager
def showing(what: str, *words: str) -> Generator[tuple[subprocess.Popen[str], str, str]]:
    """Run `fleet live`: the program, and the address and the token that it prints."""
    command = [sys.executable, "-m", "supervisor", "fleet", "live", "--name", "watched", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as program:
        assert program.stdout is not None
        address, _, token = program.stdout.readline().removeprefix(f"{what}: ").strip().partition("/#token=")
        yield program, address, token


def listening(fleet: Fleet) -> set[int]:
    """The ports on which the host listens on loopback."""
    (host,) = fleet.status().hosts
    assert host.facts is not None
    process = Path(f"/proc/{host.facts.pid}")
    own: set[str] = set()
    for path in (process / "fd").iterdir():
        with suppress(FileNotFoundError):  # it was closed meanwhile
            own.add(str(path.readlink()))
    rows = [line.split() for line in (process / "net" / "tcp").read_text().splitlines()[1:]]
    there = [row for row in rows if row[3] == LISTENS and f"socket:[{row[9]}]" in own]
    return {int(row[1].removeprefix(LOOPBACK), 16) for row in there if row[1].startswith(LOOPBACK)}


@pytest.mark.chromium
def test_a_person_sees_a_task_and_answers_its_dialog(shop: Fleet) -> None:
    called(shop, "browser_navigate", "t1", url=SITE)
    before = listening(shop)

    with shop.live("t1", token="hunter2") as tunnel:
        assert len(listening(shop)) == len(before) + 1
        assert status_of(tunnel.address) == 200
        assert status_of(tunnel.address, host="shop.test") == 421
        assert status_of(tunnel.address, origin="http://evil.test") == 403
        assert status_of(f"{tunnel.address}/feed") == 401
        with looking(tunnel.address, "hunter2") as socket:
            (dialog,) = told_of(socket, "dialogs", bool)
            socket.send(json.dumps({"do": "answer", "dialogId": dialog["id"], "accept": True}))
            told_of(socket, "dialogs", lambda dialogs: not dialogs)

    assert dialog["message"] == "Buy?"
    assert evaluated(shop, "document.title")["value"] == "true"
    wait_until(lambda: listening(shop) == before)


@pytest.mark.chromium
def test_the_view_ends_with_its_task(shop: Fleet) -> None:
    called(shop, "browser_navigate", "t2", url="data:text/html,Shop")
    before = listening(shop)

    with shop.live("t2") as tunnel, looking(tunnel.address, tunnel.token) as socket:
        told_of(socket, "tabs", bool)
        shop.end_task("t2")
        (notice,) = told_of(socket, "notices", bool)
        with pytest.raises(ConnectionClosed):
            told_of(socket, "tabs", lambda tabs: False)
        assert notice["text"] == "This view has ended: the task was ended."
        assert tunnel.wait() == "the task was ended"

    assert listening(shop) == before
    with pytest.raises(NoSuchTask), shop.live("t2"):
        pass


@pytest.mark.chromium
@pytest.mark.parametrize(("ending", "code"), [(signal.SIGKILL, -9), (signal.SIGTERM, 143)])
def test_nothing_is_left_of_a_command_that_a_signal_ended(
    shop: Fleet, ray_address: str, capsys: pytest.CaptureFixture[str], ending: signal.Signals, code: int
) -> None:
    called(shop, "browser_navigate", "t3", url="data:text/html,Shop")
    before = listening(shop)
    with showing("live view", "t3", "--address", ray_address) as (program, address, token):
        with looking(address, token) as socket:
            told_of(socket, "tabs", bool)
        assert len(listening(shop)) == len(before) + 1
        wait_until(lambda: ("fleet task t3", program.pid) in [(view.name, view.pid) for view in announced()])
        program.send_signal(ending)
    assert program.returncode == code
    assert program.pid not in [view.pid for view in announced()]

    wait_until(lambda: listening(shop) == before)
    assert main(["fleet", "live", "never", "--name", "watched"]) == 1
    assert capsys.readouterr().err == "cdp-agent: error: the fleet has no task 'never'\n"


@pytest.mark.chromium
def test_one_grid_shows_all_tasks_and_follows_them(shop: Fleet, ray_address: str) -> None:
    for task_id in ("g1", "g2"):
        called(shop, "browser_navigate", task_id, url=f"data:text/html,<title>{task_id}</title>")

    def tasks() -> set[str]:
        return {view.name for view in announced() if view.pid == program.pid}

    with showing("live views", "--address", ray_address) as (program, address, token):
        assert (status_of(address), status_of(f"{address}/sessions"), bool(token)) == (200, 401, True)
        wait_until(lambda: {"fleet task g1", "fleet task g2"} <= tasks())
        view = next(view for view in announced() if (view.name, view.pid) == ("fleet task g2", program.pid))
        with looking(view.url, view.token) as socket:
            told_of(socket, "tabs", bool)
        shop.end_task("g1")
        wait_until(lambda: "fleet task g1" not in tasks())
        called(shop, "browser_navigate", "g3", url="data:text/html,Later")
        wait_until(lambda: {"fleet task g2", "fleet task g3"} <= tasks())
        program.send_signal(signal.SIGTERM)
    assert program.returncode == 143
    assert tasks() == set()
