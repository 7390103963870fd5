"""Writes `cdp_typed/redaction/shapes.json` from the rules of gitleaks.

In `python -m codegen.lists.secret_shapes FILE SOURCE`, FILE is its `config/gitleaks.toml`, and SOURCE says which
version it is, where it is from, and of when.

Only names of rules and expressions are taken. Go's regular expressions become Python's; a rule that has no beginning
to look for, or that needs the name of a file, is left out and listed with the reason.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parent.parent.parent / "cdp_typed" / "redaction" / "shapes.json"

_PARSER: Any = importlib.import_module("re._parser")
"""The only reader of expressions that there is; it is Python's own, without types."""

_END = r"""(?:[\x60'"\s;]|\\[nr]|$)"""
_AROUND = (
    _END,
    r"(?:[^\w-]|\z)",
    r"(?:[^a-zA-Z0-9+/]|\z)",
    r"""(?:[\x60'"\s;]|\\[nr]|$|\b)""",
    r"""(?:^|[\\'"\x60\s>=:(,)])""",
    r"""(?:$|[\\'"\x60\s<),])""",
)
"""What has to come before and after: a secret is one also where something else does."""
_TO_NAME = r"[\w.-]{0,50}?"
_TO_VALUE = r"""(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}("""
_AFTER_NAME = r"""(?:[ \t\w.-]{0,20})[\s'"]{0,3}"""
_CLASSES = {"[:alnum:]": "a-zA-Z0-9", r"\z": r"\Z"}
_OURS = {
    "curl-auth-header": "a header has a rule already",
    "curl-auth-user": "not linear in the text",
    "generic-api-key": "names of secrets have a rule already",
    "jwt": "has a rule already",
    "jwt-base64": "has a rule already",
    "kubernetes-secret-yaml": "not linear in the text",
    "private-key": "has a rule already",
    "sourcegraph-access-token": "takes the id of any commit for a key",
}
_SHORTEST_HEAD = 2
_MOST_HEADS = 40
_MOST = 300
"""Characters of a part of a secret that is as long as it likes."""


