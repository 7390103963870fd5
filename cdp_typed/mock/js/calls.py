"""Calls, `new`, and the names and holders of properties that both need: a part of the interpreter."""

from __future__ import annotations

from typing import Any, Final

from msgspec import UNSET

from cdp_typed.mock.js.console_api import call_console
from cdp_typed.mock.js.effects import ReadClock, RemoveIframe, SetTimeout
from cdp_typed.mock.js.global_names import CALLS, DIALOGS, ERRORS, NAMES, NOT_IN_WORKERS, TOUCH, WINDOW
from cdp_typed.mock.js.interpreter_state import InterpreterState, JavaScriptException
from cdp_typed.mock.js.library.arrays import SORTING, is_fresh
from cdp_typed.mock.js.library.functions import FUNCTIONS, call_function
from cdp_typed.mock.js.library.objects import is_plain, method, spread
from cdp_typed.mock.js.navigation_api import (
    NAVIGATION_CALLS,
    call_navigation,
    call_window_method,
    new_worker,
    read_window,
    show_dialog,
)
from cdp_typed.mock.js.syntax import syntax_tree as ast
from cdp_typed.mock.js.values import (
    DOCUMENT,
    Binding,
    FunctionValue,
    HostObject,
    IframeElement,
    NativeFunction,
    PromiseSettler,
    PromiseValue,
    SymbolValue,
    Window,
    Worker,
    is_list,
    property_of,
    text,
)
from cdp_typed.mock.js.values import WINDOW as WINDOW_OBJECT
from cdp_typed.mock.js.web_apis import (
    call_binding,
    call_method,
    fetch,
    new_xhr,
    settle,
    settled_promise,
)

_CALLABLE: Final = (FunctionValue, PromiseSettler)
_FRAME_MS: Final = 1000 / 60
UNREAD: Final = "(a script of this document was not run)"
"""The variable, of a name that no script has, of a document of which a script was not supported."""


class ChainEnded(Exception):
    """A `?.` has found nothing."""


class ReturnSignal(Exception):
    """`return`, with its value."""

    def __init__(self, value: Any) -> None:
        self.value = value


