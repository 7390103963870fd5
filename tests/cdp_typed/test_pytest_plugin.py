"""The pytest plugin, seen from the runs of projects that use it.

The inner runs load this plugin alone, so that they are the same whether or not cdp-typed is installed here, and prove
that no other plugin is needed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Protocol

import pytest

from cdp_typed.testing import leaks

pytestmark = pytest.mark.thorough

pytest_plugins = ["pytester"]

PLUGIN = "cdp_typed.pytest_plugin"
LOADED = (
    "sync",
    "mock",
    "mock.assertions",
    "launch",
    "testing.leaks",
    *(
        f"protocol{part}.{name}"
        for part in ("", "._commands", "._events", "._types")
        for name in ("browser", "dom", "page", "runtime")
    ),
)
for module in LOADED:
    # Modules that only the inner run imports are removed after it, while packages keep references to them: imported
    # here, so that no module exists twice.
    import_module(f"cdp_typed.{module}")
READ_VERSION = """
import json, urllib.request

def version(http_url):
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(http_url + "/json/version") as answer:
        return json.load(answer)["Browser"]
"""
ASK = """
from cdp_typed import connect_sync
from cdp_typed.protocol import browser, page, runtime
"""


class RunTests(Protocol):
    """The type of the fixture `run_tests`: runs pytest on one test file, after `ASK`, and returns the outcome."""

    def __call__(self, code: str, *options: str) -> pytest.RunResult: ...


@pytest.fixture
def run_tests(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> RunTests:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    # Imported anew, so that its lines are seen to run even where the outer run loaded it before coverage started.
    monkeypatch.delitem(sys.modules, PLUGIN, raising=False)
    monkeypatch.delitem(sys.modules, "cdp_typed.testing.pytest_asyncio_tasks", raising=False)

    def run(code: str, *options: str) -> pytest.RunResult:
        pytester.makepyfile(ASK + code)
        return pytester.runpytest("-p", PLUGIN, "-W", "error", *options)

    return run


@pytest.fixture
def soon_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the leak check wait one second instead of three."""
    for check in (leaks.assert_no_leaks, leaks.assert_no_leaks_blocking):
        monkeypatch.setitem(check.__kwdefaults__ or {}, "settle_s", 1.0)


@pytest.mark.parametrize(
    ("ini", "options", "told"),
    [
        ("cdp_browser = firefox", [], "ERROR: cdp_browser = firefox: expected one of both, chromium, mock"),
        ("", ["--cdp-browser=firefox"], "*--cdp-browser: invalid choice: 'firefox'*"),
    ],
)
def test_a_bad_choice_of_browser_is_refused_by_name(
    run_tests: RunTests, pytester: pytest.Pytester, ini: str, options: list[str], told: str
) -> None:
    pytester.makeini(f"[pytest]\n{ini}\n")

    result = run_tests("def test_nothing(): pass", *options)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([told])


def test_a_mock_runs_and_visits_the_site_of_the_test_file(run_tests: RunTests) -> None:
    result = run_tests("""
import pytest

from cdp_typed.mock import Page

@pytest.fixture
def cdp_site():
    return {"http://a.test/": Page(title="A")}

def test_it(cdp_no_leaks, cdp_mock):
    with connect_sync(cdp_mock.address) as connection, connection.new_page("http://a.test/") as tab:
        title = tab.send(runtime.Evaluate(expression="document.title"))
    assert title.result.value == "A"

def test_without_a_site_there_is_a_blank_page(cdp_mock_factory):
    assert [page.url for page in cdp_mock_factory().browser.pages] == ["about:blank"]
""")

    result.assert_outcomes(passed=2)


def test_mocks_of_one_test_are_apart_and_end_with_it(run_tests: RunTests) -> None:
    result = run_tests("""
import socket
import pytest

ports = []

def test_two(cdp_mock_factory):
    mocks = cdp_mock_factory(), cdp_mock_factory()
    ports.extend(int(mock.address.rpartition(":")[2]) for mock in mocks)
    assert ports[0] != ports[1]

def test_they_are_gone():
    for port in ports:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))
""")

    result.assert_outcomes(passed=2)


