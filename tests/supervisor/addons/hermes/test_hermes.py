"""Names and shapes of Hermes Agent's supervisor over ours."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, get_args

import pytest

from supervisor import Config, DialogPolicy, InvalidConfig, SupervisorRegistry
from supervisor.addons import hermes
from supervisor.addons.hermes import CDPSupervisor, HermesRegistry, read_config, register_tools
from supervisor.tools import CATALOGUE, Toolbox
from tests.supervisor.tools.test_integrations_docs import executed
from tests.support.browsers import launched
from tests.support.servers.sites import Sites, iframe
from tests.support.stages.stages import Stage

SHARED_SECTION = {
    "inactivity_timeout": 120,
    "command_timeout": 30,
    "record_sessions": False,
    "headed": False,
    "allow_private_urls": False,
    "engine": "auto",
    "auto_local_for_private_urls": True,
    "allow_unsafe_evaluate": False,
    "restrict_evaluate": False,
    "camofox": {"managed_persistence": False},
    "dialog_policy": "auto_dismiss",
    "dialog_timeout_s": 120,
}
"""The section `browser` of Hermes' settings, without the endpoint."""

Handler: TypeAlias = Callable[..., str]
Check: TypeAlias = Callable[[], bool]


class Registry:
    """What Hermes' registry of tools does with what it is given: asks each gate once, calls `(args, **given)`."""

    def __init__(self) -> None:
        self.tools: dict[str, tuple[str, dict[str, Any], Handler, Check]] = {}

    def register(
        self, name: str, toolset: str, schema: dict[str, Any], handler: Handler, check_fn: Check, **given: Any
    ) -> None:
        assert given == {"description": schema["description"], "override": True}
        self.tools[name] = (toolset, schema, handler, check_fn)

    def offered(self) -> list[str]:
        checks = {check: check() for _, _, _, check in self.tools.values()}
        return [name for name, (_, _, _, check) in self.tools.items() if checks[check]]

    def dispatch(self, name: str, args: dict[str, Any], **given: Any) -> dict[str, Any]:
        payload: dict[str, Any] = json.loads(self.tools[name][2](args, **given))
        return payload


@pytest.fixture
def ours(mock_stage: Stage) -> Iterator[SupervisorRegistry]:
    """A registry of the test's own."""
    registry = SupervisorRegistry()
    yield registry
    registry.stop_all()


def test_dialogs_are_answered_with_plain_data(mock_stage: Stage, ours: SupervisorRegistry) -> None:
    registry = HermesRegistry(ours)
    supervisor = registry.get_or_start("t1", mock_stage.cdp_url, dialog_policy="must_respond", dialog_timeout_s=300.0)

    assert supervisor.respond_to_dialog("accept") == {"ok": False, "error": "no dialog is open"}
    blocked = supervisor.evaluate_runtime("prompt('Your \\u202e name?', 'Ada')")
    shown = supervisor.snapshot().to_dict()
    refused = supervisor.respond_to_dialog("accept", dialog_id="d-7")
    answered = supervisor.respond_to_dialog(action="accept", prompt_text="Bob", dialog_id="d-1", timeout=5.0)
    after = supervisor.snapshot()

    (dialog,) = shown["pending_dialogs"]
    told = {"id": "d-1", "type": "prompt", "message": "Your \\u202e name?", "default_prompt": "Ada"}
    assert told.items() <= dialog.items()
    assert (blocked["ok"], "d-1" in blocked["error"]) == (False, True)
    assert (refused["ok"], "d-7" in refused["error"]) == (False, True)
    assert answered == {"ok": True, "dialog": dialog}
    assert (after.active, after.task_id, after.pending_dialogs) == (True, "t1", ())
    assert [(record["id"], record["closed_by"]) for record in after.to_dict()["recent_dialogs"]] == [("d-1", "agent")]


def test_scripts_are_evaluated_with_plain_data(mock_stage: Stage, ours: SupervisorRegistry) -> None:
    supervisor = HermesRegistry(ours).get_or_start("t1", mock_stage.cdp_url)

    values = {
        "1 + 1": (2, "number"),
        "undefined": (None, "undefined"),
        "null": (None, "object"),
        "[1]": ([1], "object"),
    }
    for expression, (value, kind) in values.items():
        assert supervisor.evaluate_runtime(expression) == {"ok": True, "result": value, "result_type": kind}
    thrown = supervisor.evaluate_runtime("throw new Error('\\u202e no')")
    assert (thrown["ok"], thrown["error"].splitlines()[0]) == (False, "Error: \\u202e no")
    assert supervisor.evaluate_runtime("console.log('hello')")["ok"]
    supervisor.supervisor.wait_for(lambda now: bool(now.console))
    assert [(event.level, event.text) for event in supervisor.snapshot().console_errors] == [("log", "hello")]


