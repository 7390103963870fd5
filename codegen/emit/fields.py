"""Properties and parameters as annotated class attributes.

An optional one is None where it is absent, and such a None is not sent: what a result gave can go into a command.
Callers may also leave it out by `UNSET`, which is the default where any JSON is accepted, because None is null there.
An enum is `Open[...]`: a newer browser may send values that the bindings do not list, and commands take them.
An array that only the browser writes is a tuple; where callers write it, too, it is a `Sequence`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct

from codegen.emit.source_text import Import, assign, docstring, listing, quote
from codegen.errors import SchemaError
from codegen.model import Items, Kind, Property
from codegen.names import field_name, module_name
from codegen.plan import Direction, Plan, inline_enum_name, qualify

_PRIMITIVES: dict[Kind, str] = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "object": "dict[str, Any]",
    "any": "Any",
    "binary": "Base64",
}
_IMPORTS = {
    "Any": Import("typing", "Any"),
    "dict[str, Any]": Import("typing", "Any"),
    "Base64": Import("cdp_typed._base", "Base64"),
}
_OPEN = Import("cdp_typed._base", "Open")
ACCEPTED = {"Network.CookieParam": "Network.Cookie"}
"""Types of results that a command takes, too, where it takes a list of the first type: it makes that of them."""

_ACCEPTS = Import("cdp_typed._base", "Accepts")
_SEQUENCE = Import("collections.abc", "Sequence")
_UNSET_TYPE = Import("msgspec", "UnsetType")


class Text(NamedTuple):
    """Source text with the imports that it needs."""

    code: str
    imports: frozenset[Import] = frozenset()


class Scope(Struct, frozen=True):
    """The module in which a name is used, which decides how the name is written."""

    plan: Plan
    domain: str
    module: Literal["ids", "types", "commands", "events"]


def join(parts: list[Text], separator: str = "") -> Text:
    """Join texts and their imports."""
    return Text(separator.join(part.code for part in parts), frozenset().union(*(part.imports for part in parts)))


def described(description: str, *, experimental: bool, deprecated: bool, note: str = "") -> str:
    """Return a description with its marks: after one line on the same line, after several as a paragraph."""
    marks = [note, "Experimental." if experimental else "", "Deprecated." if deprecated else ""]
    tail = " ".join(mark for mark in marks if mark)
    text = description.strip()
    if not (text and tail):
        return text or tail
    if "\n" in text:
        return f"{text}\n\n{tail}"
    return f"{text} {tail}" if text.endswith((".", "!", "?", ":")) else f"{text}. {tail}"


def named(description: str, wire: str, *, experimental: bool, deprecated: bool, note: str = "") -> str:
    """Return the docstring of a definition: upstream's description, then its name on the wire and its marks."""
    tail = described(f"CDP: `{wire}`.", experimental=experimental, deprecated=deprecated, note=note)
    text = description.strip()
    return f"{text}\n\n{tail}" if text else tail


def enum_alias(name: str, values: tuple[str, ...], doc: str) -> Text:
    """Return the alias of an enum's known values."""
    code = listing(f"{name}: TypeAlias = Literal[", map(quote, values), "]") + docstring(doc)
    return Text(code, frozenset({Import("typing", "Literal"), Import("typing", "TypeAlias")}))


def inline_enums(owner: str, items: tuple[Property, ...]) -> list[Text]:
    """Return the aliases of the inline enums of `owner`."""
    return [
        enum_alias(inline_enum_name(owner, item), item.enum, f"The values of `{owner}.{field_name(item.name)}`.")
        for item in items
        if item.enum is not None
    ]


def annotation(item: Property | Items, scope: Scope, *, owner: str, direction: Direction) -> Text:
    """Return the type of a property of the class `owner`, as written in `scope`, for values of this direction."""
    if item.ref is not None:
        return reference(item.ref, scope)
    if isinstance(item, Property):
        if item.enum is not None:
            return _open(Text(inline_enum_name(owner, item)))
        if item.items is not None:
            inner = annotation(item.items, scope, owner=owner, direction=direction)
            if direction == "output":
                return Text(f"tuple[{inner.code}, ...]", inner.imports)
            accepted = accepted_ref(item, scope) if scope.module == "commands" else None
            other = reference(accepted, scope) if accepted else None
            if other is not None:
                inner = Text(f"Accepts[{inner.code}, {other.code}]", inner.imports | other.imports | {_ACCEPTS})
            return Text(f"Sequence[{inner.code}]", inner.imports | {_SEQUENCE})
    if item.type is None or item.type == "array":
        raise SchemaError(f"{owner}: an array of arrays is not understood; define a type for the inner one")
    code = _PRIMITIVES[item.type]
    return Text(code, frozenset({_IMPORTS[code]} if code in _IMPORTS else ()))


def accepted_ref(item: Property, scope: Scope) -> str | None:
    """Return the type of results that a command takes in place of the items of a parameter, if there is one."""
    ref = item.items.ref if item.items is not None else None
    return ACCEPTED.get(qualify(scope.domain, ref)) if ref else None


def _open(enum: Text) -> Text:
    return Text(f"Open[{enum.code}]", enum.imports | {_OPEN})


def reference(ref: str, scope: Scope) -> Text:
    """Return the type that a reference means, as written in `scope`."""
    target = scope.plan.types[qualify(scope.domain, ref)]
    if target.domain != scope.domain:
        # Through an alias with an underscore: a field called `network` would hide the module.
        module = "ids" if target.home == "ids" else module_name(target.domain)
        package = "cdp_typed.protocol" if target.home == "ids" else "cdp_typed.protocol._types"
        name = Text(f"_{module}.{target.name}", frozenset({Import(package, module, f"_{module}")}))
    elif target.home == scope.module:
        name = Text(target.name)
    else:
        module = "ids" if target.home == "ids" else f"_types.{module_name(target.domain)}"
        name = Text(target.name, frozenset({Import(f"cdp_typed.protocol.{module}", target.name)}))
    return name if target.definition.enum is None else _open(name)


def fields(items: tuple[Property, ...], scope: Scope, *, owner: str, direction: Direction) -> Text:
    """Return the attributes of a class body, each with its docstring."""
    return join([_field(item, scope, owner=owner, direction=direction) for item in items])


def _field(item: Property, scope: Scope, *, owner: str, direction: Direction) -> Text:
    python = field_name(item.name)
    kind = annotation(item, scope, owner=owner, direction=direction)
    code, default, imports = kind.code, "", kind.imports
    if item.optional and code == "Any" and direction != "output":
        code, default = f"{code} | UnsetType", "UNSET"
        imports |= {Import("msgspec", "UNSET"), _UNSET_TYPE}
    elif item.optional and code == "Any":
        default = "None"
    elif item.optional and direction == "input":
        code, default = f"{code} | UnsetType | None", "None"
        imports |= {_UNSET_TYPE}
    elif item.optional:
        code, default = f"{code} | None", "None"
    if python != item.name:
        arguments = [*([f"default={default}"] if default else []), f"name={quote(item.name)}"]
        line = assign(f"{python}: {code}", "field", arguments, "    ")
        imports |= {Import("msgspec", "field")}
    else:
        line = f"    {python}: {code}{f' = {default}' if default else ''}\n"
    return Text(line + docstring(_field_doc(item), "    "), imports)


def _field_doc(item: Property) -> str:
    binary = item.type == "binary" or (item.items is not None and item.items.type == "binary")
    note = "Base64 text." if binary and "base64" not in item.description.lower() else ""
    return described(item.description, experimental=item.experimental, deprecated=item.deprecated, note=note)
