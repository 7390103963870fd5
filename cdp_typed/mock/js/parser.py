"""Parses the subset of JavaScript that pages of the mock may use.

    program     statement { ";" statement }
    statement   throw E | return E | var/let/const name [= E] | while (true) {} | debugger | E
                | try { program } catch (name) { program }
    E           name = E | E.name = E | E ? E : E | E op E | op E | E.name | E(E, ...) | primary
    op          || && == != === !== < > <= >= + - * / % **  and, in front, - + ! typeof
    primary     number | string | true | false | null | undefined | name | this | (E) | [E, ...] | ({name: E})
                | new Name(E, ...) | names => E | names => { program } | function (name, ...) { program }
    names       name | (name, ...)

Comments to the end of their line are skipped; `return` is allowed inside functions only. A name is declared once.

Anything else raises `Unsupported`: the mock never guesses the result.
"""

from __future__ import annotations

import re
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from cdp_typed.mock.js.numbers import narrow
from cdp_typed.mock.js.syntax_tree import (
    ArrayExpression,
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    ConditionalExpression,
    Constant,
    DebuggerStatement,
    EndlessLoop,
    Expression,
    FunctionExpression,
    Identifier,
    MemberExpression,
    NewExpression,
    ObjectExpression,
    Program,
    ReturnStatement,
    Statement,
    ThrowStatement,
    TryStatement,
    UnaryExpression,
    Unsupported,
)

__all__ = ["parse"]


Kind = Literal["number", "string", "name", "op", "end"]


class _Token(Struct, frozen=True):
    kind: Kind
    text: str
    column: int


_TOKEN: Final = re.compile(
    r"""(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"""
    r"""|(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\\$]*`)"""
    r"""|(?P<name>[A-Za-z_$][\w$]*)"""
    r"""|(?P<op>===|!==|==|!=|<=|>=|=>|&&|\|\||\*\*|\+\+|--|[-+*/%<>=!?:;,.(){}\[\]])"""
)
_BLANK: Final = re.compile(r"(?:\s|//[^\n]*)+")
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_PLAIN_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_CONSTANTS: Final[dict[str, Any]] = {
    "true": True,
    "false": False,
    "null": None,
    "undefined": msgspec.UNSET,
    "NaN": float("nan"),
    "Infinity": float("inf"),
}
_POWER: Final = {
    "||": 1, "&&": 2, "==": 3, "!=": 3, "===": 3, "!==": 3, "<": 4, ">": 4, "<=": 4, ">=": 4,
    "+": 5, "-": 5, "*": 6, "/": 6, "%": 6, "**": 7,
}  # fmt: skip
_RESERVED_WORDS: Final = """
    await async break case catch class continue default delete do else export extends finally for if import in
    instanceof return super switch try var let const void while with yield
"""
_RESERVED: Final = frozenset(_RESERVED_WORDS.split())
_DECLARES: Final[tuple[Literal["var", "let", "const"], ...]] = ("var", "let", "const")


def parse(source: str) -> Program:
    """Parse a script. Raises `Unsupported`."""
    parser = _ScriptParser(_tokens(source))
    program = parser.program()
    parser.expect_end()
    return program


def _tokens(source: str) -> list[_Token]:
    tokens: list[_Token] = []
    column = 0
    while column < len(source):
        blank = _BLANK.match(source, column)
        if blank is not None:
            column = blank.end()
            continue
        match = _TOKEN.match(source, column)
        if match is None:
            raise Unsupported(f"unexpected {source[column]!r} at column {column + 1}")
        kind: Kind = "op"
        for candidate in ("number", "string", "name"):
            if match.lastgroup == candidate:
                kind = candidate
        tokens.append(_Token(kind, match.group(), column))
        column = match.end()
    tokens.append(_Token("end", "", len(source)))
    return tokens


