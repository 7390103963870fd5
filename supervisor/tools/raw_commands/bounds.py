"""The pages and browser contexts to which the raw commands of a caller are held."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from cdp_typed.wire.json_text import is_object
from supervisor.aio import AsyncSupervisor
from supervisor.core.state.frames import Frame
from supervisor.core.state.world import World
from supervisor.core.vocabulary.url_rules import UrlRules
from supervisor.driver.controls import ControlRules
from supervisor.driver.driver import Driver

from .reach import REACH, Reach

_UNKNOWN = "it is not among the commands that are known to stay on the caller's own pages"
_NO_CONTEXT = "and the caller has no separate browser context (own_context)"
_NODES = frozenset({"backendNodeId", "backendNodeIds", "fieldId", "invokerNodeId"})
"""Parameters with numbers of nodes, which may mean any node of the process."""


class Bounds(Struct, frozen=True, kw_only=True):
    """The pages and contexts of a caller, and whether its raw commands are limited to them."""

    url_rules: tuple[UrlRules, ...] = ()
    """The rules of its supervisor."""
    is_shared: bool = False
    """The browser may have pages that are not the caller's (every scope but `browser`)."""
    has_own_context: bool = False
    """Its pages are in a browser context that no other page is in."""
    contexts: frozenset[str] = frozenset()
    """The ids of the browser contexts that are the caller's, without those with a page that the URL rules refuse."""
    pages: frozenset[str] = frozenset()
    """The ids of its pages and frames, without those at addresses that the URL rules refuse."""
    refused: str | None = None
    """Why the URL rules refuse the address of the page or frame that the command goes to."""

    @property
    def hold(self) -> bool:
        """Return True when raw commands are held to what belongs to the caller."""
        return self.is_shared or bool(self.url_rules)

    def why_not(self, method: str, params: Mapping[str, Any]) -> str | None:
        """Return the reason to refuse a command, or None. The addresses that it names are not looked at."""
        reach = REACH.get(method)
        if reach is None:
            return _UNKNOWN
        if self.refused is not None:
            return f"the page that it goes to was open before the URL rules ({self.refused}); navigate it first"
        if reach in (Reach.CHANNEL, Reach.STREAM, Reach.BROWSER) or (reach is Reach.HOLDING and self.url_rules):
            return f"it {reach.value}"
        if reach is Reach.CONTEXT and self.url_rules:
            return f"it {reach.value}, and the URL rules forbid some of its sites"
        is_of_the_page = method == "Network.getCookies" and not params.get("urls")
        if reach in (Reach.CONTEXT, Reach.SITE, Reach.BESIDE) and not (self._is_alone or is_of_the_page):
            return f"it {reach.value}, {_NO_CONTEXT}"
        return self._why_not_named(reach, params)

    @property
    def _is_alone(self) -> bool:
        return self.has_own_context or not self.is_shared

    def _why_not_named(self, reach: Reach, params: Mapping[str, Any]) -> str | None:
        for name in ("targetId", "frameId"):
            if params.get(name) is not None and not _is_in(params[name], self.pages):
                return f"its {name} is not one of the caller's own pages or frames"
        context = params.get("browserContextId")
        if context is not None and not _is_in(context, self.contexts):
            return "its browserContextId is not the caller's own browser context"
        if reach is Reach.PERMISSION and self.url_rules and not params.get("origin"):
            return f"it {reach.value}; where there are URL rules, give an origin that they allow"
        if reach in (Reach.IN_CONTEXT, Reach.PERMISSION) and context is None and self.is_shared:
            own = "; give the caller's own browserContextId (Target.getTargetInfo)"
            return f"it {reach.value}{own if self.contexts else f', {_NO_CONTEXT}'}"
        if not self._is_alone and _names_a_node(params):
            return f"its node may be in a page of somebody else, {_NO_CONTEXT}; name the node by nodeId or objectId"
        return None


def _names_a_node(params: Mapping[str, Any]) -> bool:
    return any(name in _NODES or (is_object(value) and _names_a_node(value)) for name, value in params.items())


def _is_in(value: object, own: frozenset[str]) -> bool:
    return isinstance(value, str) and value in own


UNBOUND = Bounds()
"""The caller has the whole browser, and may go anywhere."""


async def bounds_of(supervisor: AsyncSupervisor, frame_id: str | None) -> Bounds:
    """Return what belongs to the caller of a supervisor at this moment, for a command to a page or frame (None: the
    current page). Raises `NotRunning`."""

    async def read(driver: Driver) -> Bounds:
        return _bounds(driver.state.world, frame_id)

    return await supervisor.with_driver(read)


def _bounds(world: World, frame_id: str | None) -> Bounds:
    ownership, pages = world.page_ownership, tuple(world.targets.pages())
    refused = {frame.frame_id for frame in world.frames.nodes.values() if _why_not(world, frame)}
    own, seen = ownership.own_contexts, {page.browser_context_id for page in pages}
    is_shared = not ownership.covers_all
    contexts = own if is_shared else {*own, *seen} - {p.browser_context_id for p in pages if p.target_id in refused}
    targets = {session.target_id for session in world.targets.sessions.values()}
    return Bounds(
        url_rules=tuple(each for each in world.interception.url_rules if not isinstance(each, ControlRules)),
        is_shared=is_shared,
        has_own_context=bool(own) and seen <= own,
        contexts=frozenset(context for context in contexts if context is not None),
        pages=frozenset(targets | world.frames.nodes.keys()) - refused,
        refused=_why_not(world, world.frame(frame_id)),
    )


def _why_not(world: World, frame: Frame | None) -> str | None:
    reasons = (rules.why_not(frame.url) for rules in world.interception.url_rules) if frame is not None else ()
    return next((why for why in reasons if why is not None), None)
