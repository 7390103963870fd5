"""The everyday commands: short words for tools, with their arguments in the order in which people say them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias, get_args

from msgspec import Struct

from cdp_typed.cli.arguments import UsageError
from cdp_typed.spelling import did_you_mean
from supervisor.tools import Tool
from supervisor.tools.browser.wait import Kind

from .other_words import before_options
from .result_files import ENDINGS, written_file
from .usage import Parameters, arguments_of, parameters_of

PREFIX = "browser_"
_LOCAL_HOST = re.compile(r"(localhost|127\.|\[::1\]|0\.0\.0\.0)")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\d)")
_CONDITIONS = get_args(Kind)
_DIRECTIONS = ("down", "into_view", "left", "right", "up")

Shape: TypeAlias = Callable[[list[str], str], list[str]]
"""From the words of a command and the caller's folder to the words that the tool's parameters take."""


class Alias(Struct, frozen=True):
    """An everyday command."""

    tool: str
    """Without its prefix."""
    first: tuple[str, ...] = ()
    """Optional fields that are words, too."""
    done: str = ""
    """The outcome when the result has none: "clicked"."""
    shape: Shape | None = None


def _opened(words: list[str], folder: str) -> list[str]:
    """An address with its scheme: that of a file that exists, http for this machine, https for others."""
    if not words:
        return ["about:blank"]
    if words[0].startswith("--") or _SCHEME.match(words[0]):
        return words
    place = Path(folder, words[0])
    if place.exists():
        return [place.resolve().as_uri(), *words[1:]]
    return [("http://" if _LOCAL_HOST.match(words[0]) else "https://") + words[0], *words[1:]]


def _typed(words: list[str], folder: str) -> list[str]:
    """`type TEXT` into the focus, `type REF TEXT` at the end of a field."""
    plain, options = before_options(words)
    if len(plain) == 2:
        return [plain[1], f"--ref={plain[0]}", "--no-clear", *options]
    return words


def _scrolled(words: list[str], folder: str) -> list[str]:
    """`scroll REF` shows an element; any other first word is a direction."""
    plain, options = before_options(words)
    if plain and plain[0] not in _DIRECTIONS:
        return ["into_view", *plain[1:], f"--ref={plain[0]}", *options]
    return words


def _uploaded(words: list[str], folder: str) -> list[str]:
    """`upload REF FILE...`, and `upload FILE...` for an open file chooser."""
    plain, options = before_options(words)
    if len(plain) > 1 and not Path(folder, plain[0]).is_file():
        return [*plain[1:], f"--ref={plain[0]}", *options]
    return words


def _waited(words: list[str], folder: str) -> list[str]:
    """A number is a time in seconds, and what names no condition is a text."""
    plain, options = before_options(words)
    if len(plain) == 1 and _is_number(plain[0]):
        return ["time", f"--value={plain[0]}", *options]
    if len(plain) == 2 and ":" not in plain[0] and ":" not in plain[1]:
        return [plain[0], f"--value={plain[1]}", *options]
    named = plain[0].partition(":")[0] if len(plain) == 1 else ""
    if named and named not in _CONDITIONS and not did_you_mean(named, _CONDITIONS, 1):
        return [f"text:{plain[0]}", *options]
    return words


def _is_number(word: str) -> bool:
    return re.fullmatch(r"\d+(\.\d+)?", word) is not None


def _tab(words: list[str], folder: str) -> list[str]:
    """`tab`, `tab open URL`, `tab select ID`, `tab close [ID]`, and `tab ID`. To list and to close shows no page."""
    plain, options = before_options(words)
    if not plain or plain[0] == "list":
        return [*words, "--no-snapshot"]
    if plain[0] == "new":
        plain = ["open", *plain[1:]]
    action, rest = (plain[0], plain[1:]) if plain[0] in ("open", "select", "close") else ("select", plain)
    name = "url" if action == "open" else "target_id"
    rest = _opened(rest, folder) if name == "url" else rest
    shown = ["--no-snapshot"] if action == "close" else []
    return [action, *(f"--{name}={value}" for value in rest[:1]), *rest[1:], *shown, *options]


WORDS: dict[str, Alias] = {
    "open": Alias("navigate", done="opened", shape=_opened),
    "look": Alias("snapshot", first=("ref",)),
    "click": Alias("click", done="clicked"),
    "fill": Alias("fill_form", done="filled"),
    "type": Alias("type", done="typed", shape=_typed),
    "press": Alias("press", first=("count",), done="pressed"),
    "hover": Alias("hover", done="hovered"),
    "drag": Alias("drag", first=("to_ref",), done="dragged"),
    "scroll": Alias("scroll", first=("direction", "amount"), done="scrolled", shape=_scrolled),
    "upload": Alias("file", done="uploaded", shape=_uploaded),
    "wait": Alias("wait", done="came", shape=_waited),
    "dialog": Alias("dialog", first=("prompt_text",), done="answered"),
    "tab": Alias("tabs", shape=_tab),
    "back": Alias("back", done="went back"),
    "eval": Alias("evaluate"),
    "shot": Alias("vision"),
}
"""By command. Every other tool is a command by its name without the prefix."""

_RARER: dict[str, Alias] = {
    "mouse": Alias("mouse", first=("x", "y")),
    **{kind: Alias(kind, first=("name",)) for kind in ENDINGS},
    "fill-login": Alias("login", first=("name",)),  # `login` keeps logins, and needs no session
}
"""Commands that the help of all commands only names."""

_LEFT_OUT = frozenset({"batch"})
"""`run` is their command."""


class ToolCommand(Struct, frozen=True):
    """A command and its tool."""

    name: str
    tool: Tool
    parameters: Parameters
    word: Alias

    def arguments(self, words: list[str], folder: str) -> dict[str, Any]:
        """The tool's arguments. Raises `UsageError`."""
        if self.name == "fill":
            return _fill(words)
        shaped = self.word.shape(words, folder) if self.word.shape is not None else words
        return arguments_of(self.name, shaped, self.parameters, folder)


