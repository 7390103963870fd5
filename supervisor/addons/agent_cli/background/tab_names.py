"""Short names of tabs, t1, t2, ..., in place of the browser's ids of 32 characters."""

from __future__ import annotations

from typing import Any

from cdp_typed.wire.json_text import is_array, is_object
from supervisor.core.vocabulary.values import SupervisorSnapshot

_FIELDS = frozenset({"target_id", "opened"})
"""The fields of arguments and results that hold ids of tabs."""


class TabNames:
    """The tabs of a session, numbered in the order in which results name them. A name is never used again."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def note(self, now: SupervisorSnapshot | None) -> None:
        """Give the tabs that there are now their names, in their order."""
        for page in now.pages if now is not None else ():
            self._name(page.target_id)

    def shortened(self, value: Any, field: str = "") -> Any:
        """A result with names in place of ids."""
        if is_object(value):
            return {key: self.shortened(item, key) for key, item in value.items()}
        if is_array(value):
            return [self.shortened(item, field) for item in value]
        if field in _FIELDS and isinstance(value, str) and value:
            return self._name(value)
        return value

    def restored(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Arguments with ids in place of names; `2` means `t2`. Other texts stay: they may be ids."""
        ids = {name: target_id for target_id, name in self._names.items()}
        ids |= {name.removeprefix("t"): target_id for name, target_id in ids.items()}
        return {
            name: ids.get(value, value) if name in _FIELDS and isinstance(value, str) else value
            for name, value in arguments.items()
        }

    def _name(self, target_id: str) -> str:
        return self._names.setdefault(target_id, f"t{len(self._names) + 1}")
