"""Fixtures for tests of programs that use CDP: a mock browser, a real browser, and a leak check.

pytest loads this module in every run where cdp-typed is installed, so it imports nothing but pytest until a fixture is
used.
"""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from cdp_typed.mock import MockBrowser, Page, Site, ThreadedMockServer
    from cdp_typed.mock.personality import Personality
    from cdp_typed.mock.server.site_server import SiteServer

__all__ = ["BrowserUnderTest", "StartMock"]

Kind = Literal["mock", "chromium"]
_KINDS: dict[str, tuple[Kind, ...]] = {"mock": ("mock",), "chromium": ("chromium",), "both": ("mock", "chromium")}
_NAME = "cdp_browser"
_PERSONALITY = "cdp_personality"
_REFUSALS = "cdp_refusals"
_MOCKS = pytest.StashKey["list[ThreadedMockServer]"]()
_SITE_SERVER: pytest.StashKey[SiteServer] = pytest.StashKey()
_SERVED = (".test", ".example")


class StartMock(Protocol):
    """The type of the fixture `cdp_mock_factory`: call it for a mock that runs until the test ends."""

    def __call__(
        self,
        site: Site | Mapping[str, Page] | MockBrowser | None = None,
        *,
        host: str = ...,
        port: int = ...,
        personality: Personality | None = None,
    ) -> ThreadedMockServer: ...


@dataclass(frozen=True, slots=True)
class BrowserUnderTest:
    """The value of the fixture `cdp_browser`: a browser on this machine, which `connect` accepts as an endpoint."""

    kind: Kind
    url: str
    """The browser's own websocket."""
    http_url: str
    """`http://127.0.0.1:PORT`, with `/json/version` and its kin."""
    mock: ThreadedMockServer | None = None
    """The mock, to set stubs on and to read its call log; None if the browser is real."""

    @property
    def address(self) -> str:
        """Host and port, as `cdp_mock.address`."""
        return self.http_url.removeprefix("http://")

    @property
    def ws_url(self) -> str:
        """The same as `url`, under the name by which `connect` knows a browser."""
        return self.url


def pytest_addoption(parser: pytest.Parser) -> None:
    about = "browsers that tests with the fixture cdp_browser run on: mock, chromium or both"
    parser.getgroup("cdp-typed").addoption("--cdp-browser", choices=sorted(_KINDS), help=about)
    parser.addini(_NAME, f"{about} (default: both)", default="both")


def pytest_configure(config: pytest.Config) -> None:
    _kinds(config)
    marker = f"{_PERSONALITY}(name, ...): run the test with cdp_mock as each of these (cdp_typed.mock.personality)"
    config.addinivalue_line("markers", marker)
    expects = f"{_REFUSALS}(text, ...): the mock refuses what each text names, which otherwise fails the test"
    config.addinivalue_line("markers", expects)
    # Looked up by its module, because its name as a plugin depends on how it was loaded.
    runner = sys.modules.get("pytest_asyncio.plugin")
    if runner is not None and config.pluginmanager.is_registered(runner):
        from cdp_typed.testing import pytest_asyncio_tasks

        config.pluginmanager.register(pytest_asyncio_tasks, "cdp_typed.asyncio")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if _NAME in metafunc.fixturenames:
        metafunc.parametrize(_NAME, _kinds(metafunc.config), indirect=True)
    if marker := metafunc.definition.get_closest_marker(_PERSONALITY):
        _parametrize_personality(metafunc, marker.args)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Start a real browser before every other fixture of its test, so that a leak check does not count it."""
    if (
        isinstance(item, pytest.Function)
        and hasattr(item, "callspec")
        and item.callspec.params.get(_NAME) == "chromium"
    ):
        # A new list: the function's own is shared with the run on the mock.
        item.fixturenames = ["cdp_chromium", *item.fixturenames]


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Explain a failed comparison of commands or events by their fields."""
    # The call log of a mock holds them, so without a mock there is nothing to explain.
    if op not in ("==", "in") or "cdp_typed.mock" not in sys.modules:
        return None
    from cdp_typed.mock.assertions import absence, differences

    return differences(left, right) if op == "==" else absence(left, right)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a test that passed although a mock refused what it does not model, unless the test expects that."""
    result = yield
    if mocks := item.stash.get(_MOCKS, None):
        from cdp_typed.mock.assertions import assert_no_refusals

        expected = [str(text) for marker in item.iter_markers(_REFUSALS) for text in marker.args]
        assert_no_refusals(*mocks, but=expected)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Print under a test that failed what its mocks refused."""
    report = yield
    if report.failed and report.when == "call":
        refused = [str(refusal) for mock in item.stash.get(_MOCKS, None) or () for refusal in mock.browser.refusals]
        if refused:
            report.sections.append(("refused by the mock", "\n".join(refused)))
    return report


@pytest.fixture
def cdp_site() -> Site | Mapping[str, Page]:
    """Pages of `cdp_mock` and `cdp_browser`, by URL: only `about:blank`. Override it where your tests need more.

    Chromium gets pages at http:// addresses whose host ends in `.test` or `.example`, and finds all others itself.
    """
    return {}


