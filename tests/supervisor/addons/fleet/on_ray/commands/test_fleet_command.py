"""`cdp-agent fleet` on a real Ray cluster, with a mock browser."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import TypeAlias

import pytest

from cdp_agent.program import main
from cdp_typed.mock import Page, ThreadedMockServer
from supervisor import Config
from supervisor.addons.fleet import Fleet, Hosts
from tests.supervisor.addons.fleet.running import called, wait_until
from tests.support.forgetting import forget

Command: TypeAlias = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    def command(*words: str) -> tuple[int, str, str]:
        code = main(["fleet", *words])
        out, err = capsys.readouterr()
        return code, out, err

    return command


@pytest.fixture(scope="module")
def asking() -> Iterator[ThreadedMockServer]:
    """A browser with a page that opens a dialog."""
    with ThreadedMockServer({"http://shop.test/": Page(title="Shop", on_load="confirm('Buy?')")}) as server:
        yield server


@pytest.fixture
def shop(ray_address: str, asking: ThreadedMockServer) -> Iterator[Fleet]:
    with Fleet(Config(cdp_url=asking.url), name="shop", hosts=Hosts(tasks=3), toolsets="all") as fleet:
        called(fleet, "browser_navigate", url="http://shop.test/")
        yield fleet
        fleet.stop()


def test_the_hosts_and_tasks_of_the_only_fleet_are_shown(shop: Fleet, command: Command, ray_address: str) -> None:
    (host,) = shop.status().hosts
    assert host.facts is not None

    code, out, err = command("status")

    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == "fleet shop: tasks 1 of 3, waiting 0, lost 0, restarts 0"
    assert lines[2].split()[:3] == ["HOST", "STATE", "TASKS"]
    assert lines[3].split()[:5] == [host.host_id, "serving", "1", "of", "3"]
    assert host.facts.node_id in lines[3]

    wait_until(lambda: command("tasks")[1].splitlines()[1].split()[3] == "1")  # the host tells it with its next report
    assert command("status", "--check")[::2] == (0, "")
    words = ["fleet", "events", "--name", "shop", "--address", ray_address]
    with subprocess.Popen([sys.executable, "-m", "supervisor", *words], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        event = json.loads(program.stdout.readline())
        program.terminate()
    assert event == {"event": "dialog", "task_id": "t1", "host_id": host.host_id, "open_dialogs": 1}
    names, row = command("tasks", "--name", "shop")[1].splitlines()
    assert names.split()[:6] == ["TASK", "STATE", "HOST", "DIALOGS", "CALLS", "IDLE"]
    assert row.split()[:5] == ["t1", "placed", host.host_id, "1", "0"]
    (task,) = json.loads(command("tasks", "--json")[1])
    assert (task["task_id"], task["load"]["open_dialogs"]) == ("t1", 1)
    assert json.loads(command("status", "--json")[1])["hosts"][0]["host_id"] == host.host_id


def test_a_host_is_replaced_by_a_new_one_a_node_and_a_host_are_drained_and_the_fleet_is_stopped(
    shop: Fleet, command: Command
) -> None:
    (old,) = shop.status().hosts
    error = "cdp-agent: error: "

    assert command("roll", "--within", "0.1") == (0, "replaced: 1 host\n", "")
    (new,) = shop.status().hosts
    assert (new.state, new.host_id == old.host_id, new.facts is not None) == ("serving", False, True)
    assert called(shop, "browser_snapshot")["restarted"] == "its host is drained"

    assert new.facts is not None
    assert command("drain", new.facts.node_id, "--within", "300") == (0, "draining: 1 host\n", "")
    assert shop.status().capacity == 0
    assert called(shop, "browser_snapshot")["success"] is True

    node = new.facts.node_id
    assert command("undrain", node) == (0, f"not drained any more: {node}\n", "")
    assert shop.status().capacity > 0
    nothing = f"{error}the fleet 'shop' has no drained host and no drained node '{node}'\n"
    assert command("undrain", node) == (2, "", nothing)

    unknown = f"{error}the fleet 'shop' has no host and no node 'elsewhere' (see fleet status)\n"
    assert command("drain", "elsewhere") == (2, "", unknown)
    assert command("drain", new.host_id, "--within", "300") == (0, "draining: 1 host\n", "")
    assert [each.state for each in shop.status().hosts if each.host_id == new.host_id] == ["draining"]

    assert json.loads(command("stop", "--json")[1]) == {"fleet": "shop", "stopped": True}
    assert command("status", "--name", "shop")[::2] == (5, f"{error}no fleet 'shop' runs on this cluster\n")


def test_which_of_several_fleets_is_meant_has_to_be_said(
    shop: Fleet, asking: ThreadedMockServer, command: Command
) -> None:
    with Fleet(Config(cdp_url=asking.url), name="bank", hosts=Hosts(least=0)) as bank:
        code, out, err = command("status")
        bank.stop()

    assert (code, out) == (2, "")
    assert err.endswith("several fleets run on this cluster, say which with --name: bank, shop\n")


def test_without_a_fleet_or_a_cluster_one_sentence_says_so(ray_address: str, command: Command) -> None:
    assert command("tasks") == (5, "", "cdp-agent: error: no fleet runs on this cluster\n")
    nowhere = command("tasks", "--address", "127.0.0.1:1")
    assert nowhere == (5, "", "cdp-agent: error: no Ray cluster answers at 127.0.0.1:1\n")


def test_without_its_extra_it_says_what_to_install(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    forget(monkeypatch, "supervisor.addons.fleet")
    monkeypatch.setitem(sys.modules, "ray", None)

    told = command("status")

    assert told == (2, "", "cdp-agent: error: fleets need ray: pip install 'cdp-typed[ray]'\n")
