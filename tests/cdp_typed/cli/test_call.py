"""`call`: typed parameters in, the result as JSON out, at the target that is meant."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cdp_typed import Command
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.mock import ThreadedMockServer
from cdp_typed.protocol import browser, emulation, network, page, runtime, target
from tests.cdp_typed.cli.conftest import Run, refused
from tests.support.servers.inspector import inspector

NOWHERE = "127.0.0.1:1"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("page.Navigat",), "no command 'page.Navigat'; did you mean 'Page.navigate'"),
        (("Page.navigate",), "Page.navigate needs --url\n"),
        (("Page.navigate", "--ulr", "x"), "Page.navigate has no parameter '--ulr'; did you mean '--url'? (see "),
        (("Page.navigate", "--url"), "argument --url: expected one argument (see cdp-typed call URL"),
        (("Page.navigate", "--json", "{"), "argument --json: no JSON: Input data was truncated"),
        (("Page.navigate", "--json", "[" * 100_000), "argument --json: no JSON: "),
        (("Page.navigate", "--json", "[]"), "--json: an object is expected\n"),
        (("Page.navigate", "--json", '{"url": 1}'), "Page.navigate: Expected `str`, got `int` - at `$.url`\n"),
        (("Page.navigate", "--json", '{"URL": "x"}'), "Page.navigate has no parameter 'URL'; did you mean 'url'?\n"),
        (
            ("Page.captureScreenshot", "--format", "gif"),
            "argument --format: 'gif' is no value of it; it is one of jpeg",
        ),
        (
            ("Browser.setPermission", "--setting", "x", "--json", '{"permission": {"nmae": "x", "name": "x"}}'),
            "argument --setting: 'x' is no value of it; it is one of granted, denied, prompt",
        ),
        (
            ("Browser.setPermission", "--setting", "denied", "--permission", '{"name": "x", "symc": true}'),
            "Browser.setPermission: the protocol has no permission.symc\n",
        ),
        (
            ("Network.setCookies", "--cookies", '[{"name": "a", "value": "b", "pth": "/"}]'),
            "Network.setCookies: the protocol has no cookies[0].pth\n",
        ),
        (("Emulation.setTimezoneOverride", "--timezone-id", "x", "y"), "has no parameter 'y'"),
        (("Runtime.evaluate", "--silent", "maybe"), "argument --silent: true or false is expected, not 'maybe'"),
        (("DOM.resolveNode", "--node-id", "1.5"), "argument --node-id/--nodeId: an integer is expected, not '1.5'"),
        (("Emulation.setCPUThrottlingRate", "--rate", "nan"), "argument --rate: a number is expected, not 'nan'"),
        (("Emulation.setCPUThrottlingRate", "--rate", "fast"), "argument --rate: a number is expected, not 'fast'"),
        (
            ("Emulation.setEmulatedVisionDeficiency", "--type", "protanopa"),
            "argument --type: 'protanopa' is no value of it; it is one of ",
        ),
        (("Network.emulateNetworkConditions", "--connection-type", "cellular5g"), "is one of none, cellular2g"),
        (("Overlay.setInspectMode", "--mode", "serchForNode"), "it is one of searchForNode"),
    ],
)
def test_a_mistake_is_found_before_anything_is_sent(run: Run, words: tuple[str, ...], complaint: str) -> None:
    code, out, err = run("call", NOWHERE, *words)

    assert (code, out, err.count("\n")) == (2, "", 1)
    assert complaint in err


METRICS = (
    "Emulation.setDeviceMetricsOverride",
    *("--width", "800", "--height=600", "--device-scale-factor", "1", "--mobile", "false", "--scale", "0.5"),
    *("--dontSetVisibleSize", "--screenOrientation", '{"type": "portraitPrimary", "angle": 0}'),
)
ALL_AS_JSON = ("--json", '{"url": "http://nowhere/", "referrer": "http://a/"}')
TO_LOCALHOST = ("Page.navigate", "--url", "http://localhost/")


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (
            METRICS,
            emulation.SetDeviceMetricsOverride(
                width=800,
                height=600,
                device_scale_factor=1.0,
                mobile=False,
                scale=0.5,
                dont_set_visible_size=True,
                screen_orientation=emulation.ScreenOrientation(type="portraitPrimary", angle=0),
            ),
        ),
        (
            ("Network.getCookies", "--urls", "http://a/", "http://b/"),
            network.GetCookies(urls=["http://a/", "http://b/"]),
        ),
        ((*TO_LOCALHOST, *ALL_AS_JSON), page.Navigate(url="http://localhost/", referrer="http://a/")),
        ((*ALL_AS_JSON, *TO_LOCALHOST), page.Navigate(url="http://localhost/", referrer="http://a/")),
        (
            ("--timeout", "20", "Runtime.evaluate", "--expression", "1", "--timeout", "500"),
            runtime.Evaluate(expression="1", timeout=500.0),
        ),
    ],
)
def test_parameters_become_what_their_types_say(
    run: Run, mock: ThreadedMockServer, words: tuple[str, ...], command: Command[Any]
) -> None:
    code, _, err = run("call", mock.url, *words)

    assert (code, err) == (0, "")
    assert mock.browser.received(type(command)) == (command,)


def test_a_deadline_ends_the_call(run: Run, mock: ThreadedMockServer) -> None:
    mock.browser.hang(page.Enable)

    code, out, err = run("call", mock.url, "Page.enable", "--timeout", "0.2")

    assert (code, out) == (1, "")
    assert err.startswith("cdp-typed: error: Page.enable: no reply from session ")


def test_browser_domains_go_to_the_browser_and_others_to_the_first_page(run: Run, mock: ThreadedMockServer) -> None:
    code, out, _ = run("call", mock.url, "Browser.getVersion")
    assert (code, json.loads(out)["protocolVersion"]) == (0, "1.3")
    assert mock.browser.received(target.AttachToTarget) == ()
    assert mock.browser.received(browser.GetVersion) == (browser.GetVersion(),)

    first = mock.browser.pages[0].id
    run("call", mock.url, "Page.enable")
    assert [attach.target_id for attach in mock.browser.received(target.AttachToTarget)] == [first]


def test_a_target_is_named_by_the_beginning_of_its_id(run: Run, mock: ThreadedMockServer) -> None:
    second = mock.browser.open_page("http://localhost/")

    run("call", mock.url, "Page.enable", "--target", second.lower())
    run("call", mock.url, "Storage.getCookies", "--target", "browser")
    none = run("call", mock.url, "Page.enable", "--target", "zz")
    several = run("call", mock.url, "Page.enable", "--target", "")

    assert [attach.target_id for attach in mock.browser.received(target.AttachToTarget)] == [second]
    assert none == refused("no target's id begins with 'zz'; see: cdp-typed targets URL")
    assert several == refused("the ids of 2 targets begin with ''; see: cdp-typed targets URL")


def test_without_a_page_it_says_how_to_open_one(run: Run, mock: ThreadedMockServer) -> None:
    run("call", mock.url, "Target.closeTarget", "--target-id", mock.browser.pages[0].id)

    open_one = "call URL Target.createTarget --url about:blank"
    assert run("call", mock.url, "Page.enable") == refused(f"the browser has no page open; open one: {open_one}")


def test_the_address_of_one_page_is_talked_to_directly(run: Run, mock: ThreadedMockServer) -> None:
    address = f"ws://{mock.address}/devtools/page/{mock.browser.pages[0].id}"

    assert run("call", address, "Page.enable").code == 0
    assert mock.browser.received(target.AttachToTarget) == ()


def test_an_inspector_of_node_is_talked_to_directly(run: Run) -> None:
    evaluate = ("Runtime.evaluate", "--expression", "6 * 7")
    with inspector() as node:
        for address in (node.http_url, node.ws_url()):
            code, out, _ = run("call", address, *evaluate)
            assert (code, json.loads(out)["result"]["value"]) == (0, 42)
        assert run("call", node.http_url, *evaluate, "--target", node.ids[0]) == refused(
            "an inspector of Node or Deno has no targets to choose from; leave --target out"
        )
        assert run("call", node.http_url, "Page.enable") == refused(
            "Page.enable: 'Page.enable' wasn't found [-32601]", 1
        )
        called = [method for method in node.calls if method != "Target.getTargetInfo"]
        assert called == ["Runtime.evaluate", "Runtime.evaluate", "Page.enable"]


def test_a_session_that_the_browser_does_not_know_is_1(run: Run, mock: ThreadedMockServer) -> None:
    done = run("call", mock.url, "Page.enable", "--session", "S")

    assert done == refused("Page.enable: Session with given id not found. [-32001]", 1)


def test_a_method_that_the_bindings_do_not_know_is_sent_raw(run: Run, mock: ThreadedMockServer) -> None:
    done = run("call", "--raw", mock.url, "Page.fly", "--json", '{"high": true}', "--timeout", "5")

    assert done == refused("Page.fly: 'Page.fly' wasn't found [-32601]", 1)
    assert [call.params for call in mock.browser.calls if call.method == "Page.fly"] == [{"high": True}]


def test_raw_leaves_the_judgement_to_the_browser(run: Run, mock: ThreadedMockServer) -> None:
    code, _, err = run("call", "--raw", mock.url, "Page.navigate", "--json", '{"url": 1}')

    assert code == 1
    assert "-32602" in err
    assert run("call", "--raw", NOWHERE, "Page.fly", "--high").err.startswith(
        "cdp-typed: error: Page.fly has no parameter '--high' (see "
    )


def test_help_of_a_method_lists_its_parameters_without_a_browser(run: Run) -> None:
    code, out, err = run("call", NOWHERE, "Page.captureScreenshot", "--help")

    assert (code, err) == (0, "")
    for fact in ("Capture page screenshot.", "one of jpeg, png, webp", "--fromSurface", "experimental", "--timeout"):
        assert fact in out
    _, out, _ = run("call", NOWHERE, "Page.navigate", "--help")
    assert out.splitlines()[-1] == "example: cdp-typed call http://127.0.0.1:9222 Page.navigate --url string"
    assert "required" in out


def test_chromium_evaluates(run: Run, chromium: LaunchedBrowser) -> None:
    """Text that no terminal can show survives the whole way."""
    code, out, err = run(
        "call", chromium.ws_url, "Runtime.evaluate", "--expression", "'\\u{1F600} \\u202e \\x1b'", "--return-by-value"
    )

    assert (code, err) == (0, "")
    assert out.isascii()
    result: dict[str, Any] = json.loads(out)["result"]
    assert result == {"type": "string", "value": "\U0001f600 \u202e \x1b"}
