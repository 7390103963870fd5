"""A tool in the forms that models and clients take, all from its two structs: OpenAI, Anthropic, Gemini, MCP."""

from __future__ import annotations

import ast
import inspect as source
import json
import re
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any, Literal, TypeAlias, assert_never, get_args

import msgspec
from msgspec import Struct, inspect

from cdp_typed.wire.json_text import is_array, is_object

from .results import ResultFields
from .tool import Tool

Form: TypeAlias = Literal["openai", "openai-responses", "anthropic", "gemini", "mcp"]
FORMS: tuple[Form, ...] = get_args(Form)
Schema: TypeAlias = dict[str, Any]
Words: TypeAlias = Callable[[str], str]
"""A function that leaves sentences about missing tools out of a description."""

_REF = "#/$defs/"
_JSON_TEXT = "As JSON text."


def definition(tool: Tool, form: Form, words: Words, *, structured: bool = False) -> Schema:
    """One tool, for a model or a client; `structured` is for MCP, and adds the schema of the results."""
    head = {"name": tool.name, "description": words(tool.description)}
    takes = arguments(tool, words)
    match form:
        case "openai":
            return {"type": "function", "function": {**head, "parameters": strict(takes), "strict": True}}
        case "openai-responses":
            return {"type": "function", **head, "parameters": strict(takes), "strict": True}
        case "anthropic":
            return {**head, "input_schema": takes}
        case "gemini":  # refuses an object without properties
            return {**head, "parameters": for_gemini(takes)} if takes["properties"] else head
        case "mcp":
            return {**head, "inputSchema": _in_words(takes), **_for_mcp(tool, structured)}
        case _:
            assert_never(form)


def _for_mcp(tool: Tool, structured: bool) -> Schema:
    # Hints that are as the protocol assumes are left out.
    hints = {"readOnlyHint": tool.reads_only, "destructiveHint": tool.destructive, "idempotentHint": tool.idempotent}
    assumed = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False}
    reported = {name: hint for name, hint in hints.items() if hint != assumed[name]}
    return {
        **({"outputSchema": output(tool)} if structured else {}),
        **({"annotations": reported} if reported else {}),
    }


def arguments(tool: Tool, words: Words) -> Schema:
    """The JSON schema of the arguments, with nothing that refers elsewhere."""
    schema, parts = _components(tool.arguments) if tool.schema is None else (dict(tool.schema), {})
    tidied = _tidy(_inlined(schema, parts), words)
    fields: Schema = tidied.get("properties", {})
    return {
        "type": "object",
        "properties": {name: _shorter(field) for name, field in fields.items()} if tool.schema is None else fields,
        **_rest(tidied),
        "additionalProperties": False,
    }


def output(tool: Tool) -> Schema:
    """The JSON schema of what a call gives: the result's own fields, and those that every result may have."""
    schema, parts = _components(tool.result)
    common, more = _components(ResultFields)
    own, always = _resolved(schema, parts), _resolved(common, more)
    required = [name for name in own.get("required", ()) if name != "success"]
    used = {name: _tidy(part, str) for name, part in parts.items() if part is not own}
    shared = {name: _roughly(_resolved(field, more)) for name, field in always["properties"].items()}
    return {
        "type": "object",
        "properties": {**_tidy(own["properties"], str), **shared},
        "required": ["success"],
        "anyOf": [
            {"properties": {"success": {"const": True}}, "required": ["success", *required]},
            {"properties": {"success": {"const": False}}, "required": ["success", "error", "error_type"]},
        ],
        **({"$defs": used} if used else {}),
    }


def _shorter(field: Schema) -> Schema:
    """An argument's schema without what goes without saying: null for what is not given, and bounds at zero or one."""
    plain = {"exclusiveMinimum": (0,), "minimum": (0, 1)}
    shorter = {key: value for key, value in field.items() if not (key in plain and value in plain[key])}
    kinds = shorter.get("type")
    if is_array(kinds) and "null" in kinds:
        kept = [kind for kind in kinds if kind != "null"]
        shorter["type"] = kept[0] if len(kept) == 1 else kept
    return shorter


def _roughly(field: Schema) -> Schema:
    """A field that every result may have: its type alone, because the schemas of all tools repeat it."""
    return {key: field[key] for key in ("type", "enum") if key in field}


