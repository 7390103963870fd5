"""URLs, commands and files that the policy does not allow are refused before anything is done."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from cdp_typed.protocol import page, runtime
from supervisor import CDPSupervisor, InvalidConfig, SupervisorRegistry
from supervisor.tools import Policy, PolicyRefused
from supervisor.tools.framework.navigation_guard import block_document
from supervisor.tools.raw_commands.checks import check
from tests.supervisor.tools.conftest import NOT_OVER_FLEET, MakeBox, calls, running_in
from tests.support.secrets import CANARY
from tests.support.stages.stages import Stage, is_loaded, open_page

PRIVATE = [
    # files, the browser's own pages, and scripts
    "file:///etc/passwd", "FILE:///etc/passwd", "view-source:file:///etc/passwd", "\x00view-source:file:///etc/passwd",
    "chrome://settings", "chrome:version", "devtools://devtools/bundled/inspector.html", "javascript:alert(1)",
    # names
    "http://localhost:8080/", "http://a.localhost/", "http://LOCALHOST./", "http://localhost.localdomain/",
    "http://kubernetes.default.svc/", "http://wiki.corp/", "http://nas.home/", "http://metadata.google.internal/",
    "http://printer.local/", "http://intranet/",
    # this machine, in every way to write it
    "http://127.0.0.1/", "http://127.1/", "http://0x7f.0.0.1/", "http://0177.0.0.1/", "http://2130706433/", "http://0/",
    "http://%31%32%37.0.0.1/", "http://①②⑦.0.0.1/", "http:\\\\127.0.0.1/", "http:127.0.0.1/", "ht\ntp://127.0.0.1/",
    "http:///127.0.0.1/", "\x01 \x00http:\\\\127.0.0.1/\x02", "blob:http://127.0.0.1/1234",
    f"http://user:{CANARY}@127.0.0.1/",
    # private, multicast and metadata addresses
    "http://10.0.0.1/", "http://192.168.1.1/", "http://169.254.169.254/latest/meta-data/", "http://168.63.129.16/",
    "http://192.0.0.192/", "http://224.0.0.1/", "http://239.255.255.250/",
    # the same in IPv6
    "http://[::1]/", "http://[::ffff:7f00:1]/", "http://[fd00::1]/", "http://[::7f00:1]/", "http://[::ffff:0:7f00:1]/",
    "http://[64:ff9b::7f00:1]/", "http://[64:ff9b::a00:1]/", "http://[64:ff9b:1::1]/", "http://[2002:7f00:1::]/",
    "http://[2002:c0a8:101::1]/", "http://[fec0::1]/", "http://[ff02::1]/",
    # no addresses
    "http://[::1", "http://1.2.3.4.5/",
]  # fmt: skip

ERROR = "chrome-error://chromewebdata/"
"""The URL of a frame whose document was refused."""
PUBLIC = [
    "https://example.com/", "http://93.184.216.34/", "about:blank", "data:text/html,x", "", "wss://example.com/",
    "http://[64:ff9b::808:808]/", "http://[2002:808:808::1]/", "http://[2606:4700::1111]/",
]  # fmt: skip


@pytest.mark.parametrize("url", PRIVATE)
def test_private_places_are_refused_however_they_are_written(url: str) -> None:
    with pytest.raises(PolicyRefused):
        Policy(deny_private=True).check_url(url)


@pytest.mark.parametrize("url", PUBLIC)
def test_public_places_are_not(url: str) -> None:
    Policy(deny_private=True).check_url(url)


def test_everything_is_allowed_that_is_not_refused() -> None:
    policy = Policy()
    for url in [*PRIVATE, *PUBLIC]:
        policy.check_url(url)
    policy.check_method("Page.crash")
    policy.check_file("/etc/passwd")
    assert not policy.watches
    assert not policy.restricts


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("https://example.com/path", True),
        ("https://EXAMPLE.com:443/", True),
        ("https://example.com:8443/", False),
        ("http://example.com/", False),
        ("https://a.shop.example/", True),
        ("https://denied.shop.example/", False),
        ("https://shop.example.evil/", False),
        ("https://example.com.evil/", False),
        ("https://example.com@evil/", False),
        ("https:\\\\evil\\@example.com/", False),
        ("http://plain.example:81/", True),
        ("view-source:https://evil/", False),
        ("\x01https:\\\\denied.shop.example/", False),
        ("file:///etc/passwd", False),
        ("about:blank", True),
    ],
)
def test_origins_are_allowed_and_denied_by_pattern(url: str, allowed: bool) -> None:
    policy = Policy(
        allow_origins=("https://example.com", "https://*.shop.example", "plain.example"),
        deny_origins=("*://denied.shop.example",),
    )
    if allowed:
        policy.check_url(url)
    else:
        with pytest.raises(PolicyRefused):
            policy.check_url(url)


@pytest.mark.parametrize(
    ("pattern", "refused"),
    [
        ("https://evil.example", {"https://evil.example/", "https://evil.example:8443/"}),
        ("https://evil.example:443", {"https://evil.example/"}),
        ("https://evil.example:8443", {"https://evil.example:8443/"}),
        ("evil.example", {"https://evil.example/", "https://evil.example:8443/", "http://evil.example:81/"}),
        ("http://evil.example", {"http://evil.example:81/"}),
    ],
)
def test_an_origin_that_is_denied_without_a_port_is_denied_on_every_port(pattern: str, refused: set[str]) -> None:
    urls = {"https://evil.example/", "https://evil.example:8443/", "http://evil.example:81/", "https://fine.example/"}

    assert {url for url in urls if Policy(deny_origins=(pattern,)).url_rules.why_not(url)} == refused


def test_each_decision_is_logged_without_what_could_be_secret(caplog: pytest.LogCaptureFixture) -> None:
    policy = Policy(deny_origins=("evil",), deny_methods=("Storage.*",), allow_files=("/srv/*",))
    with caplog.at_level(logging.INFO):
        policy.check_url(f"https://me:{CANARY}@ok.example:8443/{CANARY}?{CANARY}")
        policy.check_method("Page.reload")
        policy.check_file("/srv/a")
        with pytest.raises(PolicyRefused):
            policy.check_url(f"https://evil/{CANARY}")
        with pytest.raises(PolicyRefused):
            policy.check_method("Storage.getCookies")
        with pytest.raises(PolicyRefused):
            policy.check_file("/srv/../etc/passwd")

    assert [record.getMessage() for record in caplog.records] == [
        "https://ok.example:8443: allowed",
        "Page.reload: allowed",
        "/srv/a: allowed",
        "https://evil: refused, its origin is denied",
        "Storage.getCookies: refused, the method is denied",
        "/srv/../etc/passwd: refused, the file is not among those allowed",
    ]


def test_methods_are_allowed_and_denied_by_pattern_also_inside_others() -> None:
    policy = Policy(allow_methods=("Page.*", "Target.*"), deny_methods=("Page.crash",))
    check("Page.reload", {}, policy)
    inside = {"message": '{"id": 1, "method": "Page.reload"}'}
    check("Target.sendMessageToTarget", inside, policy)
    refused: list[tuple[str, dict[str, Any]]] = [
        ("Page.crash", {}),
        ("Runtime.evaluate", {}),
        ("Target.exposeDevToolsProtocol", {}),
        ("Target.sendMessageToTarget", {"message": '{"id": 1, "method": "Runtime.evaluate"}'}),
        ("Target.sendMessageToTarget", {"message": "{"}),
        ("Target.sendMessageToTarget", {"message": "[]"}),
        ("Target.sendMessageToTarget", {}),
    ]
    for method, params in refused:
        with pytest.raises(PolicyRefused):
            check(method, params, policy)


def test_url_rules_hold_for_raw_commands_and_cannot_be_taken_away_by_them() -> None:
    policy = Policy(deny_origins=("evil.example",))
    check("Page.reload", {}, policy)
    check("Page.navigate", {"url": "https://example.com"}, policy)
    check("Target.createTarget", {"url": "about:blank"}, policy)
    refused: list[tuple[str, dict[str, Any]]] = [
        ("Page.navigate", {"url": "https://evil.example"}),
        ("Target.createTarget", {"url": "https://evil.example"}),
        ("Target.createTarget", {"url": "https://example.com"}),
        ("Target.setAutoAttach", {"autoAttach": False}),
        ("Target.sendMessageToTarget", {"message": '{"id": 1, "method": "Page.reload"}'}),
        ("Fetch.disable", {}),
        ("Page.disable", {}),
        ("Network.getCookies", {"urls": ["https://example.com", "https://evil.example"]}),
        ("Storage.setCookies", {"cookies": [{"name": "a", "value": "b", "url": "https://evil.example"}]}),
        ("Network.setCookie", {"name": "a", "value": "b", "domain": "example.com"}),
        ("Network.loadNetworkResource", {"url": "https://example.com"}),
        ("Page.notYetThere", {}),
    ]
    for method, params in refused:
        with pytest.raises(PolicyRefused):
            check(method, params, policy)


@pytest.mark.parametrize("method", ["Page.navigate", "Target.createTarget"])
def test_an_address_that_is_a_script_may_go_where_scripts_may(method: str) -> None:
    script = {"url": "\x02java\nScript:1"}
    check(method, script, Policy())
    check(method, script, Policy(deny_methods=("Storage.*",)))
    for policy in (Policy(deny_methods=("Runtime.*",)), Policy(allow_methods=("Page.*", "Target.*"))):
        with pytest.raises(PolicyRefused, match=r"it runs a script, which Runtime\.evaluate may not"):
            check(method, script, policy)


def test_a_pattern_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(InvalidConfig, match=r"deny_origins='10\.\*' .* expected the network, 10\.0\.0\.0/8"):
        Policy(deny_origins=("10.*",))
    with pytest.raises(InvalidConfig, match=r"redact='\(' is not allowed; expected a regular expression"):
        Policy(redact=("(",))


def test_tools_ask_the_policy_before_they_do_anything(stage: Stage, make_box: MakeBox) -> None:
    policy = Policy(allow_origins=(stage.own,), deny_methods=("Storage.*",), allow_files=(), redact=("Pl[a-z]+n",))
    call = calls(make_box(stage, policy))

    there = call("browser_navigate", url=f"{stage.own}/plain")
    refused: list[tuple[str, dict[str, Any]]] = [
        ("browser_navigate", {"url": f"{stage.other}/plain"}),
        ("browser_tabs", {"action": "open", "url": f"{stage.other}/plain"}),
        ("browser_cdp", {"method": "Page.navigate", "params": {"url": f"{stage.other}/plain"}}),
        ("browser_cdp", {"method": "Storage.getCookies"}),
        ("browser_file", {"paths": ["/etc/passwd"]}),
    ]
    for name, arguments in refused:
        assert call(name, **arguments)["error_type"] == "Refused"

    assert (there["title"], there["url"]) == ("[redacted]", f"{stage.own}/plain")
    assert call("browser_snapshot")["url"] == f"{stage.own}/plain"


def test_a_frame_a_script_or_a_popup_that_goes_where_it_may_not_gets_nothing(
    stage: Stage, make_box: MakeBox, registry: SupervisorRegistry
) -> None:
    call = calls(make_box(stage, Policy(deny_origins=(stage.other,))))
    call("browser_navigate", url=f"{stage.own}/frames")
    supervisor = running_in(registry)

    now = supervisor.wait_for(
        lambda now: len(now.frame_tree.children) == 2 and is_loaded(now) and all(f.url for f in now.frame_tree.children)
    )
    assert {frame.name: frame.url for frame in now.frame_tree.children} == {
        "inner": ERROR,
        "local": f"{stage.own}/local",
    }
    supervisor.evaluate(f"location.href = '{stage.other}/plain'", await_promise=False)
    supervisor.wait_for(lambda now: now.pages[0].url == ERROR, timeout_s=20)
    call("browser_navigate", url=f"{stage.own}/plain")
    popup = f"window.open('{stage.other}/plain')"
    supervisor.send(runtime.Evaluate(expression=popup, user_gesture=True))
    supervisor.wait_for(lambda now: [page.url for page in now.pages] == [f"{stage.own}/plain", ERROR], timeout_s=20)
    changes = [change for change in supervisor.changes_since(0).changes if change.kind == "navigation_refused"]
    assert [change.text for change in changes] == [f"its origin is denied: {stage.other}"] * 3


@NOT_OVER_FLEET
def test_what_needs_no_request_is_turned_away(stage: Stage, make_box: MakeBox, registry: SupervisorRegistry) -> None:
    supervisor = registry.get_or_start("default", stage.cdp_url, **(stage.settings | {"call_timeout_s": 10}))
    open_page(supervisor, f"{stage.other}/plain")
    open_page(supervisor, f"{stage.own}/plain")
    call = calls(make_box(stage, Policy(deny_origins=(stage.other,))))
    call("browser_snapshot")

    history = supervisor.send(page.GetNavigationHistory())
    supervisor.send(page.NavigateToHistoryEntry(entry_id=history.entries[history.current_index - 1].id))

    supervisor.wait_for(lambda now: now.pages[0].url == "about:blank", timeout_s=20)
    kinds = {change.kind for change in supervisor.changes_since(0).changes}
    assert "navigation_refused" not in kinds


def test_a_frame_that_is_gone_needs_not_be_turned_away(mock_stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    with CDPSupervisor(mock_stage.cdp_url) as supervisor:
        asyncio.run(block_document(supervisor.aio, "nobody"))
    assert [record.getMessage() for record in caplog.records] == [
        "a frame could not be turned away from where it may not be: UnknownFrame"
    ]
