"""Parses the expressions of the subset that `parser` describes."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from cdp_typed.mock.js.numbers import narrow, number_text
from cdp_typed.mock.js.syntax.syntax_tree import (
    ArrayExpression,
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    ConditionalExpression,
    Constant,
    EarlyError,
    Expression,
    FunctionExpression,
    Identifier,
    IndexExpression,
    MemberExpression,
    NewExpression,
    ObjectExpression,
    OptionalChain,
    Program,
    SequenceExpression,
    SpreadElement,
    TemplateLiteral,
    UnaryExpression,
    Unsupported,
)
from cdp_typed.mock.js.syntax.tokens import Token, template_parts, tokenize, unquote

_CONSTANTS: Final[dict[str, Any]] = {
    "true": True,
    "false": False,
    "null": None,
    "undefined": msgspec.UNSET,
    "NaN": float("nan"),
    "Infinity": float("inf"),
}
_POWER: Final = {
    "??": 1, "||": 1, "&&": 2, "==": 3, "!=": 3, "===": 3, "!==": 3, "<": 4, ">": 4, "<=": 4, ">=": 4,
    "in": 4, "instanceof": 4, "+": 5, "-": 5, "*": 6, "/": 6, "%": 6, "**": 7,
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
_COMPOUND: Final = {"+=": "+", "-=": "-", "*=": "*", "/=": "/"}
_STEPS: Final = {"++": "+", "--": "-"}
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)


def this_of_function(depth: int) -> str:
    """Return the variable for `this` of a `function` inside so many others. No script can use the name."""
    return f"this of function {depth}"


class ExpressionParser:
    """A place in the tokens, and the expression that begins there."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._at: int = 0
        self._functions = 0
        self._own_this: int = 0

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

    def _body_program(self, end: str, names: tuple[str, ...]) -> Program:
        raise NotImplementedError  # of the parser of statements

    def _expression(self) -> Expression:
        left = self._binary(1)
        if self._take("?"):
            then = self._expression()
            self._expect(":")
            return ConditionalExpression(left, then, self._expression())
        column, op = self._token.column, self._token.text
        if isinstance(left, (Identifier, MemberExpression)) and self._take("="):
            return AssignmentExpression(left, self._expression(), column=column)
        if op in _COMPOUND and isinstance(left, (Identifier, MemberExpression)) and self._take(op):
            return AssignmentExpression(left, BinaryExpression(_COMPOUND[op], left, self._expression()), column=column)
        return left

    def _sequence(self) -> Expression:
        items = [self._expression()]
        while self._take(","):
            items.append(self._expression())
        return items[0] if len(items) == 1 else SequenceExpression(tuple(items))

    def _binary(self, minimum: int) -> Expression:
        grouped, column = self._peek("("), self._token.column
        left = self._unary()
        while self._token.kind in ("op", "name") and _POWER.get(self._token.text, 0) >= minimum:
            op = self._token.text
            if op == "**" and isinstance(left, UnaryExpression) and not grouped:
                raise EarlyError(_UNARY_POWER, column)
            self._at += 1
            left = BinaryExpression(op, left, self._binary(_POWER[op] + (op != "**")))
        return left

    def _unary(self) -> Expression:
        for op in ("-", "+", "!", "typeof", "void", "delete"):
            if self._take(op):
                return UnaryExpression(op, self._unary())
        for step, op in _STEPS.items():
            if self._take(step):
                return self._stepped(self._tail(self._primary()), op)
        operand = self._tail(self._primary())
        for step, op in _STEPS.items():
            if self._take(step):
                before = {"+": "-", "-": "+"}[op]  # the value is that of before
                return BinaryExpression(before, self._stepped(operand, op), Constant(1))
        return operand

    def _stepped(self, target: Expression, op: str) -> Expression:
        if not isinstance(target, (Identifier, MemberExpression)):
            raise Unsupported(f"a step of this, at column {self._token.column + 1}")
        number = UnaryExpression("+", target)
        return AssignmentExpression(target, BinaryExpression(op, number, Constant(1)), column=self._token.column)

    def _tail(self, expression: Expression) -> Expression:
        optional = False
        while True:
            if self._peek(".") or self._peek("?."):
                skips = self._take("?.") or not self._take(".")
                optional = optional or skips
                column = self._token.column
                expression = MemberExpression(expression, self._name(), column, skips)
            elif self._take("("):
                expression = CallExpression(expression, self._list(")"))
            elif self._take("["):
                expression = self._indexed(expression)
            else:
                return OptionalChain(expression) if optional else expression

    def _indexed(self, holder: Expression) -> Expression:
        column = self._token.column
        index = self._sequence()
        self._expect("]")
        match index:
            case Constant(value=str() as name) if _PLAIN_NAME.fullmatch(name):
                return MemberExpression(holder, name, column)
            case _:
                return IndexExpression(holder, index, column)

    def _list(self, end: str) -> tuple[Expression, ...]:
        items: list[Expression] = []
        while not self._take(end):
            items.append(SpreadElement(self._expression()) if self._take("...") else self._expression())
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
        if token.kind == "template":
            return self._template(token)
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
            self._own_this += 1
            function = self._body(token.column, self._parameters())
            self._own_this -= 1
            if any(inner.kind == "name" and inner.text == own_name for inner in self._tokens[start : self._at]):
                raise Unsupported(f"a function that refers to itself, at column {token.column + 1}")
            return function
        if token.text in _RESERVED:
            raise Unsupported(f"{token.text!r} is not understood, at column {token.column + 1}")
        if self._take("=>"):
            return self._arrow(token.column, (token.text,))
        name = this_of_function(self._own_this) if token.text == "this" and self._own_this else token.text
        return Identifier(name, token.column)

    def _parenthesis(self, token: Token) -> Expression:
        if self._is_arrow():
            parameters = self._parameters()
            self._expect("=>")
            return self._arrow(token.column, parameters)
        inside = self._sequence()
        self._expect(")")
        return inside

    def _template(self, token: Token) -> TemplateLiteral:
        parts: list[Expression] = []
        for is_code, part, column in template_parts(token):
            if not is_code:
                parts.append(Constant(unquote(f"`{part}`")))
                continue
            inner = type(self)(tokenize(part, column))
            inner._own_this = self._own_this
            parts.append(inner._sequence())
            inner.expect_end()
        return TemplateLiteral(tuple(parts))

    def _arrow(self, column: int, parameters: tuple[str, ...]) -> FunctionExpression:
        if self._peek("{"):
            return self._body(column, parameters)
        column = self._token.column
        program = _with_patterns(Program((self._expression(),)), parameters)
        return FunctionExpression(program, returns=True, column=column, parameters=parameters)

    def _is_arrow(self) -> bool:
        depth, at = 1, self._at
        while depth and self._tokens[at].kind != "end":
            if self._tokens[at].kind == "op":
                depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(self._tokens[at].text, 0)
            at += 1
        return depth == 0 and self._tokens[at].kind == "op" and self._tokens[at].text == "=>"

    def _parameters(self) -> tuple[str, ...]:
        """Parse names up to the closing parenthesis; those of a pattern are joined, such as `[key value]`."""
        names: list[str] = []
        while not self._take(")"):
            names.append(self._pattern())
            if not self._peek(")"):
                self._expect(",")
        return tuple(names)

    def _pattern(self) -> str:
        for begin, end in ("[]", "{}"):
            if self._take(begin):
                names: list[str] = []
                while not self._take(end):
                    names.append(self._name())
                    if not self._peek(end):
                        self._expect(",")
                return f"{begin}{' '.join(names)}{end}"
        return f"...{self._name()}" if self._take("...") else self._name()

    def _body(self, column: int, parameters: tuple[str, ...]) -> FunctionExpression:
        self._expect("{")
        self._functions += 1
        program = _with_patterns(self._body_program("}", _names_of(parameters)), parameters)
        self._functions -= 1
        self._expect("}")
        return FunctionExpression(program, returns=False, column=column, parameters=parameters)

    def _object(self) -> ObjectExpression:
        items: list[tuple[str, Expression]] = []
        while not self._take("}"):
            items.append(self._field())
            if not self._peek("}"):
                self._expect(",")
        return ObjectExpression(tuple(items))

    def _field(self) -> tuple[str, Expression]:
        token = self._token
        self._at += 1
        if token.kind == "op" and token.text == "...":
            return "...", self._expression()
        is_name = token.kind == "name"
        if is_name and (self._peek(",") or self._peek("}")) and token.text not in _RESERVED | _CONSTANTS.keys():
            return token.text, Identifier(token.text, token.column)
        key = unquote(token.text) if token.kind == "string" else token.text
        if token.kind == "number":
            key = number_text(float(token.text))
        if not (is_name or token.kind in ("string", "number")) or key in ("...", "__proto__"):
            raise Unsupported(f"expected a key at column {token.column + 1}")
        self._expect(":")
        return key, self._expression()


def _names_of(parameters: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for parameter in parameters for name in parameter.strip("[]{}.").split())


def _with_patterns(program: Program, parameters: tuple[str, ...]) -> Program:
    """Return the body of a function, with the names of its patterns declared in front."""
    declared: list[AssignmentExpression] = []
    for parameter in parameters:
        given = Identifier(parameter, 0)
        for index, name in enumerate(_names_of((parameter,)) if parameter[0] in "[{" else ()):
            from_list = IndexExpression(given, Constant(index), 0)
            value = from_list if parameter[0] == "[" else MemberExpression(given, name)
            declared.append(AssignmentExpression(Identifier(name, 0), value, declares="let"))
    return Program((*declared, *program.statements)) if declared else program
