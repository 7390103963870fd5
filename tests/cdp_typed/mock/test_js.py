"""The mock's JavaScript: what it understands, it understands as a browser does."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from cdp_typed.mock.js.effects import Asks, Logs, Removes, Returns, Schedules, Spins, Throws, World
from cdp_typed.mock.js.parse import parse
from cdp_typed.mock.js.run import run
from cdp_typed.mock.js.tree import Unknown
from cdp_typed.mock.js.values import Failure

WORLD = World(title="T", url="http://x/", variables={"n": 3, "text": "a"}, elements={"f": "F1"})


def value(source: str) -> Any:
    outcome = run(parse(source), WORLD).outcome
    assert isinstance(outcome, Returns), outcome
    return outcome.value


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("2 ** 3 ** 2", 512),
        ("7 % 3", 1),
        ("-n", -3),
        ("!n", False),
        ("n > 2 && 'yes'", "yes"),
        ("n > 5 || 'no'", "no"),
        ("n === 3 ? 'three' : 'other'", "three"),
        ("null == undefined", True),
        ("null === undefined", False),
        ("typeof n", "number"),
        ("typeof nothing", "undefined"),
        ("text + n", "a3"),
        ("'a' < 'b'", True),
        ("NaN < 1", False),
        ("[1, 'x'].length", 2),
        ("({a: {b: 5}}).a.b", 5),
        ("'\\u0041\\n'", "A\n"),
        ("(() => n + 1)()", 4),
        ("(function () { n })()", UNSET),
        ("let a = 1; a + n", 4),
        ("document.title + location.href", "Thttp://x/"),
        ("new Error('x').message", "x"),
        ("", UNSET),
    ],
)
def test_an_expression_has_its_value(source: str, expected: Any) -> None:
    assert value(source) == expected


def test_a_dialog_stops_a_program_until_its_answer_is_known() -> None:
    program = parse("console.log(1); window.r = confirm('a') ? prompt('b', 'c') : 'no'; console.log(2)")

    assert run(program, WORLD).outcome == Asks("confirm", "a", "")
    assert run(program, WORLD, (True,)).outcome == Asks("prompt", "b", "c")
    done = run(program, WORLD, (True, "text"))
    assert (done.outcome, done.variables["r"]) == (Returns(UNSET), "text")
    assert done.effects == (Logs("log", (1,), 8), Logs("log", (2,), 75))


def test_what_a_program_does_is_told_and_not_done() -> None:
    done = run(parse("document.getElementById('f').remove(); setTimeout(() => 1, 5)"), WORLD)

    assert isinstance(done.effects[1], Schedules)
    assert (done.effects[0], done.effects[1].delay_ms) == (Removes("F1"), 5.0)
    assert WORLD.variables == {"n": 3, "text": "a"}


def test_an_element_that_is_not_there_is_null() -> None:
    outcome = run(parse("document.getElementById('z').remove()"), WORLD).outcome

    assert outcome == Throws(Failure("TypeError", "Cannot read properties of null (reading 'remove')"), 0)


@pytest.mark.parametrize("source", ["while(1);", "while (true) {}"])
def test_an_endless_loop_spins(source: str) -> None:
    assert run(parse(source), WORLD).outcome == Spins()


@pytest.mark.parametrize(
    "source", ["a b", "1 +", "(1", "'open", "{", "if (1) 2", "a[0]", "/x/", "while (n) {}", "#", "1..2"]
)
def test_anything_else_is_unknown_with_a_column(source: str) -> None:
    with pytest.raises(Unknown, match="column"):
        parse(source)
