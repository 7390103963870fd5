"""Runs a script of a page: one pure call that returns its outcome and its effects.

A dialog stops a script in its middle. Nothing is suspended: the run ends with `OpenDialog`, and when the answer is
known the same script runs again from its start with the answers so far. The renderer is blocked meanwhile, so that the
second run goes the same way; its caller skips the effects that it has already applied. Synchronous requests
(`SendSyncRequest`), `debugger` (`PauseInDebugger`) and others stop it in the same way.

Supported names: `window`, `self`, `globalThis`, variables, `document.title`, `document.cookie`, `location.href`,
`alert`, `confirm`, `prompt`, `setTimeout(function, delay)`, the methods of `console` that `console_api` lists,
`document.getElementById(name)` of an iframe with `.remove()` and `.src = address` or `.srcdoc = html`, of a link or a
file input with `.click()`, `new Error(text)` and its subclasses, `new Promise(executor)`, `Promise.resolve`,
`Promise.reject`; `web_apis` has `fetch` and `XMLHttpRequest`, and `navigation_api` has `location`, `history`, windows
and workers.
"""

from __future__ import annotations

from typing import Any, Final, assert_never

from msgspec import UNSET

from cdp_typed.mock.js import syntax_tree as ast
from cdp_typed.mock.js.console_api import call_console
from cdp_typed.mock.js.effects import (
    LoopForever,
    NavigateIframe,
    Outcome,
    PauseInDebugger,
    RemoveIframe,
    Returned,
    RunResult,
    ScriptEnvironment,
    SetTimeout,
    SetTitle,
    Threw,
)
from cdp_typed.mock.js.global_names import BROWSERS_OWN, CALLS, DIALOGS, ERRORS, NAMES, NOT_IN_WORKERS, WINDOW
from cdp_typed.mock.js.interpreter_state import InterpreterState, JavaScriptException, RunStopped
from cdp_typed.mock.js.navigation_api import (
    LOCATION_PROPERTIES,
    NAVIGATION_CALLS,
    assign_location,
    assign_window_location,
    call_navigation,
    call_window_method,
    new_worker,
    read_location,
    show_dialog,
)
from cdp_typed.mock.js.operators import binary, compare_or_none, unary
from cdp_typed.mock.js.values import (
    Binding,
    Failure,
    FunctionValue,
    IframeElement,
    PromiseSettler,
    PromiseValue,
    Window,
    Worker,
    XmlHttpRequest,
    is_truthy,
    property_of,
    text,
)
from cdp_typed.mock.js.web_apis import (
    call_binding,
    call_method,
    fetch,
    new_xhr,
    read_cookies,
    settle,
    settled_promise,
    write_cookie,
    xhr_property,
)

UNREAD: Final = "(a script of this document was not run)"
"""The variable, of a name that no script has, of a document of which a script was not supported."""


