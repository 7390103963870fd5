"""The plan refuses circles, clashes and dangling references by naming them; it decides homes and directions."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from codegen.errors import SchemaError
from codegen.plan import IMPORTED, Plan, make_plan
from tests.support.schemas import protocol

STRING = {"type": "string"}


def struct(name: str, *refs: str) -> dict[str, Any]:
    """An object type with one property for each type it refers to."""
    return {"id": name, "type": "object", "properties": [{"name": f"p{i}", "$ref": ref} for i, ref in enumerate(refs)]}


def using(ref: str, section: str = "parameters") -> dict[str, Any]:
    """Return a command with one parameter, or one result, of a type."""
    return {"name": "use", section: [{"name": "value", "$ref": ref}]}


def refusal(*domains: dict[str, Any]) -> str:
    """Return the error of planning these domains."""
    with pytest.raises(SchemaError) as caught:
        make_plan(protocol(*domains))
    return str(caught.value)


def test_a_circle_of_types_over_three_domains_is_refused_by_naming_it() -> None:
    message = refusal(
        {"domain": "A", "types": [struct("X", "B.Y")]},
        {"domain": "B", "types": [struct("Y", "C.Z")]},
        {"domain": "C", "types": [struct("Z", "A.X")]},
    )

    assert message.startswith("the types of these domains refer to each other in a circle: ")
    assert set(message.rpartition(": ")[2].split(" -> ")) == {"A", "B", "C"}


REFUSED: dict[str, tuple[list[dict[str, Any]], str]] = {
    "two shared scalars": (
        [
            {"domain": "A", "types": [{"id": "Id", **STRING}], "commands": [using("B.Id")]},
            {"domain": "B", "types": [{"id": "Id", **STRING}], "commands": [using("A.Id")]},
        ],
        "Id means two things in ids.py: A.Id and B.Id",
    ),
    **{
        f"a reference to {ref}": (
            [{"domain": "A", "commands": [using(ref)]}, {"domain": "B"}],
            f"domain A refers to {ref}, which is not defined",
        )
        for ref in ("Nothing", "B.Nothing", "A.Nothing")
    },
    "a redirect to nowhere": (
        [{"domain": "A", "commands": [{"name": "move", "redirect": "B"}]}],
        "A.move redirects to B, which is no domain",
    ),
    "a command and a type": (
        [{"domain": "A", "types": [struct("Move")], "commands": [{"name": "move"}]}],
        "Move means two things in the module of A: type Move and command move",
    ),
    "a command and an event": (
        [{"domain": "A", "commands": [{"name": "move"}], "events": [{"name": "move"}]}],
        "Move means two things in the module of A: command move and event move",
    ),
    "a result and a type": (
        [
            {
                "domain": "A",
                "types": [struct("MoveResult")],
                "commands": [{"name": "move", "returns": [{"name": "x", **STRING}]}],
            }
        ],
        "MoveResult means two things in the module of A: type MoveResult and the result of move",
    ),
    "an inline enum and a type": (
        [
            {
                "domain": "A",
                "types": [struct("MoveKind")],
                "commands": [{"name": "move", "parameters": [{"name": "kind", **STRING, "enum": ["a"]}]}],
            }
        ],
        "MoveKind means two things in the module of A: type MoveKind and the values of kind in Move",
    ),
    "two properties after snake-casing": (
        [
            {
                "domain": "A",
                "commands": [{"name": "move", "parameters": [{"name": "aURL", **STRING}, {"name": "aUrl", **STRING}]}],
            }
        ],
        "a_url means two things in A.move: property aURL and property aUrl",
    ),
    "two parts of a result": (
        [
            {
                "domain": "A",
                "commands": [{"name": "move", "returns": [{"name": "or", **STRING}, {"name": "or", **STRING}]}],
            }
        ],
        "or_ means two things in the result of A.move: property or and property or",
    ),
    "a type and an imported name": (
        [{"domain": "A", "types": [struct("Struct")]}],
        "type Struct in the module of A would hide the imported name Struct",
    ),
    "a domain and a generated module": (
        [{"domain": "Registry"}],
        "registry means two things in cdp_typed.protocol: domain Registry and a generated module",
    ),
}


@pytest.mark.parametrize(("domains", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_a_clash_or_a_dangling_name_is_refused_by_naming_it(domains: list[dict[str, Any]], message: str) -> None:
    assert refusal(*domains) == message


def test_no_name_that_a_generated_module_imports_can_be_that_of_a_class(files: dict[str, str]) -> None:
    imported = {
        alias.name
        for path, source in files.items()
        if path == "ids.py" or path.startswith(("_types/", "_commands/", "_events/"))
        for node in ast.parse(source).body
        if isinstance(node, ast.ImportFrom) and not (node.module or "").startswith("cdp_typed.protocol")
        for alias in node.names
        if alias.name[0].isupper()
    }

    assert imported
    assert imported <= IMPORTED


def test_the_real_type_modules_need_few_others(plan: Plan) -> None:
    assert plan.type_closure("Target") == {"Target"}
    assert plan.type_closure("Audits") == {"Audits", "Network", "Runtime"}
    assert plan.type_closure("Runtime") == {"Runtime"}
    assert plan.type_closure("Fetch") == {"Fetch", "Network", "Runtime"}
