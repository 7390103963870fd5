"""Runs a script of a page: one pure call that returns its outcome and its effects.

A dialog stops a script in its middle. Nothing is suspended: the run ends with `OpenDialog`, and when the answer is
known the same script runs again from its start with the answers so far. The renderer is blocked meanwhile, so that the
second run goes the same way; its caller skips the effects that it has already applied. Synchronous requests
(`SendSyncRequest`), `debugger` (`PauseInDebugger`) and others stop it in the same way.

Supported names: `window`, `self`, `globalThis`, `this`, variables, `document.title`, `document.cookie`, `alert`,
`confirm`, `prompt`, `setTimeout(function, delay)`, the methods of `console` that `console_api` lists,
`document.getElementById(name)` of an iframe with `.remove()` and `.src = address` or `.srcdoc = html`, of a link or a
file input with `.click()`, `new Error(text)` and its subclasses, `new Promise(executor)`, `Promise.resolve`,
`Promise.reject`. `web_apis` has `fetch` and `XMLHttpRequest`, `navigation_api` has `location`, `history`, windows and
workers, and `library` has what ECMAScript brings along. Of all other objects of the browser the script asks the page
that runs it (`AskHost`): `cdp_typed.mock.dom` answers.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, assert_never

from msgspec import UNSET
from msgspec.structs import replace

from cdp_typed.mock.js.calls import CallEvaluation, ChainEnded, ReturnSignal
from cdp_typed.mock.js.effects import (
    LoopForever,
    NavigateIframe,
    Outcome,
    PauseInDebugger,
    Returned,
    RunResult,
    ScriptEnvironment,
    SetTitle,
    Threw,
)
from cdp_typed.mock.js.global_names import BROWSERS_OWN, DELETABLE, NAMES, NOT_IN_WORKERS, TYPES, WINDOW
from cdp_typed.mock.js.interpreter_state import InterpreterState, JavaScriptException, RunStopped, check_thrown
from cdp_typed.mock.js.library.functions import CONSTANTS
from cdp_typed.mock.js.library.objects import has_key, is_instance, item, missing_property
from cdp_typed.mock.js.navigation_api import (
    LOCATION_PROPERTIES,
    assign_location,
    assign_window_location,
    read_location,
    same_window,
)
from cdp_typed.mock.js.operators import binary, compare_or_none, unary
from cdp_typed.mock.js.syntax import syntax_tree as ast
from cdp_typed.mock.js.values import (
    PATHS,
    Binding,
    Failure,
    FunctionValue,
    HostObject,
    Window,
    XmlHttpRequest,
    is_dict,
    is_truthy,
    ordered,
    property_of,
    text,
    type_name,
)
from cdp_typed.mock.js.values import WINDOW as WINDOW_OBJECT
from cdp_typed.mock.js.web_apis import (
    read_cookies,
    write_cookie,
    xhr_property,
)

_LONGEST_LINE = 100
_NOT_ASSIGNED = frozenset(
    {
        "chrome",
        "document",
        "history",
        "localStorage",
        "location",
        "navigator",
        "screen",
        "sessionStorage",
        "top",
        *WINDOW,
    }
)
_TOO_LONG = "mock.browser.on_expression(its whole text, ...)"


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


def with_advice(thrown: Threw, source: str) -> Threw:
    """Return what an unsupported script threw with what its author can do; `source` is a client's expression, or ""."""
    script = f"mock.browser.on_expression({source!r}, ...)" if len(source) <= _LONGEST_LINE else _TOO_LONG
    advice = f"use cdp_typed.launch, or script this expression: {script}" if source else "use cdp_typed.launch"
    message = f"{thrown.value.message}; the mock has a tiny DOM and little JavaScript: {advice}"
    return Threw(replace(thrown.value, message=message), thrown.column)


def is_unsupported(value: Any) -> bool:
    """Return whether this is the error object for unsupported JavaScript."""
    return isinstance(value, Failure) and value.name == "MockError"


def _check_assigned(name: str) -> None:
    if name in _NOT_ASSIGNED or (name in BROWSERS_OWN and name.startswith("on")):
        raise ast.Unsupported(f"an assignment to {name} of the window")


