"""The names of Hermes Agent's supervisor over ours: its class, its registry, its settings, its registry of tools.

    from supervisor.addons.hermes import SUPERVISOR_REGISTRY, register_tools

`SUPERVISOR_REGISTRY` here and `supervisor.SUPERVISOR_REGISTRY` hold the same supervisors, so that our tools and code
written for Hermes' work on one connection.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol, Self, Unpack, get_args

from cdp_typed.errors import CDPError
from cdp_typed.loop_thread import LOOP_THREAD
from supervisor.config import SECTION, Config, Settings
from supervisor.core.vocabulary.errors import EvaluationFailed, NotRunning
from supervisor.core.vocabulary.values import DialogAction, DialogPolicy, PendingDialog
from supervisor.facade import CDPSupervisor as OurSupervisor
from supervisor.registry import SUPERVISOR_REGISTRY as OUR_REGISTRY
from supervisor.registry import SupervisorRegistry
from supervisor.tools import Toolbox, shown
from supervisor.tools.browser.cdp import build

from .hermes_values import HermesFrame, HermesSnapshot, dialog_of, snapshot_of

__all__ = [
    "DEFAULT_DIALOG_POLICY",
    "DEFAULT_DIALOG_TIMEOUT_S",
    "DIALOG_POLICY_AUTO_ACCEPT",
    "DIALOG_POLICY_AUTO_DISMISS",
    "DIALOG_POLICY_MUST_RESPOND",
    "ENDPOINT",
    "SUPERVISOR_REGISTRY",
    "CDPSupervisor",
    "HermesRegistry",
    "HermesSnapshot",
    "HermesSupervisor",
    "ToolRegistry",
    "read_config",
    "register_tools",
]

ENDPOINT = "BROWSER_CDP_URL"
"""The environment variable with the endpoint; it goes before `cdp_url` of the section `browser`."""

DIALOG_POLICY_MUST_RESPOND: DialogPolicy = "must_respond"
DIALOG_POLICY_AUTO_DISMISS: DialogPolicy = "auto_dismiss"
DIALOG_POLICY_AUTO_ACCEPT: DialogPolicy = "auto_accept"
_VALID_POLICIES = frozenset(get_args(DialogPolicy))  # Hermes' own tools import it
DEFAULT_DIALOG_POLICY: DialogPolicy = DIALOG_POLICY_MUST_RESPOND
DEFAULT_DIALOG_TIMEOUT_S = 300.0

TASK = "default"

_TYPES = frozenset({"string", "number", "boolean", "bigint", "symbol", "function", "undefined"})
"""The types of JavaScript that are not `object`."""

_TOOLSETS = {"browser_dialog": "browser-cdp"}
"""The toolsets of Hermes where they are not ours: dialogs are offered together with raw commands."""


class HermesSupervisor:
    """Hermes' `CDPSupervisor`. `supervisor` is ours, which knows more.

    The settings are those of `Config`, `dialog_policy` and `dialog_timeout_s` among them. Raises `InvalidConfig`.
    """

    def __init__(
        self,
        task_id: str,
        cdp_url: str,
        **settings: Unpack[Settings],
    ) -> None:
        self.task_id = task_id
        self.supervisor: OurSupervisor = OurSupervisor(cdp_url, **settings)

    @classmethod
    def over(cls, task_id: str, supervisor: OurSupervisor) -> Self:
        """Hermes' view of a supervisor that is there."""
        view = cls.__new__(cls)
        view.task_id, view.supervisor = task_id, supervisor
        return view

    @property
    def cdp_url(self) -> str:
        """The endpoint; empty where a callable gives it."""
        url = self.supervisor.config.cdp_url
        return url if isinstance(url, str) else ""

    @property
    def dialog_policy(self) -> str:
        """`must_respond`, `auto_dismiss` or `auto_accept`."""
        return self.supervisor.config.dialog_policy

    @property
    def dialog_timeout_s(self) -> float:
        """The seconds after which the watchdog dismisses a dialog."""
        return self.supervisor.config.dialog_timeout_s

    def start(self, timeout: float = 15.0) -> None:
        """Connect, and return when every page that exists is known. Raises what `CDPSupervisor.start` raises."""
        self.supervisor.start(timeout)

    def stop(self, timeout: float = 5.0) -> None:
        """Disconnect. It ends by itself in less than `timeout` seconds, which is here for callers that give it."""
        self.supervisor.stop()

    def snapshot(self) -> HermesSnapshot:
        """The present state, empty before the start. Any thread may call this, and it does not wait."""
        try:
            now = self.supervisor.snapshot()
        except NotRunning:
            now = None
        return snapshot_of(now, self.task_id, self.cdp_url, self.supervisor.is_running)

    def resolve_target_session(self, target_id: str) -> str | None:
        """The id of the session of a page, or of a frame in its own process; None for another."""
        try:
            pages, frames = self.supervisor.snapshot().pages, self.supervisor.frames()
        except NotRunning:
            return None
        sessions = {frame.frame_id: frame.session_id for frame in frames if frame.is_oopif}
        return {**sessions, **{page.target_id: page.session_id for page in pages}}.get(target_id)

    def respond_to_dialog(
        self,
        action: DialogAction,
        *,
        prompt_text: str | None = None,
        dialog_id: str | None = None,
        timeout: float = 10.0,
    ) -> dict[str, Any]:
        """Accept or dismiss a dialog: `{"ok": True, "dialog": {...}}` when the browser has confirmed it for this very
        dialog, `{"ok": False, "error": "..."}` otherwise.

        Unlike there, accepting a prompt without a text sends the page's default. An answer has its own deadline;
        `timeout` is here for callers that give it.
        """
        try:
            pending = {dialog.id: dialog for dialog in self.supervisor.snapshot().pending_dialogs}
            receipt = self.supervisor.respond_to_dialog(action, prompt_text, dialog_id)
        except CDPError as error:
            return {"ok": False, "error": str(error)}
        return {"ok": True, "dialog": self._answered(pending.get(receipt.dialog_id), receipt.dialog_id)}

    def evaluate_runtime(
        self, expression: str, *, return_by_value: bool = True, await_promise: bool = True, timeout: float = 10.0
    ) -> dict[str, Any]:
        """Evaluate JavaScript in the current page: `{"ok": True, "result": ..., "result_type": "..."}`, or `{"ok":
        False, "error": "..."}`, also at once when a dialog blocks the page.

        `result_type` is the type in JavaScript: `object` for arrays, errors and null too. The expression runs once. A
        value that JSON cannot hold comes as its description, and so does every object without `return_by_value`.
        """
        try:
            done = self.supervisor.evaluate(
                expression, timeout_s=timeout, await_promise=await_promise, user_gesture=True
            )
        except EvaluationFailed as error:
            return {"ok": False, "error": shown(error.text)}
        except CDPError as error:
            return {"ok": False, "error": str(error)}
        is_undescribed = done.value is None and done.type not in ("undefined", "null")
        described = is_undescribed or (not return_by_value and done.type not in ("string", "number", "boolean"))
        result_type = done.type if done.type in _TYPES else "object"
        return {"ok": True, "result": done.description if described else done.value, "result_type": result_type}

    # What Hermes' own tool for raw commands reads, to send one into a frame.

    @property
    def _state_lock(self) -> threading.Lock:
        """For reading `_frames`, which is made anew each time."""
        return threading.Lock()

    @property
    def _frames(self) -> dict[str, HermesFrame]:
        """All frames of the current page by their ids; those of a snapshot are bounded."""
        try:
            return {frame.frame_id: HermesFrame(frame) for frame in self.supervisor.frames()}
        except NotRunning:
            return {}

    @property
    def _loop(self) -> asyncio.AbstractEventLoop | None:
        """The loop that `_cdp` runs on; None when the supervisor does not run."""

        async def own() -> asyncio.AbstractEventLoop:
            return asyncio.get_running_loop()

        return LOOP_THREAD.run(own()) if self.supervisor.is_running else None

    async def _cdp(
        self, method: str, params: dict[str, Any] | None = None, *, session_id: str | None = None, timeout: float = 10.0
    ) -> dict[str, Any]:
        """Send a command to the page, or to the frame of a session: `{"result": {...}}`. Raises what `send` raises."""
        of_session = {frame.session_id: frame.frame_id for frame in self.supervisor.frames() if frame.is_oopif}
        frame_id = of_session.get(session_id or "")
        return {"result": await self.supervisor.aio.send(build(method, params or {}), frame_id, timeout_s=timeout)}

    @staticmethod
    def _answered(dialog: PendingDialog | None, dialog_id: str) -> dict[str, Any]:
        return dialog_of(dialog).to_dict() if dialog else {"id": dialog_id}


