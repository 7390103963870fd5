"""The device and the surroundings of managed pages, in the core: which session gets which command, and when."""

from __future__ import annotations

from typing import Any

from cdp_typed import CommandError
from cdp_typed.helpers.shared.emulation import Emulation
from cdp_typed.protocol import browser, emulation, network
from supervisor.core.vocabulary import inputs
from supervisor.core.vocabulary.command_tags import EmulationSent
from supervisor.core.vocabulary.effects import CommandResult, CompleteCall, Effect, Send
from supervisor.core.vocabulary.requests import EmulationRequested
from tests.support.core.play import BROWSER, OOPIF, PAGE, Core, attached, detached, with_oopif, with_page

SCALED = emulation.SetDeviceMetricsOverride(width=0, height=0, device_scale_factor=2, mobile=False)
TOKYO = emulation.SetTimezoneOverride(timezone_id="Asia/Tokyo")
CAMERA = browser.SetPermission(
    permission=browser.PermissionDescriptor(name="camera"), setting="granted", origin="http://a.test"
)


def ask(core: Core, *permissions: browser.SetPermission, **wanted: Any) -> list[Effect]:
    return core.play(EmulationRequested(call_id="c-1", emulation=Emulation(**wanted), permissions=permissions))


def sent(effects: list[Effect]) -> list[tuple[str | None, object]]:
    """The commands of emulation, each with its session."""
    return [
        (each.session_id, each.command)
        for each in effects
        if isinstance(each, Send) and isinstance(each.tag, EmulationSent)
    ]


def test_a_page_has_all_of_it_and_an_iframe_what_is_not_the_pages() -> None:
    effects = ask(with_oopif(), scale=2, time_zone="Asia/Tokyo")

    assert sorted(sent(effects), key=str) == sorted([(PAGE, SCALED), (PAGE, TOKYO), (OOPIF, TOKYO)], key=str)
    assert effects[-1] == CompleteCall("c-1", CommandResult(None))


def test_a_new_page_has_it_before_it_runs() -> None:
    core = with_page()
    ask(core, time_zone="Asia/Tokyo")

    effects = core.play(attached("session-2", "frame-2", opener="frame-top", waiting=True))

    commands = [each.command.METHOD for each in effects if isinstance(each, Send) and each.session_id == "session-2"]
    assert commands.index("Emulation.setTimezoneOverride") < commands.index("Runtime.runIfWaitingForDebugger")


def test_only_what_changed_is_sent_and_what_is_gone_is_reset() -> None:
    core = with_page()
    ask(core, scale=2, time_zone="Asia/Tokyo")

    assert sent(ask(core, scale=2, time_zone="Asia/Tokyo")) == []
    assert sent(ask(core, time_zone="Asia/Tokyo")) == [(PAGE, emulation.ClearDeviceMetricsOverride())]
    assert sent(ask(core)) == [(PAGE, emulation.SetTimezoneOverride(timezone_id=""))]
    assert sent(ask(core)) == []


def test_a_reconnected_browser_gets_all_of_it_again() -> None:
    core = with_page()
    ask(core, CAMERA, time_zone="Asia/Tokyo")
    core.play(inputs.Disconnected("gone"))

    effects = core.play(inputs.Connected(BROWSER), attached("session-2", "frame-top", url="http://a.test/"))

    assert sent(effects) == [(None, CAMERA), ("session-2", TOKYO)]


def test_the_end_of_a_session_has_the_time_zone_sent_again_to_those_that_may_share_its_process() -> None:
    core = with_page().after(attached("session-2", "frame-2", opener="frame-top"))
    ask(core, scale=2, time_zone="Asia/Tokyo")

    assert sent(core.play(detached("session-2"))) == [(PAGE, TOKYO)]


def test_a_refusal_is_kept_until_the_setting_is_sent_again_or_ended() -> None:
    core = with_page()
    ask(core, time_zone="Mars/Base")
    refusal = CommandError(-32000, "Invalid timezone id", method="Emulation.setTimezoneOverride", session=PAGE)
    refused = inputs.CommandFailed(EmulationSent(PAGE, "time_zone"), refusal)

    core.play(refused)
    assert core.state.world.emulated.refused == {(PAGE, "time_zone"): "Invalid timezone id"}
    ask(core)
    core.play(refused)
    assert core.state.world.emulated.refused == {}


def test_permissions_go_to_the_browser_and_are_reset_with_the_others_of_its_context() -> None:
    core = with_page()

    assert sent(ask(core, CAMERA)) == [(None, CAMERA)]
    assert sent(ask(core)) == [(None, browser.ResetPermissions())]


def test_a_network_is_enabled_for_it_and_disabled_after_it() -> None:
    core = with_page()

    first, _ = sent(ask(core, network="offline"))
    _, last = sent(ask(core))
    assert (first, last) == ((PAGE, network.Enable()), (PAGE, network.Disable()))


def test_nothing_is_sent_while_there_is_no_connection() -> None:
    assert sent(ask(with_page().after(inputs.Disconnected("gone")), time_zone="Asia/Tokyo")) == []
