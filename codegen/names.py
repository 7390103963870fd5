"""Protocol names to Python names: pure functions over one tokeniser.

Wire names are never derived from these; the generated code writes them out wherever the two differ.
"""

from __future__ import annotations

import keyword
import re

from codegen.errors import SchemaError

# An underscore is in one name of Chromium 90 and 92: `max_depth`.
_VALID = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_WORD = re.compile(
    r"[A-Z]{2,}s(?=[A-Z]|$)"  # a plural initialism: URLs
    r"|[A-Z]+(?=[A-Z][a-z])"  # an initialism before a word: the DOM of DOMCounters
    r"|[A-Z]?[a-z0-9]+"  # a word, digits included: base64, Ctap2
    r"|[A-Z]+[0-9]*"  # an initialism at the end: PDF
    r"|[0-9]+"
)

# Names the generated class bodies use after a field may have been bound in the same body. Both msgspec and the type
# checkers look names up in the class first, so a field called `list` would break every later `list[...]`.
_USED_IN_CLASS_BODIES = frozenset({"bool", "dict", "field", "float", "int", "list", "str", "tuple"})


def words(name: str) -> list[str]:
    """Split a camelCase, PascalCase or snake_case name into lower-case words: `printToPDF` -> `print`, `to`, `pdf`."""
    if not _VALID.fullmatch(name):
        raise SchemaError(f"{name!r} is not a name this generator understands")
    return [word.lower() for word in _WORD.findall(name)]


def field_name(name: str) -> str:
    """Return a property or parameter as a Python attribute: `documentURL` -> `document_url`, `or` -> `or_`."""
    snake = "_".join(words(name))
    reserved = keyword.iskeyword(snake) or snake in _USED_IN_CLASS_BODIES
    return f"{snake}_" if reserved else snake


def module_name(domain: str) -> str:
    """Return a domain as a module: `DOMDebugger` -> `dom_debugger`."""
    return field_name(domain)


def class_name(name: str) -> str:
    """Return a type, command or event as a class, with upstream's initialisms: `getDOMCounters` -> `GetDOMCounters`."""
    if not _VALID.fullmatch(name):
        raise SchemaError(f"{name!r} is not a name this generator understands")
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))