def shapes_text(config: bytes, source: str) -> str:
    """Return the text of the file: a line for each rule, in the order of gitleaks."""
    kinds: dict[str, dict[str, Any]] = {"tokens": {}, "marked": {}, "named": {}, "left_out": {}}
    for rule in tomllib.loads(config.decode())["rules"]:
        for name, kind, shape in _shapes(rule):
            if kind == "named":
                _add(kinds[kind], name, shape)
            else:
                kinds[kind][name] = shape
    parts = [f'"source": {json.dumps(source)}', f'"sha256": "{hashlib.sha256(config).hexdigest()}"']
    for kind, shapes in kinds.items():
        lines = (f"{json.dumps(name)}: {json.dumps(shape)}" for name, shape in shapes.items())
        parts.append(f'"{kind}": {{\n' + ",\n".join(lines) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _shapes(rule: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """The name and the kind of each part of a rule, and what is kept of it."""
    name, expression = rule["id"], rule.get("regex", "")
    if name in _OURS or "path" in rule:
        yield name, "left_out", _OURS.get(name, "needs the name of a file")
        return
    if _TO_VALUE in expression:
        before, _, value = expression.partition(_TO_VALUE)
        value, _, other = value.partition(f"){_END}")
        word = re.sub(r"^\(\?i:(.*)\)$", r"\1", before.replace("(?i)", "").removeprefix(_TO_NAME))
        word = word.removeprefix(_TO_NAME).removesuffix(_AFTER_NAME)
        yield name, "named", _named(rule["keywords"], word, ("(?i)" if before.startswith("(?i)") else "") + value)
        if other:
            yield f"{name}-2", *_alone(rule, other.removeprefix("|"))
    else:
        yield name, *_alone(rule, expression)


def _add(named: dict[str, Any], rule: str, shape: dict[str, Any]) -> None:
    """Rules of the same service become one, which looks for each of their values."""
    for name, other in list(named.items()):
        if other["name"] == shape["name"]:
            named[f"{name} {rule}"] = {**shape, "value": f"{other['value']}|{shape['value']}"}
            del named[name]
            return
    named[rule] = shape


def _named(keywords: Sequence[str], word: str, value: str) -> dict[str, Any]:
    name = python(f"(?i){word}")
    beginnings = [keyword for keyword in keywords if re.match(name, keyword) or keyword in word]
    return {
        "keywords": beginnings or [found.lower() for found in re.findall(r"[A-Za-z][\w-]{2,}", word)],
        "name": name,
        "value": python(value),
    }


def _alone(rule: Mapping[str, Any], expression: str) -> tuple[str, Any]:
    """What is kept of an expression that no name has to come before."""
    for around in _AROUND:
        expression = expression.replace(around, "")
    expression = re.sub(r"^((?:\(\?i:)?)\\b", r"\1", python(expression))
    heads = _heads(expression)
    if heads:
        return "tokens", {"heads": heads, "regex": expression}
    plain = expression.replace("\\", "")
    marks = [plain[at : at + len(word)] for word in rule["keywords"] if (at := plain.lower().find(word)) >= 0]
    if marks:
        return "marked", {"marks": marks, "regex": expression}
    return "left_out", "has no beginning to look for"


def python(expression: str) -> str:
    """The same expression as Python writes it: a flag in the middle becomes a group to the end of its own."""
    for theirs, ours in _CLASSES.items():
        expression = expression.replace(theirs, ours)
    opened, made, place = [0], "", 0
    while place < len(expression):
        at = expression[place]
        if expression.startswith("(?i)", place):
            made, opened[-1], place = f"{made}(?i:", opened[-1] + 1, place + 4
        elif at == "\\":
            made, place = made + expression[place : place + 2], place + 2
        elif at == "[":
            end = expression.index("]", place + 2)
            while expression[end - 1] == "\\":
                end = expression.index("]", end + 1)
            made, place = made + expression[place : end + 1], end + 1
        else:
            if at == "(":
                opened.append(0)
            elif at == ")":
                made += ")" * opened.pop()
            elif at == "|" and opened[-1]:
                at = ")" * opened[-1] + "|" + "(?i:" * opened[-1]
            made, place = made + at, place + 1
    made = re.sub(r"\{(\d+),\}|(?<=[\])d])([+*])", _bounded, made + ")" * opened.pop())
    re.compile(made)
    return made


def _bounded(unbounded: re.Match[str]) -> str:
    """What follows a match is taken with it: to read on at each beginning that is none would take long."""
    least = int(unbounded[1]) if unbounded[1] else {"+": 1, "*": 0}[unbounded[2]]
    return f"{{{least},{max(_MOST, least)}}}"


def _heads(expression: str) -> list[str]:
    """The texts, letters as they are written, one of which a match begins with; none if they are too short."""
    found = sorted(set(_beginnings(_PARSER.parse(expression))[0]))
    return found if min(map(len, found)) >= _SHORTEST_HEAD and not found[0].startswith("http") else []


def _beginnings(parsed: Iterable[Any]) -> tuple[list[str], bool]:
    """The texts, and whether they are all of what is parsed."""
    heads = [""]
    for name, value in parsed:
        more, is_whole = _one(str(name), value)
        if len(heads) * len(more) > _MOST_HEADS:
            return heads, False
        heads = [f"{head}{other}" for head, other in product(heads, more)]
        if not is_whole:
            return heads, False
    return heads, True


def _one(name: str, value: Any) -> tuple[list[str], bool]:
    match name:
        case "LITERAL":
            return [chr(value)], True
        case "AT":
            return [""], True
        case "SUBPATTERN":
            return _beginnings(value[3])
        case "BRANCH":
            branches = [_beginnings(branch) for branch in value[1]]
            return [head for heads, _ in branches for head in heads], all(is_whole for _, is_whole in branches)
        case "IN" if all(str(kind) == "LITERAL" for kind, _ in value):
            return [chr(code) for _, code in value], True
        case _:
            return [""], False


def main(arguments: list[str]) -> int:
    """Write the file."""
    if len(arguments) != 2:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    file, origin = arguments
    source = f"{origin}; MIT, Copyright (c) 2019 Zachary Rice"
    TARGET.write_text(shapes_text(Path(file).read_bytes(), source), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
