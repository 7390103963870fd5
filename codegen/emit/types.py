"""Named types as source: ids, aliases, enums and structs."""

from __future__ import annotations

from codegen.emit.fields import Scope, Text, annotation, enum_alias, fields, inline_enums, join, named
from codegen.emit.source_text import Import, class_head, docstring, source
from codegen.model import Property
from codegen.names import module_name
from codegen.plan import Plan, TypePlan

_IDS_DOC = """\
Scalars that several domains share: ids, and the enums and numbers that another domain refers to.

They live here, below every type module, because the domains refer to each other in circles through them.
"""
_OUTPUT = "frozen=True, kw_only=True, gc=False, omit_defaults=True"
_INPUT = "frozen=True, kw_only=True, omit_defaults=True"


def ids_module(plan: Plan, version: str) -> str:
    """Return `ids.py`: every shared scalar, ordered by domain."""
    texts: list[Text] = []
    for domain in plan.protocol.domains:
        scope = Scope(plan, domain.domain, "ids")
        texts.extend(type_text(item, scope) for item in plan.of_domain(domain.domain, "ids"))
    body = join(texts, "\n")
    return source(version, _IDS_DOC, body.imports, body.code)


def types_module(plan: Plan, domain: str, version: str) -> str:
    """Return `_types/<domain>.py`. Aliases of arrays come last: unlike annotations, they are evaluated at import."""
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
    """Return the definition of one type, without the inline enums of its properties."""
    definition, name = item.definition, item.name
    doc = named(
        definition.description,
        f"{item.domain}.{definition.id}",
        experimental=item.experimental,
        deprecated=item.deprecated,
    )
    if definition.enum is not None:
        return enum_alias(name, definition.enum, doc)
    if definition.properties is not None:
        return _struct(item, definition.properties, doc, scope)
    if definition.type in {"string", "integer"}:
        base = "str" if definition.type == "string" else "int"
        code = f'{name} = NewType("{name}", {base})\n' + docstring(doc)
        return Text(code, frozenset({Import("typing", "NewType")}))
    # A number is an alias and no NewType, so that callers can pass 0.5 where a timestamp is expected.
    stand_in = Property(name=definition.id, type=definition.type, items=definition.items)
    value = annotation(stand_in, scope, owner=name, direction=item.direction)
    return Text(f"{name}: TypeAlias = {value.code}\n{docstring(doc)}", value.imports | {Import("typing", "TypeAlias")})


def _struct(item: TypePlan, properties: tuple[Property, ...], doc: str, scope: Scope) -> Text:
    options = _OUTPUT if item.direction == "output" else _INPUT
    members = fields(properties, scope, owner=item.name, direction=item.direction)
    code = (
        class_head(item.name, "Struct", options)
        + docstring(doc, "    ")
        + ("\n" + members.code if members.code else "")
    )
    return Text(code, members.imports | {Import("msgspec", "Struct")})
