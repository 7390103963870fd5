"""Scenarios of the JavaScript that the mock understands: scopes, declarations, promises, operators."""

from __future__ import annotations

from typing import Final

from tests.honesty.player import Params, Play
from tests.honesty.scenarios.registry import Calls, evaluations, scenario, scenarios_of_calls


async def _values(play: Play, *expressions: str) -> None:
    tab = await play.tab("/plain")
    for expression in expressions:
        await tab.value(expression)


EVALUATIONS: Final[dict[str, Calls]] = {
    "members_and_functions": evaluations(
        "[1, 'x'].length",
        "({a: {b: 5}}).a.b",
        "(function () { 3 })()",
        "document.title + 1",
        "new Error('x').message",
        "({f: () => 1}).f()",
        "((a) => { let b; b = a; return b })(4)",
        "try { document.getElementById('z').remove() } catch (e) { e.name + e.message }",
    ),
    "what_is_thrown_and_caught": evaluations(
        "try { throw 'a' } catch (e) { e + 'b' }",
        "try { 1 } catch (e) { 2 } 3",
        "try { nothing } catch (e) { e.name } ",
        "(() => { try { return 1 } catch (e) { return 2 } })()",
        "try { let a = 1; throw a } catch (e) { let a = 2; a + e }",
        "let e = 1; try { throw 2 } catch (e) { e }; e",
        "let unset; typeof unset",
        "var a = 1; var a = 2; window.a + self.a",
        "const f = () => { let a = 1; return a }; f() + f()",
    ),
    "powers_of_negative_numbers": evaluations(
        "-2 ** 2", "(-2) ** 2", "-(2 ** 2)", "!1 ** 2", "typeof 2 ** 2", "2 ** -1", "2 ** 3 ** 2"
    ),
    "declarations_that_stay_in_their_block": evaluations(
        "try { const z = 1 } catch (e) {}; typeof z",
        "try { var y = 1 } catch (e) {}; typeof y",
        "try { throw 1 } catch (e) { let w = e }; typeof w",
        "typeof e",
        "var v = 1; try { let v = 2; v = 3 } catch (e) {}; v",
        "try { throw 4 } catch (v) { v = 5 }; v",
    ),
    "declarations_that_stay_in_their_function": evaluations(
        "(() => { var q = 1; let r = 2; return q + r })()",
        "typeof q + typeof r",
        "var x = 1; (() => { var x = 2; x = 3 })(); x",
        "let l = 1; (() => { let l = 2 })(); l",
        "(() => { stays = 1 })(); stays",
        "(() => { let q2 = 1; return q2 })(); q2",
        "var n = 0; (n => { n = 5 })(1); n",
        "(() => { const k = 1; return k })() + (() => { const k = 2; return k })()",
    ),
    "functions_that_keep_their_variables": evaluations(
        "(a => b => a + b)(1)(2)",
        "var outer = () => { let k = 5; return () => k }; outer()()",
        "var counter = (() => { let n = 0; return () => { n = n + 1; return n } })(); counter() + counter()",
        "counter()",
        "(() => { try { throw 1 } catch (e) { return e + 1 } return 9 })()",
        "var later = 0; (k => setTimeout(() => { later = k }, 0))(7)",
    ),
    "names_that_are_declared_twice": evaluations(
        "const a = 1; const a = 2",
        "let b; var b",
        "(c => { let c })(1)",
        "try { let d = 1; let d = 2 } catch (e) {}",
        "try { throw 1 } catch (e) { let e = 2 }",
        "const f = 1",
        "const f = 2",
        "let f = 2",
        "var f = 2",
        "f",
        "var g = 1; var g; g",
        "var g = 2; g",
        "const without",
    ),
    "names_before_their_declaration": evaluations(
        "hoisted; var hoisted = 1", "early; let early = 1", "early", "let self1 = self1 + 1", "typeof later"
    ),
    "constants_that_are_assigned": evaluations(
        "const a = 1; a = 2", "a", "try { a = 3 } catch (e) { e.name }", "(() => { const k = 1; return k })()"
    ),
    "promises_that_are_refused": evaluations(
        "new Promise()", "new Promise(5)", "new Promise(r => r(1))", "new Promise(() => {})"
    ),
    "promises_with_an_executor": evaluations(
        "new Promise(r => r(5))",
        "new Promise((res, rej) => rej(4))",
        "new Promise((res, rej) => rej(new Error('no')))",
        "new Promise(() => { throw new Error('thrown') })",
        "new Promise(r => setTimeout(() => r(7), 1))",
        "new Promise(r => setTimeout(r, 1))",
        "new Promise(r => { r(1); r(2) })",
        "new Promise((r, j) => { r(1); j(2) })",
        "new Promise(r => { r(1); throw 5 })",
        "new Promise(r => r(Promise.resolve(3)))",
        "new Promise(r => { r(new Promise(q => q(8))) }).then(v => v + 1)",
        "new Promise((r, j) => j(1)).catch(v => v + 1)",
        "Promise.resolve(2).then(v => new Promise(r => setTimeout(() => r(v * 2), 1)))",
        "new Promise(function (resolve) { resolve({a: 1}) }).then(v => v.a)",
        awaitPromise=True,
    ),
}
scenarios_of_calls(__name__, EVALUATIONS)


