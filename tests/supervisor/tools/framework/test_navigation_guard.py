"""No request for a document gets out to a place that the policy refuses: real Chromium, and servers that count.

`shop.example` and `ads.example` are two sites that are allowed. Whatever is sent to `169.254.169.254` arrives at the
other server.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import pytest

from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import runtime
from supervisor import CDPSupervisor, Config, NavigationFailed, SupervisorRegistry, SupervisorSnapshot
from supervisor.tools import Policy, Toolbox
from tests.supervisor.tools.conftest import Call, calls, running_in
from tests.support.browsers import launched
from tests.support.servers.cutting import CuttingProxy
from tests.support.servers.sites import Page, Response, Sites, iframe

SHOP, ADS = "http://shop.example", "http://ads.example"
METADATA = "http://169.254.169.254/latest/"
WHY = "it is a private address, and deny_private is on (mcp --allow-private allows it)"
REFUSED = f"{WHY}: http://169.254.169.254"
ERROR = "chrome-error://chromewebdata/"
"""The URL of a frame whose document was refused."""
PATIENCE_S = 20.0
"""No correct run comes near it."""

FORM = f"<form method=post action='{METADATA}' target=TARGET><input name=a value=b></form>"
SUBMIT = "document.forms[0].submit()"
FRAMES = {
    "/direct": iframe(METADATA),
    "/redirected": iframe("/by"),
    "/location": f"<script>location.href = '{METADATA}'</script>",
    "/meta": f"<meta http-equiv=refresh content='0;url={METADATA}'>",
    "/form": FORM.replace("TARGET", "_self") + f"<script>{SUBMIT}</script>",
    "/form-by": f"<form method=post action=/post></form><script>{SUBMIT}</script>",
    "/object": f"<object type=text/html data='{METADATA}'></object>",
    "/srcdoc": f"<iframe srcdoc='<iframe src={METADATA}></iframe>'></iframe>",
}
"""Pages to be embedded, each of which leads one frame there: itself, or the one that it embeds."""
EMBEDDED = [*((SHOP, path) for path in FRAMES), (ADS, "/direct"), (ADS, "/location"), (ADS, "/form-by")]
PAGES: dict[str, Page] = {
    **FRAMES,
    "/plain": "plain",
    "/popup": FORM.replace("TARGET", "_blank"),
    "/by": Response("", 302, {"Location": f"{ADS}/to"}),
    "/to": Response("", 302, {"Location": METADATA}),
    "/post": Response("", 307, {"Location": METADATA}),
    "/frames": "".join(iframe(origin + path) for origin, path in EMBEDDED),
    "/embedding": iframe(f"{ADS}/plain"),
}
POPUPS = [
    f"open('{METADATA}')",
    f"open('{METADATA}', '', 'noopener')",
    "open('/by')",
    f"open('about:blank').location = '{METADATA}'",
    f"open('about:blank').document.write(`{iframe(METADATA)}`)",
    SUBMIT,
]


@dataclass(frozen=True)
class Ground:
    """A browser, and the two servers that it finds at all addresses."""

    browser: LaunchedBrowser
    metadata: Sites


@contextmanager
def raised(pages: dict[str, Page]) -> Generator[Ground]:
    """Chromium, and a shop with these pages."""
    with ExitStack() as stack:
        shop, metadata = stack.enter_context(Sites(pages)), stack.enter_context(Sites({"/latest/": "secrets"}))
        rules = f"MAP 169.254.169.254 127.0.0.1:{metadata.port}, MAP *.example 127.0.0.1:{shop.port}"
        yield Ground(stack.enter_context(launched(args=(f"--host-resolver-rules={rules}",))), metadata)


@pytest.fixture(scope="module")
def ground() -> Iterator[Ground]:
    icon = "<link rel=icon href=data:,>"
    with raised({path: icon + body if isinstance(body, str) else body for path, body in PAGES.items()}) as ground:
        yield ground


@contextmanager
def tools(cdp_url: str, policy: Policy, **settings: Any) -> Generator[tuple[Call, CDPSupervisor]]:
    """The tools, and the supervisor behind them, with a page and a browser context of its own."""
    registry = SupervisorRegistry()
    config = Config(cdp_url=cdp_url, call_timeout_s=PATIENCE_S, scope="own", own_context=True, **settings)
    call = calls(Toolbox(config, registry=registry, toolsets="all", policy=policy))
    assert call("browser_navigate", url=f"{SHOP}/plain")["success"]
    supervisor = running_in(registry)
    try:
        yield call, supervisor
    finally:
        registry.stop_all()


@pytest.fixture(scope="module")
def guarded(ground: Ground) -> Iterator[tuple[Call, CDPSupervisor]]:
    with tools(ground.browser.ws_url, Policy(deny_private=True)) as call_and_supervisor:
        yield call_and_supervisor


@pytest.fixture
def call(guarded: tuple[Call, CDPSupervisor], ground: Ground) -> Iterator[Call]:
    """After the test, the browser has asked the other server for nothing."""
    yield guarded[0]
    assert guarded[0]("browser_navigate", url=f"{SHOP}/plain")["success"]
    assert ground.metadata.requests == []


@pytest.fixture
def supervisor(guarded: tuple[Call, CDPSupervisor], call: Call) -> CDPSupervisor:
    return guarded[1]


def run(supervisor: CDPSupervisor, script: str) -> None:
    """Run a script as after a touch, which may open popups, without waiting for it."""
    supervisor.send(runtime.Evaluate(expression=f"setTimeout(() => {{ {script} }}); 1", user_gesture=True))


def refused(supervisor: CDPSupervisor, since: int, frames: int = 1) -> set[str]:
    """Wait until so many frames were refused something; why and where, without repetitions."""
    said: set[str] = set()
    who: set[str] = set()
    while len(who) < frames:
        change = supervisor.wait_for_change("navigation_refused", since=since, timeout_s=PATIENCE_S)
        since = change.seq
        said.add(change.text)
        who.add(change.subject)
    return said


def is_at_nothing(now: SupervisorSnapshot) -> bool:
    """The page did not get its document, and shows Chromium's own. (A reload before that is loaded can be lost.)"""
    top = now.frame_tree.top
    return top is not None and top.url == ERROR and not top.is_loading