class HermesRegistry:
    """Hermes' registry of supervisors, on top of `supervisor.registry`."""

    def __init__(self, registry: SupervisorRegistry = OUR_REGISTRY) -> None:
        self._registry = registry
        self._lock = threading.Lock()
        self._views: dict[str, HermesSupervisor] = {}

    def get(self, task_id: str) -> HermesSupervisor | None:
        """The task's supervisor if it runs."""
        running = self._registry.get(task_id)
        return self._view(task_id, running) if running else None

    def get_or_start(
        self, task_id: str, cdp_url: str, *, start_timeout: float = 15.0, **settings: Unpack[Settings]
    ) -> HermesSupervisor:
        """The task's supervisor: the one that runs for this endpoint, or a new one in place of any other.

        Raises what `SupervisorRegistry.get_or_start` raises.
        """
        running = self._registry.get(task_id)
        if running is None or running.config.cdp_url != cdp_url:
            running = self._registry.get_or_start(task_id, cdp_url, start_timeout_s=start_timeout, **settings)
        return self._view(task_id, running)

    def stop(self, task_id: str) -> None:
        """Stop the task's supervisor, if it has one."""
        with self._lock:
            self._views.pop(task_id, None)
        self._registry.stop(task_id)

    def stop_all(self) -> None:
        """Stop every supervisor."""
        with self._lock:
            self._views.clear()
        self._registry.stop_all()

    def _view(self, task_id: str, running: OurSupervisor) -> HermesSupervisor:
        """Return the same object for a supervisor each time."""
        with self._lock:
            view = self._views.get(task_id)
            if view is None or view.supervisor is not running:
                view = self._views[task_id] = HermesSupervisor.over(task_id, running)
            return view


