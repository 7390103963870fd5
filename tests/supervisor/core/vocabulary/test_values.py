"""The results of expressions whose values JSON cannot hold, on real Chromium."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from supervisor import CDPSupervisor
from tests.support.stages.stages import raise_stage

pytestmark = pytest.mark.chromium


@pytest.fixture(scope="module")
def supervisor() -> Iterator[CDPSupervisor]:
    with raise_stage("chromium") as stage, CDPSupervisor(stage.cdp_url, call_timeout_s=20) as running:
        yield running


@pytest.mark.parametrize(
    ("expression", "kind", "description"),
    [
        ("window", "object", "Window"),
        ("(() => { const circle = {}; circle.self = circle; return circle })()", "object", "Object"),
        ("Symbol('x')", "symbol", "Symbol(x)"),
        ("() => 1", "function", "() => 1"),
        ("10n", "bigint", "10n"),
        ("NaN", "number", "NaN"),
        ("undefined", "undefined", "undefined"),
    ],
)
def test_it_runs_once_and_has_no_value(supervisor: CDPSupervisor, expression: str, kind: str, description: str) -> None:
    supervisor.evaluate("window.runs = 0")

    result = supervisor.evaluate(f"(window.runs++, {expression})")

    assert (result.value, result.type, result.description) == (None, kind, description)
    assert supervisor.evaluate("runs").value == 1


def test_an_element_and_a_promise_have_what_json_makes_of_them(supervisor: CDPSupervisor) -> None:
    element = supervisor.evaluate("document.body")
    promise = supervisor.evaluate("Promise.resolve([1])")

    assert (element.value, element.type) == ({}, "node")
    assert promise.value == [1]


def test_a_user_gesture_lets_a_page_do_what_a_click_does(supervisor: CDPSupervisor) -> None:
    assert supervisor.evaluate("navigator.userActivation.isActive", user_gesture=True).value is True