def strict(schema: Schema) -> Schema:
    """The schema as OpenAI's strict mode wants it: everything required, what is optional nullable, nothing open.

    An object without known fields, and a value of any type, are asked for as JSON text.
    """
    required = set(schema.get("required", ()))
    properties = {
        name: _strict_value(field) if name in required else _nullable(_strict_value(field))
        for name, field in schema.get("properties", {}).items()
    }
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _strict_value(schema: Schema) -> Schema:
    words = _with_limits(schema)
    kind = schema.get("type")
    kinds: list[str] = kind if is_array(kind) else [kind] if kind else []
    if "object" in kinds and "properties" in schema:
        return {**strict(schema), **({"description": words} if words else {})}
    if "object" in kinds or not (kinds or "enum" in schema or "anyOf" in schema):
        null = ["null"] if "null" in kinds else []
        return {"type": ["string", *null] if null else "string", "description": f"{words} {_JSON_TEXT}".strip()}
    kept = {key: value for key, value in schema.items() if key in ("type", "enum")}
    if "items" in schema:
        kept["items"] = _strict_value(schema["items"])
    if "anyOf" in schema:
        kept["anyOf"] = [_strict_value(choice) for choice in schema["anyOf"]]
    return {**kept, **({"description": words} if words else {})}


def _with_limits(schema: Schema) -> str:
    """The description, with the default and the bounds in words, for forms and hosts that have no fields for them."""
    words, default, given = str(schema.get("description", "")), schema.get("default"), schema.get
    least, most = given("minimum"), given("maximum", given("maxItems"))
    limits: list[str] = []
    if not (default in (None, [], {}, "") or default is False):
        limits.append(f"default {_shown(default)}")
    if least is not None and most is not None:
        limits.append(f"{_shown(least)}-{_shown(most)}")
    elif most is not None:
        limits.append(f"max {_shown(most)}")
    elif least is not None:
        limits.append(f"min {_shown(least)}")
    sentence = ", ".join(limits)
    return f"{words} {sentence[:1].upper()}{sentence[1:]}".strip() if limits else words


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value).removesuffix(".0")


def _in_words(schema: Schema) -> Schema:
    """The schema with the limits of each argument in its description, too: hosts leave out what they do not know."""
    kept = {**schema, **({"description": words} if (words := _with_limits(schema)) else {})}
    if "properties" in schema:
        kept["properties"] = {name: _in_words(field) for name, field in schema["properties"].items()}
    if is_object(schema.get("items")):
        kept["items"] = _in_words(schema["items"])
    return kept


def _nullable(schema: Schema) -> Schema:
    if "anyOf" in schema:
        return {**schema, "anyOf": _with(schema["anyOf"], {"type": "null"})}
    kind = schema["type"]
    nullable = {**schema, "type": _with(kind if is_array(kind) else [kind], "null")}
    if "enum" in schema:
        nullable["enum"] = _with(schema["enum"], None)
    return nullable


def _with(values: list[Any], value: object) -> list[Any]:
    return values if value in values else [*values, value]


def for_gemini(schema: Schema) -> Schema:
    """The schema as Gemini's function declarations take it: a subset of OpenAPI's, where a value has one type.

    An object without known fields, and a value of any type, are asked for as JSON text.
    """
    words = _with_limits(schema)
    beside: Schema = {"description": words} if words else {}
    kind = schema.get("type")
    kinds = [name for name in (kind if is_array(kind) else [kind] if kind else []) if name != "null"]
    if is_array(kind) and "null" in kind:
        beside["nullable"] = True
    if "anyOf" in schema:
        return {"anyOf": [for_gemini(choice) for choice in schema["anyOf"]], **beside}
    if len(kinds) > 1:
        parts = {key: value for key, value in schema.items() if key in ("items", "properties", "required")}
        return {"anyOf": [for_gemini({"type": name, **parts}) for name in kinds], **beside}
    if not kinds or (kinds == ["object"] and not schema.get("properties")):
        return {"type": "STRING", **beside, "description": f"{words} {_JSON_TEXT}".strip()}
    kept: Schema = {"type": kinds[0].upper(), **beside}
    if kinds == ["string"] and "enum" in schema:
        kept["enum"] = [choice for choice in schema["enum"] if choice is not None]
    if kinds == ["array"]:
        kept["items"] = for_gemini(schema.get("items", {}))
    if kinds == ["object"]:
        kept["properties"] = {name: for_gemini(field) for name, field in schema["properties"].items()}
        kept |= _rest(schema)
    return kept


