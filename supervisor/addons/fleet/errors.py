"""The errors of a fleet."""

from __future__ import annotations

from supervisor.core.vocabulary.errors import CallError, SupervisorError


class FleetError(SupervisorError):
    """The base class of the errors that only a fleet raises, except `HostLost`."""


class HostLost(CallError):
    """The host of a task, its machine or its browser ended during the call.

    The call may have been executed and is not repeated. The task's next call runs on another host and reports the
    restart once.
    """

    def __init__(self, reason: str, *, maybe_executed: bool = True) -> None:
        super().__init__(f"the task's browser was lost: {reason}", maybe_executed=maybe_executed)
        self.reason = reason


class TaskRestarted(FleetError):
    """The task restarted after its last call, so its pages are gone. This call was not executed; repeat it. Tools
    report a restart in the field `restarted` instead."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the task began anew ({reason}); the call was not executed")
        self.reason = reason


class NotPlaced(FleetError):
    """The task got no place within the time that it could wait; nothing was executed. `FleetFull` if all places were
    taken."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the task got no place in time: {why}")
        self.why = why


class FleetFull(NotPlaced):
    """No host had room for the task within the time that it could wait; nothing was executed."""

    def __init__(
        self, position: int, capacity: int, why: str = "", waiting: int = 1, retry_s: float | None = None
    ) -> None:
        text = f"the fleet is full: capacity {capacity}, position {position} of {waiting} in the queue"
        again = f"; at the present pace a place is free in {retry_s:.0f} s" if retry_s is not None else ""
        SupervisorError.__init__(self, text + (f" ({why})" if why else "") + again)
        self.position = position
        """Its place in the queue when it gave up; 1 is the next."""
        self.waiting = waiting
        """The length of the queue then, with this task."""
        self.retry_s = retry_s
        """An estimate of the seconds until it would get a place, by the pace of the queue; None: not known."""
        self.capacity = capacity
        """The number of tasks that the present hosts can run."""
        self.why = why
        """Why no further host starts, if known."""


class RollStopped(FleetError):
    """A roll ended early because no new host started. The hosts that it has not replaced go on."""

    def __init__(self, replaced: int, hosts: int, reason: str) -> None:
        super().__init__(f"the roll stopped: {replaced} of {hosts} hosts are replaced: {reason}")
        self.replaced = replaced
        self.hosts = hosts
        self.reason = reason
        """Why the new host did not start."""


class TooManyCalls(FleetError):
    """The task has reached its limit of concurrent calls; this call was not executed."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the task has {limit} calls under way, and may have no more")
        self.limit = limit


class DriverSilent(CallError):
    """The program that made the call did not report to the fleet for half a minute, so its host cancelled the call."""

    def __init__(self) -> None:
        super().__init__("the driver of this call was silent for too long: the call was cancelled", maybe_executed=True)


class OtherVersion(FleetError):
    """The fleet runs another version of cdp-typed than this program, and they do not understand each other; nothing was
    executed."""

    def __init__(self, package: str, what: str) -> None:
        its = f"cdp-typed {package}" if package else "another version of cdp-typed"
        super().__init__(f"the fleet runs {its}, which does not understand this program: {what}")
        self.package = package
        """The version of the fleet; empty if it is not known."""
        self.what = what


class NoSuchFleet(FleetError):
    """No fleet with this name runs on the cluster."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no fleet {name!r} runs on this cluster")
        self.name = name


class NoSuchTask(FleetError):
    """The fleet has no task with this id."""

    def __init__(self, task_id: str) -> None:
        super().__init__(f"the fleet has no task {task_id!r}")
        self.task_id = task_id


class NoSuchRecording(FleetError):
    """No host has this recording of the task any more."""

    def __init__(self, task_id: str, name: str) -> None:
        super().__init__(f"no host has the recording {name!r} of the task {task_id!r}")
        self.task_id = task_id
        self.name = name


class NotRecorded(FleetError):
    """The tasks of the fleet are not recorded."""

    def __init__(self, fleet: str) -> None:
        super().__init__(
            f"the tasks of the fleet {fleet!r} are not recorded: it was started without Hosts(recordings=...)"
        )
        self.fleet = fleet


class NoSuchTunnel(FleetError):
    """The live view that was opened on a host has ended."""

    def __init__(self, reason: str = "") -> None:
        super().__init__("the live view has ended" + (f": {reason}" if reason else ""))
        self.reason = reason
        """Empty if it is not known."""


class TooManyTunnels(FleetError):
    """The host has reached its limit of live views, or a live view its limit of connections."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"there are {limit} of them already, and no more are allowed")
        self.limit = limit


class FleetStopped(FleetError):
    """The fleet was stopped, or its driver closed it."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the fleet {name!r} was stopped")
        self.name = name


class CutOff(FleetError):
    """The fleet's directory does not reach the cluster's control store (GCS), so it decides nothing; nothing was
    executed."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the fleet {name!r} does not reach the cluster's control store, so it decides nothing now")
        self.name = name


class NotHere(FleetError):
    """A host does not have the task: its driver has to ask the directory again. Never shown to a user."""

    def __init__(self, task_id: str) -> None:
        super().__init__(f"the host does not have the task {task_id!r}")
        self.task_id = task_id
