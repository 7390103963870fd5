"""What a tool does to the element that a label or a ref names."""

from __future__ import annotations

import re
from typing import Any, TypeAlias

from supervisor.tools.actions.drag import DragArguments, Dragged, drag
from supervisor.tools.actions.form import FieldValue, FormArguments, fill_form
from supervisor.tools.actions.mouse import ClickArguments, Clicked, click
from supervisor.tools.actions.text_fields import TypeArguments, Typed, type_text
from supervisor.tools.page.locators import with_refs
from tests.support.stages.playground import Playground

Given: TypeAlias = str | tuple[str, ...]
"""A text for a field, or several options."""


async def named(ground: Playground, label: str) -> str:
    """The ref of the element with this label, as `Playground.ref`, or the ref that is given."""
    return label if re.fullmatch(r"e\d+", label) else await ground.ref(label)


async def clicked(ground: Playground, label: str, **more: Any) -> Clicked:
    return await click(ground.supervisor, ClickArguments(ref=await named(ground, label), **more))


async def typed(ground: Playground, label: str, text: str, **more: Any) -> Typed:
    return await type_text(ground.supervisor, TypeArguments(ref=await named(ground, label), text=text, **more))


async def filled(ground: Playground, label: str, value: Given) -> str | None:
    """Fill one field and return what it then holds."""
    return (await filled_all(ground, {label: value}))[0]


async def filled_all(ground: Playground, values: dict[str, Given]) -> list[str | None]:
    """Fill several fields in one call and return what they then hold."""
    fields = [FieldValue(ref=await named(ground, label), value=value) for label, value in values.items()]
    return [field.value for field in (await fill_form(ground.supervisor, FormArguments(fields=tuple(fields)))).filled]


async def dragged(ground: Playground, of: str, to: str, **more: Any) -> Dragged:
    ref, to_ref = await named(ground, of), await named(ground, to)
    return await drag(ground.supervisor, DragArguments(ref=ref, to_ref=to_ref, **more))


async def clicked_by(ground: Playground, locator: str, **more: Any) -> Clicked:
    """Click what a locator means."""
    return await click(ground.supervisor, await with_refs(ground.supervisor, ClickArguments(ref=locator, **more)))
