"""`Redaction`: what a file, a log or a live view may hold."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote, quote_plus

from cdp_typed.wire.json_text import is_array, is_object

from .fields import SECRET_ARGUMENTS, Rule, is_secret_field, members_of
from .texts import REDACTED, is_plain_header, is_secret_name, without_credentials

_SHORTEST = 4
"""Characters of a text that is hidden wherever it comes: a shorter one is part of too many others."""
_MOST = 200
"""Texts that are hidden wherever they come."""
_COOKIE_FIELDS = frozenset({"domain", "path", "url", "httpOnly", "secure", "sameSite", "expires"})


class Redaction:
    """Replaces secrets in messages of the protocol, in other plain JSON and in texts.

    It knows secrets by the schema, by the names of fields, by the shape of a text, and by `hide`. With
    `hides_typed_text` it also hides inserted text (`Input.insertText`) wherever it appears again: use this where the
    field that got the text is unknown. With `keeps_secrets` it changes nothing.
    """

    def __init__(self, *, hides_typed_text: bool = False, keeps_secrets: bool = False) -> None:
        self.keeps_secrets = keeps_secrets
        self._hides_typed_text = hides_typed_text
        self._hidden: dict[str, tuple[str, ...]] = {}

    def hide(self, secret: str) -> None:
        """Hide this text from now on wherever it appears, also as part of an address, of JSON or of HTML."""
        if len(secret) < _SHORTEST or secret == REDACTED:
            return
        self._hidden.pop(secret, None)
        self._hidden[secret] = tuple(dict.fromkeys(spellings(secret)))
        if len(self._hidden) > _MOST:
            del self._hidden[next(iter(self._hidden))]

    def text(self, text: str) -> str:
        """Any text."""
        if self.keeps_secrets:
            return text
        for written in tuple(self._hidden.values()):
            for spelling in written:
                if spelling in text:
                    text = text.replace(spelling, REDACTED)
        return without_credentials(text)

    def value(self, value: Any) -> Any:
        """Plain JSON of which nothing is known."""
        return value if self.keeps_secrets else self._any(value)

    def params(self, method: str, params: Any) -> Any:
        """The parameters of a command or of an event."""
        if self.keeps_secrets or not is_object(params):
            return self.value(params)
        return self._object(params, method if members_of(method) else f"{method}!")

    def result(self, method: str | None, result: Any) -> Any:
        """The result of a command; `None` for one that is not known."""
        if self.keeps_secrets or method is None or not is_object(result):
            return self.value(result)
        return self._object(result, f"{method}()")

    def of_type(self, path: str | None, value: Any) -> Any:
        """A value, or a list of values, of the type with this path in the schema."""
        if is_array(value):
            return [self.of_type(path, item) for item in value]
        if self.keeps_secrets or path is None or not is_object(value):
            return self.value(value)
        return self._object(value, path)

    def member(self, rule: Rule, value: Any, owner: Mapping[str, Any]) -> Any:
        """A member that the schema has a rule for, of the object `owner`."""
        if self.keeps_secrets:
            return value
        match rule:
            case "credential":
                if isinstance(value, str) and not value.isalpha():
                    self.hide(value)
                return _blank(value)
            case "typed":
                if isinstance(value, str) and self._hides_typed_text:
                    self.hide(value)
                return _blank(value)
            case "arguments":
                return self._arguments(value, str(owner.get("functionDeclaration", "")))
            case "headers":
                return self._headers(value)
            case "header":
                return self._header(str(owner.get("name", "")), value)
            case "key":
                writes = len(owner.get("key") or "") == 1 or owner.get("text") or owner.get("unmodifiedText")
                return _blank(value) if writes else value
            case "attributes":
                return self._attributes(value)
            case "strings":
                return [self._any(item) for item in _without_fields(value, owner)]
            case "all":
                return _blank(value)

    def _object(self, value: Mapping[str, Any], path: str) -> dict[str, Any]:
        members = members_of(path)
        shown: dict[str, Any] = {}
        for name, item in value.items():
            rule, of = members.get(name, (None, None))
            if rule is not None:
                shown[name] = self.member(rule, item, value)
            elif of is not None and (is_object(item) or is_array(item)):
                shown[name] = self.of_type(of, item)
            else:
                shown[name] = self._named(name, item)
        return self._with_its_pair(value, shown)

    def _any(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if is_array(value):
            return [self._any(item) for item in value]
        if not is_object(value):
            return value
        method, params = value.get("method"), value.get("params")
        shown = {self.text(name): self._named(name, item) for name, item in value.items()}
        if isinstance(method, str) and is_object(params):
            shown["params"] = self.params(method, params)
        return self._with_its_pair(value, shown)

    def _arguments(self, arguments: Any, function: str) -> Any:
        """The arguments of a function, whose texts may be secrets."""
        if function.startswith(SECRET_ARGUMENTS) and is_array(arguments):
            for argument in arguments:
                value = argument.get("value") if is_object(argument) else None
                if isinstance(value, str):
                    self.hide(value)
        return self.of_type("Runtime.CallArgument", arguments)

    def _named(self, name: str, value: Any) -> Any:
        return _blank(value) if is_secret_name(name) else self._any(value)

    @staticmethod
    def _with_its_pair(value: Mapping[str, Any], shown: dict[str, Any]) -> dict[str, Any]:
        """A cookie, or any `{"name": ..., "value": ...}` whose name is that of a secret."""
        name = value.get("name")
        if isinstance(name, str) and "value" in value and (is_secret_name(name) or _COOKIE_FIELDS & value.keys()):
            shown["value"] = _blank(value["value"])
        return shown

    def _headers(self, value: Any) -> Any:
        if isinstance(value, str):
            return "\n".join(map(self._header_line, value.split("\n")))
        if is_object(value):
            return {name: self._header(name, item) for name, item in value.items()}
        return _blank(value)

    def _header_line(self, line: str) -> str:
        name, colon, value = line.partition(":")
        if not colon or " " in name:  # the line of the request or of the status
            return self.text(line)
        end = "\r" if value.endswith("\r") else ""
        return f"{name}: {self._header(name, value.strip())}{end}"

    def _header(self, name: str, value: Any) -> Any:
        return self._any(value) if is_plain_header(name) else _blank(value)

    def _attributes(self, value: Any) -> Any:
        if not is_array(value) or not all(isinstance(item, str) for item in value):
            return _blank(value)
        pairs = dict(zip(value[::2], value[1::2], strict=False))
        is_secret = is_secret_field(pairs)
        before = ["", *value]
        return [
            REDACTED if number % 2 and is_secret and before[number] == "value" else self.text(item)
            for number, item in enumerate(value)
        ]


def spellings(secret: str) -> Iterator[str]:
    """A secret, and how it looks in an address, in JSON and in HTML."""
    yield secret
    yield quote(secret, safe="")
    yield quote_plus(secret)
    yield json.dumps(secret)[1:-1]
    yield json.dumps(secret, ensure_ascii=False)[1:-1]
    yield html.escape(secret)


def _blank(value: Any) -> Any:
    """The same without its texts and numbers; what is empty stays, since it says that nothing was there."""
    if isinstance(value, str):
        return REDACTED if value else value
    if is_array(value):
        return [_blank(item) for item in value]
    if is_object(value):
        return {name: _blank(item) for name, item in value.items()}
    return 0 if isinstance(value, int | float) and not isinstance(value, bool) else value


def _without_fields(strings: Any, snapshot: Mapping[str, Any]) -> Sequence[Any]:
    """The texts of `DOMSnapshot.captureSnapshot` without the values of fields that take secrets."""
    if not is_array(strings):
        return []
    secret: set[int] = set()
    try:
        for document in snapshot["documents"]:
            secret |= _secret_values(document["nodes"], strings)
    except (KeyError, TypeError, IndexError):  # not a snapshot as browsers make them
        return [REDACTED] * len(strings)
    return [REDACTED if number in secret else text for number, text in enumerate(strings)]


def _secret_values(nodes: Mapping[str, Any], strings: Sequence[Any]) -> set[int]:
    """The positions of these values among the texts."""
    values = {
        node: value
        for kind in ("inputValue", "textValue")
        if kind in nodes
        for node, value in zip(nodes[kind]["index"], nodes[kind]["value"], strict=True)
    }
    found: set[int] = set()
    for node, numbers in enumerate(nodes["attributes"]):
        pairs = {strings[name]: value for name, value in zip(numbers[::2], numbers[1::2], strict=True)}
        if is_secret_field({name: strings[value] for name, value in pairs.items() if value >= 0}):
            found |= {values.get(node, -1), pairs.get("value", -1)}
    return {number for number in found if number >= 0 and strings[number]}
