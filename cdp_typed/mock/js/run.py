"""Runs a program of a page: one pure call that says what came out and what the page did on the way.

A dialog stops a program in its middle. There is nothing to suspend: the run ends with `Asks`, and when the answer is
known the same program runs again from its start with the answers so far. The frame is frozen meanwhile, so the second
run takes the same way; its caller skips the effects it has already seen.

Understood names: `window`, `self`, `globalThis`, variables, `document.title`, `location.href`, `alert`, `confirm`,
`prompt`, `setTimeout(function, delay)`, `console.log/info/debug/warn/error`, `document.getElementById(frame name)` with
`.remove()` and `.src = address`, `new Error(text)` and its kin, `new Promise(function)`, which never settles.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn

from msgspec import UNSET

from cdp_typed.mock.js import tree as ast
from cdp_typed.mock.js.effects import (
    Asks,
    Effect,
    Logs,
    Navigates,
    Outcome,
    Removes,
    Returns,
    Run,
    Schedules,
    Spins,
    Throws,
    Titles,
    World,
)
from cdp_typed.mock.js.operators import binary, compare_or_none, unary
from cdp_typed.mock.js.values import Element, Failure, Func, Never, is_true, property_of, text

__all__ = ["CONSOLE", "ERRORS", "dotted", "not_known", "run"]


ERRORS: Final = frozenset(
    {"Error", "TypeError", "RangeError", "ReferenceError", "SyntaxError", "EvalError", "URIError"}
)
CONSOLE: Final = {"log": "log", "info": "info", "debug": "debug", "warn": "warning", "error": "error"}
_WINDOW: Final = frozenset({"window", "self", "globalThis"})
_DIALOGS: Final = frozenset({"alert", "confirm", "prompt"})
_PLATFORM: Final = """
    addEventListener atob btoa caches chrome close closed crypto customElements devicePixelRatio dispatchEvent
    document eval fetch focus frames getComputedStyle history indexedDB innerHeight innerWidth isSecureContext
    length localStorage location name navigator onbeforeunload onerror onload open opener origin outerHeight
    outerWidth parent performance postMessage print queueMicrotask requestAnimationFrame screen scroll scrollTo
    scrollX scrollY sessionStorage setInterval clearTimeout clearInterval status stop top visualViewport
    Array Boolean Date JSON Map Math Number Object Promise Proxy Reflect RegExp Set String Symbol
    this parseFloat parseInt isNaN encodeURIComponent decodeURIComponent XMLHttpRequest WebSocket Worker
