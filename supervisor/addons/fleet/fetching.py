"""Fetches the recordings of a task from the hosts that have them."""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import HostLost, NoSuchRecording, NotHere, NotRecorded
from .file_names import recording_order
from .values import FleetStatus, Placement, RecordingInfo

if TYPE_CHECKING:  # it needs Ray
    from .on_ray.router import TaskRouter

_log = logging.getLogger("supervisor.fleet")


async def recordings_of(router: TaskRouter, task_id: str) -> tuple[tuple[RecordingInfo, Placement], ...]:
    """The recordings of a task, the oldest first, each with the host that is asked for it; `number` says nothing."""
    if router.plan.hosts.recordings is None:
        raise NotRecorded(router.plan.name)
    status: FleetStatus = await router.ask("status")
    places = [Placement(task_id, host.host_id, 0) for host in status.hosts if host.state != "starting"]
    answers = await asyncio.gather(*(_listed(router, place) for place in places))
    found: dict[str, tuple[RecordingInfo, Placement]] = {}
    for place, recordings in zip(places, answers, strict=True):
        for recording in recordings:  # hosts on one machine, or on a shared directory, have the same
            is_own = recording.name.startswith(f"{place.host_id}-")
            if is_own or recording.name not in found:
                found[recording.name] = (recording, place)
    return tuple(sorted(found.values(), key=lambda each: recording_order(each[0].name)))


async def fetch_recordings(router: TaskRouter, task_id: str, folder: Path) -> tuple[Path, ...]:
    """Copy them into a directory, readable only by their owner. An incomplete copy is removed."""
    folder.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240 - files of this machine
    paths: list[Path] = []
    for recording, place in await recordings_of(router, task_id):
        path = folder / Path(recording.name).name
        part = path.with_name(f"{path.name}.part")
        part.unlink(missing_ok=True)
        try:
            await _copy(router, place, recording, part)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
        paths.append(path)
    return tuple(paths)


async def _listed(router: TaskRouter, place: Placement) -> tuple[RecordingInfo, ...]:
    try:
        recordings: tuple[RecordingInfo, ...] = await router.ask_host(place, "recordings")
    except (HostLost, NotHere) as error:
        _log.warning("the host %s cannot be asked for recordings: %s", place.host_id, error)
        return ()
    return recordings


async def _copy(router: TaskRouter, place: Placement, recording: RecordingInfo, part: Path) -> None:
    """Copy as many bytes as it had when it was listed: it may grow meanwhile."""
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        while (offset := file.tell()) < recording.size:
            try:
                piece: bytes = await router.ask_host(place, "read_recording", recording.name, offset)
            except NotHere:
                raise HostLost("its host ended") from None
            if not piece:
                raise NoSuchRecording(recording.task_id, recording.name)
            file.write(piece[: recording.size - offset])
