"""Named sets of tools: ours, composites, and a user's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from supervisor.core.vocabulary.errors import InvalidConfig

from .tool import Tool

EVERYTHING = ("all", "*")
DEFAULT = ("browser",)
"""Without scripts and raw CDP: those are asked for by name."""

COMPOSITES: Mapping[str, Sequence[str]] = {
    "browser-full": ("browser", "browser-cdp"),
    "browser-dialogs": ("browser_dialog", "browser_snapshot"),
}
"""Sets made of other sets and of tools, by name."""


def resolve(
    names: str | Iterable[str], tools: Iterable[Tool], custom: Mapping[str, Sequence[str]] | None = None
) -> frozenset[str]:
    """The names of the tools in these sets; a tool's own name means that tool.

    `browser` and `browser-cdp` are ours, `all` (or `*`) is every tool, `custom` maps further names to sets and tools.
    Raises `InvalidConfig` for an unknown name, and for sets that contain each other.
    """
    known = {tool.name: tool for tool in tools}
    composites = {**COMPOSITES, **(custom or {})}
    sets = {tool.toolset for tool in known.values()}

    def expand(name: str, above: tuple[str, ...]) -> Iterable[str]:
        if name in above:
            raise InvalidConfig("toolsets", " > ".join((*above, name)), "sets that do not contain themselves")
        if name in composites:
            return [member for part in composites[name] for member in expand(part, (*above, name))]
        if name in EVERYTHING:
            return list(known)
        if name in sets:
            return [tool.name for tool in known.values() if tool.toolset == name]
        if name in known:
            return [name]
        every = sorted({EVERYTHING[0], *composites, *sets})
        raise InvalidConfig.not_one_of("toolsets", name, every, known)

    asked = [names] if isinstance(names, str) else names
    return frozenset(member for name in asked for member in expand(name, ()))