def test_the_registry_keeps_one_supervisor_for_a_task_and_an_endpoint(
    mock_stage: Stage, ours: SupervisorRegistry
) -> None:
    registry = HermesRegistry(ours)
    assert registry.get("t1") is None

    first = registry.get_or_start("t1", mock_stage.cdp_url, start_timeout=10.0)
    again = registry.get_or_start("t1", mock_stage.cdp_url, dialog_policy="auto_accept")
    assert again is first is registry.get("t1")
    seen = registry.get("t1")
    assert seen is not None
    assert first.supervisor is again.supervisor is seen.supervisor is ours.get("t1")
    registry.stop("t1")

    assert (registry.get("t1"), first.snapshot().active) == (None, False)


def test_the_constants_are_the_settings_that_config_knows() -> None:
    names = ("MUST_RESPOND", "AUTO_DISMISS", "AUTO_ACCEPT")
    policies = tuple(getattr(hermes, f"DIALOG_POLICY_{name}") for name in names)
    default = Config(cdp_url="http://localhost:9222")

    assert policies == get_args(DialogPolicy)
    # Hermes Agent 0.19 imports it before it attaches a supervisor, and attaches none where it is missing.
    assert vars(hermes)["_VALID_POLICIES"] == frozenset(policies)
    assert default.dialog_policy == hermes.DEFAULT_DIALOG_POLICY
    assert default.dialog_timeout_s == hermes.DEFAULT_DIALOG_TIMEOUT_S


def test_a_supervisor_without_a_registry(mock_stage: Stage) -> None:
    supervisor = CDPSupervisor(
        task_id="t1", cdp_url=mock_stage.cdp_url, dialog_policy="auto_dismiss", dialog_timeout_s=9.0
    )
    before = supervisor.snapshot()
    assert supervisor.respond_to_dialog("accept")["ok"] is False
    assert supervisor.resolve_target_session("T") is None
    supervisor.start(timeout=15.0)
    supervisor.start()
    running = supervisor.snapshot()
    supervisor.stop(timeout=5.0)

    assert (before.active, running.active, supervisor.snapshot().active) == (False, True, False)
    no_frames: dict[str, object] = {"top": None, "children": [], "truncated": False}
    assert before.to_dict() == {"pending_dialogs": [], "frame_tree": no_frames}
    settings = (supervisor.cdp_url, supervisor.dialog_policy, supervisor.dialog_timeout_s)
    assert settings == (mock_stage.cdp_url, "auto_dismiss", 9.0)
    assert mock_stage.cdp_url not in repr(running)
    with pytest.raises(InvalidConfig):
        CDPSupervisor("t1", mock_stage.cdp_url, dialog_policy="ask")  # type: ignore[arg-type]  # what a settings file may say


def test_only_frames_in_a_process_of_their_own_have_a_session(sites: Sites) -> None:
    near = "<!doctype html><iframe name=near src=/near></iframe>"
    sites.pages |= {"/top": near + iframe(sites.remote("/far")), "/near": "near", "/far": "far"}
    registry = HermesRegistry(SupervisorRegistry())
    with launched() as browser:
        supervisor = registry.get_or_start("t1", browser.ws_url)
        supervisor.supervisor.navigate(sites.local("/top"))
        supervisor.supervisor.wait_for(
            lambda now: (
                [frame.is_oopif for frame in now.frame_tree.children] in ([False, True], [True, False])
                and all(frame.url.endswith(("/near", "/far")) for frame in now.frame_tree.children)
            ),
            timeout_s=20,
        )
        seen = supervisor.snapshot()
        near, far = sorted(seen.frame_tree["children"], key=lambda frame: frame["is_oopif"])
        sessions = [supervisor.resolve_target_session(str(frame["frame_id"])) for frame in (far, near)]
        page_session = supervisor.resolve_target_session(str(seen.page_target_id))
        registry.stop_all()

    top = seen.frame_tree["top"]
    assert set(top) == {"frame_id", "url", "origin", "is_oopif"}
    assert set(near) == {*top, "parent_frame_id", "name"}
    assert set(far) == {*near, "session_id"}
    assert sessions == [far["session_id"], None]
    assert (seen.page_target_id, bool(page_session)) == (top["frame_id"], True)
    assert seen.to_dict()["frame_tree"] == seen.frame_tree


