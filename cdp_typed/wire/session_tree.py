"""The tree of sessions on one connection, as the browser announces it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Raw, Struct, field

from cdp_typed.wire.json_text import is_object, load, repair

__all__ = ["Announced", "SessionTree", "announced", "crashed_target", "detached"]

# Session ids are 32 hex digits; remembering this many dead ones costs well under a megabyte.
_MAX_ENDED = 4096


class Announced(Struct, frozen=True):
    """A session that `Target.attachedToTarget` announced. `target_info` is the JSON of its `Target.TargetInfo`."""

    session_id: str
    target_id: str
    target_info: bytes


class _SessionNode(Struct):
    announced: Announced
    parent_id: str | None
    children: dict[str, None] = field(default_factory=dict[str, None])
    crashed: bool = False


class SessionTree:
    """Who is attached below whom. A session without a known parent hangs below the browser (`None`)."""

    def __init__(self) -> None:
        self._nodes: dict[str, _SessionNode] = {}
        self._ended: dict[str, None] = {}

    def add(self, news: Announced, *, parent_id: str | None) -> None:
        """A session began. Being announced twice changes nothing but the target's description."""
        known = self._nodes.get(news.session_id)
        if known is not None:
            known.announced = news
            return
        self._nodes[news.session_id] = _SessionNode(news, parent_id)
        if parent_id in self._nodes:
            self._nodes[parent_id].children[news.session_id] = None

    def remove(self, session_id: str) -> list[str]:
        """A session ended, and every session below it: the ended ones, children first. Empty if it was over before."""
        if self.is_over(session_id):
            return []
        below = self._below(session_id)
        for gone in below:
            self._end(gone)
        return below

    def is_over(self, session_id: str) -> bool:
        """Whether the browser said that the session ended."""
        return session_id in self._ended

    def mark_crashed(self, session_ids: Iterable[str]) -> list[str]:
        """These sessions' targets crashed, with all below them: the ones that were not known to have crashed."""
        newly: list[str] = []
        for session_id in session_ids:
            for each in self._below(session_id):
                node = self._nodes.get(each)
                if node is None:
                    newly.append(each)
                elif not node.crashed:
                    node.crashed = True
                    newly.append(each)
        return newly

    def mark_revived(self, session_id: str) -> None:
        """The target was reloaded after its crash; a later crash counts again."""
        if session_id in self._nodes:
            self._nodes[session_id].crashed = False

    def of_target(self, target_id: str | None) -> list[str]:
        """The sessions attached to one target."""
        return [each for each, node in self._nodes.items() if node.announced.target_id == target_id]

    def get(self, session_id: str) -> Announced | None:
        """What was announced of a session that is not over."""
        node = self._nodes.get(session_id)
        return node.announced if node else None

    def parent(self, session_id: str) -> str | None:
        """The session that this one was announced on; `None` for the browser's own."""
        node = self._nodes.get(session_id)
        return node.parent_id if node else None

    def children(self, session_id: str) -> tuple[str, ...]:
        """The sessions that were announced on this one, oldest first."""
        node = self._nodes.get(session_id)
        return tuple(node.children) if node else ()

    def all(self) -> tuple[str, ...]:
        """Every session that is not over, oldest first."""
        return tuple(self._nodes)

    def _below(self, session_id: str) -> list[str]:
        found: list[str] = []
        waiting = [session_id]
        while waiting:
            each = waiting.pop()
            found.append(each)
            waiting.extend(self.children(each))
        return found[::-1]

    def _end(self, session_id: str) -> None:
        node = self._nodes.pop(session_id, None)
        if node is not None and node.parent_id in self._nodes:
            self._nodes[node.parent_id].children.pop(session_id, None)
        self._ended[session_id] = None
        if len(self._ended) > _MAX_ENDED:
            del self._ended[next(iter(self._ended))]


class _TargetInfo(Struct):
    target_id: str = field(default="", name="targetId")


class _Params(Struct):
    session_id: str | None = field(default=None, name="sessionId")
    target_id: str | None = field(default=None, name="targetId")
    target_info: Raw = field(default=Raw(b"{}"), name="targetInfo")


_params = msgspec.json.Decoder(_Params)
_target_info = msgspec.json.Decoder(_TargetInfo)


def announced(raw: Raw) -> Announced | None:
    """The session in the parameters of `Target.attachedToTarget`; `None` if they name none."""
    params = _read(raw)
    if params.session_id is None:
        return None
    info = repair(bytes(params.target_info))
    try:
        target_id = _target_info.decode(info).target_id
    except msgspec.MsgspecError:
        target_id = ""
    return Announced(params.session_id, target_id, info)


def detached(raw: Raw) -> str | None:
    """The session in the parameters of `Target.detachedFromTarget`."""
    return _read(raw).session_id


def crashed_target(raw: Raw) -> str | None:
    """The target in the parameters of `Target.targetCrashed`."""
    return _read(raw).target_id


def _read(raw: Raw) -> _Params:
    # Only routing needs these fields, so whatever else is odd in the message must not hide them.
    data = repair(bytes(raw)) or b"{}"
    try:
        return _params.decode(data)
    except (msgspec.MsgspecError, RecursionError):
        return _read_patiently(data)


def _read_patiently(data: bytes) -> _Params:
    try:
        value = load(data, lambda _: None)
    except (ValueError, RecursionError):
        return _Params()
    session_id, target_id = (value.get("sessionId"), value.get("targetId")) if is_object(value) else (None, None)
    return _Params(
        session_id if isinstance(session_id, str) else None, target_id if isinstance(target_id, str) else None
    )
