"""Texts of pages as literals of Python and JavaScript: no text can end its literal."""

from __future__ import annotations

import json
import re
from typing import Any

from cdp_typed.wire.json_text import is_object
from supervisor.tools.framework.untrusted_text import is_items

from .steps import Secret

INDENT = "    "


class Raw(str):
    """Code, which is written unchanged."""

    __slots__ = ()


def python(value: Any) -> str:
    """A literal of Python. Characters that are not printable are escaped, so the file is valid UTF-8."""
    if isinstance(value, Raw):
        return value
    if isinstance(value, Secret):
        return f'os.environ["{value.variable}"]'
    if is_object(value):
        return "{" + ", ".join(f"{python(name)}: {python(item)}" for name, item in value.items()) + "}"
    if is_items(value):
        return f"[{', '.join(map(python, value))}]"
    return _quoted(value, is_python=True) if isinstance(value, str) else repr(value)


def javascript(value: Any) -> str:
    """A literal of JavaScript, in which a text is never a template."""
    if isinstance(value, Raw):
        return value
    if isinstance(value, Secret):
        return f"process.env.{value.variable}!"
    if is_object(value):
        return "{ " + ", ".join(f"{name}: {javascript(item)}" for name, item in value.items()) + " }"
    if is_items(value):
        return f"[{', '.join(map(javascript, value))}]"
    return _quoted(value, is_python=False) if isinstance(value, str) else json.dumps(value)


def pattern(text: str) -> str:
    """A regular expression, of Python and of JavaScript, that matches the text."""
    return re.sub(r"[\\^$.|?*+()\[\]{}/]", r"\\\g<0>", text)


def _quoted(text: str, *, is_python: bool) -> str:
    return '"' + "".join(_escaped(character, is_python=is_python) for character in text) + '"'


def _escaped(character: str, *, is_python: bool) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character == "\n":
        return "\\n"
    if character.isprintable():
        return character
    units = character.encode("utf-16-be", "surrogatepass").hex()
    if len(units) == 4:
        return f"\\u{units}"
    return f"\\U{ord(character):08x}" if is_python else f"\\u{units[:4]}\\u{units[4:]}"