def test_the_raw_commands_of_hermes_reach_a_frame_that_its_snapshot_has_no_room_for(sites: Sites) -> None:
    near = "<iframe src=/near></iframe>"
    sites.pages |= {"/top": near + iframe(sites.remote("/far")), "/near": "near", "/far": "<title>Far</title>"}
    registry = HermesRegistry(SupervisorRegistry())
    with launched() as browser:
        running = registry.get_or_start("t1", browser.ws_url, frame_tree_limit=1)
        supervisor: Any = running  # Hermes reads what is private here
        ours = running.supervisor
        ours.navigate(sites.local("/top"))
        ours.wait_for(lambda _: any(frame.is_oopif for frame in ours.frames()), timeout_s=20)
        # As its `browser_cdp` does.
        with supervisor._state_lock:
            frames = [frame.to_dict() for frame in supervisor._frames.values()]
        (far,) = (frame for frame in frames if frame["is_oopif"])
        loop = supervisor._loop
        assert loop is not None
        asking = supervisor._cdp("Runtime.evaluate", {"expression": "document.title"}, session_id=far["session_id"])
        answer = asyncio.run_coroutine_threadsafe(asking, loop).result(20)
        registry.stop_all()

    assert answer["result"]["result"]["value"] == "Far"
    assert (len(frames), supervisor._loop) == (3, None)


def test_settings_come_from_a_shared_section_and_the_environment() -> None:
    file = {"browser": {**SHARED_SECTION, "cdp_url": "ws://127.0.0.1:9222"}, "model": "any"}

    assert read_config({"browser": SHARED_SECTION}, {}) is None
    assert read_config({"browser": {**SHARED_SECTION, "cdp_url": ""}}, {"BROWSER_CDP_URL": " "}) is None
    assert read_config(None, {"BROWSER_CDP_URL": "ws://127.0.0.1:9"}) == Config(cdp_url="ws://127.0.0.1:9")
    assert read_config(file, {}) == Config(
        cdp_url="ws://127.0.0.1:9222", dialog_policy="auto_dismiss", dialog_timeout_s=120
    )
    config = read_config(file, {"BROWSER_CDP_URL": "ws://127.0.0.1:9"})
    assert config is not None
    assert config.cdp_url == "ws://127.0.0.1:9"
    with pytest.raises(InvalidConfig, match=r"browser\.dialog_polcy"):
        read_config({"browser": {"dialog_polcy": "auto_dismiss", "cdp_url": "ws://127.0.0.1:9"}}, {})


def test_our_tools_in_their_registry_come_and_go_with_the_endpoint(mock_stage: Stage, ours: SupervisorRegistry) -> None:
    environment: dict[str, str] = {}
    host = Registry()
    toolbox = Toolbox(lambda: read_config(None, environment), toolsets="browser-full", registry=ours)

    names = register_tools(host, toolbox)
    without = host.offered()
    environment["BROWSER_CDP_URL"] = mock_stage.cdp_url
    offered = host.offered()
    called = host.dispatch("browser_tabs", {}, task_id="t7", session_id="s")
    host.dispatch("browser_tabs", {}, task_id=None)

    assert without == []
    assert set(names) == set(offered)
    assert host.tools["browser_dialog"][0] == host.tools["browser_cdp"][0] == "browser-cdp"
    assert host.tools["browser_dialog"][3] is host.tools["browser_cdp"][3]
    assert host.tools["browser_snapshot"][0] == "browser"
    assert host.tools["browser_dialog"][1]["parameters"]["required"] == ["action"]
    assert called["success"] is True
    assert ours.get("t7") is not None
    assert ours.get("default") is not None


def test_the_example_for_hermes_registers_the_tools() -> None:
    """The one of docs/integrations.md."""
    (module,) = executed("Hermes")
    host = Registry()

    with module["add_browser"](host, {"browser": {"engine": "auto"}}):
        assert set(host.tools) == {tool.name for tool in CATALOGUE if tool.toolset == "browser"}
