"""Translates commands of other command lines for browsers, and refuses unknown ones with the nearest name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from cdp_typed.cli.arguments import UsageError
from cdp_typed.spelling import did_you_mean

Command = TypeVar("Command")

_PEERS: dict[str, tuple[str, ...]] = {
    "snapshot": ("look",), "screenshot": ("shot",), "goto": ("open",), "navigate": ("open",), "evaluate": ("eval",),
    "select": ("fill",), "key": ("press",), "keypress": ("press",), "tabs": ("tab",), "find": ("look", "--find"),
    "reload": ("page", "reload"), "forward": ("page", "forward"), "highlight": ("page", "highlight"),
    "quit": ("close",), "exit": ("close",), "stop": ("close",), "network": ("requests",), "traffic": ("requests",),
    "text": ("read",),
}  # fmt: skip
"""By command of another command line: the first words of the same command here."""
_SHAPED = {
    "check": "fill", "uncheck": "fill", "dblclick": "click", "resize": "emulate", "pdf": "capture", "get": "read",
}  # fmt: skip
"""Those whose arguments differ."""
_GOT = {"title": "document.title", "url": "location.href", "html": "document.documentElement.outerHTML"}


def in_our_words(words: list[str]) -> list[str]:
    """A command as ours, where it is one of other command lines: `screenshot`, `check e4`, `get title`."""
    name, *rest = words
    plain, options = before_options(rest)
    match name, plain:
        case (("check" | "uncheck"), [ref]):
            return ["fill", ref, "true" if name == "check" else "false", *options]
        case "dblclick", [ref]:
            return ["click", ref, "--count=2", *options]
        case "resize", [width, height]:
            return ["emulate", "set", f"--width={width}", f"--height={height}", *options]
        case "pdf", [file]:
            return ["capture", file, "--format=pdf", *options]
        case "get", ["text", *part]:
            return ["read", *(f"--ref={ref}" for ref in part), *options]
        case "get", [what] if what in _GOT:
            return ["eval", _GOT[what], *options]
        case _:
            return [*_PEERS[name], *rest] if name in _PEERS else words


def our_name(name: str) -> str:
    """The command that a word of another command line means; the word itself where it is none."""
    return _PEERS[name][0] if name in _PEERS else _SHAPED.get(name, name)


def command_named(name: str, known: Mapping[str, Command], others: Iterable[str] = ()) -> Command:
    """The command. Raises `UsageError` for a name that is none; others exist besides those known."""
    if name not in known:
        hint = did_you_mean(name, [*known, *others, *_PEERS, *_SHAPED], 1)
        raise UsageError(f"there is no command {name!r}{hint} (see cdp-agent --help)")
    return known[name]


def before_options(words: list[str]) -> tuple[list[str], list[str]]:
    """The words before the first option, and the rest; words after `--` count as such."""
    end = next((at for at, word in enumerate(words) if word.startswith("--")), len(words))
    if words[end : end + 1] == ["--"]:
        return [*words[:end], *words[end + 1 :]], []
    return words[:end], words[end:]
