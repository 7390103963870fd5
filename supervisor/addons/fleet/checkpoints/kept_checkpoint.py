"""The label of a kept checkpoint: whose it is, and until when it may be restored."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from supervisor.saved_state.checkpoint_values import InvalidCheckpoint

_MAGIC = b"cdp-typed kept checkpoint 1 "


class _Label(Struct, frozen=True):
    """Names are in ASCII, as a name may hold what is no text."""

    expires_at: float
    """Seconds since 1970."""
    fleet: str
    task: str


def label(checkpoint: bytes, fleet: str, task_id: str, expires_at: float) -> bytes:
    """Return the bytes of a checkpoint with a label before them, which is one line."""
    return _MAGIC + msgspec.json.encode(_Label(expires_at, ascii(fleet), ascii(task_id))) + b"\n" + checkpoint


def unlabelled(kept: bytes, fleet: str, task_id: str, now: float) -> bytes:
    """Return the bytes of a checkpoint that `label` was called on. Raises `InvalidCheckpoint` for the checkpoint of
    another fleet or another task, and for one that has expired.
    """
    line, _, checkpoint = kept.partition(b"\n")
    found = _label_of(line)
    if found is None:
        raise InvalidCheckpoint("it does not say of which fleet it is")
    if found.fleet != ascii(fleet):
        raise InvalidCheckpoint("it is of another fleet")
    if found.task != ascii(task_id):
        raise InvalidCheckpoint("it is of another task")
    if found.expires_at <= now:
        raise InvalidCheckpoint("it has expired")
    return checkpoint


def expiry_of(line: bytes) -> float | None:
    """When the checkpoint with this first line expires, in seconds since 1970; None if it does not say so."""
    found = _label_of(line)
    return None if found is None else found.expires_at


def _label_of(line: bytes) -> _Label | None:
    if not line.startswith(_MAGIC):
        return None
    try:
        return msgspec.json.decode(line.removeprefix(_MAGIC), type=_Label)
    except msgspec.MsgspecError:
        return None