CDPSupervisor = HermesSupervisor
"""The name that the class has there."""

SUPERVISOR_REGISTRY = HermesRegistry()
"""The registry of this process."""


def read_config(
    settings: Mapping[str, Any] | None = None, environment: Mapping[str, str] = os.environ
) -> Config | None:
    """Settings from the section `browser` of a mapping, which other programs' settings may share; None without an
    endpoint. `BROWSER_CDP_URL` goes before the section's `cdp_url`.

    Raises `InvalidConfig` for a value that is not allowed, and a key that looks like a mistyped setting.
    """
    section = dict((settings or {}).get(SECTION) or {})
    section["cdp_url"] = environment.get(ENDPOINT, "").strip() or section.get("cdp_url")
    return Config.from_mapping({SECTION: section}) if section["cdp_url"] else None


class ToolRegistry(Protocol):
    """Hermes' registry of tools, as far as this module uses it."""

    def register(
        self,
        name: str,
        toolset: str,
        schema: dict[str, Any],
        handler: Callable[..., str],
        check_fn: Callable[[], bool],
        *,
        description: str,
        override: bool,
    ) -> None:
        """Take a tool in."""


def register_tools(registry: ToolRegistry, toolbox: Toolbox, *, override: bool = True) -> tuple[str, ...]:
    """Put the chosen tools of a toolbox into Hermes' registry of tools, and return their names.

    Those that need nothing but an endpoint share one `check_fn`, so that `browser_dialog` and `browser_cdp` come and go
    together. With `override`, tools of the same names are replaced, whatever toolset they are in.
    """
    checks: dict[tuple[object, bool], Callable[[], bool]] = {}
    for schema, tool in zip(toolbox.schemas("anthropic"), toolbox.chosen, strict=True):
        registry.register(
            tool.name,
            _TOOLSETS.get(tool.name, tool.toolset),
            {"name": tool.name, "description": schema["description"], "parameters": schema["input_schema"]},
            partial(_call, toolbox, tool.name),
            checks.setdefault((tool.gate, tool.uses_browser), partial(_is_available, toolbox, tool.name)),
            description=schema["description"],
            override=override,
        )
    return tuple(tool.name for tool in toolbox.chosen)


def _call(toolbox: Toolbox, name: str, args: object, **given: Any) -> str:
    return toolbox.dispatch(name, args, given.get("task_id") or TASK)


def _is_available(toolbox: Toolbox, name: str) -> bool:
    return any(tool.name == name for tool in toolbox.available())