@pytest.mark.parametrize(
    ("options", "ini", "kinds"),
    [
        ((), "", ["mock", "chromium"]),
        ((), "cdp_browser = mock", ["mock"]),
        (("--cdp-browser=chromium",), "cdp_browser = mock", ["chromium"]),
    ],
    ids=["default", "ini", "option"],
)
def test_a_test_runs_on_the_browsers_that_were_chosen(
    run_tests: RunTests, pytester: pytest.Pytester, options: tuple[str, ...], ini: str, kinds: list[str]
) -> None:
    pytester.makeini(f"[pytest]\n{ini}\n")

    result = run_tests(
        READ_VERSION
        + """
def test_it(cdp_no_leaks, cdp_browser):
    assert version(cdp_browser.http_url).startswith(("Chrome/", "HeadlessChrome/", "MockChrome/"))
    assert (cdp_browser.mock is not None) == (cdp_browser.kind == "mock")
    assert cdp_browser.url.startswith("ws://127.0.0.1:")
    for endpoint in (cdp_browser, cdp_browser.address, cdp_browser.mock or cdp_browser):
        with connect_sync(endpoint) as connection:
            assert connection.send(browser.GetVersion())
""",
        "-v",
        *options,
    )

    result.assert_outcomes(passed=len(kinds))
    result.stdout.fnmatch_lines([f"*::test_it[[]{kind}[]] PASSED*" for kind in kinds])


@pytest.mark.parametrize(
    ("options", "outcomes"),
    [((), {"passed": 1, "skipped": 1}), (("--cdp-browser=chromium",), {"errors": 1})],
    ids=["both", "asked_for"],
)
def test_without_a_real_browser_its_tests_are_skipped_unless_it_was_asked_for(
    run_tests: RunTests, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], outcomes: dict[str, int]
) -> None:
    monkeypatch.setenv("CDP_TYPED_CHROME", "no-such-browser")

    result = run_tests("def test_it(cdp_browser): pass", "-rs", *options)

    result.assert_outcomes(**outcomes)
    result.stdout.fnmatch_lines(["*CDP_TYPED_CHROME: 'no-such-browser' is not on PATH*"])


def test_a_test_meets_every_personality_that_its_marker_names(run_tests: RunTests) -> None:
    result = run_tests(
        """
import pytest

from cdp_typed.mock.personality import PERSONALITIES

@pytest.mark.cdp_personality("no_auto_attach", "signed_urls")
def test_it(cdp_personality, cdp_mock):
    assert cdp_personality != PERSONALITIES["local"]
    assert ("?" in cdp_mock.url) == (cdp_personality == PERSONALITIES["signed_urls"])

def test_without_a_marker(cdp_mock, cdp_personality):
    assert cdp_personality == PERSONALITIES["local"]

def test_one_of_ones_own(cdp_mock_factory):
    assert "?" in cdp_mock_factory(personality=PERSONALITIES["signed_urls"]).url
""",
        "-v",
        "--strict-markers",
    )

    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(["*::test_it[[]no_auto_attach[]] PASSED*", "*::test_it[[]signed_urls[]] PASSED*"])


@pytest.mark.parametrize(
    ("test", "problem"),
    [
        (
            "@pytest.mark.cdp_personality('moody')\ndef test_it(cdp_mock): pass",
            "no personality 'moody'; there are local, ",
        ),
        ("@pytest.mark.cdp_personality('local')\ndef test_it(): pass", "only for tests with the fixture cdp_mock"),
    ],
    ids=["unknown", "no_mock"],
)
def test_a_marker_that_makes_no_sense_is_refused(run_tests: RunTests, test: str, problem: str) -> None:
    result = run_tests(f"import pytest\n{test}")

    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert f".py::test_it: marker cdp_personality: {problem}" in result.stdout.str()


