"""`emulate` on Chromium, judged by the page and by its server; the list of devices."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cdp_typed import CommandError, Session, connect_sync
from cdp_typed.helpers import Emulation, Geolocation, blocking, devices, emulate, goto, js
from cdp_typed.helpers.shared.devices import with_device
from cdp_typed.helpers.shared.emulation import RESETS, client_hints, commands, platform_of
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import browser, emulation
from codegen.lists.devices import TARGET, devices_text
from tests.support.servers.sites import Sites

BROWSER = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36"
)
PAGE = '<!doctype html><link rel=icon href=data:,><meta name=viewport content="width=device-width"><p>hello'
SEEN = """({
    size: [innerWidth, screen.width, devicePixelRatio], touch: navigator.maxTouchPoints,
    locale: Intl.NumberFormat().resolvedOptions().locale, language: navigator.language,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone, platform: navigator.platform,
    dark: matchMedia('(prefers-color-scheme: dark)').matches, print: matchMedia('print').matches,
    still: matchMedia('(prefers-reduced-motion: reduce)').matches, online: navigator.onLine,
    mobile: navigator.userAgentData?.mobile, brands: navigator.userAgentData?.brands?.length,
})"""
ALL = Emulation(
    device="Pixel 7", locale="de-DE", time_zone="Asia/Tokyo", color_scheme="dark", reduced_motion=True, media="print",
    cpu_slowdown=2,
)  # fmt: skip


def as_pixel(**changes: Any) -> dict[str, Any]:
    return {
        "size": [412, 412, 2.625], "touch": 5, "locale": "de-DE", "language": "de-DE", "time_zone": "Asia/Tokyo",
        "platform": "Linux armv81", "dark": True, "print": True, "still": True, "online": True, "mobile": True,
        "brands": 2, **changes,
    }  # fmt: skip


async def test_a_page_and_its_server_see_a_device_until_the_block_ends(tab: Session, sites: Sites) -> None:
    sites.pages["/"] = PAGE
    await goto(tab, sites.local("/"))
    before = await js(tab, SEEN)

    async with emulate(tab, ALL):
        assert await js(tab, SEEN) == as_pixel()
        await goto(tab, sites.remote("/"))  # another process
        seen = await js(tab, SEEN)
        assert seen == as_pixel(mobile=True)
        sent = {name.lower(): value for name, value in sites.requests[-1].headers.items()}
        version = (await tab.send(browser.GetVersion())).product.partition("/")[2].partition(".")[0]
        assert (
            f"(Linux; Android 14; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{version}."
            in sent["user-agent"]
        )
        assert sent["accept-language"].startswith("de-DE")

    await goto(tab, sites.local("/"))
    assert await js(tab, SEEN) == before
    assert "Pixel" not in {name.lower(): value for name, value in sites.requests[-1].headers.items()}["user-agent"]


def test_the_blocking_twin_emulates_a_network_and_a_place(chromium: LaunchedBrowser, sites: Sites) -> None:
    sites.pages["/"] = PAGE
    fetched = "fetch('/').then(response => response.status, () => 'failed')"
    where = "new Promise(done => navigator.geolocation.getCurrentPosition(p => done(p.coords.latitude)))"
    grant = browser.SetPermission(
        permission=browser.PermissionDescriptor(name="geolocation"), setting="granted", origin=sites.local("")
    )
    with connect_sync(chromium.http_url) as connection, connection.new_page() as page:
        blocking.goto(page, sites.local("/"))
        connection.send(grant)
        with blocking.emulate(page, Emulation(network="offline", geolocation=Geolocation(52.5, 13.4))):
            assert blocking.js(page, fetched) == "failed"
            assert blocking.js(page, where) == 52.5
        assert blocking.js(page, fetched) == 200


async def test_what_the_browser_does_not_know_is_refused_and_the_rest_is_reset(tab: Session) -> None:
    with pytest.raises(CommandError, match="Invalid timezone id"):
        async with emulate(tab, Emulation(width=300, height=200, time_zone="Mars/Base")):
            pytest.fail("the time zone does not exist")

    changed = "new Promise(d => { const look = () => innerWidth == 300 ? requestAnimationFrame(look) : d(1); look() })"
    await js(tab, changed)  # the page is resized after the command was answered
    with pytest.raises(ValueError, match="unknown device; did you mean 'iPhone 15'"):
        async with emulate(tab, Emulation(device="iphone15")):
            pytest.fail("the device does not exist")


def test_every_device_has_figures_and_a_user_agent_that_agrees_with_its_client_hints() -> None:
    assert len(devices()) > 100
    for name in devices():
        full = with_device(Emulation(device=name), BROWSER)
        assert None not in (full.width, full.height, full.scale, full.user_agent)
        user_agent = full.user_agent or "{"
        assert "{" not in user_agent
        hints = client_hints(user_agent)
        assert (hints is None) == ("Chrome/" not in user_agent)
        assert {"viewport", "touch", "user_agent"} <= commands(full).keys() <= RESETS.keys()


def test_fields_that_are_given_replace_those_of_the_device_and_a_scale_alone_leaves_the_size() -> None:
    full = with_device(Emulation(device="Pixel 7", width=500, height=300, touch=False), BROWSER)
    (scaled,) = commands(Emulation(scale=2))["viewport"]

    assert (full.width, full.height, full.screen_width, full.touch, full.scale) == (500, 300, None, False, 2.625)
    assert scaled == emulation.SetDeviceMetricsOverride(width=0, height=0, device_scale_factor=2, mobile=False)
    assert commands(Emulation()) == {}


@pytest.mark.parametrize(
    ("landscape", "size", "orientation"),
    [
        (None, (412, 839), "portraitPrimary"),
        (True, (863, 360), "landscapePrimary"),
        (False, (412, 839), "portraitPrimary"),
    ],
)
def test_a_device_is_turned(*, landscape: bool | None, size: tuple[int, int], orientation: str) -> None:
    (command,) = commands(with_device(Emulation(device="Pixel 7", landscape=landscape), BROWSER))["viewport"]

    assert isinstance(command, emulation.SetDeviceMetricsOverride)
    assert (command.width, command.height) == size
    assert isinstance(command.screen_orientation, emulation.ScreenOrientation)
    assert command.screen_orientation.type == orientation


@pytest.mark.parametrize(
    ("user_agent", "platform", "hints"),
    [
        (BROWSER, "Linux x86_64", ("Linux", "", "", False)),
        ("(Linux; Android 14; Pixel 7) Chrome/9 Mobile", "Linux armv81", ("Android", "14", "Pixel 7", True)),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/9.1", "MacIntel", ("macOS", "10.15.7", "", False)),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Safari/604.1", "iPhone", None),
        ("Robot/1", "", None),
    ],
)  # fmt: skip
def test_platform_and_client_hints_follow_from_the_user_agent(
    user_agent: str, platform: str, hints: tuple[str, str, str, bool] | None
) -> None:
    made = client_hints(user_agent)

    assert platform_of(user_agent) == platform
    assert hints == (
        (made.platform, made.platform_version, made.model, made.mobile)
        if isinstance(made, emulation.UserAgentMetadata)
        else None
    )


def test_the_file_is_written_from_the_devices_of_a_package() -> None:
    phone = {
        "userAgent": "X Chrome/159.0.1 Edg/159.0.1", "viewport": {"width": 3, "height": 5}, "isMobile": True,
        "screen": {"width": 4, "height": 6}, "deviceScaleFactor": 2, "hasTouch": True, "defaultBrowserType": "chromium",
    }  # fmt: skip
    turned = {**phone, "viewport": {"width": 5, "height": 3}}

    written = json.loads(devices_text({"A": phone, "A landscape": turned}, "here"))

    assert written == {
        "source": "here",
        "devices": {
            "A": {
                "viewport": [3, 5], "screen": [4, 6], "landscape": [5, 3], "scale": 2, "mobile": True, "touch": True,
                "user_agent": "X Chrome/{chrome} Edg/{chrome}",
            }
        },
    }  # fmt: skip
    assert json.loads(TARGET.read_text(encoding="utf-8")).keys() == written.keys()
