"""Names of classes in flight recordings stay, whatever becomes of the code."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import Struct

import cdp_typed
import supervisor
from cdp_typed import CommandError
from cdp_typed.protocol import page
from supervisor.core.vocabulary import command_tags, inputs, requests, timers
from supervisor.core.vocabulary.errors import CallTimeout
from supervisor.core.vocabulary.url_rules import UrlRules
from supervisor.core.vocabulary.values import DialogRule
from supervisor.journal import decode
from supervisor.recorded_names import class_of, name_of, names

KEPT = (Path(__file__).parents[1] / "data" / "recorded_names.txt").read_text().split()


@pytest.mark.parametrize("name", KEPT)
def test_a_name_that_was_ever_written_is_read(name: str) -> None:
    assert name_of(class_of(name, object)) == name


def test_no_name_is_missing_from_those_that_are_kept() -> None:
    assert sorted(names()) == sorted(KEPT)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (requests.CallRequested, "call_requested"),
        (timers.CallDeadline, "timer.call_deadline"),
        (DialogRule, "value.dialog_rule"),
        (CallTimeout, "error.call_timeout"),
        (CommandError, "error.command_error"),
        (TypeError, "error.type_error"),
        (page.FrameNavigated, "page.FrameNavigated"),
        (page.FrameTree, "page.FrameTree"),
        (page.GetFrameTreeResult, "page.GetFrameTreeResult"),
        (page.Navigate, "page.Navigate"),
    ],
)
def test_a_class_has_one_name(kind: type, name: str) -> None:
    assert (name_of(kind), class_of(name, object)) == (name, kind)


def test_an_error_of_the_client_is_not_read_back_as_one_of_the_supervisor() -> None:
    assert class_of(name_of(cdp_typed.NavigationFailed), object) is cdp_typed.NavigationFailed
    assert class_of("error.navigation_failed", object) is supervisor.NavigationFailed


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (inputs.CommandFailed, "refused"),
        (inputs.CommandSucceeded, "answered"),
        (inputs.ConnectFailed, "dial_failed"),
        (inputs.Connected, "link_up"),
        (inputs.Disconnected, "link_lost"),
        (inputs.UrlRulesAdded, "places_restricted"),
        (command_tags.BridgeRemoved, "tag.bridge_taken_back"),
        (command_tags.BrowserAutoAttach, "tag.auto_attach"),
        (command_tags.BrowserIdentity, "tag.census"),
        (command_tags.ChildAutoAttach, "tag.seed_children"),
        (command_tags.DetachedDialogEnded, "tag.orphan_cleared"),
        (command_tags.DetachedDialogWorld, "tag.orphan_world"),
        (command_tags.FrameTreeReply, "tag.seed_tree"),
        (command_tags.LogEnabled, "tag.seed_console"),
        (command_tags.PageDisabled, "tag.watch_ended"),
        (timers.DetachedDialogRetry, "timer.orphan_retry"),
        (timers.FrameTreeRetry, "timer.seed_retry"),
        (timers.RateLimitReset, "timer.storm_calm"),
        (requests.NavigationRequested, "leave_requested"),
        (command_tags.BlankBeforeClose, "tag.left_before_close"),
        (command_tags.NavigationReply, "tag.leave_reply"),
        (timers.BlankBeforeCloseDeadline, "timer.leave_before_close_deadline"),
        (timers.NavigationDeadline, "timer.leave_deadline"),
        (timers.NavigationRetry, "timer.leave_retry"),
        (timers.SetupDeadline, "timer.seed_deadline"),
        (UrlRules, "value.places"),
    ],
)
def test_a_class_that_was_renamed_keeps_its_name(kind: type, name: str) -> None:
    assert (name_of(kind), class_of(name, object)) == (name, kind)


def test_a_field_that_was_renamed_is_read_under_both_names() -> None:
    for field in ("places", "url_rules"):
        rules = {"$": "value.places", "deny_origins": {"tuple": ["http://a.test"]}}
        recorded = {"$": "places_restricted", field: rules}
        assert decode(recorded) == inputs.UrlRulesAdded(UrlRules(deny_origins=("http://a.test",)))


def test_an_exception_of_somebody_else_is_recorded_as_what_it_is_a_kind_of() -> None:
    class Weird(ConnectionResetError):
        pass

    assert name_of(Weird) == "error.os_error"


@pytest.mark.parametrize(
    ("former", "kind"),
    [
        ("supervisor.core.wishes:CallRequested", requests.CallRequested),
        ("supervisor.core.inputs:LinkUp", inputs.Connected),
        ("supervisor.core.inputs:Refused", inputs.CommandFailed),
        ("supervisor.core.tags:SeedTree", command_tags.FrameTreeReply),
        ("supervisor.core.tags:OrphanWorld", command_tags.DetachedDialogWorld),
        ("supervisor.core.timers:StormCalm", timers.RateLimitReset),
        ("supervisor.core.errors:CallTimeout", CallTimeout),
        ("cdp_typed.errors:CommandError", CommandError),
        ("cdp_typed.protocol._types.page:FrameTree", page.FrameTree),
        ("cdp_typed.protocol._events.page:FrameNavigated", page.FrameNavigated),
        ("cdp_typed.protocol._commands.page:Navigate", page.Navigate),
    ],
)
def test_recordings_from_before_the_names_are_read(former: str, kind: type) -> None:
    assert class_of(former, object) is kind


@pytest.mark.parametrize(
    "name",
    [
        "",
        "no_such_input",
        "page.NoSuchType",
        "page.lazy",
        "nowhere.Thing",
        "os:system",
        "supervisor.core.anchor:Anchor",
        "supervisor.core.inputs:AnchorUp",
        "cdp_typed.protocol._types.nowhere:Thing",
        None,
        7,
    ],
)
def test_a_name_that_is_unknown_is_refused(name: object) -> None:
    with pytest.raises(ValueError, match="is unknown"):
        class_of(name, object)


def test_a_class_of_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'page\.Navigate' is unknown"):
        class_of("page.Navigate", Exception)
    with pytest.raises(ValueError, match=r"'error\.call_timeout' is unknown"):
        class_of("error.call_timeout", Struct)