@pytest.fixture
def cdp_mock_factory(request: pytest.FixtureRequest) -> Iterator[StartMock]:
    """Start mocks for a test, any number of them; all end with the test.

    A test fails if one of them refused what it does not model, unless a marker `cdp_refusals` names that.
    """
    from cdp_typed.mock import ThreadedMockServer
    from cdp_typed.mock.personality import LOCAL

    with contextlib.ExitStack() as stack:

        def start(
            site: Site | Mapping[str, Page] | MockBrowser | None = None,
            *,
            host: str = "127.0.0.1",
            port: int = 0,
            personality: Personality | None = None,
        ) -> ThreadedMockServer:
            mock = ThreadedMockServer(site, host=host, port=port, personality=personality or LOCAL)
            request.node.stash.setdefault(_MOCKS, []).append(mock)
            return stack.enter_context(mock)

        yield start


@pytest.fixture
def cdp_personality(request: pytest.FixtureRequest) -> Personality:
    """Personality of `cdp_mock`: that of a local Chrome, unless a marker `cdp_personality` names others."""
    from cdp_typed.mock.personality import PERSONALITIES

    return PERSONALITIES[getattr(request, "param", "local")]


@pytest.fixture
def cdp_mock(
    cdp_mock_factory: StartMock, cdp_site: Site | Mapping[str, Page], cdp_personality: Personality
) -> ThreadedMockServer:
    """A running mock browser with the pages of `cdp_site` and the personality `cdp_personality`."""
    return cdp_mock_factory(cdp_site, personality=cdp_personality)


@pytest.fixture(scope="session")
def cdp_chromium(request: pytest.FixtureRequest) -> Iterator[BrowserUnderTest]:
    """One real browser for the whole run, its sites isolated; open a new page or context in it.

    If no Chrome, Chromium or Edge is found, the test is skipped, or fails with `--cdp-browser=chromium`.
    """
    from cdp_typed.errors import LaunchError
    from cdp_typed.launch import NoSandboxWarning, find_browser, launch
    from cdp_typed.mock.server.site_server import SiteServer

    try:
        executable = find_browser()
    except LaunchError as error:
        give_up = pytest.fail if _kinds(request.config) == _KINDS["chromium"] else pytest.skip
        give_up(str(error))
    with warnings.catch_warnings():
        # Root cannot avoid it, and the pages are the tests' own.
        warnings.simplefilter("ignore", NoSandboxWarning)
        server = request.config.stash[_SITE_SERVER] = SiteServer()
        rules = ", ".join(f"MAP *{ending} 127.0.0.1:{server.port}" for ending in _SERVED)
        launching = launch(executable, isolate_sites=True, args=[f"--host-resolver-rules={rules}"])
    with contextlib.closing(server), launching as browser:
        yield BrowserUnderTest("chromium", browser.ws_url, browser.http_url)


@pytest.fixture
def cdp_browser(request: pytest.FixtureRequest, cdp_site: Site | Mapping[str, Page]) -> Iterator[BrowserUnderTest]:
    """A mock (`cdp_mock`), and in a second run of the test a real browser (`cdp_chromium`); see `--cdp-browser`.

    Both show the pages of `cdp_site`.
    """
    kind = cast("Kind", request.param)
    if kind == "chromium":
        browser = cast("BrowserUnderTest", request.getfixturevalue("cdp_chromium"))
        with request.config.stash[_SITE_SERVER].serving(_servable(cdp_site)):
            yield browser
        return
    mock = cast("ThreadedMockServer", request.getfixturevalue("cdp_mock"))
    yield BrowserUnderTest(kind, mock.url, mock.http_url, mock)


@pytest.fixture
def cdp_no_leaks() -> Generator[None, Any, None]:
    """Fail if the test leaves a thread, a child process, a socket or a launched browser's profile behind.

    With pytest-asyncio tasks count too. Name it before other fixtures, so that they are torn down before it checks.
    """
    from cdp_typed.testing.leaks import Traces, assert_no_leaks_blocking

    before = Traces.now()
    yield
    assert_no_leaks_blocking(before)


def _servable(pages: Site | Mapping[str, Page]) -> Site:
    """Return the site; fail the test if a page of it has no address where Chromium could find it."""
    from cdp_typed.mock import Site

    site = pages if isinstance(pages, Site) else Site(pages)
    for url in site.pages:
        parts = urlsplit(url)
        if parts.scheme != "http" and (parts.hostname or "").endswith(_SERVED):
            pytest.fail(f"cdp_site: {url}: Chromium gets pages of {' and '.join(_SERVED)} by http only")
    return site


def _parametrize_personality(metafunc: pytest.Metafunc, names: tuple[str, ...]) -> None:
    from cdp_typed.mock.personality import PERSONALITIES

    problem = None
    if unknown := [name for name in names if name not in PERSONALITIES]:
        problem = f"no personality {', '.join(map(repr, unknown))}; there are {', '.join(PERSONALITIES)}"
    elif _PERSONALITY not in metafunc.fixturenames:
        problem = "only for tests with the fixture cdp_mock"
    if problem is not None:
        raise pytest.Collector.CollectError(f"{metafunc.definition.nodeid}: marker {_PERSONALITY}: {problem}")
    metafunc.parametrize(_PERSONALITY, names, indirect=True)


def _kinds(config: pytest.Config) -> tuple[Kind, ...]:
    chosen = str(config.getoption("--cdp-browser") or config.getini(_NAME))
    if chosen not in _KINDS:
        raise pytest.UsageError(f"{_NAME} = {chosen}: expected one of {', '.join(sorted(_KINDS))}")
    return _KINDS[chosen]
