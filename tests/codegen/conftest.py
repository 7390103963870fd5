"""The real schema, its plan and its files, made once for all tests."""

from __future__ import annotations

import pytest

from codegen.__main__ import generate
from codegen.load import load
from codegen.plan import Plan, make_plan


@pytest.fixture(scope="session")
def plan() -> Plan:
    """The plan of the vendored schema."""
    _, protocol = load()
    return make_plan(protocol)


@pytest.fixture(scope="session")
def files() -> dict[str, str]:
    """Every generated file."""
    return generate()