class _Interpreter(CallEvaluation):
    def __init__(self, state: InterpreterState) -> None:
        super().__init__(state)
        self._title = state.environment.title

    def program(self, program: ast.Program) -> Any:
        value: Any = UNSET
        for statement in program.statements:
            match statement:
                case ast.ThrowStatement():
                    raise JavaScriptException(check_thrown(self._value(statement.value)), statement.column)
                case ast.ReturnStatement():
                    raise ReturnSignal(self._value(statement.value))
                case ast.EndlessLoop():
                    self._state.stop(LoopForever())
                case ast.AssignmentExpression(target=ast.Identifier(name=name), declares="var" | "let" | "const"):
                    self._state.initialise(name, self._value(statement.value))
                case ast.DebuggerStatement():
                    changed: dict[str, Any] = self._state.answered(PauseInDebugger(statement.column))
                    self._state.variables.update({self._state.key(name): item for name, item in changed.items()})
                case ast.TryStatement():
                    value = self._try(statement)
                case ast.IfStatement():
                    branch = statement.then if is_truthy(self._value(statement.condition)) else statement.otherwise
                    with self._state.scope(branch, {}):
                        value = self.program(branch)
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
                return self._values(node.items)
            case ast.ObjectExpression():
                return self._object(node)
            case ast.TemplateLiteral():
                return "".join(text(self._value(part)) for part in node.parts)
            case ast.SequenceExpression():
                return [self._value(item) for item in node.items][-1]
            case ast.OptionalChain():
                with suppress(ChainEnded):
                    return self._value(node.chain)
                return UNSET
            case ast.MemberExpression():
                return self._member(node)
            case ast.IndexExpression():
                holder, key = self._holder(node, node.object), self._value(node.index)
                is_host = isinstance(holder, HostObject) and isinstance(key, str)
                return self._host_member(holder, key, node.column) if is_host else item(holder, key)
            case ast.CallExpression():
                return self._call(node)
            case ast.NewExpression():
                return self._new(node)
            case ast.UnaryExpression():
                if node.op == "delete":
                    return self._delete(node.operand)
                return self._type_of(node.operand) if node.op == "typeof" else unary(node.op, self._value(node.operand))
            case ast.BinaryExpression():
                return self._binary(node)
            case ast.ConditionalExpression():
                return self._value(node.then if is_truthy(self._value(node.condition)) else node.otherwise)
            case ast.AssignmentExpression():
                return self._assign(node.target, self._value(node.value), node.column)
            case ast.FunctionExpression():
                return FunctionValue(node.program, node.returns, node.parameters, self._state.capture())
            case ast.SpreadElement():
                raise ast.Unsupported("... here")
            case _:
                assert_never(node)

    def _object(self, node: ast.ObjectExpression) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for key, expression in node.items:
            value = self._value(expression)
            if key == "..." and is_dict(value):
                fields.update(value)
            elif key == "..." and value not in (None, UNSET):
                raise ast.Unsupported("... of anything but an object of the script")
            elif key != "...":
                fields[key] = value
        return ordered(fields)

    def _type_of(self, node: ast.Expression) -> str:
        """Return `typeof node`, also for a name that nothing has."""
        name = ast.dotted(node)
        first, _, rest = name.partition(".")
        if first in WINDOW and rest and not self._state.has(first):
            name = rest
        if "." in name or not name or self._state.has(name):
            return type_name(self._value(node))
        if name in NAMES and not self._is_absent(name):
            return TYPES[name] if name in TYPES else type_name(self._read(name, 0))
        self._refuse_what_may_be_defined(name)
        return "undefined"

    def _binary(self, node: ast.BinaryExpression) -> Any:
        if node.op in ("===", "!==", "==", "!="):
            same = same_window(self._state, ast.dotted(node.left), ast.dotted(node.right))
            if same is not None:
                return same == (node.op[0] == "=")
        left = self._value(node.left)
        if node.op == "??":
            return self._value(node.right) if left is None or left is UNSET else left
        if node.op == "instanceof":
            return is_instance(left, ast.dotted(node.right))
        if node.op in ("&&", "||"):
            return left if is_truthy(left) == (node.op == "||") else self._value(node.right)
        right = self._value(node.right)
        if node.op == "in":
            return self._has_member(right, text(left)) if isinstance(right, HostObject) else has_key(right, left)
        compared = compare_or_none(node.op, left, right)
        return binary(node.op, left, right) if compared is None else compared

    def _member(self, node: ast.MemberExpression) -> Any:
        path = self._path(node)
        if self._environment.worker and path.partition(".")[0] in NOT_IN_WORKERS:
            self._read(path.partition(".")[0], 0)
        known = self._known(path, node.column)
        if known is not UNSET:
            return known
        if self._is_window(node.object):
            return self._window_member(node.name, node.column)
        value = self._holder(node, node.object)
        if isinstance(value, HostObject):
            return self._host_member(value, node.name, node.column)
        if isinstance(value, Window) and node.name == "closed":
            return value.page not in self._environment.windows
        if isinstance(value, XmlHttpRequest):
            return xhr_property(self._state, value, node.name)
        value_of_property = property_of(value, node.name)
        if value_of_property is not UNSET:
            return value_of_property
        if missing_property(value, node.name):
            return UNSET
        raise ast.Unsupported(f"property {node.name}")

    def _is_window(self, node: ast.Expression) -> bool:
        return isinstance(node, ast.Identifier) and node.name in WINDOW and not self._state.has(node.name)

    def _known(self, path: str, column: int) -> Any:
        """Return what the interpreter itself knows of a path such as `document.title`; UNSET for any other."""
        if path in CONSTANTS:
            return CONSTANTS[path]
        if path == "document.title":
            return self._title
        if path == "document.cookie":
            return read_cookies(self._state, column)
        return read_location(self._state, path)

    def _window_member(self, name: str, column: int) -> Any:
        self._state.check_global(name)
        if name in self._state.variables or self._is_absent(name) or not self._is_browsers(name):
            return self._state.variables.get(name, UNSET)
        return self._read_global(name, column)

    def _host_member(self, holder: HostObject, name: str, column: int) -> Any:
        if holder == WINDOW_OBJECT:
            return self._window_member(name, column)
        known = self._known(f"{PATHS[holder]}.{name}", column) if holder in PATHS else UNSET
        return self._state.ask(holder, name, "read", column=column) if known is UNSET else known

    def _has_member(self, holder: HostObject, name: str) -> Any:
        """Return `name in holder`."""
        if holder == WINDOW_OBJECT:
            self._state.check_global(name)
            if name in self._state.variables:
                return True
            if self._is_absent(name) or not self._is_browsers(name):
                self._refuse_what_may_be_defined(name)
                return False
        return self._state.ask(holder, name, "in")

    def _delete(self, operand: ast.Expression) -> Any:
        """Perform `delete operand` for a property of the window or of another object of the browser."""
        holder = self._value(operand.object) if isinstance(operand, ast.MemberExpression) else None
        if not isinstance(operand, ast.MemberExpression) or not isinstance(holder, HostObject):
            raise ast.Unsupported("delete of anything but a property of the browser")
        name, variables = operand.name, self._state.variables
        if holder != WINDOW_OBJECT:
            raise ast.Unsupported("delete of anything but a property of the window")
        self._state.check_global(name)
        if f"declared {name}" in variables or isinstance(variables.get(name), Binding):
            raise ast.Unsupported(f"delete of {name}")
        if name in variables:
            del variables[name]
        elif self._is_browsers(name):
            if name not in DELETABLE:
                raise ast.Unsupported(f"delete of {name}")
            variables[f"deleted {name}"] = True
        else:
            self._refuse_what_may_be_defined(name)
        return True

    def _assign_member(self, target: ast.MemberExpression, value: Any, column: int) -> None:
        holder = self._value(target.object)
        if holder is None or holder is UNSET:
            message = f"Cannot set properties of {text(holder)} (setting '{target.name}')"
            self._state.throw("TypeError", message, column)
        if not isinstance(holder, HostObject):
            raise ast.Unsupported(f"an assignment to {ast.dotted(target) or target.name}")
        if holder == WINDOW_OBJECT:
            self._state.check_global(target.name)
            self._assign_global(target.name, value)
        else:
            self._state.ask(holder, target.name, "assign", (value,), column)

    def _assign_global(self, name: str, value: Any) -> None:
        _check_assigned(name)
        self._state.variables[name] = value

    def _assign(self, target: ast.Identifier | ast.MemberExpression, value: Any, column: int) -> Any:
        path = self._path(target)
        holder, _, rest = ast.dotted(target).partition(".")
        if holder in WINDOW and not self._state.has(holder):
            self._state.check_global(rest.partition(".")[0])
        window = self._state.get(holder)
        if path in LOCATION_PROPERTIES and not self._state.has(path.partition(".")[0]):
            assign_location(self._state, path, value)
            return value
        if isinstance(window, Window) and rest in ("location", "location.href"):
            assign_window_location(self._state, window, text(value))
            return value
        match target:
            case ast.Identifier():
                if not self._state.has(target.name):
                    _check_assigned(target.name)
                self._state.assign(target.name, value, column)
            case ast.MemberExpression() if self._is_window(target.object):
                self._assign_global(target.name, value)
            case ast.MemberExpression() if path == "document.title":
                self._title = text(value)
                self._state.effects.append(SetTitle(self._title))
            case ast.MemberExpression() if path == "document.cookie":
                write_cookie(self._state, text(value), target.column)
            case ast.MemberExpression(name="srcdoc"):
                element = self._element(target.object)
                self._state.effects.append(NavigateIframe(element.frame, "about:srcdoc", text(value)))
            case ast.MemberExpression(name="src"):
                self._state.effects.append(NavigateIframe(self._element(target.object).frame, text(value)))
            case ast.MemberExpression():
                self._assign_member(target, value, column)
        return value
