"""The label of a kept checkpoint: whose it is, and for how long it may be restored."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from cdp_typed.conversions import decode
from supervisor.saved_state.checkpoint_values import InvalidCheckpoint

_MAGIC = b"cdp-typed kept checkpoint 1 "


class _Label(Struct, frozen=True):
    """Names are in ASCII, as a name may hold what is no text."""

    fleet: str
    task: str
    lasts_s: float
    """Seconds after it was written."""


def label(checkpoint: bytes, fleet: str, task_id: str, lasts_s: float) -> bytes:
    """Return the bytes of a checkpoint with a label before them, which is one line."""
    return _MAGIC + msgspec.json.encode(_Label(ascii(fleet), ascii(task_id), lasts_s)) + b"\n" + checkpoint


def unlabelled(kept: bytes, fleet: str, task_id: str) -> bytes:
    """Return the bytes of a checkpoint that `label` was called on. Raises `InvalidCheckpoint` for the checkpoint of
    another fleet or another task.
    """
    line, _, checkpoint = kept.partition(b"\n")
    found = _label_of(line)
    if found is None:
        raise InvalidCheckpoint("it does not say of which fleet it is")
    if found.fleet != ascii(fleet):
        raise InvalidCheckpoint("it is of another fleet")
    if found.task != ascii(task_id):
        raise InvalidCheckpoint("it is of another task")
    return checkpoint


def age_text(age_s: float, more: str = "") -> str:
    """Return how old a restored checkpoint is and what it leaves out, for the end of the reason of a restart."""
    age = f"{more}{max(age_s, 0.0):.0f} s old"
    return f"; cookies, localStorage and IndexedDB are {age}, pages and sessionStorage gone"


def lasts_of(line: bytes) -> float | None:
    """The seconds after which the checkpoint with this first line expires; None if it does not say so."""
    found = _label_of(line)
    return None if found is None else found.lasts_s


def _label_of(line: bytes) -> _Label | None:
    if not line.startswith(_MAGIC):
        return None
    try:
        return decode(line.removeprefix(_MAGIC), type=_Label)
    except msgspec.MsgspecError:
        return None