@scenario
async def operators_of_every_kind(play: Play) -> None:
    numbers = ("-0", "-null", "-'2'", "+'5'", "+' '", "+'x'", "+undefined", "1 - -4", "1 + +'a'.length", "!''", "!NaN")
    sums = ("true + 1", "null + 1", "1 + '1'", "[1] + 2", "({}) + 'x'", "5 - '2'", "1 + 2 * 3", "(1 + 2) * 3", "2 * 3")
    rests = ("-7 % 3", "5 % 0", "(1 / 0) % 2", "7 / 2", "1 / 0", "-1 / 0", "1 / -0", "0 / 0")
    powers = ("2 ** 1024", "0 ** -1", "(-8) ** 0.5", "2 ** 3 ** 2")
    equals = ("1 === '1'", "1 !== '1'", "[] === []", "null != 0", "undefined == null", "1 == 1", "1 != 2")
    orders = ("'b' > 'a'", "'a' >= 'a'", "'a' <= 'b'", "'1' < 2", "2 >= 3", "undefined < 1", "undefined > 1", "NaN < 1")
    choices = ("3 > 2 && 'yes'", "3 > 5 || 'no'", "3 === 3 ? 'three' : 'other'", "typeof 1")
    await _values(play, *numbers, *sums, *rests, *powers, *equals, *orders, *choices)


@scenario
async def numbers_that_are_read(play: Play) -> None:
    texts = ("1_0", "0x1F", "0B11", "0o17", "-0x1", "0x", "010", "Infinity", "-Infinity", "infinity", "inf", "nan")
    odd = (".5", ".5", "5.", ".", "1e", "+-5", "1 2", "1e400", r"\u00a05\ufeff", r"\u0085", r"\u0661", " ")
    await _values(play, *(f"'' + (+'{text}')" for text in texts + odd))


@scenario
async def numbers_that_are_printed(play: Play) -> None:
    small = ("1e-6", "1e-7", "1.5e-9", "0.1 + 0.2", "12.5", "-0.25", "0 * -1", "5e-324")
    large = ("123456789012345680000", "1e21", "12345e20", "9007199254740993", "2 ** 53 + 1", "100")
    odd = ("1 / (0 * -1)", "1 ** (1 / 0)", "(-0) ** -1", "(-10) ** 1001", "(-8) ** 0.5", "-(0 / 0)")
    texts = ("'😀'.length", r"'\ud83d\ude00' === '😀'")
    await _values(play, *(f"'' + ({source})" for source in small + large + odd + texts))


@scenario
async def a_promise_that_a_later_script_settles(play: Play) -> None:
    tab = await play.tab("/plain")
    awaiting = tab.start(
        "Runtime.evaluate",
        {"expression": "new Promise(r => { window.settle = r }).then(v => v + 1)", "awaitPromise": True},
    )
    await tab.value("typeof settle")
    await tab.value("settle(12)")
    await tab.client.answer(awaiting)


@scenario
async def a_promise_whose_executor_asks(play: Play) -> None:
    tab = await play.tab("/plain")
    awaiting = tab.start(
        "Runtime.evaluate", {"expression": "new Promise(r => r(confirm('settle?')))", "awaitPromise": True}
    )
    await tab.opening()
    await tab.answer_dialog(accept=True)
    await tab.client.answer(awaiting)


@scenario
async def an_evaluation_with_a_timeout(play: Play) -> None:
    tab = await play.tab("/plain")
    await tab.call("Runtime.evaluate", {"expression": "1 + 1", "timeout": 5000})
    looping = tab.start("Runtime.evaluate", {"expression": "while (true) {}", "timeout": 300})
    after = tab.evaluate("'still there'")
    await tab.client.answer(looping)
    await tab.client.answer(after)


@scenario
async def a_loop_behind_a_dialog_with_a_timeout(play: Play) -> None:
    tab = await play.tab("/plain")
    looping = tab.start("Runtime.evaluate", {"expression": "alert(1); while (true) {}", "timeout": 50})
    await tab.opening()
    await tab.answer_dialog()
    await tab.client.answer(looping)
    await tab.value("1 + 1")


@scenario
async def numbers_that_are_no_json(play: Play) -> None:
    tab = await play.tab("/plain")
    place = {"objectId": (await tab.call("Runtime.evaluate", {"expression": "({a: 1})"}))["result"]["objectId"]}
    function = {"functionDeclaration": "function (a) { return a }", **place}
    for text in ("NaN", "Infinity", "-Infinity", "-0", "5", "1e3", "0x10", ""):
        await tab.call("Runtime.callFunctionOn", {**function, "arguments": [{"unserializableValue": text}]})


_UTILITY = """
(() => {
  const module = {};
  module.exports = {};
  module.exports.UtilityScript = class UtilityScript {
    evaluate(isFunction, returnByValue, expression, argCount, ...args) {
      const given = args.slice(0, argCount).map(value => value.v === 'undefined' ? undefined : value);
      let result = globalThis.eval(expression);
      if (isFunction === true || (isFunction !== false && typeof result === 'function')) result = result(...given);
      const shown = value => value === undefined ? {v: 'undefined'} : value === null ? {v: 'null'}
        : Object.is(value, -0) ? {v: '-0'} : value;
      return returnByValue ? (result instanceof Promise ? result.then(shown) : shown(result)) : result;
    }
  };
  return new module.exports.UtilityScript();
})();
"""
"""What Playwright's injected script does with a call, without its format for objects."""


@scenario
async def functions_that_playwright_calls(play: Play) -> None:
    """As text, from a Python script: Playwright leaves it to the page whether the text is a function."""
    tab = await play.tab("/plain")
    script = await tab.call("Runtime.evaluate", {"expression": _UTILITY})
    for known, expression, *arguments in (
        (None, "() => 42"),
        (None, "() => { return 42 }"),
        (None, "(function () { return 42 })"),
        (None, "(function named() { return 42 })"),
        (None, "x => x", 7),
        (None, "(x) => x", 7),
        (None, "(x) => { return x }", 7),
        (None, "(function (x) { return x })", 7),
        (None, "() => { throw new Error('from the page') }"),
        (None, "() => new Promise(r => setTimeout(() => r(3), 1))"),
        (None, "() => {}"),
        (None, "() => -0"),
        (None, "42"),
        (None, "window.f = () => 5; f"),
        (None, "missing()"),
        (False, "1 + 1"),
    ):
        values: list[Params] = [{} if known is None else {"value": known}]
        values += [{"value": value} for value in (True, expression, len(arguments), *arguments)]
        await tab.call(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": "(utilityScript, ...args) => utilityScript.evaluate(...args)",
                "objectId": script["result"]["objectId"],
                "arguments": [{"objectId": script["result"]["objectId"]}, *values],
                "returnByValue": True,
                "awaitPromise": True,
            },
        )