@cache
def _components(kind: type[Struct]) -> tuple[Schema, dict[str, Schema]]:
    """The schema, and those that it refers to, fields described by their docstrings."""
    (schema,), parts = msgspec.json.schema_components((kind,), ref_template=_REF + "{name}")
    for struct in _structs(inspect.type_info(kind), set()):
        part = parts.get(struct.__name__, {})
        for name, words in _field_docs(struct).items():
            field = part.get("properties", {}).get(name)
            if field is not None and "description" not in field:
                field["description"] = words
    return schema, parts


def _structs(info: inspect.Type, seen: set[type]) -> Iterator[type]:
    if isinstance(info, inspect.StructType):
        if info.cls in seen:
            return
        seen.add(info.cls)
        yield info.cls
        for field in info.fields:
            yield from _structs(field.type, seen)
    for name in ("type", "item_type", "value_type"):
        inner = getattr(info, name, None)
        if isinstance(inner, inspect.Type):
            yield from _structs(inner, seen)
    for inner in getattr(info, "types", ()):
        yield from _structs(inner, seen)


def _field_docs(kind: type) -> dict[str, str]:
    """The docstrings below a struct's fields, by wire name; nothing where its source is not at hand."""
    docstrings: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if not issubclass(base, Struct) or base.__module__.startswith("msgspec"):
            continue
        try:
            (body,) = ast.parse(textwrap.dedent(source.getsource(base))).body
        except (OSError, TypeError, SyntaxError, ValueError):
            continue
        docstrings.update(_docs_in(body))
    names = {field.name: field.encode_name for field in msgspec.structs.fields(kind)}
    return {names[name]: words for name, words in docstrings.items() if name in names}


def _docs_in(body: ast.stmt) -> Iterator[tuple[str, str]]:
    lines = body.body if isinstance(body, ast.ClassDef) else []
    for line, following in pairwise(lines):
        match line, following:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str() as words)):
                yield name, " ".join(words.split())
            case _:
                pass


def _resolved(schema: Schema, parts: dict[str, Schema]) -> Schema:
    return parts[schema["$ref"].removeprefix(_REF)] if "$ref" in schema else schema


def _inlined(schema: Any, parts: dict[str, Schema]) -> Any:
    """Without references. The docstring of a class inside the arguments is for programmers, so it is left out."""
    if is_array(schema):
        return [_inlined(item, parts) for item in schema]
    if not is_object(schema):
        return schema
    if "$ref" in schema:
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        inner = _inlined(_resolved(schema, parts), parts)
        return {**{key: value for key, value in inner.items() if key != "description"}, **beside}
    return {key: _inlined(value, parts) for key, value in schema.items()}


def _tidy(schema: Any, words: Words) -> Any:
    """Drop titles and empty defaults, join a type that may be null into one line, and make descriptions readable."""
    if is_array(schema):
        return [_tidy(item, words) for item in schema]
    if not is_object(schema):
        return schema
    tidied = {
        key: _tidy(value, words)
        for key, value in schema.items()
        if not (key == "title" and isinstance(value, str)) and not (key == "default" and value in (None, [], (), {}))
    }
    if isinstance(tidied.get("description"), str):
        tidied["description"] = words(tidied["description"])
    if "enum" in tidied and "type" not in tidied:
        tidied["type"] = "string"
    either = tidied.get("anyOf")
    if is_array(either) and len(either) == 2 and either[1] == {"type": "null"} and "type" in either[0]:
        del tidied["anyOf"]
        tidied = {**_nullable(either[0]), **tidied}
    return tidied


def _rest(schema: Schema) -> Schema:
    return {"required": schema["required"]} if schema.get("required") else {}


def without_absent(text: str, absent: frozenset[str]) -> str:
    """The text without the sentences that name a tool which is not there."""
    if not absent:
        return text
    sentences = re.split(r"(?<=[.!?;])\s+", text)
    return " ".join(sentence for sentence in sentences if absent.isdisjoint(re.findall(r"\w+", sentence)))
