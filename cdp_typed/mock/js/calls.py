"""Calls, `new`, and the names and holders of properties that both need: a part of the interpreter."""

from __future__ import annotations

from typing import Any, Final

from msgspec import UNSET

from cdp_typed.mock.js.console_api import call_console
from cdp_typed.mock.js.effects import ReadClock, RemoveIframe, SetTimeout
from cdp_typed.mock.js.global_names import CALLS, DIALOGS, ERRORS, NAMES, NOT_IN_WORKERS, WINDOW
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
    Binding,
    FunctionValue,
    IframeElement,
    NativeFunction,
    PromiseSettler,
    PromiseValue,
    Window,
    Worker,
    is_list,
    property_of,
    text,
)
from cdp_typed.mock.js.web_apis import (
    call_binding,
    call_method,
    fetch,
    new_xhr,
    settle,
    settled_promise,
)

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
        self._timers = 0

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
        return self._environment.worker and name in NOT_IN_WORKERS

    def _path(self, node: ast.Expression) -> str:
        """Return `a.b.c` for a chain of plain names, without the window in front."""
        path = ast.dotted(node)
        first, _, rest = path.partition(".")
        return rest if first in WINDOW and not (self._environment.worker and first in NOT_IN_WORKERS) else path

    def _read(self, name: str, column: int) -> Any:
        if self._state.has(name):
            return self._state.get(name, column)
        if name in FUNCTIONS:
            return NativeFunction(name)
        if self._is_absent(name) or name not in NAMES:
            self._refuse_what_may_be_defined(name)
            self._state.throw("ReferenceError", f"{name} is not defined", column)
        return read_window(self._state, name)

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
        function = node.function
        column = function.column if isinstance(function, (ast.Identifier, ast.MemberExpression)) else 0
        if isinstance(function, ast.MemberExpression) and function.name == "remove":
            return self._remove(function)
        if path in FUNCTIONS and not self._state.has(path.partition(".")[0]):
            return call_function(path, self._values(node.arguments), self._call_function)
        if self._state.has(path) or path not in CALLS:
            return self._call_value(node, path, column)
        arguments = self._values(node.arguments)
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
        return self._element_named(text(arguments[0])) if arguments else None

    def _element_named(self, name: str) -> Any:
        frame = self._environment.iframes.get(name)
        return self._environment.clickables.get(name) if frame is None else IframeElement(frame, name)

    def _call_value(self, node: ast.CallExpression, path: str, column: int) -> Any:
        member = node.function
        first = path.partition(".")[0]
        known = path == "" or ("." in path and (self._state.has(first) or path.count(".") > 1))
        if known and isinstance(member, ast.MemberExpression):
            holder = self._holder(member, member.object)
            if not isinstance(property_of(holder, member.name), FunctionValue):
                arguments = self._values(node.arguments)
                if is_list(holder) and member.name in SORTING and not is_fresh(member.object):
                    raise ast.Unsupported(f"a call of {member.name} on an array that another name may mean")
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

    def _remove(self, function: ast.MemberExpression) -> Any:
        holder = self._value(function.object)
        if holder is None:
            self._state.throw("TypeError", "Cannot read properties of null (reading 'remove')")
        self._state.effects.append(RemoveIframe(self._element(function.object).frame))
        return UNSET

    def _timeout(self, node: ast.CallExpression) -> float:
        function = self._value(node.arguments[0]) if node.arguments else None
        delay = self._value(node.arguments[1]) if len(node.arguments) > 1 else 0
        if not isinstance(function, FunctionValue | PromiseSettler) or not isinstance(delay, (int, float)):
            raise ast.Unsupported("setTimeout with anything but a function without parameters and a number")
        self._state.effects.append(SetTimeout(function, float(delay)))
        self._timers += 1
        return self._timers

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
