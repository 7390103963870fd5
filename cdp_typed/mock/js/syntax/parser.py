"""Parses the subset of JavaScript that pages of the mock may use.

    program     statement { ";" statement }
    statement   throw S | return S | var/let/const name [= E] | while (true) {} | debugger | S | { program }
                | if (S) branch [else branch] | try { program } catch [(name)] { program }
    branch      statement | { program }
    S           E {, E}
    E           name = E | E.name = E | name += E | E ? E : E | E op E | op E | name++ | E.name | E?.name | E[S]
                | E(E, ...) | primary
    op          || && ?? == != === !== < > <= >= in instanceof + - * / % ** and, in front,
                - + ! typeof void delete ++ --
    primary     number | string | `text ${S}` | true | false | null | undefined | name | this | (S) | [E, ...E]
                | ({name: E, name, ...E}) | new Name(E, ...) | names => E | names => { program }
                | function (names) { program }
    names       name | (name, [name, ...], {name, ...}, ...)

Comments are skipped; `return` is allowed inside functions only.

A script that no browser runs raises `EarlyError`: a name that is declared twice, `-2 ** 2`, `const` without a value.
Anything else raises `Unsupported`: the mock never guesses the result.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from cdp_typed.mock.js.syntax.expression_parser import ExpressionParser
from cdp_typed.mock.js.syntax.syntax_tree import (
    AssignmentExpression,
    Constant,
    DebuggerStatement,
    EarlyError,
    EndlessLoop,
    Identifier,
    IfStatement,
    Program,
    ReturnStatement,
    Statement,
    ThrowStatement,
    TryStatement,
    Unsupported,
    var_names,
)
from cdp_typed.mock.js.syntax.tokens import tokenize

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
        case TryStatement() | IfStatement():
            names = dict.fromkeys(var_names(Program((statement,))), ("var", column))
        case _:
            return
    for name, (word, where) in names.items():
        if name in declared and (declared[name], word) != ("var", "var"):
            raise EarlyError(f"Identifier '{name}' has already been declared", where)
        declared[name] = word


class _ScriptParser(ExpressionParser):
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
            if isinstance(statement, TryStatement | IfStatement):
                continue
            if not self._peek(";") and not (end and self._peek(end)):
                self.expect_end()

    def _statement(self) -> Statement:
        column = self._token.column
        if self._take("throw"):
            return ThrowStatement(self._sequence(), column)
        if self._functions and self._take("return"):
            ends = self._peek(";") or self._peek("}")
            return ReturnStatement(Constant(msgspec.UNSET) if ends else self._sequence())
        if self._take("while"):
            return self._spin()
        if self._take("debugger"):
            return DebuggerStatement(column)
        if self._take("try"):
            return self._try()
        if self._take("if"):
            return self._if()
        if self._take("{"):
            return IfStatement(Constant(True), self._rest_of_block(), Program(()))
        if self._peek("function") and self._tokens[self._at + 1].kind == "name":
            raise Unsupported(f"a function declaration, at column {column + 1}: assign the function to a variable")
        for word in _DECLARES:
            if self._take(word):
                return self._declaration(word)
        return self._sequence()

    def _declaration(self, word: Literal["var", "let", "const"]) -> AssignmentExpression:
        target = Identifier(self._token.text, self._token.column)
        self._name()
        if self._take("="):
            return AssignmentExpression(target, self._expression(), declares=word)
        if word == "const":
            raise EarlyError("Missing initializer in const declaration", target.column)
        # `var name` leaves the variable unchanged.
        return AssignmentExpression(target, target if word == "var" else Constant(msgspec.UNSET), declares=word)

    def _if(self) -> IfStatement:
        self._expect("(")
        condition = self._sequence()
        self._expect(")")
        then = self._branch()
        return IfStatement(condition, then, self._branch() if self._take("else") else Program(()))

    def _branch(self) -> Program:
        if self._take("{"):
            return self._rest_of_block()
        statement = self._statement()
        if isinstance(statement, AssignmentExpression) and statement.declares in ("let", "const"):
            raise Unsupported(f"a declaration without a block, at column {self._token.column + 1}")
        if not isinstance(statement, TryStatement | IfStatement) and not self._take(";") and not self._peek("}"):
            self.expect_end()
        return Program((statement,))

    def _rest_of_block(self) -> Program:
        program = self.program("}")
        self._expect("}")
        return program

    def _body_program(self, end: str, names: tuple[str, ...]) -> Program:
        return self.program(end, names)

    def _try(self) -> TryStatement:
        self._expect("{")
        body = self._rest_of_block()
        self._expect("catch")
        name = ""
        if self._take("("):
            name = self._name()
            self._expect(")")
        self._expect("{")
        handler = self._rest_of_block()
        for statement in handler.statements:
            if isinstance(statement, AssignmentExpression) and statement.declares in ("let", "const"):
                _declare({name: "var"}, statement, 0)
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
