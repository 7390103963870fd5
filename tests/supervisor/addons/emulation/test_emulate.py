"""`browser_emulate` on Chromium, judged by the pages, their server and a second connection."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed import connect_sync
from cdp_typed.helpers import blocking
from cdp_typed.loop_thread import LOOP_THREAD
from cdp_typed.protocol import emulation, target
from supervisor import SupervisorRegistry
from supervisor.driver.driver import Driver
from supervisor.tools import Policy
from tests.supervisor.tools.conftest import Call, Tools, running_in
from tests.support.servers.sites import Response, Sites, iframe

HEAD = '<!doctype html><link rel=icon href=data:,><meta name=viewport content="width=device-width"><title>shop</title>'
POPUP = "<button onclick=\"window.open('/plain')\">Popup</button>"
SEEN = """[navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, /Pixel 7/.test(navigator.userAgent),
    matchMedia('(prefers-color-scheme: dark)').matches, navigator.maxTouchPoints]"""
PHONE = {"device": "Pixel 7", "locale": "de-DE", "time_zone": "Asia/Tokyo", "color_scheme": "dark"}
AS_PHONE = ["de-DE", "Asia/Tokyo", True, True, 5]
PLAIN = ["en-US", "UTC", False, False, 0]


@pytest.fixture
def call(tools: Tools, sites: Sites) -> Call:
    framed = HEAD + POPUP + iframe(sites.remote("/inner"))
    sites.pages |= {"/shop": framed, "/inner": "<p>inner", "/plain": HEAD, "/data": "here"}
    call = tools()
    call("browser_navigate", url=sites.local("/shop"))
    call("browser_wait", until="loaded")
    return call


@pytest.fixture
def on_plain_page(tools: Tools, sites: Sites) -> Tools:
    """The same as `tools`, with a page open."""

    def opened(policy: Policy | None = None, **settings: Any) -> Call:
        sites.pages["/plain"] = HEAD
        call = tools(policy, **settings)
        call("browser_navigate", url=sites.local("/plain"))
        return call

    return opened


def emulate(call: Call, action: str = "set", **settings: Any) -> dict[str, Any]:
    """Emulate something, and return all that is in force then and what the page has."""
    result = call("browser_emulate", action=action, **settings)
    assert result["success"], result
    return call("browser_emulate", action="show")


def seen(call: Call, **arguments: Any) -> Any:
    return call("browser_evaluate", expression=SEEN, **arguments)["value"]


def fetched(call: Call, **arguments: Any) -> str:
    script = "fetch('/data').then(response => response.text(), () => 'failed')"
    return str(call("browser_evaluate", expression=script, **arguments)["value"])


def test_the_result_has_the_values_that_the_page_sees(call: Call) -> None:
    more: dict[str, Any] = {
        "reduced_motion": True,
        "contrast": "more",
        "media": "print",
        "cpu_slowdown": 2,
        "network": "slow-4g",
    }
    result = emulate(call, **PHONE, **more)

    page = result["page"]
    assert [page["width"], page["screen_width"], page["screen_height"], page["scale"]] == [412, 412, 915, 2.625]
    assert [page["locale"], page["languages"], page["time_zone"], page["platform"]] == [
        "de-DE", ["de-DE"], "Asia/Tokyo", "Linux armv81"
    ]  # fmt: skip
    hints = page["client_hints"]
    about = [hints[name] for name in ("platform", "platform_version", "model", "mobile")]
    assert about == ["Android", "14", "Pixel 7", True]
    media = [page[name] for name in ("color_scheme", "reduced_motion", "contrast", "media")]
    assert media == ["dark", True, "more", "print"]
    assert "differs" not in result
    assert result["not_read"] == ["cpu_slowdown", "network"]
    assert result["emulated"]["device"] == "Pixel 7"


def test_what_changed_is_told_and_no_more(call: Call) -> None:
    wider = call("browser_emulate", action="set", width=700, scale=1)["page"]

    assert wider.keys() <= {"width", "height", "screen_width", "screen_height", "scale", "orientation"}
    assert call("browser_emulate", action="set", color_scheme="dark")["page"] == {"color_scheme": "dark"}
    assert "page" not in call("browser_emulate", action="set", color_scheme="dark")
    assert call("browser_emulate", action="reset")["page"]["color_scheme"] == "light"


def test_forced_colours_are_those_of_the_page_and_end(call: Call) -> None:
    forced = "[matchMedia('(forced-colors: active)').matches, matchMedia('(forced-colors: none)').matches]"

    assert emulate(call, forced_colors=True)["page"]["forced_colors"] is True
    assert call("browser_evaluate", expression=forced)["value"] == [True, False]
    (child,) = call("browser_snapshot")["frame_tree"]["children"]
    assert call("browser_evaluate", expression=forced, frame_id=child["frame_id"])["value"] == [True, False]
    assert emulate(call, forced_colors=False)["page"]["forced_colors"] is False
    assert emulate(call, "reset")["page"]["forced_colors"] is False
    assert call("browser_evaluate", expression=forced)["value"] == [False, True]


@pytest.mark.parametrize("sandbox", ["sandbox allow-scripts", "sandbox"])
def test_a_page_in_a_sandbox_gets_no_permission_for_its_address(call: Call, sites: Sites, sandbox: str) -> None:
    sites.pages["/theirs"] = Response("<p>theirs", headers={"Content-Security-Policy": sandbox})
    call("browser_navigate", url=sites.local("/theirs"))

    assert call("browser_emulate", action="set", permissions=["geolocation"])["argument"] == "permissions"


def test_a_permission_is_denied_to_the_page_until_it_is_granted(call: Call) -> None:
    ask = "Notification.permission"
    ask_place = "navigator.geolocation.getCurrentPosition(() => done('here'), error => done(error.code))"
    place = f"new Promise(done => {ask_place})"

    denied = emulate(call, permissions=["-geolocation", "notifications"], geolocation=[52.5, 13.4])
    assert denied["permissions"] == ["-geolocation", "notifications"]
    assert denied["page"]["permissions"] == {"geolocation": "denied", "notifications": "granted"}
    assert call("browser_evaluate", expression=place)["value"] == 1  # PERMISSION_DENIED
    assert call("browser_evaluate", expression=ask)["value"] == "granted"
    emulate(call, permissions=["geolocation"])
    assert call("browser_evaluate", expression=place)["value"] == "here"


def test_workers_have_the_part_that_the_docs_say(call: Call, sites: Sites) -> None:
    script = Response("onmessage = 0", headers={"Content-Type": "text/javascript"})
    start = "<script>var one = new Worker('/one.js'), two = new SharedWorker('/two.js')</script>"
    sites.pages |= {"/workers": HEAD + start, "/one.js": script, "/two.js": script}
    emulate(call, **PHONE)
    call("browser_navigate", url=sites.local("/workers"))
    emulate(call, network="offline")
    read = """fetch('/data').then(response => response.text(), () => 'failed').then(data => [
        Intl.DateTimeFormat().resolvedOptions().timeZone, Intl.NumberFormat().resolvedOptions().locale,
        /Pixel 7/.test(navigator.userAgent), navigator.language, data])"""

    page, dedicated, shared = (
        call("browser_evaluate", expression=read, **where)["value"]
        for where in ({}, {"frame_id": "worker=/one.js"}, {"frame_id": "worker=/two.js"})
    )

    assert page == ["Asia/Tokyo", "de-DE", True, "de-DE", "failed"]
    assert dedicated == ["Asia/Tokyo", "de-DE", True, "en-US", "here"]
    assert shared == ["Asia/Tokyo", "de-DE", False, "en-US", "here"]


def test_navigations_new_tabs_and_frames_of_other_sites_have_it_until_it_is_reset(call: Call, sites: Sites) -> None:
    emulate(call, **PHONE)

    (child,) = call("browser_snapshot")["frame_tree"]["children"]
    assert child["is_oopif"]
    assert seen(call) == seen(call, frame_id=child["frame_id"]) == AS_PHONE
    call("browser_navigate", url=sites.remote("/plain"))
    assert seen(call) == AS_PHONE
    sites.requests.clear()
    call("browser_tabs", action="open", url=sites.local("/shop"))
    call("browser_wait", until="loaded")
    (child,) = call("browser_snapshot")["frame_tree"]["children"]
    assert seen(call) == seen(call, frame_id=child["frame_id"]) == AS_PHONE
    assert fetched(call, frame_id=child["frame_id"]) == "here"
    for path in ("/shop", "/inner", "/data"):
        (sent,) = [request.headers for request in sites.requests if request.path == path]
        headers = {name.lower(): value for name, value in sent.items()}
        assert ("Pixel 7" in headers["user-agent"], headers["accept-language"][:5]) == (True, "de-DE"), path
        assert (headers["sec-ch-ua-platform"], headers["sec-ch-ua-mobile"]) == ('"Android"', "?1")

    assert emulate(call, "reset").get("emulated", {}) == {}
    assert seen(call) == PLAIN


def test_a_popup_has_it_and_keeps_it_when_its_opener_is_closed(call: Call, sites: Sites) -> None:
    emulate(call, **PHONE)
    (opener,) = call("browser_tabs", action="list")["tabs"]

    call("browser_click", ref='button "Popup"')
    popup = next(tab for tab in call("browser_tabs", action="list")["tabs"] if tab["target_id"] != opener["target_id"])
    call("browser_tabs", action="select", target_id=popup["target_id"])
    assert seen(call) == AS_PHONE

    call("browser_tabs", action="close", target_id=opener["target_id"])
    assert seen(call) == AS_PHONE
    assert emulate(call, time_zone="Europe/Berlin")["page"]["time_zone"] == "Europe/Berlin"


def test_a_page_that_crashed_has_it_again(call: Call, sites: Sites) -> None:
    emulate(call, **PHONE)

    call("browser_cdp", method="Page.crash", timeout=1)
    assert call("browser_emulate", action="show")["error_type"] == "TargetCrashed"
    call("browser_navigate", url=sites.local("/plain"))
    assert seen(call) == AS_PHONE


def test_a_slow_or_missing_network_is_that_of_pages_and_frames_and_ends(call: Call) -> None:
    (child,) = call("browser_snapshot")["frame_tree"]["children"]
    assert emulate(call, network="offline")["page"]["online"] is False
    assert [fetched(call), fetched(call, frame_id=child["frame_id"])] == ["failed", "failed"]

    emulate(call, network="slow-3g")
    script = "(async () => { const t = performance.now(); await fetch('/data'); return performance.now() - t })()"
    for frame in ({}, {"frame_id": child["frame_id"]}):
        assert call("browser_evaluate", expression=script, **frame)["value"] > 1000

    emulate(call, "reset")
    assert [fetched(call), fetched(call, frame_id=child["frame_id"])] == ["here", "here"]
    assert call("browser_evaluate", expression=script)["value"] < 1000


def test_a_place_is_read_with_the_permission_alone(call: Call) -> None:
    result = emulate(call, geolocation=[52.5, 13.4])
    assert (result["not_read"], "geolocation" in result["page"]) == (["geolocation"], False)

    result = emulate(call, permissions=["geolocation"])
    assert result["page"]["geolocation"] == [52.5, 13.4, 10]
    assert result["page"]["permissions"] == {"geolocation": "granted"}
    assert "not_read" not in result
    assert emulate(call, geolocation="-33.9,18.4")["page"]["geolocation"][:2] == [-33.9, 18.4]  # as it is typed
    emulate(call, "reset")
    script = "navigator.permissions.query({name: 'geolocation'}).then(found => found.state)"
    assert call("browser_evaluate", expression=script)["value"] == "prompt"


def test_a_device_is_turned_and_fields_replace_its_own(call: Call) -> None:
    emulate(call, device="iPhone 15")
    turned = emulate(call, landscape=True)["page"]
    assert (turned["width"], turned["screen_width"], turned["orientation"]) == (659, 852, "landscape-primary")

    wide = emulate(call, width=1000, height=500, scale=1)["page"]
    assert (wide["width"], wide["height"], wide["screen_width"], wide["scale"]) == (1000, 500, 1000, 1)
    assert wide["platform"] == "iPhone"


WRONG: list[tuple[dict[str, Any], str]] = [
    ({}, "action"),
    ({"device": "iPhone 1"}, "device"),
    ({"time_zone": "Mars/Base", "scale": 2}, "time_zone"),
    ({"time_zone": "+05:30"}, "time_zone"),
    ({"locale": "not a locale"}, "locale"),
    ({"geolocation": [91, 0]}, "geolocation"),
    ({"geolocation": "48.1"}, "geolocation"),
    ({"geolocation": "48.1,here"}, "geolocation"),
    ({"user_agent": ""}, "user_agent"),
    ({"user_agent": " "}, "user_agent"),
    ({"locale": ""}, "locale"),
    ({"time_zone": ""}, "time_zone"),
    ({"device": ""}, "device"),
    ({"permissions": ["flying"]}, "permissions"),
    ({"width": 0}, "width"),
]


def test_what_does_not_exist_is_refused_and_changes_nothing(call: Call) -> None:
    before = emulate(call, "show")

    for arguments, argument in WRONG:
        result = call("browser_emulate", action="set", **arguments)

        assert (result["error_type"], result["argument"]) == ("InvalidArgument", argument), arguments
        assert emulate(call, "show") == before


@pytest.mark.parametrize(
    ("name", "value", "unknown"),
    [("time_zone", "Asia/Tokyo", "Mars/X"), ("time_zone", "Asia/Tokyo", "+05:30"), ("locale", "de-DE", "not a locale")],
)
def test_what_is_unknown_does_not_replace_what_is_in_force(call: Call, name: str, value: str, unknown: str) -> None:
    before = emulate(call, **{name: value})

    result = call("browser_emulate", action="set", **{name: unknown})

    assert (result.get("error_type"), result.get("argument")) == ("InvalidArgument", name)
    assert emulate(call, "show") == before


def test_a_platform_that_another_client_takes_away_is_told(call: Call, endpoint: str) -> None:
    agent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0"
    assert "differs" not in emulate(call, user_agent=agent)

    with connect_sync(endpoint) as other:
        info = next(each for each in other.send(target.GetTargets()).target_infos if each.type == "page")
        session = other.attach(info.target_id)
        session.send(emulation.SetUserAgentOverride(user_agent=agent, platform="Elsewhere"))
        shown = emulate(call, "show")

    assert (shown["page"]["user_agent"], shown["page"]["platform"]) == (agent, "Elsewhere")
    assert shown["differs"] == ["user_agent"]


def test_a_time_zone_of_another_spelling_is_that_of_the_page(call: Call) -> None:
    for name in ("Asia/Kolkata", "europe/berlin", "Etc/UTC"):
        result = emulate(call, time_zone=name)
        assert result["emulated"]["time_zone"] == result["page"]["time_zone"]
        assert "differs" not in result


def test_a_dialog_of_a_frame_from_another_site_holds_up_only_that_frame(call: Call) -> None:
    (child,) = call("browser_snapshot")["frame_tree"]["children"]
    call("browser_evaluate", expression="setTimeout(() => alert('hello'))", frame_id=child["frame_id"])
    call("browser_wait", until="dialog")

    assert emulate(call, **PHONE)["page"]["locale"] == "de-DE"
    call("browser_dialog", action="accept")
    assert seen(call, frame_id=child["frame_id"]) == AS_PHONE


def test_a_policy_that_denies_a_command_refuses_what_needs_it(on_plain_page: Tools) -> None:
    call = on_plain_page(Policy(deny_methods=("Emulation.setGeolocationOverride", "Browser.setPermission")))

    assert call("browser_emulate", action="set", geolocation=[1, 1])["error_type"] == "Refused"
    assert call("browser_emulate", action="set", permissions=["camera"])["error_type"] == "Refused"
    assert emulate(call, scale=2)["page"]["scale"] == 2
    assert "geolocation" not in emulate(call, "show")["emulated"]


def test_url_rules_allow_all_of_it_on_an_allowed_page(on_plain_page: Tools) -> None:
    call = on_plain_page(Policy(deny_origins=("127.0.0.1",)))

    result = emulate(call, **PHONE, permissions=["geolocation"], geolocation=[1, 2], network="offline", cpu_slowdown=2)

    assert "differs" not in result
    assert (result["page"]["geolocation"], result["page"]["online"]) == ([1, 2, 10], False)


def test_an_agent_that_shares_a_browser_sets_only_what_its_own_pages_have(on_plain_page: Tools) -> None:
    call = on_plain_page(scope="own")

    assert call("browser_emulate", action="set", time_zone="Asia/Tokyo")["error_type"] == "Refused"
    assert call("browser_emulate", action="set", permissions=["camera"])["error_type"] == "Refused"
    assert emulate(call, scale=2, color_scheme="dark")["page"]["scale"] == 2


def test_nothing_is_left_when_it_stops(call: Call, endpoint: str, registry: SupervisorRegistry, sites: Sites) -> None:
    with connect_sync(endpoint) as judge:
        infos = judge.send(target.GetTargets()).target_infos
        (info,) = [each for each in infos if each.url == sites.local("/shop")]
        page = judge.attach(info.target_id)
        before = blocking.js(page, "[innerWidth, screen.width, devicePixelRatio]")
        emulate(call, **PHONE, permissions=["geolocation"], network="offline")

        registry.stop_all()

        settled = """new Promise(done => {
            const look = () => [screen.width, innerWidth].includes(412) ? requestAnimationFrame(look) : done(1); look()
        })"""
        blocking.js(page, settled)
        assert blocking.js(page, SEEN) == PLAIN
        assert blocking.js(page, "[innerWidth, screen.width, devicePixelRatio]") == before
        script = "navigator.permissions.query({name: 'geolocation'}).then(found => found.state)"
        assert blocking.js(page, script) == "prompt"
        assert blocking.js(page, "fetch('/data').then(response => response.text())") == "here"


def test_nothing_is_emulated_before_the_tool_is_called(call: Call, registry: SupervisorRegistry) -> None:
    emulate(call, "show")

    running = running_in(registry)

    async def applied(driver: Driver) -> Any:
        return driver.state.world.emulated.applied

    assert LOOP_THREAD.run(running.aio.with_driver(applied)) == {}
