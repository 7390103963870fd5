"""Expressions of clients: scripted by the test, or interpreted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET

from cdp_typed.mock.js.interpreter import unsupported_error
from cdp_typed.mock.js.syntax.expression_parser import this_of_function
from cdp_typed.mock.js.syntax.parser import parse
from cdp_typed.mock.js.syntax.syntax_tree import (
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    ConditionalExpression,
    Constant,
    EarlyError,
    Expression,
    FunctionExpression,
    Identifier,
    Program,
    ThrowStatement,
    UnaryExpression,
    Unsupported,
)
from cdp_typed.mock.js.values import Failure, FunctionValue
from cdp_typed.mock.runtime.playwright import UTILITY_SCRIPT, is_injection

_NAMED: Final = re.compile(r"\n//# sourceURL=[^\n]*+\s*+$")


def strip_source_url(source: str) -> str:
    """Return the text without surrounding whitespace and without the `sourceURL` comment at its end."""
    return _NAMED.sub("", source).strip()


def program_of(expressions: Mapping[str, Any], source: str) -> Program:
    """Return the program for `source`; unsupported JavaScript becomes one that throws."""
    if strip_source_url(source) in expressions:
        value = expressions[strip_source_url(source)]
        return Program((ThrowStatement(Constant(value), 0) if isinstance(value, Failure) else Constant(value),))
    if is_injection(source):
        return Program((Constant(UTILITY_SCRIPT),))
    try:
        return parse(source)
    except EarlyError as error:
        failure = Failure("SyntaxError", error.text, error.column, stack=False)
        return Program((ThrowStatement(Constant(failure), error.column),))
    except Unsupported as unknown:
        return unsupported_program(f"{source} ({unknown})")


def unsupported_program(what: str) -> Program:
    """Return a program that throws the error for unsupported JavaScript."""
    return Program((ThrowStatement(Constant(unsupported_error(what)), 0),))


def call_program(declaration: Program, this: Any, arguments: Sequence[Any]) -> Program | None:
    """Return a call of the function that `declaration` declares; None if it declares none."""
    match declaration.statements:
        case (FunctionExpression() as function,):
            names = tuple(f"argument {index}" for index in range(len(arguments)))
            call = CallExpression(function, tuple(Identifier(name, 0) for name in names))
            bound = FunctionValue(Program((call,)), returns=True, parameters=(this_of_function(1), *names))
            values = tuple(Constant(value) for value in (this, *arguments))
            return Program((CallExpression(Constant(bound), values),))
        case (ThrowStatement(),):
            return declaration
        case _:
            return None


def call_if_function(program: Program, arguments: Sequence[Any]) -> Program:
    """Return the program, with a call of its value if that turns out to be a function."""
    *before, last = program.statements or (Constant(UNSET),)
    if not isinstance(last, Expression) or (isinstance(last, AssignmentExpression) and last.declares):
        return program
    value = Identifier("value", 0)
    call = CallExpression(value, tuple(Constant(argument) for argument in arguments))
    is_function = BinaryExpression("===", UnaryExpression("typeof", value), Constant("function"))
    decides = FunctionValue(
        Program((ConditionalExpression(is_function, call, value),)), returns=True, parameters=("value",)
    )
    return Program((*before, CallExpression(Constant(decides), (last,))))
