"""Reads the PDL text of the protocol into the same model as the JSON.

The PDL is upstream's hand-written source. It marks base64 strings as `binary`, which the published JSON drops, and it
proves that the JSON is complete.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from msgspec import ValidationError, convert

from codegen.errors import SchemaError
from codegen.model import Domain

_PRIMITIVE = frozenset({"string", "integer", "number", "boolean", "object", "any", "binary"})
_MARKS = ("experimental", "deprecated", "optional")
_INCLUDE = re.compile(r"^include (\S+)$", re.MULTILINE)


class _Node(NamedTuple):
    """A line without its comment, and the lines indented below it."""

    line: int
    text: str
    children: list[_Node]


def includes(text: str) -> list[str]:
    """Return the paths that a PDL file includes, relative to it."""
    return _INCLUDE.findall(text)


def parse(text: str, *, name: str) -> list[Domain]:
    """Parse the domains of one PDL text; `name` is for error messages. Raises `SchemaError` with the line."""
    domains: list[Domain] = []
    for node in _tree(text):
        words = node.text.split()
        if words[0] in {"version", "include"}:
            continue
        marks, rest = _marks(words)
        if len(rest) != 2 or rest[0] != "domain":
            raise SchemaError(f"{name}:{node.line}: expected a domain, found {node.text!r}")
        try:
            domains.append(convert({"domain": rest[1], **marks, **_sections(node)}, Domain))
        except (ValidationError, SchemaError) as error:
            raise SchemaError(f"{name}: domain {rest[1]}: {error}") from error
    return domains


def _tree(text: str) -> list[_Node]:
    root: list[_Node] = []
    stack: list[tuple[int, list[_Node]]] = [(-1, root)]
    for number, line in enumerate(text.splitlines(), 1):
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        indent = len(line) - len(line.lstrip(" "))
        while stack[-1][0] >= indent:
            stack.pop()
        node = _Node(number, content, [])
        stack[-1][1].append(node)
        stack.append((indent, node.children))
    return root


def _marks(words: list[str]) -> tuple[dict[str, Any], list[str]]:
    count = 0
    while count < len(words) and words[count] in _MARKS:
        count += 1
    return dict.fromkeys(words[:count], True), words[count:]


def _sections(domain: _Node) -> dict[str, Any]:
    sections: dict[str, list[Any]] = {"dependencies": [], "types": [], "commands": [], "events": []}
    for node in domain.children:
        marks, rest = _marks(node.text.split())
        match rest:
            case ["depends", "on", other]:
                sections["dependencies"].append(other)
            case ["type", ident, "extends", *base]:
                sections["types"].append({"id": ident, **marks, **_kind(base), **_body(node)})
            case ["command", ident]:
                sections["commands"].append({"name": ident, **marks, **_body(node)})
            case ["event", ident]:
                sections["events"].append({"name": ident, **marks, **_body(node)})
            case _:
                raise SchemaError(f"line {node.line}: {node.text!r}")
    return sections


def _kind(words: list[str]) -> dict[str, Any]:
    match words:
        case ["array", "of", item]:
            return {"type": "array", "items": _kind([item])}
        case [primitive] if primitive in _PRIMITIVE:
            return {"type": primitive}
        case [ref]:
            return {"$ref": ref}
        case _:
            raise SchemaError(f"expected a type, found {' '.join(words)!r}")


def _body(node: _Node) -> dict[str, Any]:
    """Parse the lines below a type, command or event."""
    read: dict[str, Callable[[_Node], Any]] = {
        "properties": _properties,
        "parameters": _properties,
        "returns": _properties,
        "enum": _values,
    }
    body: dict[str, Any] = {}
    for child in node.children:
        words = child.text.split()
        if words[0] == "redirect" and len(words) == 2:
            body["redirect"] = words[1]
        elif len(words) == 1 and words[0] in read:
            body[words[0]] = read[words[0]](child)
        else:
            raise SchemaError(f"line {child.line}: {child.text!r}")
    return body


def _values(node: _Node) -> list[str]:
    return [child.text for child in node.children]


def _properties(node: _Node) -> list[dict[str, Any]]:
    return list(_each_property(node))


def _each_property(node: _Node) -> Iterator[dict[str, Any]]:
    for child in node.children:
        marks, rest = _marks(child.text.split())
        *kind, name = rest
        if kind == ["enum"]:
            yield {"name": name, **marks, "type": "string", "enum": _values(child)}
        else:
            yield {"name": name, **marks, **_kind(kind)}
