"""A correction corrects exactly one property, and must find it."""

from __future__ import annotations

import pytest

from codegen.errors import SchemaError
from codegen.load import load
from codegen.model import Property
from codegen.patches import PATCHES, Patch, apply
from tests.support.schemas import protocol

GIVEN: dict[str, object] = {"name": "p", "type": "string", "description": "Prose."}
PATCH = Patch(
    domain="A",
    owner="told",
    was=Property(name="p", type="string"),
    becomes=Property(name="p", type="string", optional=True),
    reason="a browser leaves it out",
    link="none: invented for this test",
)


@pytest.mark.parametrize(
    "given", [{**GIVEN, "optional": True}, {**GIVEN, "type": "integer"}, {**GIVEN, "name": "q"}], ids=str
)
def test_a_patch_that_no_longer_applies_is_an_error(given: dict[str, object]) -> None:
    upstream = protocol({"domain": "A", "events": [{"name": "told", "parameters": [given]}]})

    with pytest.raises(
        SchemaError, match=r"the patch of A\.told\.p no longer applies, delete it .*a browser leaves it out"
    ):
        apply(upstream, (PATCH,))


@pytest.mark.parametrize("owner", ["events", "commands", "returns", "types"])
def test_a_patch_corrects_its_property_and_keeps_the_prose(owner: str) -> None:
    def declaration(part: dict[str, object]) -> dict[str, object]:
        match owner:
            case "events":
                return {"domain": "A", "events": [{"name": "told", "parameters": [part]}, {"name": "other"}]}
            case "commands":
                return {"domain": "A", "commands": [{"name": "told", "parameters": [part]}, {"name": "other"}]}
            case "returns":
                return {"domain": "A", "commands": [{"name": "told", "returns": [part]}]}
            case _:
                return {"domain": "A", "types": [{"id": "told", "type": "object", "properties": [part]}]}

    other = {"domain": "B", "events": [{"name": "told", "parameters": [GIVEN]}]}

    assert apply(protocol(declaration(GIVEN), other), (PATCH,)) == protocol(
        declaration({**GIVEN, "optional": True}), other
    )


def test_the_patches_of_this_release_apply() -> None:
    _, upstream = load()

    corrected = apply(upstream, PATCHES)

    assert (corrected != upstream) == bool(PATCHES)
