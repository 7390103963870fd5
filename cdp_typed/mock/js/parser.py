"""Parses the subset of JavaScript that pages of the mock may use.

    program     statement { ";" statement }
    statement   throw E | return E | var/let/const name [= E] | while (true) {} | debugger | E
                | try { program } catch (name) { program }
    E           name = E | E.name = E | E ? E : E | E op E | op E | E.name | E(E, ...) | primary
    op          || && == != === !== < > <= >= + - * / % **  and, in front, - + ! typeof
    primary     number | string | true | false | null | undefined | name | this | (E) | [E, ...] | ({name: E})
                | new Name(E, ...) | names => E | names => { program } | function (name, ...) { program }
    names       name | (name, ...)

Comments to the end of their line are skipped; `return` is allowed inside functions only.

A script that no browser runs raises `EarlyError`: a name that is declared twice, `-2 ** 2`, `const` without a value.
Anything else raises `Unsupported`: the mock never guesses the result.
"""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from cdp_typed.mock.js.numbers import narrow
from cdp_typed.mock.js.syntax_tree import (
    ArrayExpression,
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    ConditionalExpression,
    Constant,
    DebuggerStatement,
    EarlyError,
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
    var_names,
)
from cdp_typed.mock.js.tokens import Token, tokenize, unquote

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
_UNARY_POWER: Final = (
    "Unary operator used immediately before exponentiation expression. "
    "Parenthesis must be used to disambiguate operator precedence"
)
_DECLARES: Final[tuple[Literal["var", "let", "const"], ...]] = ("var", "let", "const")


def parse(source: str) -> Program:
    """Parse a script. Raises `EarlyError` and `Unsupported`."""
    parser = _ScriptParser(tokenize(source))
    program = parser.program()
    parser.expect_end()
    return program


def _declare(declared: dict[str, str], statement: Statement, column: int) -> None:
    """Add the names that a statement declares to those of its block. Raises `EarlyError` for a second declaration."""
    names: dict[str, tuple[str, int]]
    match statement:
        case AssignmentExpression(target=Identifier() as target, declares="let" | "const" as kind):
            names = {target.name: (kind, target.column)}
        case AssignmentExpression(target=Identifier() as target, declares="var"):
            names = {target.name: ("var", target.column)}
        case TryStatement():
            names = dict.fromkeys(var_names(Program((statement,))), ("var", column))
        case _:
            return
    for name, (word, where) in names.items():
        if name in declared and (declared[name], word) != ("var", "var"):
            raise EarlyError(f"Identifier '{name}' has already been declared", where)
        declared[name] = word


class _ScriptParser:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._functions = 0

    @property
    def _token(self) -> Token:
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
            column = self._token.column
            statement = self._statement()
            statements.append(statement)
            _declare(declared, statement, column)
            if isinstance(statement, TryStatement):
                continue
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
        if self._peek("{"):
            raise Unsupported(f"a block, at column {column + 1}")
        if self._peek("function") and self._tokens[self._at + 1].kind == "name":
            raise Unsupported(f"a function declaration, at column {column + 1}: assign the function to a variable")
        for word in _DECLARES:
            if self._take(word):
                return self._declaration(word)
        return self._expression()

    def _declaration(self, word: Literal["var", "let", "const"]) -> AssignmentExpression:
        target = Identifier(self._token.text, self._token.column)
        self._name()
        if self._take("="):
            return AssignmentExpression(target, self._expression(), declares=word)
        if word == "const":
            raise EarlyError("Missing initializer in const declaration", target.column)
        # `var name` leaves the variable unchanged.
        return AssignmentExpression(target, target if word == "var" else Constant(msgspec.UNSET), declares=word)

    def _try(self) -> TryStatement:
        self._expect("{")
        body = self.program(end="}")
        self._expect("}")
        self._expect("catch")
        self._expect("(")
        name = self._name()
        self._expect(")")
        self._expect("{")
        handler = self.program("}")
        for statement in handler.statements:
            if isinstance(statement, AssignmentExpression) and statement.declares in ("let", "const"):
                _declare({name: "var"}, statement, 0)
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
        column = self._token.column
        if isinstance(left, (Identifier, MemberExpression)) and self._take("="):
            return AssignmentExpression(left, self._expression(), column=column)
        return left

    def _binary(self, minimum: int) -> Expression:
        grouped, column = self._peek("("), self._token.column
        left = self._unary()
        while self._token.kind == "op" and _POWER.get(self._token.text, 0) >= minimum:
            op = self._token.text
            if op == "**" and isinstance(left, UnaryExpression) and not grouped:
                raise EarlyError(_UNARY_POWER, column)
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
            return Constant(unquote(token.text))
        if token.kind == "name":
            return self._word(token)
        if token.text == "[":
            return ArrayExpression(self._list("]"))
        if token.text == "{":
            return self._object()
        if token.text == "(":
            return self._parenthesis(token)
        raise Unsupported(f"unexpected {token.text!r} at column {token.column + 1}")

    def _word(self, token: Token) -> Expression:
        if token.text in _CONSTANTS:
            return Constant(_CONSTANTS[token.text])
        if token.text == "new":
            name = self._name()
            self._expect("(")
            return NewExpression(name, self._list(")"), token.column)
        if token.text == "function":
            own_name = self._name() if self._token.kind == "name" else ""
            start = self._at
            self._expect("(")
            function = self._body(token.column, self._parameters())
            if any(inner.kind == "name" and inner.text == own_name for inner in self._tokens[start : self._at]):
                raise Unsupported(f"a function that refers to itself, at column {token.column + 1}")
            return function
        if token.text in _RESERVED:
            raise Unsupported(f"{token.text!r} is not understood, at column {token.column + 1}")
        if self._take("=>"):
            return self._arrow(token.column, (token.text,))
        return Identifier(token.text, token.column)

    def _parenthesis(self, token: Token) -> Expression:
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
            items.append((unquote(token.text) if token.kind == "string" else token.text, self._expression()))
            if not self._peek("}"):
                self._expect(",")
        return ObjectExpression(tuple(items))
