"""`Redaction`: what a file, a log or a live view may hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .fields import NO_MEMBER, SECRET_ARGUMENTS, Member, Rule, is_secret_field, listed_in, members_of, path_of
from .forms import changed, in_form_of, is_items, members_in, plain
from .protected import PROTECTED, SHORTEST
from .spellings import without
from .texts import REDACTED, is_plain_header, is_secret_name, without_credentials

_MOST = 200
"""Texts of a page that are hidden wherever they come; a page can make any number of them."""
_COOKIE_FIELDS = frozenset({"domain", "path", "url", "httpOnly", "secure", "sameSite", "expires"})


class Redaction:
    """Replaces secrets in messages of the protocol, in other plain JSON and in texts.

    It knows secrets by the schema, by the names of fields, by the shape of a text, by `hide` and `protect`. What it
    returns has the form of what it was given: a typed value stays one of its class, a tuple stays a tuple. With
    `keeps_secrets` it changes nothing.
    """

    def __init__(self, *, keeps_secrets: bool = False) -> None:
        self.keeps_secrets = keeps_secrets
        self._hidden: set[str] = set()
        self._seen: dict[str, None] = {}

    def hide(self, secret: str) -> None:
        """Hide this text from now on wherever it appears, whichever of its characters are escaped (`spellings.py`)."""
        if len(secret) >= SHORTEST and secret != REDACTED:
            self._hidden.add(secret)

    def _see(self, secret: Any) -> None:
        """Hide what a message of the browser has shown to be a secret, until `_MOST` newer ones have come."""
        if isinstance(secret, str) and len(secret) >= SHORTEST and secret != REDACTED:
            self._seen.pop(secret, None)
            self._seen[secret] = None
            if len(self._seen) > _MOST:
                del self._seen[next(iter(self._seen))]

    def text(self, text: str) -> str:
        """Any text."""
        if self.keeps_secrets:
            return text
        return without_credentials(without(text, PROTECTED | self._hidden | self._seen.keys(), REDACTED))

    def value(self, value: Any) -> Any:
        """A typed value, or plain JSON of which nothing is known."""
        return self.of_type(None, value)

    def params(self, method: str, params: Any) -> Any:
        """The parameters of a command or of an event."""
        return self.of_type(method if members_of(method) else f"{method}!", params)

    def result(self, method: str | None, result: Any) -> Any:
        """The result of a command; `None` for one that is not known."""
        return self.of_type(None if method is None else f"{method}()", result)

    def of_type(self, path: str | None, value: Any) -> Any:
        """A value, or a list of values, of the type with this path in the schema.

        What is nested too deep for Python's recursion limit is hidden.
        """
        if self.keeps_secrets:
            return value
        try:
            if is_items(value):
                return in_form_of(value, (self.of_type(path, item) for item in value))
            return self._any(value) if path is None or members_in(value) is None else self._object(value, path)
        except RecursionError:
            return REDACTED

    def _member(self, rule: Rule, value: Any, owner: Mapping[str, Any]) -> Any:
        """A member that the schema has a rule for, of the object `owner`."""
        match rule:
            case "credential":
                if not str(value).isalpha():
                    self._see(value)
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
                return self._strings(value, owner)
            case "all":
                return _blank(value)

    def _object(self, value: Any, path: str | None) -> Any:
        owner = members_in(value)
        assert owner is not None
        known = members_of(path) if path is not None else listed_in(value.__class__)
        shown = {name: self._of_member(known.get(name, NO_MEMBER), name, item, owner) for name, item in owner.items()}
        method, params = owner.get("method"), owner.get("params")
        if path is None and isinstance(method, str) and members_in(params) is not None:
            shown["params"] = self.params(method, params)
        name = owner.get("name")
        if isinstance(name, str) and "value" in owner and (is_secret_name(name) or _COOKIE_FIELDS & owner.keys()):
            shown["value"] = _blank(owner["value"])
        return changed(value, shown, self.text)

    def _of_member(self, member: Member, name: str, item: Any, owner: Mapping[str, Any]) -> Any:
        if member.rule is not None:
            return self._member(member.rule, item, owner)
        if isinstance(item, str) and item in member.listed:
            return item
        if is_secret_name(name):
            return _blank(item)
        return self.of_type(member.of, item)

    def _any(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if is_items(value):
            return in_form_of(value, map(self._any, value))
        return value if members_in(value) is None else self._object(value, path_of(value.__class__))

    def _arguments(self, arguments: Any, function: str) -> Any:
        """The arguments of a function, whose texts may be secrets."""
        if function.startswith(SECRET_ARGUMENTS):
            for argument in plain(arguments) if is_items(arguments) else ():
                members = members_in(argument)
                value = None if members is None else members.get("value")
                if isinstance(value, str):
                    self.hide(value)
        return self.of_type("Runtime.CallArgument", arguments)

    def _headers(self, value: Any) -> Any:
        if isinstance(value, str):
            return "\n".join(map(self._header_line, value.split("\n")))
        owner = members_in(value)
        if owner is None:
            return _blank(value)
        return changed(value, {name: self._header(name, item) for name, item in owner.items()}, self.text)

    def _header_line(self, line: str) -> str:
        name, colon, value = line.partition(":")
        if not colon or " " in name:  # the line of the request or of the status
            return self.text(line)
        end = "\r" if value.endswith("\r") else ""
        return f"{name}: {self._header(name, value.strip())}{end}"

    def _header(self, name: str, value: Any) -> Any:
        return self._any(value) if is_plain_header(name) else _blank(value)

    def _attributes(self, value: Any) -> Any:
        if not is_items(value) or not all(isinstance(item, str) for item in value):
            return _blank(value)
        pairs = dict(zip(value[::2], value[1::2], strict=False))
        is_secret = is_secret_field(pairs)
        before = ["", *value]
        return in_form_of(
            value,
            (
                REDACTED if number % 2 and is_secret and before[number] == "value" else self.text(item)
                for number, item in enumerate(value)
            ),
        )

    def _strings(self, strings: Any, snapshot: Mapping[str, Any]) -> Any:
        """The texts of `DOMSnapshot.captureSnapshot` without the values of fields that take secrets."""
        if not is_items(strings):
            return []
        secret: set[int] = set()
        try:
            for document in plain(snapshot["documents"]):
                secret |= _secret_values(document["nodes"], strings)
        except (KeyError, TypeError, IndexError, ValueError):  # not a snapshot as browsers make them
            secret.update(range(len(strings)))
        shown = (REDACTED if number in secret else self._any(text) for number, text in enumerate(strings))
        return in_form_of(strings, shown)


def _blank(value: Any) -> Any:
    """The same without its texts and numbers; what is empty stays, since it says that nothing was there."""
    if isinstance(value, str):
        return REDACTED if value else value
    if is_items(value):
        return in_form_of(value, map(_blank, value))
    owner = members_in(value)
    if owner is not None:
        return changed(value, {name: _blank(item) for name, item in owner.items()})
    return 0 if isinstance(value, int | float) and not isinstance(value, bool) else value


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
