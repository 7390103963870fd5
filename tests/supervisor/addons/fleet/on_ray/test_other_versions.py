"""A call that another version sent, or that cannot be understood, is no loss: nothing was carried out."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
from ray.exceptions import RayActorError, RaySystemError, RayTaskError

from cdp_typed import __version__
from supervisor import Config
from supervisor.addons.fleet import FleetError, FleetStopped, HostLost, OtherVersion
from supervisor.addons.fleet.hosting.driver_calls import DriverCalls
from supervisor.addons.fleet.on_ray import directory_actor
from supervisor.addons.fleet.on_ray.directory_actor import DirectoryActor
from supervisor.addons.fleet.on_ray.host_actor import HostActor
from supervisor.addons.fleet.on_ray.outcomes import Outcome, packed, unpacked
from supervisor.addons.fleet.on_ray.router import TaskRouter
from supervisor.addons.fleet.settings import Plan
from supervisor.addons.fleet.values import PROTOCOL, Placement

PLAN = Plan(name="f", config=Config(cdp_url="ws://host.invalid"))
PLACE = Placement("t1", "h1", 1)


class Counting:
    """A host that counts what it carries out."""

    def __init__(self) -> None:
        self.carried_out = 0
        self._calls = DriverCalls()

    def begun(self, driver: str, method: str, placement: Placement, args: tuple[Any, ...]) -> Any:
        return self._calls.run(driver, {"call_tool": self._call_tool}[method](placement, *args))

    async def _call_tool(self, placement: Placement, name: str) -> str:
        self.carried_out += 1
        return name


@pytest.mark.parametrize(
    ("work", "why"),
    [
        (packed((PROTOCOL + 1, "d1", "call_tool", PLACE, ("snapshot",))), f"protocol {PROTOCOL + 1} in place"),
        (packed(("call_tool", PLACE, ("snapshot",))), "not enough values"),
        (packed((PROTOCOL, "d1", "fold_tool", PLACE, ("snapshot",))), "fold_tool"),
        (packed((PROTOCOL, "d1", "call_tool", PLACE, ("snapshot", "more"))), "positional argument"),
        (packed((PROTOCOL, "d1", "call_tool", PLACE, ())), "missing 1 required"),
        (b"\x80\x05cno_such_module\nThing\n.", "no_such_module"),
        (b"", "ran out of input"),
    ],
)
async def test_a_host_refuses_what_it_does_not_understand(work: bytes, why: str) -> None:
    actor, host = HostActor("h1", PLAN), Counting()
    setattr(actor, "_host", host)  # noqa: B010 - it would be made in a process of Ray

    with pytest.raises(OtherVersion, match=f"(?i){why}") as refused:
        await unpacked(ready(await actor.call(work)))
    assert refused.value.package == __version__
    assert host.carried_out == 0

    understood = packed((PROTOCOL, "d1", "call_tool", PLACE, ("snapshot",)))
    assert await unpacked(ready(await actor.call(understood))) == "snapshot"


async def ready(value: Any) -> Any:
    return value


@pytest.mark.parametrize(
    "args",
    [("greet", "d1"), ("greet", "d1", PROTOCOL + 1), ("greet", "d1", PROTOCOL, "more"), ("fold",), ("_greet",)],
)
async def test_a_directory_refuses_drivers_of_another_version(
    monkeypatch: pytest.MonkeyPatch, args: tuple[Any, ...]
) -> None:
    monkeypatch.setattr(directory_actor, "on_sigterm", id)

    outcome = await actor_of(Mock()).ask(*args)

    assert isinstance(outcome.error, OtherVersion)


@pytest.mark.parametrize(
    "method",
    ["drain", "end_task", "keep", "leave", "place", "receive_report", "roll", "status", "stop", "tasks", "undrain"],
)
async def test_a_directory_carries_out_what_drivers_and_hosts_ask_for(
    monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.setattr(directory_actor, "on_sigterm", id)
    directory = Mock(decide=AsyncMock(), handover=Mock(write_down=AsyncMock()))
    asked: Mock = getattr(directory.drains if "drain" in method else directory, method)

    outcome = await actor_of(directory).ask(method, "x")

    assert outcome == Outcome(value=asked.return_value)
    asked.assert_called_once_with("x")


def actor_of(directory: Mock) -> DirectoryActor:
    actor = DirectoryActor(PLAN, keeps=True)
    setattr(actor, "_directory", directory)  # noqa: B010 - it would be made in a process of Ray
    return actor


class Raises:
    """A handle of a directory whose answer raises."""

    def __init__(self, error: Exception) -> None:
        self._error = error
        self.ask = SimpleNamespace(remote=self._later)

    async def _later(self, *_: object) -> None:
        raise self._error


def task_error(traceback: str) -> Exception:
    """What Ray raises for a method that raised."""
    made: Any = RayTaskError
    error: Exception = made("greet", traceback, KeyError("x"))
    return error


def unreadable(why: str) -> Exception:
    """What Ray raises for an answer that cannot be unpickled here."""
    made: Any = RaySystemError
    error: Exception = made(why, f"Traceback (most recent call last):\nInvalidConfig: {why}")
    return error


@pytest.mark.parametrize(
    ("error", "raised", "match"),
    [
        (unreadable("warm=0 is not allowed"), OtherVersion, "warm=0 is not allowed$"),
        (task_error("Traceback\nKeyError: 'x'"), FleetError, "KeyError"),
        (RayActorError(error_msg="an error raised in its creation task"), FleetError, "start"),
        (RayActorError(error_msg="its node has died"), FleetStopped, "was stopped"),
    ],
)
async def test_a_driver_says_what_a_directory_did_not_understand(
    error: Exception, raised: type[Exception], match: str
) -> None:
    router = TaskRouter(PLAN, Raises(error))

    with pytest.raises(raised, match=match) as refused:
        await router.ask("greet")
    assert type(refused.value) is raised
    assert not isinstance(refused.value, HostLost)