def has_more_pages(than: int, now: SupervisorSnapshot) -> bool:
    return len(now.pages) > than


def run_popups(supervisor: CDPSupervisor, call: Call) -> None:
    """Open them all, each after a touch of its own."""
    assert call("browser_navigate", url=f"{SHOP}/popup")["success"]
    for script in POPUPS:
        before = len(supervisor.snapshot().pages)
        run(supervisor, script)
        supervisor.wait_for(partial(has_more_pages, before), timeout_s=PATIENCE_S)


def test_without_a_policy_all_of_these_get_there(ground: Ground) -> None:
    with tools(ground.browser.ws_url, Policy()) as (call, supervisor):
        run_popups(supervisor, call)
        opened = len(POPUPS) - 1  # the other one is a frame in a popup
        supervisor.wait_for(lambda now: [it.url for it in now.pages].count(METADATA) == opened, timeout_s=PATIENCE_S)
        call("browser_navigate", url=f"{SHOP}/frames")
        there = len(EMBEDDED)
        supervisor.wait_for(
            lambda now: [frame.url for frame in now.frame_tree.children].count(METADATA) == there, timeout_s=PATIENCE_S
        )
        assert len(ground.metadata.requests) >= there + len(POPUPS)
        ground.metadata.requests.clear()


def test_no_frame_gets_there_in_whatever_process_it_is(call: Call, supervisor: CDPSupervisor) -> None:
    cursor = supervisor.snapshot().cursor
    call("browser_navigate", url=f"{SHOP}/frames")
    assert refused(supervisor, cursor, len(EMBEDDED)) == {REFUSED}


def test_no_popup_gets_there(call: Call, supervisor: CDPSupervisor) -> None:
    cursor = supervisor.snapshot().cursor
    run_popups(supervisor, call)
    assert refused(supervisor, cursor, len(POPUPS)) == {REFUSED}


def test_a_redirect_is_refused_as_well(call: Call, supervisor: CDPSupervisor, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "supervisor.tools.policy")
    for url in (f"{SHOP}/by", METADATA):
        answer = call("browser_navigate", url=url)
        error = f"http://169.254.169.254 is refused by the policy: {WHY}"
        assert (answer["error_type"], answer["error"]) == ("Refused", error)
    logged = [record.getMessage() for record in caplog.records if "refused" in record.getMessage()]
    assert logged == [f"http://169.254.169.254: refused, {WHY}"] * 2


@pytest.mark.parametrize("path", ["location", "blob"])
def test_no_script_of_a_page_takes_it_there(call: Call, supervisor: CDPSupervisor, path: str) -> None:
    cursor = supervisor.snapshot().cursor
    script = f"location = '{METADATA}'"
    if path == "blob":
        script = f"location = URL.createObjectURL(new Blob([`<script>{script}</script>`], {{type: 'text/html'}}))"
    run(supervisor, script)
    assert refused(supervisor, cursor) == {REFUSED}


def test_no_raw_command_leads_there_or_takes_the_guard_away(call: Call, supervisor: CDPSupervisor) -> None:
    answer = call("browser_cdp", method="Page.navigate", params={"url": f"{SHOP}/by"})
    assert answer["result"]["errorText"] == "net::ERR_BLOCKED_BY_CLIENT"
    cursor = supervisor.wait_for(is_at_nothing, timeout_s=PATIENCE_S).cursor
    call("browser_cdp", method="Page.reload")
    assert refused(supervisor, cursor) == {REFUSED}
    call("browser_cdp", method="Page.navigate", params={"url": f"{SHOP}/plain"})

    raw: list[tuple[str, dict[str, Any]]] = [
        ("Page.navigate", {"url": METADATA}),
        ("Target.createTarget", {"url": f"{SHOP}/by"}),
        ("Fetch.disable", {}),
        ("Target.setAutoAttach", {"autoAttach": False, "waitForDebuggerOnStart": False}),
    ]
    told = [call("browser_cdp", method=method, params=params)["error_type"] for method, params in raw]
    assert told == ["Refused"] * len(raw)
    own = call("browser_cdp", method="Target.getTargetInfo")["result"]["targetInfo"]["browserContextId"]
    empty = {"url": "about:blank", "browserContextId": own}
    assert call("browser_cdp", method="Target.createTarget", params=empty)["success"]


