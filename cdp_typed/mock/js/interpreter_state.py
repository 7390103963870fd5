"""The state of one run of a script: variables, effects so far, unused answers, and the exceptions that end it."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NoReturn

from msgspec import UNSET
from msgspec.structs import replace

from cdp_typed.mock.js.effects import (
    AskHost,
    Effect,
    HostAccess,
    HostPromise,
    Outcome,
    ScriptEnvironment,
    SettlePromise,
    Threw,
)
from cdp_typed.mock.js.syntax.syntax_tree import Program, Unsupported, lexical_names, var_names
from cdp_typed.mock.js.values import WINDOW, Failure, FunctionValue, HostObject, OpaqueObject, PromiseValue

_UNINITIALISED: Final = OpaqueObject("uninitialised")
"""The value of a `let` or `const` before its declaration."""
_ABANDONED: Final = OpaqueObject("abandoned")
"""The value of a global one whose script has failed before its declaration."""


class RunStopped(Exception):
    """The script waits for an answer, or loops forever. `variables` are those at the stop."""

    def __init__(self, outcome: Outcome, variables: dict[str, Any]) -> None:
        self.outcome = outcome
        self.variables = variables


class JavaScriptException(Exception):
    """A JavaScript exception, which the script may catch; `column` is that of the throw."""

    def __init__(self, value: Any, column: int) -> None:
        self.value = value
        self.column = column


def check_thrown(value: Any) -> Any:
    """Return a value that is thrown. Raises `Unsupported` for objects of the browser, except the window."""
    if isinstance(value, HostObject) and value != WINDOW:
        raise Unsupported(f"a {value.class_name} that is thrown")  # it comes with a preview
    return value


class InterpreterState:
    """The state that all parts of the interpreter share.

    The variables of the context and of all scopes are in one mapping, so that a run can begin again with those of its
    start: `name` is global, `scope 3 name` is one of a block or of a call, and `declared name` says by which word.
    `scopes` are those of the place that runs, innermost first.
    """

    def __init__(self, environment: ScriptEnvironment, answers: tuple[Any, ...]) -> None:
        self.environment = environment
        self.variables: dict[str, Any] = dict(environment.variables)
        self.effects: list[Effect] = []
        self.url: str = environment.url
        self.history_position: tuple[int, int] = environment.history_position
        self.scopes: tuple[str, ...] = ()
        self._captured: set[str] = set()
        self._answers = list(answers)

    @property
    def base(self) -> str:
        """Return the base URL of relative ones."""
        return self.environment.base or self.url

    # -- variables -----------------------------------------------------------------------------------------------

    def key(self, name: str) -> str:
        """Return the key of the variable that a name means at this place."""
        return next((key for scope in self.scopes if (key := f"{scope} {name}") in self.variables), name)

    def has(self, name: str) -> bool:
        """Return whether a script has a variable of this name at this place."""
        return self.key(name) in self.variables

    def get(self, name: str, column: int = 0) -> Any:
        """Return the variable of this name, or `undefined`; throws before its declaration."""
        value = self.variables.get(self.key(name), UNSET)
        if value is _ABANDONED:
            self.throw("ReferenceError", f"{name} is not defined", column)
        if value is _UNINITIALISED:
            self.throw("ReferenceError", f"Cannot access '{name}' before initialization", column)
        return value

    def assign(self, name: str, value: Any, column: int = 0) -> None:
        """Assign a variable; an unknown name becomes a global one."""
        self.get(name, column)
        key = self.key(name)
        if self.variables.get(f"declared {key}") in ("const", "repl const"):
            self.throw("TypeError", "Assignment to constant variable.", column)
        self.variables[key] = value

    def initialise(self, name: str, value: Any) -> None:
        """Give a declared variable its first value."""
        self.variables[self.key(name)] = value

    def hoist(self, program: Program) -> None:
        """Declare what a script declares, before it runs. Throws for a second declaration by another script."""
        self.variables.update({name: _ABANDONED for name, item in self.variables.items() if item is _UNINITIALISED})
        lexical = lexical_names(program)
        for name in (*lexical, *var_names(program)):
            before = self.variables.get(f"declared {name}", "")
            is_again = program.is_repl and before == f"repl {lexical.get(name)}"
            if before and not is_again and (before, name in lexical) != ("var", False):
                failure = self.failure("SyntaxError", f"Identifier '{name}' has already been declared", 0)
                raise JavaScriptException(replace(failure, stack=name not in lexical), 0)
        self._declare(program, "", var_names(program))

    def _declare(self, program: Program, prefix: str, names: tuple[str, ...]) -> None:
        for name in names:
            self.variables.setdefault(f"{prefix}{name}", UNSET)
            self.variables[f"declared {prefix}{name}"] = "var"
        for name, kind in lexical_names(program).items():
            self.variables[f"{prefix}{name}"] = _UNINITIALISED
            self.variables[f"declared {prefix}{name}"] = f"repl {kind}" if program.is_repl else kind

    @contextmanager
    def scope(
        self, program: Program, parameters: Mapping[str, Any], *, function: FunctionValue | None = None
    ) -> Generator[None]:
        """Enter the scope of a block, or of a call of `function`, and leave it at the end."""
        outer = self.scopes
        scope = f"scope {self.count('scopes')}"
        self.scopes = (scope, *(outer if function is None else function.scopes))
        self.variables.update({f"{scope} {name}": value for name, value in parameters.items()})
        self._declare(program, f"{scope} ", () if function is None else var_names(program))
        try:
            yield
        finally:
            self.scopes = outer
            if scope not in self._captured:
                for key in [key for key in self.variables if key.removeprefix("declared ").startswith(f"{scope} ")]:
                    del self.variables[key]

    def capture(self) -> tuple[str, ...]:
        """Return the scopes of this place for a function, which may outlive them."""
        self._captured.update(self.scopes)
        return self.scopes

    def visible(self) -> dict[str, Any]:
        """Return the variables as a client sees them that evaluates at this place."""
        shown = dict(self.variables)
        for scope in reversed(self.scopes):
            start = f"{scope} "
            for key, value in self.variables.items():
                if key.startswith(start):
                    name = key.removeprefix(start)
                    shown[name] = value
                    shown[f"declared {name}"] = self.variables.get(f"declared {key}", "var")
        return shown

    def check_global(self, name: str) -> None:
        """Raise `Unsupported` where `window.name` differs from `name`."""
        if self.variables.get(f"declared {name}") in ("let", "const"):
            raise Unsupported(f"window.{name}, where {name} is declared with let or const")

    # -- stops and exceptions ------------------------------------------------------------------------------------

    def answered(self, outcome: Outcome) -> Any:
        """Return the answer for this stop; if there is none yet, the run stops."""
        if not self._answers:
            self.stop(outcome)
        return self._answers.pop(0)

    def ask(
        self, holder: HostObject, name: str, how: HostAccess, arguments: Sequence[Any] = (), column: int = 0
    ) -> Any:
        """Return what the browser says about a member of one of its objects. Raises `Unsupported`."""
        answer = self.answered(AskHost(holder, name, how, tuple(arguments)))
        match answer:
            case Unsupported():
                raise answer
            case Threw(failure):
                raise JavaScriptException(replace(failure, column=column, url=self.environment.script), column)
            case HostPromise():
                return self._promise_of(answer)
            case _:
                return answer

    def _promise_of(self, answer: HostPromise) -> PromiseValue:
        known = f"promise {answer.name}"
        if known in self.variables:
            return PromiseValue(self.variables[known])
        promise = PromiseValue(self.count("promises"))
        if answer.name:
            self.variables[known] = promise.number
        failed = isinstance(answer.value, Threw)
        self.effects.append(SettlePromise(promise.number, answer.value.value if failed else answer.value, failed))
        return promise

    def stop(self, outcome: Outcome) -> NoReturn:
        """Stop the run."""
        raise RunStopped(outcome, self.visible())

    def throw(self, name: str, message: str, column: int = 0, *, class_name: str = "") -> NoReturn:
        """Throw a new error object."""
        raise JavaScriptException(self.failure(name, message, column, class_name=class_name), column)

    def failure(self, name: str, message: str, column: int, *, class_name: str = "") -> Failure:
        """Return an error object with the position in the running script."""
        return Failure(name, message, column, class_name, self.environment.script)

    def count(self, what: str) -> int:
        """Increment and return a counter of the context."""
        name = f"count of {what}"
        self.variables[name] = self.variables.get(name, 0) + 1
        return int(self.variables[name])
