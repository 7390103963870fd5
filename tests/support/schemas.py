"""Small schemas for codegen tests, and a look into generated text."""

from __future__ import annotations

import ast
from typing import Any

import msgspec

from codegen.model import Protocol


def protocol(*domains: dict[str, Any]) -> Protocol:
    """A protocol of these domains, each as the schema's own JSON."""
    return msgspec.convert({"version": {"major": "1", "minor": "3"}, "domains": domains}, Protocol)


def definition(text: str, name: str) -> str:
    """The source of one class, with its decorators, or of one alias, with the docstring below it."""
    body = ast.parse(text).body
    lines = text.splitlines(keepends=True)
    for index, node in enumerate(body):
        if isinstance(node, ast.ClassDef) and node.name == name:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            return "".join(lines[first - 1 : node.end_lineno])
        if name in _assigned(node):
            following = body[index + 1] if index + 1 < len(body) else node
            last = following if isinstance(following, ast.Expr) else node
            return "".join(lines[node.lineno - 1 : last.end_lineno])
    raise AssertionError(f"{name} is not defined in the text")


def _assigned(node: ast.stmt) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]
