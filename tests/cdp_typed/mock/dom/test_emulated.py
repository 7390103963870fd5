"""Media and sizes that clients emulate, as scripts of the mock see them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cdp_typed.mock.dom.test_small_documents import ask, go
from tests.cdp_typed.mock.raw_client import Client

DARK = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
SMALL = {"width": 50, "height": 60, "deviceScaleFactor": 3, "mobile": False}
IS_DARK, SIZES = "matchMedia('(prefers-color-scheme: dark)').matches", "[innerWidth, innerHeight, devicePixelRatio]"


def test_a_script_sees_what_is_emulated_until_its_session_ends(client: Client, shown: str) -> None:
    assert [ask(client, shown, IS_DARK), ask(client, shown, SIZES)] == [False, [780, 493, 1]]
    client.result("Emulation.setEmulatedMedia", DARK, shown)
    client.result("Emulation.setDeviceMetricsOverride", SMALL, shown)
    assert [ask(client, shown, IS_DARK), ask(client, shown, SIZES)] == [True, [50, 60, 3]]

    client.result("Emulation.clearDeviceMetricsOverride", {}, shown)
    assert [ask(client, shown, IS_DARK), ask(client, shown, SIZES)] == [True, [780, 493, 1]]
    target = client.result("Target.getTargets")["targetInfos"][0]["targetId"]
    client.result("Target.detachFromTarget", {"sessionId": shown})
    assert ask(client, client.attach(target), IS_DARK) is False


@pytest.mark.parametrize(
    ("method", "params", "expression"),
    [
        ("Emulation.setPageScaleFactor", {"pageScaleFactor": 2}, "innerWidth"),
        ("Emulation.setVisibleSize", {"width": 5, "height": 5}, "innerWidth"),
        ("Emulation.setTouchEmulationEnabled", {"enabled": True}, "'ontouchstart' in window"),
        ("Emulation.setDeviceMetricsOverride", {**SMALL, "mobile": True}, "innerWidth"),
        ("Emulation.setDeviceMetricsOverride", {**SMALL, "mobile": True}, "'ontouchstart' in window"),
        ("Emulation.setDeviceMetricsOverride", {**SMALL, "height": 0}, "innerWidth"),
        ("Emulation.setDeviceMetricsOverride", SMALL, "scrollY"),
        ("Emulation.setDeviceMetricsOverride", SMALL, "document.body.offsetHeight"),
        ("Emulation.setDeviceMetricsOverride", SMALL, "screen.orientation.type"),
        (
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "forced-colors", "value": "active"}]},
            "getComputedStyle(document.body).backgroundColor",
        ),
    ],
)
def test_what_is_emulated_and_not_modelled_is_refused(
    client: Client, shown: str, method: str, params: dict[str, Any], expression: str
) -> None:
    assert isinstance(ask(client, shown, expression), int | str)
    client.result(method, params, shown)

    told = ask(client, shown, expression)
    assert isinstance(told, str)
    assert told.startswith(("the ", "what ", "whether "))


def test_touch_that_never_was_emulated_may_be_switched_off(client: Client, shown: str) -> None:
    client.result("Emulation.setTouchEmulationEnabled", {"enabled": False}, shown)
    assert [ask(client, shown, "'ontouchstart' in window"), ask(client, shown, "innerWidth")] == [False, 780]

    for enabled in (True, False):
        client.result("Emulation.setTouchEmulationEnabled", {"enabled": enabled}, shown)
    assert ask(client, shown, "innerWidth").startswith("what a script sees after Emulation.setTouchEmulationEnabled")


def test_two_sessions_that_emulate_and_a_frame_of_another_process_are_refused(
    client: Client, oopif: str, page: str
) -> None:
    client.result("Emulation.setEmulatedMedia", DARK, page)
    assert ask(client, page, IS_DARK) is True
    assert ask(client, oopif, IS_DARK) == "what a script sees after several sessions emulate"

    client.result(
        "Emulation.setEmulatedMedia",
        {},
        client.attach(client.result("Target.getTargets")["targetInfos"][0]["targetId"]),
    )
    assert ask(client, page, IS_DARK) == "what a script sees after several sessions emulate"


def test_a_window_that_opens_with_a_size_does_not_tell_it(client: Client, page: str) -> None:
    target = client.result(
        "Target.createTarget", {"url": "about:blank", "newWindow": True, "width": 300, "height": 200}
    )
    session = client.attach(target["targetId"])
    go(client, session, "/")

    assert ask(client, session, "innerWidth") == "the size of anything but an ordinary tab"
