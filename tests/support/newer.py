"""A schema from the future: today's, with something new in every place where upstream adds things."""

from __future__ import annotations

from msgspec.structs import replace

from cdp_typed.schema import EventDef, Property, Schema, TypeDef

NEW_FIELD = "brandNewField"
NEW_VALUE = "brand-new-value"


def from_the_future(schema: Schema) -> Schema:
    """Every enum has another value, in the first place; every object, result and event a field more; there are an event
    more in each domain that has any, and a domain more.
    """
    events = {name: replace(item, parameters=_fields(item.parameters)) for name, item in schema.events.items()}
    for domain in schema.domains.values():
        if domain.events:
            events[f"{domain.domain}.somethingNewHappened"] = EventDef(
                name="somethingNewHappened", parameters=_fields(())
            )
    events["BrandNew.happened"] = EventDef(name="happened", parameters=_fields(()))
    return replace(
        schema,
        types={name: _type(item) for name, item in schema.types.items()},
        commands={
            name: replace(item, returns=_fields(item.returns) if item.returns else ())
            for name, item in schema.commands.items()
        },
        events=events,
    )


def _type(item: TypeDef) -> TypeDef:
    properties = None if item.properties is None else _fields(item.properties)
    return replace(item, properties=properties, enum=_values(item.enum))


def _fields(items: tuple[Property, ...]) -> tuple[Property, ...]:
    more = Property(name=NEW_FIELD, type="object")
    return (*(replace(item, enum=_values(item.enum)) for item in items), more)


def _values(values: tuple[str, ...] | None) -> tuple[str, ...] | None:
    return None if values is None else (NEW_VALUE, *values)
