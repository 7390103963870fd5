"""Takes down the calls of tools that succeed, with their elements, until the recording stops."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from typing import Any
from weakref import ref

import msgspec
from msgspec import Struct

from cdp_typed.errors import CDPError
from cdp_typed.redaction.texts import without_credentials
from cdp_typed.wire.json_text import is_object
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import CallError
from supervisor.core.vocabulary.values import PageInfo
from supervisor.tools.actions.text_fields import takes_secret_there
from supervisor.tools.framework.untrusted_text import is_items
from supervisor.tools.page.page_frames import owner_of, parent_of
from supervisor.tools.page.refs import Node, frame_named, is_ref, refs_of

from .steps import Run, RunStep, Secret
from .targets import ElementTarget, count_in_top, target_of

MOST = 500
"""Steps of a recording."""
DESCRIBE_S = 5.0
"""Seconds that the elements of a call have to be described."""

ACTS = (
    "browser_navigate", "browser_back", "browser_click", "browser_hover", "browser_type", "browser_fill_form",
    "browser_press", "browser_scroll", "browser_drag", "browser_dialog", "browser_file", "browser_wait", "browser_tabs",
    "browser_verify", "browser_login",
)  # fmt: skip
"""The tools whose calls are steps."""
_CANNOT = ("browser_cdp", "browser_evaluate", "browser_mouse", "browser_route", "browser_state")
"""Tools that change something, and have no form in the code."""
_NOT_KEPT = ("snapshot", "timeout", "dialog_id", "chooser_id")
_REF = re.compile(r"e\d+(?:=.*)?", re.DOTALL)


class Noted(Struct, frozen=True, kw_only=True):
    """A call that has begun."""

    arguments: Mapping[str, Any] = {}
    targets: Mapping[str, ElementTarget] = {}
    frame: ElementTarget | None = None
    counted: int | None = None
    page: PageInfo | None = None
    problem: str = ""
    """The reason why it cannot be a step."""


class RunRecorder:
    """The recording of one supervisor's calls; an observer of them."""

    def __init__(self, supervisor: AsyncSupervisor, name: str) -> None:
        self._weakly = ref(supervisor)
        self._name = name
        self._steps: list[RunStep] = []
        self._left_out: list[str] = []
        self._secrets: dict[str, str] = {}
        """The names of variables by the texts that they replace."""
        self._variables: list[str] = []
        """The names of the variables of logins."""

    @property
    def _supervisor(self) -> AsyncSupervisor:
        supervisor = self._weakly()
        assert supervisor is not None  # it makes the calls that are recorded
        return supervisor

    @property
    def run(self) -> Run:
        """The steps so far."""
        return Run(
            name=self._name,
            steps=tuple(self._steps),
            secrets=tuple(dict.fromkeys((*self._secrets.values(), *self._variables))),
        )

    @property
    def left_out(self) -> tuple[str, ...]:
        """One sentence for each call that is no step."""
        return tuple(self._left_out)

    async def before(self, tool: str, arguments: Struct) -> Noted:
        """See `CallObserver`."""
        if tool not in ACTS:
            return Noted()
        page = next((page for page in self._supervisor.snapshot().pages if page.is_current), None)
        try:
            async with asyncio.timeout(DESCRIBE_S):
                noted = await self._described(tool, arguments)
        except (CDPError, TimeoutError) as error:  # the call itself reports what is wrong with the element
            noted = Noted(problem=f"its element could not be described: {type(error).__name__}")
        return msgspec.structs.replace(noted, page=page)

    async def after(self, tool: str, noted: Noted, result: object) -> None:
        """See `CallObserver`."""
        if tool in _CANNOT:
            self._leave_out(tool, "it has no form in the code")
        if tool not in ACTS or (tool == "browser_tabs" and noted.arguments.get("action", "list") == "list"):
            return
        if noted.problem or len(self._steps) >= MOST:
            self._leave_out(tool, noted.problem or f"the recording has {MOST} steps")
            return
        if tool == "browser_wait" and _waits_for_ref(noted.arguments):
            self._leave_out(tool, "a ref means nothing in another run")
            return
        if getattr(result, "holds", True) is False:
            self._leave_out(tool, "the check did not hold")
            return
        now = next((page.target_id for page in self._supervisor.snapshot().pages if page.is_current), "")
        if tool == "browser_login":
            tool, noted = "browser_fill_form", await self._filled_by_login(noted, result)
            if noted.problem or not noted.targets:
                self._leave_out("browser_login", noted.problem or "it listed the logins")
                return
        opened = getattr(result, "opened", None) or ()
        step = RunStep(
            tool=tool,
            arguments=noted.arguments,
            targets=noted.targets,
            frame=noted.frame,
            counted=noted.counted,
            page_id=noted.page.target_id if noted.page else "",
            page_after=now,
            opened=(opened,) if isinstance(opened, str) else tuple(opened),
            uses_chooser=tool == "browser_file" and "ref" not in noted.targets,
        )
        self._steps.append(step)

    async def _filled_by_login(self, noted: Noted, result: Any) -> Noted:
        """The same as a form whose values are in variables named after the login: `SHOP_USER`, `SHOP_PASSWORD`."""
        targets: dict[str, ElementTarget] = {}
        fields: list[dict[str, Any]] = []
        for number, (kind, named) in enumerate(zip(result.filled, result.refs, strict=True)):
            variable = re.sub(r"\W", "_", f"{noted.arguments['name']}_{kind}", flags=re.ASCII).upper()
            try:
                async with asyncio.timeout(DESCRIBE_S):
                    target = await target_of(self._supervisor, named)
            except (CDPError, TimeoutError):
                target = None
            if target is None:
                return Noted(problem="its fields could not be described")
            self._variables.append(variable)
            targets[f"fields.{number}"] = target
            fields.append({"ref": target.locator, "value": Secret(variable)})
        return msgspec.structs.replace(noted, arguments={"fields": fields}, targets=targets)

    async def begin(self) -> None:
        """Make the URL of the current page the first step, unless the page is empty."""
        page = next((page for page in self._supervisor.snapshot().pages if page.is_current), None)
        if page is not None and page.url != "about:blank":
            arguments = {"url": self._cleaned(page.url)}
            here = page.target_id
            self._steps.append(RunStep(tool="browser_navigate", arguments=arguments, page_id=here, page_after=here))

    def failed(self, tool: str, noted: Noted, error: BaseException) -> None:
        """See `CallObserver`."""
        did_nothing = isinstance(error, CallError) and not error.maybe_executed
        if (tool in ACTS or tool in _CANNOT) and not did_nothing and tool not in ("browser_verify", "browser_wait"):
            self._leave_out(tool, "it failed, and may have done a part")

    def _leave_out(self, tool: str, why: str) -> None:
        if len(self._left_out) < MOST:
            self._left_out.append(f"{tool} after step {len(self._steps)}: {why}")

    async def _described(self, tool: str, arguments: Struct) -> Noted:
        given = _given(arguments)
        targets: dict[str, ElementTarget] = {}
        for name, named in _refs_in(tool, given):
            target = await target_of(self._supervisor, named)
            if target is None or any(map(self._is_revealing, (target.name, target.locator, *target.css))):
                return Noted(problem="its element has no locator that can be written down")
            targets[name] = target
        frame = await self._frame(given.pop("frame_id", None))
        problem = await self._hide_secrets(tool, given, targets)
        for name, target in targets.items():
            _put(given, name, target.locator)
        if frame is not None:
            given["frame_id"] = frame.locator
        counts = tool == "browser_verify" and given.get("check") == "count"
        counted = await count_in_top(self._supervisor, given["ref"]) if counts else None
        return Noted(arguments=self._cleaned(given), targets=targets, frame=frame, counted=counted, problem=problem)

    async def _frame(self, frame_id: str | None) -> ElementTarget | None:
        if frame_id is None:
            return None
        tree = self._supervisor.snapshot().frame_tree
        frame = frame_named(tree, frame_id)
        parent = None if frame is None else parent_of(frame, tree)
        if frame is not None and parent is not None:
            owner = await owner_of(self._supervisor, frame, parent)
            frame_id = refs_of(self._supervisor).name(Node(parent.frame_id, parent.loader_id, owner))
        return await target_of(self._supervisor, frame_id) if is_ref(frame_id) else None

    async def _hide_secrets(self, tool: str, given: dict[str, Any], targets: Mapping[str, ElementTarget]) -> str:
        """Put a `Secret` in place of each text for a secret field, and return the reason why that cannot be done."""
        if tool == "browser_dialog" and "prompt_text" in given:
            given["prompt_text"] = self._secret(given["prompt_text"])
        if tool == "browser_fill_form":
            for number, field in enumerate(given["fields"]):
                if targets[f"fields.{number}"].is_secret:
                    field["value"] = self._secret(field["value"])
        if tool in ("browser_type", "browser_press"):
            target = targets.get("ref")
            if target.is_secret if target else await takes_secret_there(self._supervisor):
                if tool == "browser_type":
                    given["text"] = self._secret(given["text"])
                elif any(len(key) == 1 for key in _listed(given["key"])):
                    return "it pressed keys in a password field"
        return ""

    def _secret(self, text: str) -> Secret:
        return Secret(self._secrets.setdefault(text, f"RECORDED_SECRET_{len(self._secrets) + 1}"))

    def _cleaned(self, value: Any) -> Any:
        """The same with a `Secret` in place of each text that holds one."""
        if isinstance(value, str):
            return self._secret(value) if self._is_revealing(value) else value
        if is_object(value):
            return {name: self._cleaned(item) for name, item in value.items()}
        return [self._cleaned(item) for item in value] if is_items(value) else value

    def _is_revealing(self, text: str) -> bool:
        known = any(len(secret) > 3 and secret in text for secret in self._secrets)
        return known or without_credentials(text) != text or self._supervisor.redaction.text(text) != text