def _unquote(text: str) -> str:
    def plain(match: re.Match[str]) -> str:
        digits = match.group(1) or match.group(2)
        if digits:
            return chr(int(digits, 16))
        return _PLAIN_ESCAPES.get(match.group(3), match.group(3))

    # Two escapes may be the surrogates of one character.
    return _ESCAPE.sub(plain, text[1:-1]).encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


class _ScriptParser:
    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._functions = 0

    @property
    def _token(self) -> _Token:
        return self._tokens[self._at]

    def _peek(self, text: str, ahead: int = 0) -> bool:
        index = min(self._at + ahead, len(self._tokens) - 1)
        token = self._tokens[index]
        return token.kind in ("op", "name") and token.text == text

    def _take(self, text: str) -> bool:
        if self._peek(text):
            self._at += 1
            return True
        return False

    def _expect(self, text: str) -> None:
        if not self._take(text):
            raise Unsupported(f"expected {text!r} at column {self._token.column + 1}")

    def expect_end(self) -> None:
        if self._token.kind != "end":
            raise Unsupported(f"unexpected {self._token.text!r} at column {self._token.column + 1}")

    def _name(self) -> str:
        token = self._token
        if token.kind != "name":
            raise Unsupported(f"expected a name at column {token.column + 1}")
        self._at += 1
        return token.text

    def program(self, end: str = "", names: tuple[str, ...] = ()) -> Program:
        """Parse statements up to `end`; `names` are parameters that are in scope."""
        statements: list[Statement] = []
        declared = dict.fromkeys(names, "var")
        while True:
            while self._take(";"):
                pass
            if self._token.kind == "end" or (end and self._peek(end)):
                return Program(tuple(statements))
            statement = self._statement()
            statements.append(statement)
            if isinstance(statement, TryStatement):
                continue
            if (
                isinstance(statement, AssignmentExpression)
                and isinstance(statement.target, Identifier)
                and statement.declares
            ):
                name, before = statement.target.name, declared.get(statement.target.name, "")
                if before and (before, statement.declares) != ("var", "var"):
                    raise Unsupported(f"{name!r} is declared twice, at column {statement.target.column + 1}")
                declared[name] = statement.declares
            if not self._peek(";") and not (end and self._peek(end)):
                self.expect_end()

    def _statement(self) -> Statement:
        column = self._token.column
        if self._take("throw"):
            return ThrowStatement(self._expression(), column)
        if self._functions and self._take("return"):
            ends = self._peek(";") or self._peek("}")
            return ReturnStatement(Constant(msgspec.UNSET) if ends else self._expression())
        if self._take("while"):
            return self._spin()
        if self._take("debugger"):
            return DebuggerStatement(column)
        if self._take("try"):
            return self._try()
        for word in _DECLARES:
            if self._take(word):
                target = Identifier(self._name(), column)
                value = self._expression() if self._take("=") else Constant(msgspec.UNSET)
                return AssignmentExpression(target, value, declares=word)
        return self._expression()

    def _try(self) -> TryStatement:
        self._expect("{")
        body = self.program(end="}")
        self._expect("}")
        self._expect("catch")
        self._expect("(")
        name = self._name()
        self._expect(")")
        self._expect("{")
        handler = self.program("}", (name,))
        self._expect("}")
        return TryStatement(body, name, handler)

    def _spin(self) -> EndlessLoop:
        self._expect("(")
        if self._token.text not in ("1", "true"):
            raise Unsupported(f"only an endless loop is understood, at column {self._token.column + 1}")
        self._at += 1
        self._expect(")")
        if self._take("{"):
            self._expect("}")
        return EndlessLoop()

    def _expression(self) -> Expression:
        left = self._binary(1)
        if self._take("?"):
            then = self._expression()
            self._expect(":")
            return ConditionalExpression(left, then, self._expression())
        if isinstance(left, (Identifier, MemberExpression)) and self._take("="):
            return AssignmentExpression(left, self._expression())
        return left

    def _binary(self, minimum: int) -> Expression:
        left = self._unary()
        while self._token.kind == "op" and _POWER.get(self._token.text, 0) >= minimum:
            op = self._token.text
            self._at += 1
            left = BinaryExpression(op, left, self._binary(_POWER[op] + (op != "**")))
        return left

    def _unary(self) -> Expression:
        for op in ("-", "+", "!", "typeof"):
            if self._take(op):
                return UnaryExpression(op, self._unary())
        return self._tail(self._primary())

    def _tail(self, expression: Expression) -> Expression:
        while True:
            if self._take("."):
                column = self._token.column
                expression = MemberExpression(expression, self._name(), column)
            elif self._take("("):
                expression = CallExpression(expression, self._list(")"))
            else:
                return expression

    def _list(self, end: str) -> tuple[Expression, ...]:
        items: list[Expression] = []
        while not self._take(end):
            items.append(self._expression())
            if not self._peek(end):
                self._expect(",")
        return tuple(items)

    def _primary(self) -> Expression:
        token = self._token
        if token.kind == "end":
            raise Unsupported(f"unexpected end at column {token.column + 1}")
        self._at += 1
        if token.kind == "number":
            if token.text[0] == "0" and token.text[1:2].isdigit():
                raise Unsupported(f"a number that begins with 0, at column {token.column + 1}")
            return Constant(narrow(float(token.text)))
        if token.kind == "string":
            return Constant(_unquote(token.text))
        if token.kind == "name":
            return self._word(token)
        if token.text == "[":
            return ArrayExpression(self._list("]"))
        if token.text == "{":
            return self._object()
        if token.text == "(":
            return self._parenthesis(token)
        raise Unsupported(f"unexpected {token.text!r} at column {token.column + 1}")

    def _word(self, token: _Token) -> Expression:
        if token.text in _CONSTANTS:
            return Constant(_CONSTANTS[token.text])
        if token.text == "new":
            name = self._name()
            self._expect("(")
            return NewExpression(name, self._list(")"), token.column)
        if token.text == "function":
            if self._token.kind == "name":
                self._at += 1
            self._expect("(")
            return self._body(token.column, self._parameters())
        if token.text in _RESERVED:
            raise Unsupported(f"{token.text!r} is not understood, at column {token.column + 1}")
        if self._take("=>"):
            return self._arrow(token.column, (token.text,))
        return Identifier(token.text, token.column)

    def _parenthesis(self, token: _Token) -> Expression:
        if self._is_arrow():
            parameters = self._parameters()
            self._expect("=>")
            return self._arrow(token.column, parameters)
        inside = self._expression()
        self._expect(")")
        return inside

    def _arrow(self, column: int, parameters: tuple[str, ...]) -> FunctionExpression:
        if self._peek("{"):
            return self._body(column, parameters)
        column = self._token.column
        return FunctionExpression(Program((self._expression(),)), returns=True, column=column, parameters=parameters)

    def _is_arrow(self) -> bool:
        at = self._at
        while self._tokens[at].kind == "name" or self._tokens[at].text == ",":
            at += 1
        return self._tokens[at].text == ")" and self._tokens[min(at + 1, len(self._tokens) - 1)].text == "=>"

    def _parameters(self) -> tuple[str, ...]:
        names: list[str] = []
        while not self._take(")"):
            names.append(self._name())
            if not self._peek(")"):
                self._expect(",")
        return tuple(names)

    def _body(self, column: int, parameters: tuple[str, ...]) -> FunctionExpression:
        self._expect("{")
        self._functions += 1
        program = self.program("}", parameters)
        self._functions -= 1
        self._expect("}")
        return FunctionExpression(program, returns=False, column=column, parameters=parameters)

    def _object(self) -> ObjectExpression:
        items: list[tuple[str, Expression]] = []
        while not self._take("}"):
            token = self._token
            if token.kind not in ("name", "string"):
                raise Unsupported(f"expected a key at column {token.column + 1}")
            self._at += 1
            self._expect(":")
            items.append((_unquote(token.text) if token.kind == "string" else token.text, self._expression()))
            if not self._peek("}"):
                self._expect(",")
        return ObjectExpression(tuple(items))
