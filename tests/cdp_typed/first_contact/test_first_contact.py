"""What a newcomer does first: looks at the help, misspells a name, gives the client something else than it takes."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import pkgutil
import pydoc
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, cast, is_typeddict

import pytest

import cdp_typed
from cdp_typed import ALL, CalledFromOtherThread, EndpointError, NoEventLoop, connect, connect_sync, launch, protocol
from cdp_typed.mock import MockServer, ThreadedMockServer
from cdp_typed.protocol import page, runtime
from tests.support.browsers import quiet_launch
from tests.test_public_imports import PUBLIC

DOMAINS = [f"cdp_typed.protocol.{module.name}" for module in pkgutil.iter_modules(protocol.__path__)]
MODULES = sorted({*PUBLIC, *(name for name in DOMAINS if "._" not in name)} - {"cdp_typed._base", "cdp_typed._lazy"})


def public(module: ModuleType) -> list[tuple[str, Any]]:
    return [(name, getattr(module, name)) for name in getattr(module, "__all__", ())]


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_module_has_help(name: str) -> None:
    module = importlib.import_module(name)

    text = pydoc.plain(pydoc.render_doc(module))

    assert text.startswith(
        f"Python Library Documentation: {'package' if hasattr(module, '__path__') else 'module'} {name}"
    )


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_has_a_signature(name: str) -> None:
    for _, value in public(importlib.import_module(name)):
        if inspect.isclass(value) and not is_typeddict(value):
            inspect.signature(value)
            for _, method in inspect.getmembers(value, inspect.isfunction):
                inspect.signature(method)
        elif inspect.isroutine(value):
            inspect.signature(value)


@pytest.mark.parametrize("name", ["cdp_typed", "cdp_typed.protocol", "cdp_typed.protocol.page", "supervisor"])
def test_help_is_the_first_thing_that_a_program_does(name: str) -> None:
    code = f"import {name}; help({name})"

    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)

    assert (run.returncode, run.stderr) == (0, "")
    assert name in run.stdout


def test_the_blocking_connect_has_the_signature_of_the_other() -> None:
    blocking, other = inspect.signature(connect_sync), inspect.signature(connect)

    assert blocking.parameters == other.parameters
    assert blocking.return_annotation == "SyncConnection"


@pytest.mark.parametrize(
    ("module", "name", "meant"),
    [
        (cdp_typed, "conect", "connect"),
        (cdp_typed, "connectSync", "connect_sync"),
        (cdp_typed, "luanch", "launch"),
        (page, "Navgate", "Navigate"),
        (page, "navigate", "Navigate"),
        (page, "loadEventFired", "LoadEventFired"),
        (protocol, "Page", "page"),
        (protocol, "DOMDebugger", "dom_debugger"),
        (page, "Zzyzx", None),
    ],
)
def test_a_misspelt_name_gets_a_suggestion(module: ModuleType, name: str, meant: str | None) -> None:
    with pytest.raises(AttributeError) as raised:
        getattr(module, name)

    hint = f"; did you mean {meant!r}?" if meant else ""
    assert str(raised.value) == f"module {module.__name__!r} has no attribute {name!r}{hint}"


def test_a_traceback_has_the_suggestion_once() -> None:
    code = "from cdp_typed.protocol import page; page.Navgate"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert run.stderr.lower().count("did you mean") == 1


def test_modules_of_the_package_are_there_when_they_are_used() -> None:
    code = "import cdp_typed; print(cdp_typed.launch.launch.__name__, cdp_typed.protocol.page.Enable.METHOD)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout == "launch Page.enable\n"


def test_the_module_launch_is_not_the_function() -> None:
    with pytest.raises(TypeError, match=r"is a module; the function in it: from cdp_typed\.launch import launch"):
        cast("Callable[..., object]", launch)(headless=True)


@pytest.mark.parametrize("spelt", [int, str])
def test_a_port_is_an_endpoint(spelt: Callable[[int], int | str]) -> None:
    with ThreadedMockServer() as server:
        port = int(server.http_url.rpartition(":")[2].rstrip("/"))
        with connect_sync(spelt(port)) as browser:
            assert browser.kind() == "browser"


@pytest.mark.parametrize(
    ("endpoint", "error", "message"),
    [
        *(
            (number, EndpointError, f"^{number}: not a port, which is a number from 1 to 65535$")
            for number in (0, -1, 65_536, "0", "70000")
        ),
        *(
            (value, TypeError, f"^an endpoint is a URL, .* not an object of type {type(value).__name__}$")
            for value in (None, True, 9222.0, b"ws://127.0.0.1:9222", ["127.0.0.1", 9222])
        ),
    ],
)
def test_what_is_no_endpoint_is_told_at_once(endpoint: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        _ = connect(endpoint)


def test_a_browser_that_is_not_started_is_told_at_once() -> None:
    with pytest.raises(TypeError, match=r"async with launch\(\) as browser, connect\(browser\)"):
        _ = connect(cast("Any", quiet_launch()))


def test_a_connect_that_is_not_awaited_says_so() -> None:
    with pytest.raises(AttributeError, match=r"has no 'send': browser = await connect\(\.\.\.\), or async with"):
        cast("Any", connect(9222)).send(page.Enable())


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        (page.Enable, "page.Enable is a class; send an instance of it: send(page.Enable())"),
        (page.Navigate, "page.Navigate is a class; send an instance of it: send(page.Navigate(...))"),
        (page.LoadEventFired, "page.LoadEventFired is an event, to be awaited: expect(page.LoadEventFired) or "),
        (page.LoadEventFired(timestamp=1), "page.LoadEventFired is an event, to be awaited: "),
        ("Page.enable", "'Page.enable' is a text; send a command such as page.Enable(), or send_raw('Page.enable')"),
        ([page.Enable()], "send takes one command; send_many([...]) sends several"),
        (None, "send takes a command such as page.Enable(), not an object of type NoneType"),
    ],
)
async def test_what_is_no_command_is_told(sent: Any, text: str) -> None:
    async with MockServer() as server, connect(server.http_url) as browser:
        for awaitable in (
            lambda: browser.send(sent),
            lambda: browser.send_nowait(sent),
            lambda: browser.send_many([sent]),
        ):
            with pytest.raises(TypeError) as raised:
                await awaitable()
            assert str(raised.value).startswith(text)
        assert browser.pending == 0


async def test_other_values_for_a_command_are_told() -> None:
    async def coroutine() -> None: ...

    waiting = coroutine()
    async with MockServer() as server, connect(server.http_url) as browser:
        tab: Any = browser
        with pytest.raises(TypeError, match=r"a coroutine is awaited, not sent"):
            await tab.send(waiting)
        with pytest.raises(TypeError, match=r"send_many takes several commands, as send_many\(\[first, second\]\)"):
            await tab.send_many(page.Enable())
        with pytest.raises(TypeError, match=r"page\.Enable is a class"):
            await tab.send_many(page.Enable)
        with pytest.raises(TypeError, match=r"JSON cannot say objects of type object"):
            await tab.send(runtime.Evaluate(expression=cast("Any", object())))
    waiting.close()


EVENTS = "classes of events such as page.LoadEventFired"


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (ALL, "; ALL is none: without any, it receives every event of the session, or of all, for a connection"),
        (page.Navigate, "; page.Navigate is a command, which is sent: send(page.Navigate(...))"),
        (page.Enable(), "; page.Enable is a command, which is sent: send(page.Enable(...))"),
        (page.LoadEventFired(timestamp=1), "; give the class page.LoadEventFired, not an instance of it"),
        ([page.LoadEventFired], ", one by one: {}(*types)"),
        ("Page.loadEventFired", ", not the text 'Page.loadEventFired'"),
        (7, ", not an object of type int"),
    ],
)
async def test_what_is_no_class_of_events_is_told(given: Any, text: str) -> None:
    async with MockServer() as server, connect(server.http_url) as browser:
        session: Any = browser
        calls: dict[str, Callable[[], object]] = {
            "listen": lambda: session.listen(print, given),
            "events": lambda: session.events(given),
            "expect": lambda: session.expect(given),
        }
        for name, call in calls.items():
            with pytest.raises(TypeError) as raised:
                call()
            assert str(raised.value) == f"{name} takes {EVENTS}{text.format(name)}"
        assert browser.listeners == 0


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((page.FrameNavigated,), "page.FrameNavigated"),
        ((page.FrameNavigated, print), "page.FrameNavigated"),
        (("Page.frameNavigated", print), "page.LoadEventFired"),
        ((ALL,), "page.LoadEventFired"),
    ],
)
def test_a_listener_without_a_function_is_told(arguments: tuple[Any, ...], name: str) -> None:
    text = (
        f"listen takes a function, and then classes of events: listen(callback, {name}); to iterate, use events({name})"
    )

    async def iterate(server: ThreadedMockServer) -> None:
        async with connect(server.http_url) as browser:
            with pytest.raises(TypeError) as raised:
                await anext(aiter(cast("Any", browser).listen(*arguments)))
        assert str(raised.value) == text

    with ThreadedMockServer() as server:
        asyncio.run(iterate(server))
        with connect_sync(server.http_url) as browser:
            with pytest.raises(TypeError) as raised:
                cast("Any", browser).listen(*arguments)
            assert str(raised.value) == text


async def test_a_command_of_pages_sent_to_the_browser_names_the_remedy() -> None:
    async with MockServer() as server, connect(server.http_url) as browser:
        with pytest.raises(
            cdp_typed.MethodNotFound, match=r"to the browser itself, send the commands of Page to the ses"
        ):
            await browser.send(page.Enable())


async def test_another_thread_is_told() -> None:
    async with MockServer() as server, connect(server.http_url) as browser, browser.new_page() as tab:
        for call in (
            lambda: tab.send_nowait(page.Enable()),
            lambda: tab.listen(print),
            lambda: asyncio.run(tab.send(page.Enable())),
            lambda: asyncio.run(browser.close()),
        ):
            with pytest.raises(
                CalledFromOtherThread, match=r"event loop of another thread; call it there with asyncio\."
            ):
                await asyncio.to_thread(call)

        assert (await tab.send(runtime.Evaluate(expression="1"))).result.value == 1


def test_where_no_event_loop_runs_it_is_told() -> None:
    """Under trio a coroutine is run without an event loop of asyncio, as here."""

    async def enter(manager: Any) -> None:
        await manager.__aenter__()

    for manager in (connect(9222), quiet_launch()):
        with pytest.raises(
            NoEventLoop, match=r"no asyncio event loop runs here: .* \(plain functions, trio\) use connect_sync"
        ):
            enter(manager).send(None)
