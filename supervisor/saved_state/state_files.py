"""Saved states as files in one folder: encrypted with an expiry, or in Playwright's format as they are."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from cdp_typed.conversions import decode
from supervisor.core.vocabulary.errors import InvalidConfig

from .checkpoint_values import Checkpoint, InvalidCheckpoint
from .named_files import NamedFiles, checked_name
from .sealed import sealed, unsealed
from .storage_state import read, written

FOLDER = "CDP_STATE_FOLDER"
"""The variable that names the folder; by default it is `cdp-typed/states` in the user's folder for program state."""
EXPIRE_DAYS = "CDP_STATE_EXPIRE_DAYS"
"""The variable with the days for which an encrypted state can be loaded; 30 by default."""
_MOST_DAYS = 36_500
_PLAIN = ".json"
_SEALED = ".state"


class _Kept(Struct, frozen=True, kw_only=True):
    """The content of an encrypted file."""

    expires_at: float
    """Seconds since 1970."""
    name: str = ""
    """Of the state; empty in files of earlier versions."""
    state: str


class StateFiles(NamedFiles):
    """The states of one folder by name. One whose name ends with `.json` is a plain file in Playwright's format."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        super().__init__("states", FOLDER, environment)
        self._environment = environment

    def names(self) -> list[str]:
        """Return the names of the states, in order."""
        found = super().names()
        return sorted(name.removesuffix(_SEALED) for name in found if name.endswith((_PLAIN, _SEALED)))

    def save(self, name: str, checkpoint: Checkpoint) -> tuple[str, ...]:
        """Write a state, in place of one of the same name (mode 0600), and return what the format cannot hold.

        Raises `InvalidConfig` for a name that is none, without a key, and without the extra `secrets`.
        """
        path = self._path(name)
        data, left_out = written(checkpoint)
        if path.suffix == _SEALED:
            kept = _Kept(name=name, expires_at=time.time() + self._expire_s, state=data.decode())
            data = sealed(msgspec.json.encode(kept), self._environment)
        self.write(path.name, data)
        return left_out

    def load(self, name: str) -> Checkpoint:
        """Return a state.

        Raises `InvalidCheckpoint` for one that does not exist, has expired, or was encrypted with another key.
        """
        path = self._path(name)
        try:
            data = path.read_bytes()
        except OSError:
            raise InvalidCheckpoint("no state has this name") from None
        if path.suffix != _SEALED:
            return read(data)
        try:
            kept = decode(unsealed(data, self._environment), type=_Kept)
        except msgspec.MsgspecError:
            raise InvalidCheckpoint("the file is damaged") from None
        if kept.name not in ("", name):
            raise InvalidCheckpoint("the file was saved under another name")
        if kept.expires_at <= time.time():
            raise InvalidCheckpoint("it has expired")
        return read(kept.state.encode())

    def _path(self, name: str) -> Path:
        return self.folder / (checked_name(name) + ("" if name.endswith(_PLAIN) else _SEALED))

    @property
    def _expire_s(self) -> float:
        given = self._environment.get(EXPIRE_DAYS, "30")
        try:
            days = float(given)
        except ValueError:
            days = math.nan
        if not 0 <= days <= _MOST_DAYS:
            raise InvalidConfig(EXPIRE_DAYS, given, f"a number of days from 0 to {_MOST_DAYS}")
        return days * 86_400
