"""Results and errors of calls between the processes of a fleet."""

from __future__ import annotations

from collections.abc import Callable
from inspect import isawaitable
from typing import Any

import msgspec
from ray.exceptions import ActorUnavailableError, RayActorError, RayError, RaySystemError, RayTaskError

from supervisor.addons.fleet.errors import FleetError, HostLost, OtherVersion
from supervisor.addons.fleet.placement.clients import HostExit

from .ray_api import cloudpickle

PROCESS_ENDED = "its host's process ended"


class Outcome(msgspec.Struct, frozen=True):
    """The result of a call or its error. The error keeps its class, which Ray would wrap."""

    value: Any = None
    error: Exception | None = None


async def carried_out(work: Callable[..., Any], *args: Any) -> Outcome:
    """Return what a function, async or not, returned or raised."""
    try:
        result = work(*args)
        return Outcome(value=await result if isawaitable(result) else result)
    except Exception as error:  # it is raised again by the caller
        error.__traceback__ = error.__cause__ = error.__context__ = None
        return Outcome(error=error)


async def asked(reference: Any) -> Any:
    """Await the outcome of an actor's method. Raises its error, and `HostLost` when the actor is gone."""
    return value_of(await _reached(reference))


async def asked_directory(directory: Any, method: str, *args: Any) -> Any:
    """Await what a method of the directory returns. Raises its error, `RayActorError` when the directory is gone,
    `OtherVersion` when its answer cannot be read here, and `FleetError` when it could not carry the method out."""
    try:
        return value_of(await directory.ask.remote(method, *args))
    except RaySystemError as error:
        raise OtherVersion("", str(error).partition("\n")[0]) from None
    except RayTaskError as error:
        why = str(error).strip().rpartition("\n")[2][:200]
        raise FleetError(f"the directory did not carry {method!r} out: {why}") from None


async def unpacked(reference: Any) -> Any:
    """Await the outcome of `HostActor.call`. Raises as `asked` does."""
    answer = await _reached(reference)
    try:
        outcome: Outcome = cloudpickle.loads(answer)
    except Exception as error:  # it has a class that this program does not have, or one that cannot be read
        raise HostLost(f"its answer cannot be read here ({type(error).__name__})") from None
    return value_of(outcome)


def packed(value: object) -> bytes:
    """Return a value as bytes; functions, and classes of the main program, by their code."""
    data: bytes = cloudpickle.dumps(value)
    return data


def value_of(outcome: Outcome) -> Any:
    """Return the value of an outcome, or raise its error."""
    if outcome.error is not None:
        raise outcome.error
    return outcome.value


def end_of(error: Exception) -> HostExit:
    """Return how an actor ended. Of a process that ended, the raylet of its machine has told; else Ray has given the
    actor up, and its process may go on."""
    reason = why_ended(error)
    return HostExit(reason, is_certain=reason == PROCESS_ENDED and "its worker process has died" in str(error))


def why_ended(error: Exception) -> str:
    """Return a short reason for the end of an actor. Ray's own text is long and names machines."""
    text = str(error)
    if "its node has died" in text:  # of a process that was killed it says "its worker process", and much of nodes
        return "its machine was lost"
    if "ray.kill" in text or "INTENDED" in text:
        return "its host was stopped"
    return PROCESS_ENDED


async def _reached(reference: Any) -> Any:
    """Await the result of an actor's method. Raises `HostLost` when the actor is gone."""
    try:
        return await reference
    except ActorUnavailableError:
        raise HostLost("it does not answer") from None
    except RayActorError as error:
        raise HostLost(why_ended(error)) from None
    except RayError as error:
        raise HostLost(f"Ray could not carry the call out ({type(error).__name__})") from None