def _fill(words: list[str]) -> dict[str, Any]:
    """`fill REF VALUE...`: several values are for a list in which several can be chosen."""
    plain, options = before_options(words)
    if options:
        raise UsageError(f"fill takes no option {options[0]}; write -- before a value that begins with --")
    if len(plain) < 2:
        raise UsageError("fill REF VALUE...")
    value = plain[1] if len(plain) == 2 else plain[1:]
    return {"fields": [{"ref": plain[0], "value": value}], "snapshot": True}


def commands(tools: Iterable[Tool]) -> dict[str, ToolCommand]:
    """The commands that these tools give: the everyday words, and the names of all other tools."""
    found: dict[str, ToolCommand] = {}
    given = list(tools)
    own = {tool.name.removeprefix(PREFIX) for tool in given} - {word.tool for word in (WORDS | _RARER).values()}
    worded = {word.tool: name for name, word in (WORDS | _RARER).items() if name == word.tool or name not in own}
    for tool in given:
        short = tool.name.removeprefix(PREFIX)
        if short not in _LEFT_OUT:
            name = worded.get(short, short.replace("_", "-"))
            word = (WORDS | _RARER).get(name, Alias(short))
            found[name] = ToolCommand(name, tool, parameters_of(tool, word.first), word)
    return found


def with_commands(text: str, known: Mapping[str, ToolCommand]) -> str:
    """One of our texts, in which each tool's name is that of its command."""
    names = {command.tool.name: name for name, command in known.items()}
    return re.sub(rf"\b{PREFIX}\w+", lambda found: f"`cdp-agent {names.get(found[0], found[0])}`", text)


def file_name(folder: str, words: list[str]) -> tuple[str | None, list[str]]:
    """The file that `shot FILE` names, and the other words. Raises `UsageError` for a file that cannot be written."""
    plain, options = before_options(words)
    return (written_file(folder, plain[0]) if plain else None), [*plain[1:], *options]


def format_of(picture: str | None) -> str:
    """The format of a picture by its file's name; PNG for any other name, and for none."""
    suffix = "" if picture is None else Path(picture).suffix.lower()
    return {".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}.get(suffix, "png")