class _ReturnSignal(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


def run(program: ast.Program, environment: ScriptEnvironment, answers: tuple[Any, ...] = ()) -> RunResult:
    """Run `program` with the `answers` to its first stops. Never raises: what is unsupported throws in JavaScript."""
    state = InterpreterState(environment, answers)
    interpreter = _Interpreter(state)
    try:
        state.hoist(program)
        outcome: Outcome = Returned(interpreter.program(program))
    except RunStopped as stop:
        return RunResult(stop.outcome, stop.variables, tuple(state.effects))
    except JavaScriptException as thrown:
        outcome = Threw(thrown.value, thrown.column)
    except ast.Unsupported as unknown:
        outcome = Threw(unsupported_error(str(unknown)), 0)
    return RunResult(outcome, state.variables, tuple(state.effects))


def unsupported_error(what: str) -> Failure:
    """Return the error object for unsupported JavaScript, in place of a value that a browser might not give."""
    return Failure("MockError", f"cdp_typed.mock does not know this: {what}")


def is_unsupported(value: Any) -> bool:
    """Return whether this is the error object for unsupported JavaScript."""
    return isinstance(value, Failure) and value.name == "MockError"


class _Interpreter:
    def __init__(self, state: InterpreterState) -> None:
        self._state = state
        self._environment = state.environment
        self._title = state.environment.title
        self._timers = 0

    def program(self, program: ast.Program) -> Any:
        value: Any = UNSET
        for statement in program.statements:
            match statement:
                case ast.ThrowStatement():
                    raise JavaScriptException(self._value(statement.value), statement.column)
                case ast.ReturnStatement():
                    raise _ReturnSignal(self._value(statement.value))
                case ast.EndlessLoop():
                    self._state.stop(LoopForever())
                case ast.AssignmentExpression(target=ast.Identifier(name=name), declares="var" | "let" | "const"):
                    self._state.initialise(name, self._value(statement.value))
                case ast.DebuggerStatement():
                    changed: dict[str, Any] = self._state.answered(PauseInDebugger(statement.column))
                    self._state.variables.update({self._state.key(name): item for name, item in changed.items()})
                case ast.TryStatement():
                    value = self._try(statement)
                case _:
                    value = self._value(statement)
        return value

    def _try(self, node: ast.TryStatement) -> Any:
        try:
            with self._state.scope(node.body, {}):
                return self.program(node.body)
        except JavaScriptException as thrown:
            with self._state.scope(node.handler, {node.name: thrown.value}):
                return self.program(node.handler)

    def _value(self, node: ast.Expression) -> Any:
        match node:
            case ast.Constant():
                return node.value
            case ast.Identifier():
                return self._read(node.name, node.column)
            case ast.ArrayExpression():
                return [self._value(item) for item in node.items]
            case ast.ObjectExpression():
                return {key: self._value(item) for key, item in node.items}
            case ast.MemberExpression():
                return self._member(node)
            case ast.CallExpression():
                return self._call(node)
            case ast.NewExpression():
                return self._new(node)
            case ast.UnaryExpression():
                return unary(node.op, self._typeof_operand(node) if node.op == "typeof" else self._value(node.operand))
            case ast.BinaryExpression():
                return self._binary(node)
            case ast.ConditionalExpression():
                return self._value(node.then if is_truthy(self._value(node.condition)) else node.otherwise)
            case ast.AssignmentExpression():
                return self._assign(node.target, self._value(node.value), node.column)
            case ast.FunctionExpression():
                return FunctionValue(node.program, node.returns, node.parameters, self._state.capture())
            case _:
                assert_never(node)

    def _typeof_operand(self, node: ast.UnaryExpression) -> Any:
        name = node.operand.name if isinstance(node.operand, ast.Identifier) else ""
        if name in WINDOW and not self._is_absent(name):
            return {}
        return self._variable(name) if name else self._value(node.operand)

    def _variable(self, name: str) -> Any:
        if name in BROWSERS_OWN and not self._state.has(name):
            raise ast.Unsupported(name)
        if name in NAMES and not self._state.has(name) and not self._is_absent(name):
            raise ast.Unsupported(f"{name} as a value")
        if not self._state.has(name):
            self._refuse_what_may_be_defined(name)
        return self._state.get(name)

    def _refuse_what_may_be_defined(self, name: str) -> None:
        if UNREAD in self._state.variables:
            raise ast.Unsupported(f"{name}, which an earlier script may define that is not supported")

    def _is_absent(self, name: str) -> bool:
        return self._environment.worker and name in NOT_IN_WORKERS

    def _read(self, name: str, column: int) -> Any:
        if self._state.has(name):
            return self._state.get(name, column)
        if self._is_absent(name) or name not in NAMES:
            self._refuse_what_may_be_defined(name)
            self._state.throw("ReferenceError", f"{name} is not defined", column)
        raise ast.Unsupported(f"{name} as a value")

    def _binary(self, node: ast.BinaryExpression) -> Any:
        left = self._value(node.left)
        if node.op in ("&&", "||"):
            return left if is_truthy(left) == (node.op == "||") else self._value(node.right)
        right = self._value(node.right)
        compared = compare_or_none(node.op, left, right)
        return binary(node.op, left, right) if compared is None else compared

    def _member(self, node: ast.MemberExpression) -> Any:
        path = dotted(node)
        if self._environment.worker and path.partition(".")[0] in NOT_IN_WORKERS:
            self._read(path.partition(".")[0], 0)
        if path == "document.title":
            return self._title
        if path == "document.cookie":
            return read_cookies(self._state, node.column)
        location = read_location(self._state, path)
        if location is not UNSET:
            return location
        if isinstance(node.object, ast.Identifier) and node.object.name in WINDOW:
            self._state.check_global(node.name)
            if node.name in BROWSERS_OWN and node.name not in self._state.variables:
                raise ast.Unsupported(node.name)
            return self._state.variables.get(node.name, UNSET)
        value = self._value(node.object)
        if isinstance(value, Window) and node.name == "closed":
            return value.page not in self._environment.windows
        if isinstance(value, XmlHttpRequest):
            return xhr_property(self._state, value, node.name)
        value_of_property = property_of(value, node.name)
        if value_of_property is not UNSET:
            return value_of_property
        if value is None or value is UNSET:
            self._state.throw("TypeError", f"Cannot read properties of {text(value)} (reading '{node.name}')")
        raise ast.Unsupported(f"property {node.name}")

    def _assign(self, target: ast.Identifier | ast.MemberExpression, value: Any, column: int) -> Any:
        first, _, path = dotted(target).partition(".")
        if first in WINDOW:
            self._state.check_global(path.partition(".")[0])
        path = dotted(target).removeprefix("window.")
        holder, _, rest = path.partition(".")
        window = self._state.get(holder)
        if not self._state.has(holder) and path in LOCATION_PROPERTIES:
            assign_location(self._state, path, value)
            return value
        if isinstance(window, Window) and rest in ("location", "location.href"):
            assign_window_location(self._state, window, text(value))
            return value
        match target:
            case ast.Identifier():
                self._state.assign(target.name, value, column)
            case ast.MemberExpression(object=ast.Identifier(name=holder)) if holder in WINDOW:
                self._state.variables[target.name] = value
            case ast.MemberExpression() if dotted(target) == "document.title":
                self._title = text(value)
                self._state.effects.append(SetTitle(self._title))
            case ast.MemberExpression() if dotted(target) == "document.cookie":
                write_cookie(self._state, text(value), target.column)
            case ast.MemberExpression(name="srcdoc"):
                element = self._element(target.object)
                self._state.effects.append(NavigateIframe(element.frame, "about:srcdoc", text(value)))
            case ast.MemberExpression(name="src"):
                self._state.effects.append(NavigateIframe(self._element(target.object).frame, text(value)))
            case _:
                raise ast.Unsupported(f"an assignment to {dotted(target) or target.name}")
        return value

    def _element(self, node: ast.Expression) -> IframeElement:
        element = self._value(node)
        if not isinstance(element, IframeElement):
            raise ast.Unsupported("this on anything but an iframe element")
        return element

    def _call(self, node: ast.CallExpression) -> Any:
        path = dotted(node.function).removeprefix("window.")
        if self._environment.worker and path in NOT_IN_WORKERS:
            self._read(path, 0)
        if path == "setTimeout":
            return self._timeout(node)
        function = node.function
        column = function.column if isinstance(function, (ast.Identifier, ast.MemberExpression)) else 0
        if isinstance(function, ast.MemberExpression) and function.name == "remove":
            return self._remove(function)
        if self._state.has(path) or path not in CALLS:
            return self._call_value(node, path, column)
        arguments = [self._value(argument) for argument in node.arguments]
        if path in NAVIGATION_CALLS:
            return call_navigation(self._state, path, arguments)
        if path in DIALOGS:
            return show_dialog(self._state, path, arguments)
        if path.startswith("console."):
            call_console(self._state, path.removeprefix("console."), arguments, column)
            return UNSET
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
        known = path == "" or ("." in path and self._state.has(path.partition(".")[0]))
        if known and isinstance(member, ast.MemberExpression):
            holder = self._value(member.object)
            if not isinstance(property_of(holder, member.name), FunctionValue):
                arguments = [self._value(argument) for argument in node.arguments]
                if isinstance(holder, (Window, Worker)):
                    return call_window_method(self._state, holder, member.name, arguments)
                return call_method(self._state, holder, member.name, arguments, column)
        function = self._value(node.function)
        arguments = [self._value(argument) for argument in node.arguments]
        if isinstance(function, PromiseSettler):
            settle(self._state, function, arguments[0] if arguments else UNSET)
            return UNSET
        if isinstance(function, Binding):
            return call_binding(self._state, function, arguments, column)
        if not isinstance(function, FunctionValue):
            raise ast.Unsupported(f"a call of {path or 'this'}")
        return self._enter(function, arguments)

    def _enter(self, function: FunctionValue, arguments: list[Any]) -> Any:
        given = [*arguments, *[UNSET] * len(function.parameters)]
        parameters = dict(zip(function.parameters, given, strict=False))
        with self._state.scope(function.program, parameters, function=function):
            try:
                value = self.program(function.program)
            except _ReturnSignal as returned:
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
            return new_worker(self._state, node.name, [self._value(argument) for argument in node.arguments])
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


def dotted(node: ast.Expression) -> str:
    """Return `a.b.c` for a chain of plain names, else an empty string."""
    if isinstance(node, ast.Identifier):
        return node.name
    if isinstance(node, ast.MemberExpression):
        before = dotted(node.object)
        return f"{before}.{node.name}" if before else ""
    return ""