class CallEvaluation:
    """Evaluates calls; the rest of the interpreter evaluates what they consist of."""

    def __init__(self, state: InterpreterState) -> None:
        self._state = state
        self._environment = state.environment

    def program(self, program: ast.Program) -> Any:
        """Run statements, and return the value of the last one."""
        raise NotImplementedError

    def _value(self, node: ast.Expression) -> Any:
        raise NotImplementedError

    def _values(self, nodes: tuple[ast.Expression, ...]) -> list[Any]:
        values: list[Any] = []
        for node in nodes:
            values += spread(self._value(node.value)) if isinstance(node, ast.SpreadElement) else [self._value(node)]
        return values

    def _holder(self, node: ast.MemberExpression | ast.IndexExpression, holder: ast.Expression) -> Any:
        """Return the value whose property the node reads; where it has none, the chain ends, or the script throws."""
        value = self._value(holder)
        if value is None or value is UNSET:
            if isinstance(node, ast.MemberExpression) and node.optional:
                raise ChainEnded
            name = node.name if isinstance(node, ast.MemberExpression) else text(self._value(node.index))
            message = f"Cannot read properties of {text(value)} (reading '{name}')"
            self._state.throw("TypeError", message, node.column)
        return value

    def _refuse_what_may_be_defined(self, name: str) -> None:
        if UNREAD in self._state.variables:
            raise ast.Unsupported(f"{name}, which an earlier script may define that is not supported")

    def _is_absent(self, name: str) -> bool:
        return (self._environment.worker and name in NOT_IN_WORKERS) or f"deleted {name}" in self._state.variables

    def _is_browsers(self, name: str) -> bool:
        return name in NAMES or name in FUNCTIONS

    def _path(self, node: ast.Expression) -> str:
        """Return `a.b.c` for a chain of plain names of the browser, without the window in front."""
        path = ast.dotted(node)
        first, _, rest = path.partition(".")
        if rest and self._state.has(first):
            return ""
        return rest if first in WINDOW and not (self._environment.worker and first in NOT_IN_WORKERS) else path

    def _read(self, name: str, column: int) -> Any:
        if self._state.has(name):
            return self._state.get(name, column)
        return self._read_global(name, column)

    def _read_global(self, name: str, column: int) -> Any:
        """Return what a name means that no script has declared."""
        if name in FUNCTIONS:
            return NativeFunction(name)
        if name.startswith("this of"):
            raise ast.Unsupported("this in a function")
        if self._is_absent(name) or name not in NAMES:
            self._refuse_what_may_be_defined(name)
            self._state.throw("ReferenceError", f"{name} is not defined", column)
        if name in TOUCH:
            raise ast.Unsupported(f"the global {name}")
        return read_window(self._state, name, column)

    def _element(self, node: ast.Expression) -> IframeElement:
        element = self._value(node)
        if not isinstance(element, IframeElement):
            raise ast.Unsupported("this on anything but an iframe element")
        return element

    def _call(self, node: ast.CallExpression) -> Any:
        path = self._path(node.function)
        if self._environment.worker and path in NOT_IN_WORKERS:
            self._read(path, 0)
        if path == "setTimeout":
            return self._timeout(node)
        if path == "requestAnimationFrame" and not self._state.has(path):
            return self._animation_frame(self._values(node.arguments))
        function = node.function
        column = function.column if isinstance(function, (ast.Identifier, ast.MemberExpression)) else 0
        if isinstance(function, ast.MemberExpression) and function.name == "remove":
            return self._remove(function, self._values(node.arguments))
        if path in FUNCTIONS and not self._state.has(path.partition(".")[0]):
            return call_function(path, self._values(node.arguments), self._call_function)
        if self._state.has(path) or (path not in CALLS and path not in NAMES):
            return self._call_value(node, path, column)
        arguments = self._values(node.arguments)
        if path == "Symbol":
            described = arguments and arguments[0] is not UNSET
            return SymbolValue(self._state.count("symbols"), text(arguments[0]) if described else "")
        if path not in CALLS:
            if self._environment.worker or (path == "toString" and isinstance(function, ast.Identifier)):
                raise ast.Unsupported(f"a call of {path}")
            if self._is_absent(path):
                self._read(path, column)
            return self._state.ask(WINDOW_OBJECT, path, "call", arguments, column)
        if path in NAVIGATION_CALLS:
            return call_navigation(self._state, path, arguments)
        if path in DIALOGS:
            return show_dialog(self._state, path, arguments)
        if path.startswith("console."):
            call_console(self._state, path.removeprefix("console."), arguments, column)
            return UNSET
        if path == "Date.now":
            return self._state.answered(ReadClock())
        if path == "fetch":
            return fetch(self._state, arguments, column)
        if path.startswith("Promise."):
            return settled_promise(self._state, arguments, failed=path == "Promise.reject")
        if not arguments:
            raise ast.Unsupported("document.getElementById without a name")
        return self._element_named(text(arguments[0]))

    def _element_named(self, name: str) -> Any:
        if name in self._environment.iframes:
            return IframeElement(self._environment.iframes[name], name)
        known = self._environment.clickables.get(name)
        return self._state.ask(DOCUMENT, "getElementById", "call", (name,)) if known is None else known

    def _call_value(self, node: ast.CallExpression, path: str, column: int) -> Any:
        member = node.function
        if (path == "" or "." in path) and isinstance(member, ast.MemberExpression):
            holder = self._holder(member, member.object)
            if not isinstance(property_of(holder, member.name), FunctionValue):
                arguments = self._values(node.arguments)
                if is_list(holder) and member.name in SORTING and not is_fresh(member.object):
                    raise ast.Unsupported(f"a call of {member.name} on an array that another name may mean")
                if isinstance(holder, HostObject):
                    return self._state.ask(holder, member.name, "call", arguments, column)
                if is_plain(holder):
                    return method(holder, member.name, arguments, self._call_function)
                if isinstance(holder, (Window, Worker)):
                    return call_window_method(self._state, holder, member.name, arguments)
                return call_method(self._state, holder, member.name, arguments, column)
        function = self._value(node.function)
        arguments = self._values(node.arguments)
        if isinstance(function, PromiseSettler):
            settle(self._state, function, arguments[0] if arguments else UNSET)
            return UNSET
        if isinstance(function, Binding):
            return call_binding(self._state, function, arguments, column)
        name = ast.dotted(node.function)
        if function is UNSET and name and "." not in path:
            self._refuse_what_may_be_defined(path)
            self._state.throw("TypeError", f"{name} is not a function", column)
        return self._call_function(function, arguments)

    def _call_function(self, function: Any, arguments: list[Any]) -> Any:
        if isinstance(function, NativeFunction):
            return call_function(function.name, arguments, self._call_function)
        if not isinstance(function, FunctionValue):
            raise ast.Unsupported("a call of what is no function of the page")
        return self._enter(function, arguments)

    def _enter(self, function: FunctionValue, arguments: list[Any]) -> Any:
        given = [*arguments, *[UNSET] * len(function.parameters)]
        parameters = dict(zip(function.parameters, given, strict=False))
        last = function.parameters[-1] if function.parameters else ""
        if last.startswith("..."):
            parameters[last.removeprefix("...")] = arguments[len(function.parameters) - 1 :]
        with self._state.scope(function.program, parameters, function=function):
            try:
                value = self.program(function.program)
            except ReturnSignal as returned:
                return returned.value
        return value if function.returns else UNSET

    def _remove(self, function: ast.MemberExpression, arguments: list[Any]) -> Any:
        holder = self._holder(function, function.object)
        if isinstance(holder, HostObject):
            return self._state.ask(holder, "remove", "call", arguments, function.column)
        if not isinstance(holder, IframeElement):
            raise ast.Unsupported("remove() of anything but an element")
        self._state.effects.append(RemoveIframe(holder.frame))
        return UNSET

    def _timeout(self, node: ast.CallExpression) -> float:
        if not node.arguments:
            raise ast.Unsupported("setTimeout without a function")
        function = self._value(node.arguments[0])
        delay = self._value(node.arguments[1]) if len(node.arguments) > 1 else 0
        does_nothing = function is None or function is UNSET
        if not isinstance(delay, (int, float)) or not (does_nothing or isinstance(function, _CALLABLE)):
            raise ast.Unsupported("setTimeout with anything but a function without parameters and a number")
        if isinstance(function, _CALLABLE):
            self._state.effects.append(SetTimeout(function, float(delay)))
        return int(self._state.ask(WINDOW_OBJECT, "setTimeout", "call"))

    def _animation_frame(self, arguments: list[Any]) -> int:
        if len(arguments) != 1 or not isinstance(arguments[0], _CALLABLE):
            raise ast.Unsupported("requestAnimationFrame with anything but a function of the page")
        number = int(self._state.ask(WINDOW_OBJECT, "requestAnimationFrame", "call"))
        self._state.effects.append(SetTimeout(arguments[0], _FRAME_MS, gets_time=True))
        return number

    def _new(self, node: ast.NewExpression) -> Any:
        if node.name in ERRORS:
            message = text(self._value(node.arguments[0])) if node.arguments else ""
            return self._state.failure(node.name, message, node.column)
        if node.name == "Promise":
            return self._promise(node)
        if node.name == "XMLHttpRequest":
            return new_xhr(self._state)
        if node.name in ("Worker", "SharedWorker"):
            return new_worker(self._state, node.name, self._values(node.arguments))
        if node.name == "DataTransfer" and not (self._environment.worker or node.arguments):
            return HostObject(node.name, key=str(self._state.count("data transfers")))
        raise ast.Unsupported(f"new {node.name}")

    def _promise(self, node: ast.NewExpression) -> PromiseValue:
        executor = self._value(node.arguments[0]) if node.arguments else UNSET
        if executor is None or executor is UNSET or isinstance(executor, (bool, int, float, str)):
            self._state.throw("TypeError", f"Promise resolver {text(executor)} is not a function", node.column)
        if not isinstance(executor, FunctionValue):
            raise ast.Unsupported("new Promise with anything but a function of the page")
        promise = PromiseValue(self._state.count("promises"))
        reject = PromiseSettler(promise.number, failed=True)
        try:
            self._enter(executor, [PromiseSettler(promise.number), reject])
        except JavaScriptException as thrown:
            settle(self._state, reject, thrown.value)
        return promise
