"""The settings of a supervisor, wherever they come from: bad ones are refused by name."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import asdict

from cdp_typed.wire.json_text import is_array, is_object
from supervisor import (
    AsyncSupervisor,
    CDPSupervisor,
    Config,
    DialogRule,
    InvalidConfig,
    Settings,
    SupervisorRegistry,
    UrlRules,
)
from supervisor.core.vocabulary import inputs
from supervisor.tools import Policy
from tests.support.core.play import TOP, attach_frame, closed, opening, with_oopif, with_page
from tests.support.secrets import CANARY

URL = "http://127.0.0.1:9222"
DEFAULTS: dict[str, Any] = {"cdp_url": URL}


@pytest.mark.parametrize(
    ("settings", "given", "allowed"),
    [
        ({"cdp_url": 7}, "cdp_url=7", "a text, or a callable that returns one or a shared browser"),
        ({"dialog_policy": "x"}, "dialog_policy='x'", "one of must_respond, auto_dismiss, auto_accept"),
        ({"dialog_timeout_s": 0}, "dialog_timeout_s=0", "a positive number of seconds"),
        ({"dialog_timeout_s": True}, "dialog_timeout_s=True", "a positive number of seconds"),
        ({"call_timeout_s": float("inf")}, "call_timeout_s=inf", "a positive number of seconds"),
        ({"call_timeout_s": "5"}, "call_timeout_s='5'", "a positive number of seconds"),
        ({"ping_interval_s": 0}, "ping_interval_s=0", "a positive number of seconds or nothing"),
        ({"headers": {"A": 1}}, "headers='a dict'", "names with texts"),
        ({"scope": "tab"}, "target_id=None", "a target id with the scope tab, nothing with others"),
        ({"target_id": "T"}, "target_id='T'", "a target id with the scope tab, nothing with others"),
        ({"proxy": 3}, "proxy='a int'", "a text or nothing"),
        ({"dialog_storm_limit": 0}, "dialog_storm_limit=0", "a whole number from 1"),
    ],
)
def test_a_setting_that_is_not_allowed_says_what_is(settings: dict[str, Any], given: str, allowed: str) -> None:
    with pytest.raises(InvalidConfig) as caught:
        Config(**{**DEFAULTS, **settings})

    assert str(caught.value) == f"{given} is not allowed; expected {allowed}"


@pytest.mark.parametrize(
    ("mapping", "given", "allowed"),
    [
        ({}, "browser=[]", "a section 'browser' with settings"),
        ({"browsr": {"cdp_url": URL}}, "browser=['browsr']", "a section 'browser' with settings"),
        ({"browser": {"dialog_policy": "must_respond"}}, "browser.cdp_url=None", "the address of a browser"),
        (
            {"browser": {"cdp_url": URL, "dialog_polcy": 1}},
            "browser.dialog_polcy=1",
            "a known setting; did you mean 'browser.dialog_policy'?",
        ),
        (
            {"browser.cdp_url": URL, "browser.dialog_timeout_s": "soon"},
            "browser.dialog_timeout_s='soon'",
            "a positive number of seconds",
        ),
        ({"browser": {"cdp_url": URL, "headers": [CANARY]}}, "browser.headers='a list'", "names with texts"),
        (
            {"browser": {"cdp_url": URL, "dialog_policy": "auto_accept"}, "browser.dialog_policy": "must_respond"},
            "browser.dialog_policy='(given twice)'",
            "one value",
        ),
        (
            {"browser": {"cdp_url": URL, "dialog_rules": [{"action": "accept", "orgin": "https://a.test"}]}},
            "browser.dialog_rules=[{'action': 'accept', 'orgin': 'https://a.test'}]",
            "a value as the documentation describes it (Object contains unknown field `orgin` - at `$[0]`)",
        ),
    ],
)
def test_a_mapping_with_a_mistake_is_refused_by_its_key(mapping: Mapping[str, Any], given: str, allowed: str) -> None:
    with pytest.raises(InvalidConfig) as caught:
        Config.from_mapping(mapping)

    assert str(caught.value) == f"{given} is not allowed; expected {allowed}"


def test_an_unknown_variable_that_resembles_none_lists_them_all() -> None:
    with pytest.raises(InvalidConfig, match=r"CDP_SUPERVISOR_CALL_TIMEOUT_S, .*CDP_SUPERVISOR_WATCH_REQUESTS$"):
        Config.from_environment({"CDP_SUPERVISOR_CDP_URL": URL, "CDP_SUPERVISOR_ZZZ": "1"})


def test_a_section_may_hold_keys_of_a_host_program() -> None:
    shared = {"browser": {"cdp_url": URL, "headless": True, "engine": "chromium", "inactivity_timeout": 120}}

    assert Config.from_mapping(shared) == Config(cdp_url=URL)


@pytest.mark.parametrize("make", [Config, AsyncSupervisor, CDPSupervisor, partial(SupervisorRegistry().obtain, "task")])
def test_a_keyword_that_is_no_setting_says_which_one_is_meant(make: Callable[..., object]) -> None:
    with pytest.raises(InvalidConfig) as caught:
        make(URL, dialog_polcy="auto_dismiss")
    with pytest.raises(InvalidConfig, match=r"headrs='a dict' is not allowed; expected .*; did you mean 'headers'\?$"):
        make(URL, headrs={"X": CANARY})

    assert str(caught.value) == (
        "dialog_polcy='auto_dismiss' is not allowed; expected a known setting; did you mean 'dialog_policy'?"
    )


@pytest.mark.parametrize(
    ("kind", "misspelt", "meant"),
    [(Policy, "deny_origin", "deny_origins"), (UrlRules, "alow_origins", "allow_origins")],
)
def test_other_settings_say_which_one_is_meant(kind: Callable[..., object], misspelt: str, meant: str) -> None:
    with pytest.raises(InvalidConfig, match=rf"^{misspelt}=1 is not .* did you mean '{meant}'\?$"):
        kind(**{misspelt: 1})


def test_a_mapping_may_be_nested_or_dotted_and_hold_what_is_not_ours() -> None:
    wanted = Config(cdp_url=URL, dialog_policy="auto_dismiss", dialog_timeout_s=5)

    nested = {"model": "m", "browser": {"cdp_url": URL, "dialog_policy": "auto_dismiss", "dialog_timeout_s": 5}}
    dotted = {"browser.cdp_url": URL, "browser.dialog_policy": "auto_dismiss", "browser.dialog_timeout_s": 5}

    assert Config.from_mapping(nested) == Config.from_mapping(dotted) == wanted


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("agent.toml", '[browser]\ncdp_url = "http://127.0.0.1:9222"\ndialog_timeout_s = 5\n'),
        ("agent.yaml", "browser:\n  cdp_url: http://127.0.0.1:9222\n  dialog_timeout_s: 5\n"),
        ("AGENT.YML", "browser: {cdp_url: 'http://127.0.0.1:9222', dialog_timeout_s: 5}\n"),
    ],
)
def test_a_file_is_read_by_its_name(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)

    assert Config.from_file(tmp_path / name) == Config(cdp_url=URL, dialog_timeout_s=5)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("agent.ini", "", "expected a name that ends in .toml, .yaml or .yml"),
        ("agent.toml", "= broken", "expected a readable toml file"),
        ("agent.yaml", "browser: [", "expected a readable yaml file"),
        ("agent.yaml", "- a list", "expected sections with settings"),
        ("agent.toml", None, "No such file"),
        ("agent.yaml", "browser: {dialog_policy: auto_accept, dialog_policy: must_respond}", "a name is given twice"),
        ("agent.yaml", "browser: " + "[" * 5000, "expected a readable yaml file"),
        ("agent.toml", "a = " + "[" * 5000, "expected a readable toml file"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(tmp_path: Path, name: str, text: str | None, message: str) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)

    with pytest.raises(InvalidConfig, match=message):
        Config.from_file(tmp_path / name)


def test_the_environment_is_read_by_prefix() -> None:
    environment = {
        "PATH": "/bin",
        "CDP_SUPERVISOR_CDP_URL": URL,
        "CDP_SUPERVISOR_DIALOG_TIMEOUT_S": "12.5",
        "CDP_SUPERVISOR_DIALOG_POLICY": "auto_dismiss",
        "CDP_SUPERVISOR_HEADERS": f'{{"X-Token": "{CANARY}"}}',
    }

    config = Config.from_environment(environment)

    assert config == Config(
        cdp_url=URL, dialog_timeout_s=12.5, dialog_policy="auto_dismiss", headers={"X-Token": CANARY}
    )


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({}, "CDP_SUPERVISOR_CDP_URL=None is not allowed"),
        ({"CDP_SUPERVISOR_CDP_ULR": URL}, r"CDP_SUPERVISOR_CDP_ULR=.*did you mean 'CDP_SUPERVISOR_CDP_URL'\?"),
        ({"CDP_SUPERVISOR_CDP_URL": URL, "CDP_SUPERVISOR_CALL_TIMEOUT_S": "soon"}, "CALL_TIMEOUT_S='soon'"),
        ({"CDP_SUPERVISOR_CDP_URL": URL, "CDP_SUPERVISOR_HEADERS": "{"}, "CDP_SUPERVISOR_HEADERS='a str'"),
        ({"CDP_SUPERVISOR_CDP_URL": URL, "CDP_SUPERVISOR_cdp_url": "ws://b"}, r"CDP_URL='\(given twice\)'"),
        ({"CDP_SUPERVISOR_CDP_URL": URL, "CDP_SUPERVISOR_HEADERS": '{"a": "b", "a": "c"}'}, "expected names with"),
    ],
)
def test_an_environment_with_a_mistake_is_refused_by_its_name(environment: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidConfig, match=message):
        Config.from_environment(environment)


TEXT = st.text(
    st.sampled_from("[]{}\"'\\:#,-!&*%@`~ \n\t09nNyo") | st.characters(codec="utf-8", exclude_characters="\0"),
    max_size=8,
)
RULE = st.fixed_dictionaries(
    {"action": st.sampled_from(["accept", "dismiss", "must_respond", "acept"])},
    optional={
        "prompt_text": TEXT,
        "type": st.sampled_from(["alert", "confirm", "prompt", "promt"]),
        "message": TEXT,
        "origin": st.sampled_from(["https://a.test", "https://a.test:443", "null", "a.test"]),
        "count": st.integers(0, 3),
        "expires_s": st.floats(0.1) | st.floats(),
    },
)
WRITTEN = st.fixed_dictionaries(
    {"cdp_url": TEXT},
    optional={
        "record_to": TEXT,
        "headers": st.dictionaries(TEXT, TEXT, max_size=2),
        "dialog_policy": st.sampled_from(["must_respond", "auto_accept", "auto accept"]),
        "dialog_timeout_s": st.floats(0.1) | TEXT,
        "own_context": st.booleans() | st.sampled_from(["true", "no", 1]),
        "console_capacity": st.integers(0, 10_001) | TEXT,
        "dialog_rules": st.lists(RULE, max_size=2),
    },
)


def in_toml(value: object) -> str:
    """A value of a TOML file, in which nothing is left to the writer."""
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(character):08X}" for character in value) + '"'
    if is_array(value):
        return f"[{', '.join(map(in_toml, value))}]"
    if is_object(value):
        return "{" + ", ".join(f"{in_toml(name)} = {in_toml(member)}" for name, member in value.items()) + "}"
    return str(value).lower() if isinstance(value, bool) else repr(value)


def read_all(settings: dict[str, Any], folder: Path) -> Iterator[Callable[[], Config]]:
    """The ways to read what a person wrote."""
    yield partial(Config.from_mapping, {"browser": settings})
    yield partial(Config.from_mapping, {f"browser.{name}": value for name, value in settings.items()})
    (folder / "agent.yaml").write_text(yaml.safe_dump({"browser": settings}), "utf-8")
    yield partial(Config.from_file, folder / "agent.yaml")
    if "null" not in (text := json.dumps(settings)):  # TOML has no word for nothing
        (folder / "agent.toml").write_text(f"browser = {in_toml(settings)}", "utf-8")
        yield partial(Config.from_file, folder / "agent.toml")
    if "NaN" not in text:
        texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in settings.items()}
        names = {f"CDP_SUPERVISOR_{name.upper()}": value for name, value in texts.items()}
        yield partial(Config.from_environment, names)


def means(read: Any, written: Any) -> bool:
    """Whether a setting is what was written, or in the environment what JSON reads there."""
    if isinstance(read, DialogRule):
        read = {name: value for name, value in asdict(read).items() if value is not None}
    if is_array(written):
        assert not isinstance(read, str)
        return len(read) == len(written) and all(map(means, read, written))
    if is_object(written):
        there = {name: value for name, value in written.items() if value is not None}
        return is_object(read) and read.keys() == there.keys() and all(means(read[name], there[name]) for name in there)
    if isinstance(written, str) and not isinstance(read, str):
        return bool(json.loads(written.lower()) == read)
    return bool(read == written)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(WRITTEN)
@example({"cdp_url": "ws://a", "record_to": "[1].jsonl"})
@example({"cdp_url": "ws://a", "dialog_rules": [{"action": "accept", "expires_s": math.inf}]})
def test_a_setting_is_what_was_written_or_refused_in_one_line(tmp_path: Path, written: dict[str, Any]) -> None:
    for read in read_all(written, tmp_path):
        refusal, config = "", None
        try:
            config = read()
        except InvalidConfig as refused:
            refusal = str(refused)
        assert "\n" not in refusal
        assert config is None or all(means(getattr(config, name), value) for name, value in written.items())


def test_no_secret_is_shown() -> None:
    config = Config(
        cdp_url=f"wss://u:{CANARY}@host:1/a?token={CANARY}", headers={"X": CANARY}, proxy=f"http://{CANARY}@p:1"
    )

    assert CANARY not in f"{config!r} {config}"
    assert repr(Config(cdp_url=lambda: URL)) == "<Config a callable>"


def test_the_keyword_arguments_are_those_of_the_settings() -> None:
    assert set(Settings.__annotations__) == set(Config.__struct_fields__) - {"cdp_url"}


def test_the_number_of_recent_dialogs_is_a_setting() -> None:
    config = Config.from_environment({"CDP_SUPERVISOR_CDP_URL": "localhost:1", "CDP_SUPERVISOR_RECENT_DIALOGS": "2"})
    core = with_page().having(dialogs={"capacity": config.beginning().world.dialogs.capacity})

    core.play(*[opening(), closed()] * 3)

    assert [record.id for record in core.seen.recent_dialogs] == ["d-2", "d-3"]


@pytest.mark.parametrize(
    "setting",
    [{"recent_dialogs": 0}, {"frame_tree_limit": 0}, {"frame_tree_limit": 10_001}, {"frame_tree_oopif_depth": -1}],
)
def test_a_limit_of_the_snapshot_that_shows_nothing_or_everything_is_refused(setting: dict[str, int]) -> None:
    (name,) = setting

    with pytest.raises(InvalidConfig, match=name):
        Config.from_mapping({"browser": {"cdp_url": URL, **setting}})


def test_the_number_and_depth_of_shown_frames_are_settings_that_last_when_the_connection_is_lost() -> None:
    limits = {"CDP_SUPERVISOR_FRAME_TREE_LIMIT": "3", "CDP_SUPERVISOR_FRAME_TREE_OOPIF_DEPTH": "0"}
    config = Config.from_environment({"CDP_SUPERVISOR_CDP_URL": URL, **limits})
    core = with_oopif().having(frames={"limits": config.beginning().world.frames.limits})
    core.play(*(attach_frame(f"f-{number}", TOP) for number in range(5)))

    for _ in range(2):
        assert [frame.frame_id for frame in core.seen.frame_tree.children] == ["f-0", "f-1", "f-2"]
        assert (core.seen.frame_tree.truncated, core.seen.frame_tree.total) == (True, 7)
        core.play(inputs.Disconnected("gone"))


@pytest.mark.parametrize("proxy", ["http://user:secret@a.test:1", "a.test:1", "ftp://a.test:1", "http://a.test"])
def test_a_proxy_that_chromium_does_not_take_is_refused_and_not_shown(proxy: str) -> None:
    with pytest.raises(InvalidConfig) as refused:
        Config(cdp_url=URL, own_context=True, context_proxy=proxy)

    assert "secret" not in str(refused.value)


def test_a_proxy_needs_a_context_of_its_own() -> None:
    with pytest.raises(InvalidConfig, match="own_context"):
        Config(cdp_url=URL, context_proxy="http://a.test:1")