def test_a_dialog_leaves_no_request_without_an_answer(call: Call, supervisor: CDPSupervisor) -> None:
    call("browser_navigate", url=f"{SHOP}/embedding")
    now = supervisor.wait_for(
        lambda now: [frame.url for frame in now.frame_tree.children] == [f"{ADS}/plain"], timeout_s=PATIENCE_S
    )
    run(supervisor, "alert('open')")
    supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=PATIENCE_S)
    (inner,) = now.frame_tree.children

    # Chromium makes the request of a frame that wants to leave when its page's dialog is closed.
    supervisor.evaluate(f"location = '{METADATA}'", inner.frame_id, await_promise=False)
    other = supervisor.open_page(f"{SHOP}/plain", select=False)
    supervisor.close_page(other.target_id)
    supervisor.respond_to_dialog("accept")

    assert refused(supervisor, now.cursor) == {REFUSED}
    supervisor.wait_for(lambda now: [frame.url for frame in now.frame_tree.children] == [ERROR], timeout_s=PATIENCE_S)
    run(supervisor, "alert('open')")
    now = supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=PATIENCE_S)
    with pytest.raises(NavigationFailed, match="net::ERR_BLOCKED_BY_CLIENT"):
        supervisor.navigate(f"{SHOP}/by")
    assert refused(supervisor, now.cursor) == {REFUSED}


def test_with_the_bridge_and_logins_each_request_has_one_answer(ground: Ground) -> None:
    with tools(ground.browser.ws_url, Policy(deny_private=True), dialog_bridge="always", watch_http_auth=True) as (
        call,
        supervisor,
    ):
        run(supervisor, f"window.answer = confirm('sure?'); if (answer) location = '{METADATA}'")
        now = supervisor.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=PATIENCE_S)
        assert [dialog.bridged for dialog in now.pending_dialogs] == [True]
        supervisor.respond_to_dialog("accept")
        assert refused(supervisor, now.cursor) == {REFUSED}
        assert call("browser_navigate", url=f"{SHOP}/plain")["success"]
    assert ground.metadata.requests == []


def test_it_holds_on_the_next_connection(ground: Ground) -> None:
    with (
        CuttingProxy(urlsplit(ground.browser.ws_url).port or 0) as proxy,
        CDPSupervisor(proxy.url(ground.browser.ws_url), call_timeout_s=PATIENCE_S) as supervisor,
    ):
        supervisor.restrict(Policy(deny_private=True).url_rules)
        opened = supervisor.open_page(f"{SHOP}/plain")
        proxy.cut()
        now = supervisor.wait_for(lambda now: now.state == "ready" and now.epoch == 2, timeout_s=PATIENCE_S)

        run(supervisor, f"location = '{METADATA}'")

        change = supervisor.wait_for_change("navigation_refused", since=now.cursor, timeout_s=PATIENCE_S)
        assert (change.subject, change.text) == (opened.target_id, REFUSED)
    assert ground.metadata.requests == []


@pytest.mark.parametrize("path", ["", "/embedding"])
def test_a_page_that_was_open_before_the_policy_is_not_read_or_used(ground: Ground, path: str) -> None:
    registry = SupervisorRegistry()
    config = Config(cdp_url=ground.browser.ws_url, call_timeout_s=PATIENCE_S, scope="own", own_context=True)
    before = calls(Toolbox(config, registry=registry, toolsets="all"))
    call = calls(Toolbox(config, registry=registry, toolsets="all", policy=Policy(deny_origins=("*://ads.example",))))
    assert before("browser_navigate", url=f"{SHOP}{path}" if path else f"{ADS}/plain")["success"]

    refused = [
        call("browser_snapshot"),
        call("browser_evaluate", expression="document.cookie"),
        call("browser_vision"),
        call("browser_cdp", method="Runtime.evaluate", params={"expression": "1"}),
        call("browser_press", key="a"),
        call("browser_batch", steps=[{"tool": "press", "arguments": {"key": "a"}}]),
    ]
    tabs, left = call("browser_tabs"), call("browser_navigate", url=f"{SHOP}/plain")
    read = call("browser_evaluate", expression="document.body.innerText")
    registry.stop_all()

    what = "a frame of the open page" if path else "the open page"
    reason = f"{what} ({ADS}) is refused by the policy: its origin is denied"
    assert [(result["success"], result["error_type"]) for result in refused] == [(False, "Refused")] * len(refused)
    assert refused[0]["error"].startswith(reason)
    assert (tabs["success"], left["success"], read["value"]) == (True, True, "plain")
