"""The state of one run of a script: variables, effects so far, unused answers, and the exceptions that end it."""

from __future__ import annotations

from typing import Any, NoReturn

from cdp_typed.mock.js.effects import Effect, Outcome, ScriptEnvironment
from cdp_typed.mock.js.syntax_tree import AssignmentExpression, Identifier, Program, Unsupported
from cdp_typed.mock.js.values import Failure

__all__ = ["InterpreterState", "JavaScriptException", "RunStopped"]


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


class InterpreterState:
    """The state that all parts of the interpreter share. Names with a space are no variables of the script."""

    def __init__(self, environment: ScriptEnvironment, answers: tuple[Any, ...]) -> None:
        self.environment = environment
        self.variables: dict[str, Any] = dict(environment.variables)
        self.effects: list[Effect] = []
        self.url: str = environment.url
        self.history_position: tuple[int, int] = environment.history_position
        self._answers = list(answers)

    @property
    def base(self) -> str:
        """Return the base URL of relative ones."""
        return self.environment.base or self.url

    def declare(self, program: Program) -> None:
        """Record a script's declarations before it runs. Raises `Unsupported` for a redeclaration."""
        for statement in program.statements:
            if (
                isinstance(statement, AssignmentExpression)
                and isinstance(statement.target, Identifier)
                and statement.declares
            ):
                mark = f"declared {statement.target.name}"
                before = self.variables.get(mark, "")
                if before and (before, statement.declares) != ("var", "var"):
                    raise Unsupported(f"{statement.target.name!r} is declared twice")
                self.variables[mark] = statement.declares

    def is_constant(self, name: str) -> bool:
        """Return whether a script has declared the name with `const`."""
        return self.variables.get(f"declared {name}") == "const"

    def check_global(self, name: str) -> None:
        """Raise `Unsupported` where `window.name` differs from `name`."""
        if f"local {name}" in self.variables or self.variables.get(f"declared {name}") in ("let", "const"):
            raise Unsupported(f"window.{name}, where {name} is declared with let or const, or in a function")

    def answered(self, outcome: Outcome) -> Any:
        """Return the answer for this stop; if there is none yet, the run stops."""
        if not self._answers:
            self.stop(outcome)
        return self._answers.pop(0)

    def stop(self, outcome: Outcome) -> NoReturn:
        """Stop the run."""
        raise RunStopped(outcome, dict(self.variables))

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
