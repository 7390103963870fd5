"""`console.*` of the mock's pages."""

from __future__ import annotations

import re
from typing import Any, Final

from cdp_typed.mock.js.effects import ConsoleCall
from cdp_typed.mock.js.interpreter_state import InterpreterState
from cdp_typed.mock.js.syntax.syntax_tree import Unsupported
from cdp_typed.mock.js.values import WINDOW, HostObject, is_truthy, text

CONSOLE: Final = {
    "assert": "assert",
    "clear": "clear",
    "count": "count",
    "countReset": "",
    "debug": "debug",
    "dir": "dir",
    "dirxml": "dirxml",
    "error": "error",
    "group": "startGroup",
    "groupCollapsed": "startGroupCollapsed",
    "groupEnd": "endGroup",
    "info": "info",
    "log": "log",
    "table": "table",
    "trace": "trace",
    "warn": "warning",
}
"""The methods, and the `Runtime.consoleAPICalled` type of each."""

_SPECIFIER: Final = re.compile(r"%[sdifoOc]")
_SPEAKS_WITHOUT_ARGUMENTS: Final = frozenset({"assert", "clear", "group", "groupCollapsed", "groupEnd", "trace"})


def call_console(state: InterpreterState, method: str, arguments: list[Any], column: int) -> None:
    """Perform `console.method(arguments)`."""
    if method in ("count", "countReset"):
        _count(state, method, arguments, column)
        return
    if method == "assert":
        if arguments and is_truthy(arguments[0]):
            return
        arguments = arguments[1:]
    if not arguments and method in _SPEAKS_WITHOUT_ARGUMENTS:
        arguments = [f"console.{method}"]
    for argument in arguments:
        if isinstance(argument, HostObject) and not (argument == WINDOW and method != "table" and _is_unnamed(state)):
            raise Unsupported(f"console.{method} of a {argument.class_name}")
    if arguments:
        state.effects.append(ConsoleCall(CONSOLE[method], tuple(_formatted(arguments)), column))


def _is_unnamed(state: InterpreterState) -> bool:
    """Return whether the window has no name, which would be in its preview."""
    return "name" not in state.variables and not (state.environment.depth or state.environment.popup)


def _formatted(arguments: list[Any]) -> list[Any]:
    """Return the arguments as Chrome shows them: those for a `%s` of the first one as strings."""
    kinds = _SPECIFIER.findall(arguments[0]) if isinstance(arguments[0], str) else []
    shown = [text(value) if kind == "%s" else value for kind, value in zip(kinds, arguments[1:], strict=False)]
    return [arguments[0], *shown, *arguments[1 + len(shown) :]]


def _count(state: InterpreterState, method: str, arguments: list[Any], column: int) -> None:
    label = text(arguments[0]) if arguments else "default"
    if method == "countReset":
        state.variables.pop(f"count of console {label}", None)
    else:
        line = f"{label}: {state.count(f'console {label}')}"
        state.effects.append(ConsoleCall("count", (line,), column))