"""
_BROWSERS_OWN: Final = frozenset(_PLATFORM.split())
"""Names that a real page has and the mock does not: reading one is `Unknown`, and never `undefined`."""


class _Returned(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


class _Stop(Exception):
    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome


def run(program: ast.Program, world: World, answers: tuple[Any, ...] = ()) -> Run:
    """Run `program` with the `answers` to its first dialogs. Never raises: what it does not know, it throws in JS."""
    interpreter = _Interpreter(world, answers)
    try:
        outcome: Outcome = Returns(interpreter.program(program))
    except _Stop as stop:
        outcome = stop.outcome
    except ast.Unknown as unknown:
        outcome = Throws(not_known(str(unknown)), 0)
    return Run(outcome, interpreter.variables, tuple(interpreter.effects))


def not_known(what: str) -> Failure:
    """The error object for what the mock does not understand: never a value that a browser might not give."""
    return Failure("MockError", f"cdp_typed.mock does not know this: {what}")


class _Interpreter:
    def __init__(self, world: World, answers: tuple[Any, ...]) -> None:
        self._world = world
        self._answers = list(answers)
        self._title = world.title
        self._timers = 0
        self.variables = dict(world.variables)
        self.effects: list[Effect] = []

    def program(self, program: ast.Program) -> Any:
        value: Any = UNSET
        for statement in program.statements:
            match statement:
                case ast.Throw():
                    raise _Stop(Throws(self._value(statement.value), statement.column))
                case ast.Return():
                    raise _Returned(self._value(statement.value))
                case ast.Spin():
                    raise _Stop(Spins())
                case ast.Assign(declares=True):
                    self._value(statement)
                case _:
                    value = self._value(statement)
        return value

    def _value(self, node: ast.Expression) -> Any:
        match node:
            case ast.Quoted():
                return node.value
            case ast.Name():
                return self._read(node.name, node.column)
            case ast.Array():
                return [self._value(item) for item in node.items]
            case ast.Object():
                return {key: self._value(item) for key, item in node.items}
            case ast.Member():
                return self._member(node)
            case ast.Call():
                return self._call(node)
            case ast.New():
                return self._new(node)
            case ast.Unary():
                return unary(node.op, self._typeof_operand(node) if node.op == "typeof" else self._value(node.operand))
            case ast.Binary():
                return self._binary(node)
            case ast.Choice():
                return self._value(node.then if is_true(self._value(node.condition)) else node.otherwise)
            case ast.Assign():
                return self._assign(node.place, self._value(node.value))
            case ast.Function():
                return Func(node.program, node.returns, node.parameters)

    def _typeof_operand(self, node: ast.Unary) -> Any:
        name = node.operand.name if isinstance(node.operand, ast.Name) else ""
        return self._variable(name) if name else self._value(node.operand)

    def _variable(self, name: str) -> Any:
        if name in _BROWSERS_OWN and name not in self.variables:
            raise ast.Unknown(name)
        return self.variables.get(name, UNSET)

    def _read(self, name: str, column: int) -> Any:
        if name not in self.variables and name not in _BROWSERS_OWN | _WINDOW | _DIALOGS | {"setTimeout", "console"}:
            self._throw(Failure("ReferenceError", f"{name} is not defined", column))
        if name in self.variables:
            return self.variables[name]
        raise ast.Unknown(f"{name} as a value")

    def _throw(self, failure: Failure) -> NoReturn:
        raise _Stop(Throws(failure, failure.column))

    def _binary(self, node: ast.Binary) -> Any:
        left = self._value(node.left)
        if node.op in ("&&", "||"):
            return left if is_true(left) == (node.op == "||") else self._value(node.right)
        right = self._value(node.right)
        compared = compare_or_none(node.op, left, right)
        return binary(node.op, left, right) if compared is None else compared

    def _member(self, node: ast.Member) -> Any:
        path = dotted(node)
        if path == "document.title":
            return self._title
        if path in ("location.href", "document.URL"):
            return self._world.url
        if isinstance(node.place, ast.Name) and node.place.name in _WINDOW:
            return self._variable(node.name)
        value = self._value(node.place)
        found = property_of(value, node.name)
        if found is not UNSET:
            return found
        if value is None or value is UNSET:
            self._throw(Failure("TypeError", f"Cannot read properties of {text(value)} (reading '{node.name}')"))
        raise ast.Unknown(f"property {node.name}")

    def _assign(self, place: ast.Name | ast.Member, value: Any) -> Any:
        match place:
            case ast.Name():
                self.variables[place.name] = value
            case ast.Member(place=ast.Name(name=holder)) if holder in _WINDOW:
                self.variables[place.name] = value
            case ast.Member() if dotted(place) == "document.title":
                self._title = text(value)
                self.effects.append(Titles(self._title))
            case ast.Member(name="src"):
                self.effects.append(Navigates(self._element(place.place).frame, text(value)))
            case _:
                raise ast.Unknown(f"an assignment to {dotted(place) or place.name}")
        return value

    def _element(self, node: ast.Expression) -> Element:
        element = self._value(node)
        if not isinstance(element, Element):
            raise ast.Unknown("this on anything but an iframe element")
        return element

    def _call(self, node: ast.Call) -> Any:
        path = dotted(node.function).removeprefix("window.")
        if path in _DIALOGS:
            return self._dialog(path, [self._value(argument) for argument in node.arguments])
        if path == "setTimeout":
            return self._timeout(node)
        if path.startswith("console.") and path.removeprefix("console.") in CONSOLE:
            arguments = tuple(self._value(argument) for argument in node.arguments)
            self.effects.append(Logs(CONSOLE[path.removeprefix("console.")], arguments))
            return UNSET
        if path == "document.getElementById" and node.arguments:
            frame = self._world.elements.get(text(self._value(node.arguments[0])))
            return None if frame is None else Element(frame)
        if isinstance(node.function, ast.Member) and node.function.name == "remove":
            return self._remove(node.function)
        if path and path not in self.variables and path not in _BROWSERS_OWN and "." not in path:
            self._read(path, node.function.column if isinstance(node.function, ast.Name) else 0)
        function = self._value(node.function)
        if not isinstance(function, Func):
            raise ast.Unknown(f"a call of {path or 'this'}")
        return self._enter(function, [self._value(argument) for argument in node.arguments])

    def _enter(self, function: Func, arguments: list[Any]) -> Any:
        outer = {name: self.variables[name] for name in function.parameters if name in self.variables}
        given = [*arguments, *[UNSET] * len(function.parameters)]
        self.variables.update(zip(function.parameters, given, strict=False))
        try:
            value = self.program(function.program)
            return value if function.returns else UNSET
        except _Returned as returned:
            return returned.value
        finally:
            for name in function.parameters:
                self.variables.pop(name, None)
            self.variables.update(outer)

    def _remove(self, function: ast.Member) -> Any:
        holder = self._value(function.place)
        if holder is None:
            self._throw(Failure("TypeError", "Cannot read properties of null (reading 'remove')"))
        self.effects.append(Removes(self._element(function.place).frame))
        return UNSET

    def _timeout(self, node: ast.Call) -> float:
        function = self._value(node.arguments[0]) if node.arguments else None
        delay = self._value(node.arguments[1]) if len(node.arguments) > 1 else 0
        if not isinstance(function, Func) or not isinstance(delay, (int, float)):
            raise ast.Unknown("setTimeout with anything but a function without parameters and a number")
        self.effects.append(Schedules(function, float(delay)))
        self._timers += 1
        return self._timers

    def _dialog(self, kind: str, arguments: list[Any]) -> Any:
        if self._answers:
            return self._answers.pop(0)
        message = text(arguments[0]) if arguments else ""
        default = text(arguments[1]) if kind == "prompt" and len(arguments) > 1 else ""
        raise _Stop(Asks(kind, message, default))

    def _new(self, node: ast.New) -> Any:
        if node.name in ERRORS:
            message = text(self._value(node.arguments[0])) if node.arguments else ""
            return Failure(node.name, message, node.column)
        if node.name == "Promise":
            return Never()
        raise ast.Unknown(f"new {node.name}")


def dotted(node: ast.Expression) -> str:
    """`a.b.c` for a chain of plain names, else nothing."""
    if isinstance(node, ast.Name):
        return node.name
    if isinstance(node, ast.Member):
        before = dotted(node.place)
        return f"{before}.{node.name}" if before else ""
    return ""