def test_a_difference_of_calls_is_told_by_field(run_tests: RunTests) -> None:
    result = run_tests("""
from cdp_typed.mock import ThreadedMockServer

def test_it(cdp_mock):
    with connect_sync(cdp_mock.address) as connection:
        connection.send(browser.GetVersion())
        assert cdp_mock.browser.received(browser.GetVersion) == (browser.GetVersion(),)
        assert page.Navigate(url="http://a/") == page.Navigate(url="http://b/")
""")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E * Page.navigate == Page.navigate", "E *url: 'http://a/' != 'http://b/'"])


def test_a_call_that_was_not_received_is_told_with_those_that_were(run_tests: RunTests) -> None:
    result = run_tests("""
def test_equal(cdp_mock):
    with connect_sync(cdp_mock.address) as connection:
        connection.send(browser.GetVersion())
    assert cdp_mock.browser.received(page.Navigate) == (page.Navigate(url="http://a/"),)

def test_in(cdp_mock):
    with connect_sync(cdp_mock.address) as connection:
        connection.send(browser.GetVersion())
    assert page.Navigate(url="http://a/") in cdp_mock.browser.received(page.Navigate)
""")

    result.assert_outcomes(failed=2)
    told = ["E *received, 1 in all:", "E *Browser.getVersion {} from connection 1"]
    result.stdout.fnmatch_lines(["E *only right: Page.navigate*", *told, "E *in 0 received of Page.navigate", *told])


@pytest.mark.parametrize("comparison", ["1 == 2", "1 < 0", "[] == [2]"])
def test_other_comparisons_are_left_to_pytest(run_tests: RunTests, comparison: str) -> None:
    result = run_tests(f"import cdp_typed.mock\ndef test_it(): assert {comparison}")

    result.assert_outcomes(failed=1)
    assert f"assert {comparison}" in result.stdout.str()


@pytest.mark.usefixtures("soon_a_leak")
def test_what_a_test_without_a_loop_leaves_is_named(run_tests: RunTests) -> None:
    result = run_tests("""
import socket
kept = []

def test_it(cdp_no_leaks):
    kept.append(socket.socket())

def test_close():
    kept.pop().close()
""")

    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(["E * left behind: sockets: 1"])


@pytest.mark.usefixtures("soon_a_leak")
def test_with_pytest_asyncio_a_forgotten_task_is_named(run_tests: RunTests) -> None:
    result = run_tests(
        """
import asyncio, pytest

@pytest.mark.asyncio
async def test_it(cdp_no_leaks):
    asyncio.create_task(asyncio.sleep(60), name="forgotten")

@pytest.mark.asyncio
async def test_nothing_is_left(cdp_no_leaks, cdp_mock):
    await asyncio.create_task(asyncio.sleep(0))
""",
        "-p",
        "pytest_asyncio.plugin",
        "-o",
        "asyncio_default_fixture_loop_scope=function",
    )

    result.assert_outcomes(passed=2, errors=1)
    assert "AssertionError: left behind: tasks: ['forgotten']" in result.stdout.str()


@pytest.mark.parametrize(
    ("options", "modules"),
    [
        ((), ["pytest_plugin"]),
        (("-p", "pytest_asyncio.plugin"), ["pytest_plugin", "testing", "testing.pytest_asyncio_tasks"]),
    ],
    ids=["alone", "with_asyncio"],
)
def test_a_run_that_uses_no_fixture_imports_nothing_of_the_package(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], modules: list[str]
) -> None:
    """Counted in a process of its own: the plugin, and the empty package that it lives in."""
    pytester.makepyfile("""
import json, sys

def test_it():
    assert 1 == 1
    with open("loaded.json", "w") as file:
        json.dump(sorted(n for n in sys.modules if n.partition(".")[0] in ("cdp_typed", "msgspec", "websockets")), file)
""")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", PLUGIN, "-q", *options],
        cwd=pytester.path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    loaded = json.loads((pytester.path / "loaded.json").read_text())
    assert loaded == ["cdp_typed", *(f"cdp_typed.{module}" for module in modules)]


def test_importing_the_package_does_not_import_pytest() -> None:
    code = "import sys, cdp_typed, cdp_typed.mock; print([n for n in ('pytest', 'hypothesis') if n in sys.modules])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"
