"""Named types as source: ids, aliases, enums and structs."""

from __future__ import annotations

from .emit_fields import Scope, Text, annotation, described, enum_alias, fields, inline_enums, join
from .emit_text import Import, docstring, source
from .model import Property
from .names import module_name
from .plan import Plan, TypePlan

__all__ = ["ids_module", "type_text", "types_module"]

_IDS_DOC = """\
Scalars that several domains share: ids, and the enums and numbers that another domain refers to.

They live here, below every type module, because the domains refer to each other in circles through them.
"""
_OUTPUT = "frozen=True, kw_only=True, gc=False, omit_defaults=True"
_INPUT = "frozen=True, kw_only=True"


def ids_module(plan: Plan, version: str) -> str:
    """`ids.py`: every shared scalar, ordered by domain."""
    texts: list[Text] = []
    for domain in plan.protocol.domains:
        scope = Scope(plan, domain.domain, "ids")
        texts.extend(type_text(item, scope) for item in plan.of_domain(domain.domain, "ids"))
    body = join(texts, "\n")
    return source(version, _IDS_DOC, body.imports, body.code)


def types_module(plan: Plan, domain: str, version: str) -> str:
    """`_types/<domain>.py`. Aliases of lists come last: unlike a class body, they are evaluated where they stand."""
    scope = Scope(plan, domain, "types")
    owned = list(plan.of_domain(domain, "types"))
    scalars = [type_text(item, scope) for item in owned if item.definition.type not in {"object", "array"}]
    structs = [type_text(item, scope) for item in owned if item.definition.properties is not None]
    inline = [text for item in owned for text in inline_enums(item.name, item.definition.properties or ())]
    rest = [
        type_text(item, scope)
        for item in owned
        if item.definition.type in {"object", "array"} and item.definition.properties is None
    ]
    plain = join([*scalars, *inline], "\n")
    body = join([part for part in (plain, join(structs, "\n\n"), join(rest, "\n")) if part.code], "\n\n")
    return source(
        version,
        f"The types of the {domain} domain; import them from `cdp_typed.protocol.{module_name(domain)}`.",
        body.imports,
        body.code,
    )


def type_text(item: TypePlan, scope: Scope) -> Text:
    """The definition of one type, without the enums its properties write in place."""
    definition = item.definition
    doc = described(
        definition.description, experimental=definition.experimental, deprecated=definition.deprecated, note=""
    )
    name = item.name
    if definition.enum is not None:
        return enum_alias(name, definition.enum, doc)
    if definition.properties is not None:
        return _struct(item, scope)
    if definition.type in {"string", "integer"}:
        base = "str" if definition.type == "string" else "int"
        code = f'{name} = NewType("{name}", {base})\n' + docstring(doc)
        return Text(code, frozenset({Import("typing", "NewType")}))
    # A number is an alias and no NewType: a caller should be able to pass 0.5 where a timestamp is expected.
    stand_in = Property(name=definition.id, type=definition.type, items=definition.items)
    value = annotation(stand_in, scope, owner=name, opened=item.direction != "input")
    return Text(f"{name}: TypeAlias = {value.code}\n{docstring(doc)}", value.imports | {Import("typing", "TypeAlias")})


def _struct(item: TypePlan, scope: Scope) -> Text:
    definition = item.definition
    wire = f"CDP: `{item.domain}.{definition.id}`."
    marks = described("", experimental=definition.experimental, deprecated=definition.deprecated)
    doc = "\n\n".join(part for part in (definition.description.strip(), f"{wire} {marks}".strip()) if part)
    options = _OUTPUT if item.direction == "output" else _INPUT
    members = fields(definition.properties or (), scope, owner=item.name, direction=item.direction)
    head = f"class {item.name}(Struct, {options}):\n"
    if len(head) > 121:
        head = f"class {item.name}(\n    Struct, {options}\n):\n"
    parts = [head, docstring(doc, "    ")]
    if members.code:
        parts.append("\n" + members.code)
    return Text("".join(parts), members.imports | {Import("msgspec", "Struct")})