def _given(arguments: Struct) -> dict[str, Any]:
    """The arguments that differ from their defaults, as plain data."""
    plain: dict[str, Any] = msgspec.to_builtins(arguments)
    defaults = {field.name: field.default for field in msgspec.structs.fields(arguments)}
    return {
        name: value
        for name, value in plain.items()
        if name not in _NOT_KEPT and value is not None and getattr(arguments, name) != defaults[name]
    }


def _waits_for_ref(given: Mapping[str, Any]) -> bool:
    conditions = [condition for condition in _listed(given["until"]) if isinstance(condition, str)]
    kinds = [condition.partition(":") for condition in conditions]
    values = [
        value or given.get("value", "")
        for kind, _, value in kinds
        if kind in ("ref", "ref_gone", "attached", "detached", "value")
    ]
    return any(isinstance(value, str) and _REF.fullmatch(value) for value in values)


def _refs_in(tool: str, given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if tool == "browser_verify" and given.get("check") == "count":
        return  # its locator means several elements
    for name in ("ref", "to_ref"):
        if name in given:
            yield name, given[name]
    for number, field in enumerate(given.get("fields", ())):
        yield f"fields.{number}", field["ref"]


def _put(given: dict[str, Any], name: str, locator: str) -> None:
    _, _, number = name.partition(".")
    if number:
        given["fields"][int(number)]["ref"] = locator
    else:
        given[name] = locator


def _listed(value: Any) -> list[Any]:
    return [value] if isinstance(value, str) else list(value)
