"""The tree of sessions on one connection, as `Target.attachedToTarget` announces it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Raw, Struct, field

from cdp_typed.conversions import decoder_of
from cdp_typed.wire.json_text import is_object, load, repair

# Session ids are 32 hex digits; remembering this many dead ones costs well under a megabyte.
_MAX_ENDED = 4096


class Announced(Struct, frozen=True):
    """A session that `Target.attachedToTarget` announced. `target_info` is the JSON of its `Target.TargetInfo`."""

    session_id: str
    target_id: str
    target_info: bytes
    type: str = ""


class _SessionNode(Struct):
    announced: Announced
    parent_id: str | None
    children: dict[str, None] = field(default_factory=dict[str, None])
    crashed: bool = False


class SessionTree:
    """The living sessions with their parents and children. A session without a known parent has the parent `None`."""

    def __init__(self) -> None:
        self._nodes: dict[str, _SessionNode] = {}
        self._ended: dict[str, None] = {}

    def add(self, news: Announced, *, parent_id: str | None) -> None:
        """Add a session. Adding it again only replaces its `TargetInfo`."""
        known = self._nodes.get(news.session_id)
        if known is not None:
            known.announced = news
            return
        self._nodes[news.session_id] = _SessionNode(news, parent_id)
        if parent_id in self._nodes:
            self._nodes[parent_id].children[news.session_id] = None

    def remove(self, session_id: str) -> list[str]:
        """Remove a session with every session below it; return their ids, children first. Empty if it was over."""
        if self.is_over(session_id):
            return []
        below = self._below(session_id)
        for gone in below:
            self._end(gone)
        return below

    def is_over(self, session_id: str) -> bool:
        """Return True once the browser has said that the session ended."""
        return session_id in self._ended

    def mark_crashed(self, session_ids: Iterable[str]) -> list[str]:
        """Mark these sessions and all below them as crashed; return those that were not marked before."""
        marked: list[str] = []
        for session_id in (below for root in session_ids for below in self._below(root)):
            node = self._nodes.get(session_id)
            if node is None:
                marked.append(session_id)
            elif not node.crashed:
                node.crashed = True
                marked.append(session_id)
        return marked

    def mark_revived(self, session_id: str) -> None:
        """Clear the mark of a session whose target was reloaded after its crash."""
        if session_id in self._nodes:
            self._nodes[session_id].crashed = False

    def of_target(self, target_id: str | None) -> list[str]:
        """Return the sessions attached to one target."""
        return [session_id for session_id, node in self._nodes.items() if node.announced.target_id == target_id]

    def get(self, session_id: str) -> Announced | None:
        """Return the announcement of a session that is not over."""
        node = self._nodes.get(session_id)
        return node.announced if node else None

    def parent(self, session_id: str) -> str | None:
        """Return the session that this one was announced on; `None` for the browser's own."""
        node = self._nodes.get(session_id)
        return node.parent_id if node else None

    def children(self, session_id: str) -> tuple[str, ...]:
        """Return the sessions that were announced on this one, oldest first."""
        node = self._nodes.get(session_id)
        return tuple(node.children) if node else ()

    def all(self) -> tuple[str, ...]:
        """Return every session that is not over, oldest first."""
        return tuple(self._nodes)

    def _below(self, session_id: str) -> list[str]:
        session_ids: list[str] = []
        unvisited = [session_id]
        while unvisited:
            visited = unvisited.pop()
            session_ids.append(visited)
            unvisited.extend(self.children(visited))
        return session_ids[::-1]

    def _end(self, session_id: str) -> None:
        node = self._nodes.pop(session_id, None)
        if node is not None and node.parent_id in self._nodes:
            self._nodes[node.parent_id].children.pop(session_id, None)
        self._ended[session_id] = None
        if len(self._ended) > _MAX_ENDED:
            del self._ended[next(iter(self._ended))]


class _TargetInfo(Struct):
    target_id: str = field(default="", name="targetId")
    type: str = ""


class _Params(Struct):
    session_id: str | None = field(default=None, name="sessionId")
    target_id: str | None = field(default=None, name="targetId")
    target_info: Raw = field(default=Raw(b"{}"), name="targetInfo")


_params = decoder_of(_Params)
_target_info = decoder_of(_TargetInfo)


def announced(raw: Raw) -> Announced | None:
    """Read the parameters of `Target.attachedToTarget`; `None` if they name no session."""
    params = _read(raw)
    if params.session_id is None:
        return None
    info = repair(bytes(params.target_info))
    try:
        target = _target_info.decode(info)
    except msgspec.MsgspecError:
        target = _TargetInfo()
    return Announced(params.session_id, target.target_id, info, target.type)


def detached(raw: Raw) -> str | None:
    """Read the session id in the parameters of `Target.detachedFromTarget`."""
    return _read(raw).session_id


def crashed_target(raw: Raw) -> str | None:
    """Read the target id in the parameters of `Target.targetCrashed`."""
    return _read(raw).target_id


def _read(raw: Raw) -> _Params:
    # Routing needs these fields, so a value of the wrong type elsewhere in the message must not hide them.
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
