"""The syntax tree of the mock's JavaScript, as frozen values."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

__all__ = [
    "Array",
    "Assign",
    "Binary",
    "Call",
    "Choice",
    "Expression",
    "Function",
    "Member",
    "Name",
    "New",
    "Object",
    "Pause",
    "Program",
    "Quoted",
    "Return",
    "Spin",
    "Statement",
    "Throw",
    "Try",
    "Unary",
    "Unknown",
]


class Unknown(Exception):
    """Not in the part of JavaScript that the mock understands; the message says where."""


class _Node(Struct, frozen=True):
    pass


class Quoted(_Node, frozen=True):
    """A literal value."""

    value: Any


class Name(_Node, frozen=True):
    name: str
    column: int


class Array(_Node, frozen=True):
    items: tuple[Expression, ...]


class Object(_Node, frozen=True):
    items: tuple[tuple[str, Expression], ...]


class Member(_Node, frozen=True):
    place: Expression
    name: str
    column: int = 0


class Call(_Node, frozen=True):
    function: Expression
    arguments: tuple[Expression, ...]


class New(_Node, frozen=True):
    name: str
    arguments: tuple[Expression, ...]
    column: int


class Unary(_Node, frozen=True):
    op: str
    operand: Expression


class Binary(_Node, frozen=True):
    op: str
    left: Expression
    right: Expression


class Choice(_Node, frozen=True):
    condition: Expression
    then: Expression
    otherwise: Expression


class Assign(_Node, frozen=True):
    place: Name | Member
    value: Expression
    declares: Literal["", "var", "let", "const"] = ""


class Function(_Node, frozen=True):
    """A function. With `returns` its body is one expression, otherwise the statements of `program`."""

    program: Program
    returns: bool
    column: int
    parameters: tuple[str, ...] = ()


class Throw(_Node, frozen=True):
    value: Expression
    column: int


class Return(_Node, frozen=True):
    """The end of a function, with its value."""

    value: Expression


class Spin(_Node, frozen=True):
    """`while (true) {}`: the page never becomes free again."""


class Pause(_Node, frozen=True):
    """`debugger`: stops here, if somebody debugs."""

    column: int


class Try(_Node, frozen=True):
    """`try` and `catch`: what the body throws is `name` in the handler."""

    body: Program
    name: str
    handler: Program


Expression = Quoted | Name | Array | Object | Member | Call | New | Unary | Binary | Choice | Assign | Function
Statement = Expression | Throw | Return | Spin | Pause | Try


class Program(_Node, frozen=True):
    statements: tuple[Statement, ...]
