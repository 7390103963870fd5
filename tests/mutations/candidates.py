"""Small faults that could be planted in a source file, each a change of one line."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from functools import lru_cache
from typing import Final, cast

from msgspec import Struct

__all__ = ["Candidate", "candidates", "place_of"]

_SWAPPED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_NOT_EXECUTED: Final = ("annotation", "returns", "decorator_list")
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Scope = _Function | ast.ClassDef


class Candidate(Struct, frozen=True):
    """A change of one line. `inside` is the function or class, with dots; empty for the module itself."""

    inside: str
    line: str
    planted: str


def candidates(source: str) -> list[Candidate]:
    """Return every candidate whose line is found again by its text: it occurs once in its function."""
    lines = source.splitlines()
    found = [
        Candidate(inside, lines[number - 1], changed)
        for inside, node in _nodes(ast.parse(source), "")
        for number, changed in _changes(node, lines)
        if changed.strip() != lines[number - 1].strip()
    ]
    return [candidate for candidate in dict.fromkeys(found) if len(place_of(source, candidate)) == 1]


def place_of(source: str, candidate: Candidate) -> list[int]:
    """Return the numbers of the lines, from 0, that have the candidate's text in its function or class."""
    lines = source.splitlines()
    return [number for number in _lines_of(source, candidate.inside) if lines[number] == candidate.line]


@lru_cache(maxsize=1000)
def _lines_of(source: str, inside: str) -> range:
    tree: ast.AST = ast.parse(source)
    found = range(len(source.splitlines()))
    for name in inside.split(".") if inside else ():
        inner = next((node for node in ast.walk(tree) if isinstance(node, _Scope) and node.name == name), None)
        if inner is None or inner.end_lineno is None:
            return range(0)
        tree, found = inner, range(inner.lineno - 1, inner.end_lineno)
    return found


def _nodes(tree: ast.AST, inside: str) -> Iterator[tuple[str, ast.AST]]:
    """Walk what is executed: no annotations, docstrings, imports, assertions or parts of f-strings."""
    for name, value in ast.iter_fields(tree):
        if name in _NOT_EXECUTED or (isinstance(tree, ast.ClassDef) and name != "body"):
            continue
        for child in cast("list[object]", value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST) or isinstance(
                child, (ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom)
            ):
                continue
            if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                continue
            scope = f"{inside}.{child.name}".lstrip(".") if isinstance(child, _Scope) else inside
            yield scope, child
            yield from _nodes(child, scope)


def _changes(node: ast.AST, lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the line's number, from 1, and its changed text."""
    for old, new in _faults(node):
        if old.lineno != old.end_lineno or old.end_col_offset is None:
            continue
        line = lines[old.lineno - 1].encode()
        text = new if isinstance(new, str) else ast.unparse(new)
        if isinstance(new, ast.UnaryOp) or (isinstance(new, ast.BoolOp) and not isinstance(new.op, ast.And)):
            text = f"({text})"  # it may be a part of an expression that binds closer
        yield old.lineno, (line[: old.col_offset] + text.encode() + line[old.end_col_offset :]).decode()


def _faults(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST | str]]:
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in _SWAPPED:
            yield node, _with(node, ops=[_SWAPPED[type(operator)]()])
        case ast.BoolOp(op=operator):
            yield node, _with(node, op=ast.Or() if isinstance(operator, ast.And) else ast.And())
            for operand in node.values:
                yield node, _with(node, values=[other for other in node.values if other is not operand])
        case ast.UnaryOp(op=ast.Not()):
            yield node, node.operand
        case ast.Constant(value=bool()):
            yield node, str(not node.value)
        case ast.Constant(value=int() | float() as number):
            yield node, f"{number + 1}"
        case ast.BinOp(op=ast.Add()):
            yield node, _with(node, op=ast.Sub())
        case ast.BinOp(op=ast.Sub()):
            yield node, _with(node, op=ast.Add())
        case ast.If(test=ast.Name() | ast.Call() | ast.Attribute()) | ast.While(test=ast.Name() | ast.Attribute()):
            yield node.test, ast.UnaryOp(ast.Not(), node.test)
        case ast.IfExp():
            yield node, _with(node, body=node.orelse, orelse=node.body)
        case ast.Return(value=ast.Name() | ast.Attribute() | ast.Subscript()):
            yield node, "return None"
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.AugAssign():
            yield node, "pass"
        case ast.Tuple(elts=[ast.Starred(), *_, ast.expr()]) | ast.Set(elts=[_, _, *_]) | ast.List(elts=[_, _, *_]):
            yield node, _with(node, elts=node.elts[:-1])
        case ast.Continue():
            yield node, "break"
        case _:
            pass


def _with(node: ast.expr, **fields: object) -> ast.expr:
    changed = deepcopy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed
