"""A refusal of the mock fails its test, unless the test expects it: seen from runs that use the plugin."""

from __future__ import annotations

import pytest

from tests.cdp_typed.test_pytest_plugin import RunTests, run_tests

__all__ = ["run_tests"]

pytestmark = pytest.mark.thorough

pytest_plugins = ["pytester"]

SWALLOWS = """
import contextlib
import pytest
from cdp_typed import CDPError
from cdp_typed.mock import Page
from cdp_typed.protocol import dom

@pytest.fixture
def cdp_site():
    return {"http://late.test/": Page(script="setTimeout(() => indexedDB.clear(), 0)")}

def program(address, *commands):
    with connect_sync(address) as connection, connection.new_page() as tab:
        for command in commands:
            with contextlib.suppress(CDPError):
                tab.send(command)

FRAME_TREE = page.GetFrameTree()
COMMAND = dom.GetDocument()
PARAMETER = page.Navigate(url="chrome://version")
SCRIPT = runtime.Evaluate(expression="document.querySelector('a b')")
FUNCTION = runtime.Evaluate(expression="(() => { indexedDB.clear() })()")
UNREADABLE = runtime.Evaluate(expression="a ?? class {}")
"""


@pytest.fixture
def run_program(run_tests: RunTests) -> RunTests:
    return lambda code, *options: run_tests(SWALLOWS + code, *options)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("COMMAND", "DOM.getDocument {}: cdp_typed.mock does not model DOM.getDocument; say what it answers: "),
        ("PARAMETER", "Page.navigate {'url': 'chrome://version'}: cdp_typed.mock has no pages of the browser's own"),
        ("SCRIPT", "Runtime.evaluate {'expression': \"document.querySelector('a b')\"}: cdp_typed.mock does not know "),
        (
            "FUNCTION",
            "Runtime.evaluate {'expression': '(() => { indexedDB.clear() })()'}: cdp_typed.mock does not know this",
        ),
        ("UNREADABLE", "Runtime.evaluate {'expression': 'a ?? class {}'}: cdp_typed.mock does not know this"),
    ],
)
def test_a_refusal_that_is_swallowed_fails_the_test_and_is_told(run_program: RunTests, command: str, told: str) -> None:
    result = run_program(f"\ndef test_it(cdp_mock):\n    program(cdp_mock.address, FRAME_TREE, {command})\n")

    result.assert_outcomes(failed=1)
    assert "the mock refused what it does not model, once" in result.stdout.str()
    assert told in result.stdout.str()


def test_a_script_of_a_page_that_nobody_waits_for_fails_the_test(run_program: RunTests) -> None:
    result = run_program("""
def test_it(cdp_mock):
    with connect_sync(cdp_mock.address) as connection, connection.new_page() as tab:
        tab.send(runtime.Enable())
        with tab.expect(runtime.ExceptionThrown, timeout=5):
            tab.send(page.Navigate(url="http://late.test/"))
""")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*  a script of the page: cdp_typed.mock does not know this: *indexedDB*"])


def test_refusals_are_printed_under_a_test_that_failed_by_itself(run_program: RunTests) -> None:
    result = run_program("""
def test_it(cdp_mock_factory):
    program(cdp_mock_factory().address, COMMAND)
    program(cdp_mock_factory().address, SCRIPT)
    assert 1 == 2

def test_nothing_was_refused(cdp_mock):
    program(cdp_mock.address, FRAME_TREE)
    assert 3 == 4
""")

    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*assert 1 == 2*", "*- refused by the mock -*", "DOM.getDocument *", "Runtime.eval*"])
    assert result.stdout.str().count("- refused by the mock -") == 1


@pytest.mark.parametrize(
    ("marks", "commands", "outcome", "told"),
    [
        ('("DOM.getDocument")', "COMMAND", "passed", ""),
        ('("DOM.getDocument", "querySelector")', "COMMAND, SCRIPT, COMMAND", "passed", ""),
        ('("DOM.getDocument")', "COMMAND, SCRIPT", "failed", "does not model, once:\n"),
        ('("DOM.getDocument", "querySelector")', "COMMAND", "failed", "'querySelector' was expected to be refused"),
        ('("DOM.getDocument")', "", "failed", "'DOM.getDocument' was expected to be refused, and was not"),
    ],
)
def test_a_test_names_the_refusals_that_it_expects(
    run_program: RunTests, marks: str, commands: str, outcome: str, told: str
) -> None:
    result = run_program(
        f"""
@pytest.mark.cdp_refusals{marks}
def test_it(cdp_mock):
    program(cdp_mock.address, {commands})
""",
        "--strict-markers",
    )

    result.assert_outcomes(**{outcome: 1})
    assert told.replace("\n", "") in result.stdout.str().replace("\nE  ", "")


@pytest.mark.parametrize(
    "test",
    [
        "cdp_mock.browser.on(dom.GetDocument, Refusal(-32000, 'not now'))\n    program(cdp_mock.address, COMMAND)",
        "program(cdp_mock.address, page.HandleJavaScriptDialog(accept=True))",
        "program(cdp_mock.address, page.NavigateToHistoryEntry(entry_id=77))",
        "program(cdp_mock.address, runtime.Evaluate(expression='throw 1'))",
        "cdp_mock.browser.on_expression(SCRIPT.expression, 7)\n    program(cdp_mock.address, SCRIPT)",
    ],
    ids=["the_tests_own", "no_dialog", "no_entry", "a_throw", "an_answer"],
)
def test_errors_of_chrome_and_of_the_test_are_no_refusals_of_the_mock(run_program: RunTests, test: str) -> None:
    result = run_program(f"\nfrom cdp_typed.mock import Refusal\ndef test_it(cdp_mock):\n    {test}\n")

    result.assert_outcomes(passed=1)


def test_a_test_that_is_skipped_or_expected_to_fail_stays_that(run_program: RunTests) -> None:
    result = run_program("""
def test_skipped(cdp_mock):
    program(cdp_mock.address, COMMAND)
    pytest.skip("later")

@pytest.mark.xfail(strict=True)
def test_expected(cdp_mock):
    program(cdp_mock.address, COMMAND)
""")

    result.assert_outcomes(skipped=1, xfailed=1)
