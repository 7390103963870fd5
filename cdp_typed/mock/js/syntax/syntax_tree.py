"""The syntax tree of the mock's JavaScript, as frozen values."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct


class Unsupported(Exception):
    """JavaScript that the mock does not support; the message names it, with the column."""


class EarlyError(Unsupported):
    """A script that no browser runs: the text and the column of its `SyntaxError`."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(f"SyntaxError: {message}, at column {column + 1}")
        self.text = message
        self.column = column


class _SyntaxNode(Struct, frozen=True):
    pass


class Constant(_SyntaxNode, frozen=True):
    """A literal value."""

    value: Any


class Identifier(_SyntaxNode, frozen=True):
    name: str
    column: int


class ArrayExpression(_SyntaxNode, frozen=True):
    items: tuple[Expression, ...]


class ObjectExpression(_SyntaxNode, frozen=True):
    items: tuple[tuple[str, Expression], ...]
    """The key of a spread object is `...`, which no key can be that is written here."""


class SpreadElement(_SyntaxNode, frozen=True):
    """`...value` in a list of values."""

    value: Expression


class TemplateLiteral(_SyntaxNode, frozen=True):
    """A text with values in it."""

    parts: tuple[Expression, ...]


class SequenceExpression(_SyntaxNode, frozen=True):
    """`a, b`: the value of the last one."""

    items: tuple[Expression, ...]


class MemberExpression(_SyntaxNode, frozen=True):
    """`object.name`, or with `optional` `object?.name`."""

    object: Expression
    name: str
    column: int = 0
    optional: bool = False


class IndexExpression(_SyntaxNode, frozen=True):
    """`object[index]`."""

    object: Expression
    index: Expression
    column: int


class OptionalChain(_SyntaxNode, frozen=True):
    """A chain with `?.`, which ends with `undefined` where one of them finds nothing."""

    chain: Expression


class CallExpression(_SyntaxNode, frozen=True):
    function: Expression
    arguments: tuple[Expression, ...]


class NewExpression(_SyntaxNode, frozen=True):
    name: str
    arguments: tuple[Expression, ...]
    column: int


class UnaryExpression(_SyntaxNode, frozen=True):
    op: str
    operand: Expression


class BinaryExpression(_SyntaxNode, frozen=True):
    op: str
    left: Expression
    right: Expression


class ConditionalExpression(_SyntaxNode, frozen=True):
    condition: Expression
    then: Expression
    otherwise: Expression


class AssignmentExpression(_SyntaxNode, frozen=True):
    target: Identifier | MemberExpression
    value: Expression
    declares: Literal["", "var", "let", "const"] = ""
    column: int = 0


class FunctionExpression(_SyntaxNode, frozen=True):
    """A function. With `returns` its body is one expression, otherwise the statements of `program`."""

    program: Program
    returns: bool
    column: int
    parameters: tuple[str, ...] = ()


class ThrowStatement(_SyntaxNode, frozen=True):
    value: Expression
    column: int


class ReturnStatement(_SyntaxNode, frozen=True):
    """`return`, with its value."""

    value: Expression


class EndlessLoop(_SyntaxNode, frozen=True):
    """`while (true) {}`: blocks the renderer forever."""


class DebuggerStatement(_SyntaxNode, frozen=True):
    """`debugger`: pauses the script if a session has enabled Debugger."""

    column: int


class IfStatement(_SyntaxNode, frozen=True):
    """`if`, with its blocks; a block alone has the condition `true`."""

    condition: Expression
    then: Program
    otherwise: Program


class TryStatement(_SyntaxNode, frozen=True):
    """`try` and `catch`: the caught exception is `name` in the handler."""

    body: Program
    name: str
    handler: Program


Expression = (
    Constant
    | Identifier
    | ArrayExpression
    | ObjectExpression
    | SpreadElement
    | TemplateLiteral
    | SequenceExpression
    | MemberExpression
    | IndexExpression
    | OptionalChain
    | CallExpression
    | NewExpression
    | UnaryExpression
    | BinaryExpression
    | ConditionalExpression
    | AssignmentExpression
    | FunctionExpression
)
Statement = Expression | ThrowStatement | ReturnStatement | EndlessLoop | DebuggerStatement | IfStatement | TryStatement


class Program(_SyntaxNode, frozen=True):
    statements: tuple[Statement, ...]
    is_repl: bool = False
    """It may declare again what another such program has declared, as in the console of DevTools."""


def dotted(node: Expression) -> str:
    """Return `a.b.c` for a chain of plain names, else an empty string."""
    if isinstance(node, Identifier):
        return node.name
    if isinstance(node, MemberExpression):
        before = dotted(node.object)
        return f"{before}.{node.name}" if before else ""
    return ""


def var_names(program: Program) -> tuple[str, ...]:
    """Return the names that `var` declares in the statements and their blocks, without those in functions."""
    names: list[str] = []
    for statement in program.statements:
        match statement:
            case AssignmentExpression(target=Identifier(name=name), declares="var"):
                names.append(name)
            case TryStatement():
                names += [*var_names(statement.body), *var_names(statement.handler)]
            case IfStatement():
                names += [*var_names(statement.then), *var_names(statement.otherwise)]
            case _:
                pass
    return tuple(dict.fromkeys(names))


def lexical_names(program: Program) -> dict[str, Literal["let", "const"]]:
    """Return the names that `let` and `const` declare in the statements, without those in their blocks."""
    names: dict[str, Literal["let", "const"]] = {}
    for statement in program.statements:
        match statement:
            case AssignmentExpression(target=Identifier(name=name), declares="let" | "const" as kind):
                names[name] = kind
            case _:
                pass
    return names
