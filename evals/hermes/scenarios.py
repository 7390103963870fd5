"""What an agent does with Hermes' tools, judged by the page itself over another connection."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, Final, TypeAlias

from cdp_typed import connect_sync
from cdp_typed.launch import LaunchedBrowser
from cdp_typed.protocol import runtime, target
from tests.support.servers.sites import Page, Sites, iframe

TASK: Final = "task"
WITHIN_S: Final = 8.0


def pages(sites: Sites) -> Mapping[str, Page]:
    """The pages that the scenarios need."""

    def page(title: str, *frames: str) -> str:
        return f"<!doctype html><link rel=icon href=data:,><title>{title}</title>{title}{''.join(frames)}"

    return {
        "/plain": page("plain"),
        "/other": page("other"),
        "/inner": page("inner"),
        "/same": page("same", iframe(sites.local("/inner"))),
        "/cross": page("cross", iframe(sites.remote("/inner"))),
        "/middle": page("middle", iframe(sites.local("/plain"))),
        "/nested": page("nested", iframe(sites.remote("/middle"))),
        "/many": page("many", *[iframe(sites.remote("/inner")) for _ in range(40)]),
    }


class Hermes:
    """A task of Hermes: its tools, the supervisor of its task, and a second connection that judges."""

    def __init__(
        self, supervisors: ModuleType, tools: list[ModuleType], browser: LaunchedBrowser, sites: Sites
    ) -> None:
        self._dialogs, self._commands, self._tools = tools
        self._browser, self._sites = browser, sites
        self.registry = supervisors.SUPERVISOR_REGISTRY

    def start(self, path: str = "/plain", **settings: Any) -> Any:
        """Start the supervisor of the task, and open a page."""
        supervisor = self.registry.get_or_start(TASK, self._browser.ws_url, **settings)
        assert supervisor.evaluate_runtime(f"void (location.href = {json.dumps(self._sites.local(path))})")["ok"]
        self.until(lambda: self.value("document.readyState + location.pathname") == f"complete{path}")
        return supervisor

    def answer(self, action: str, **given: Any) -> dict[str, Any]:
        """Call Hermes' `browser_dialog`."""
        return dict(json.loads(self._dialogs.browser_dialog(action, task_id=TASK, **given)))

    def in_frame(self, frame_id: str, expression: str) -> dict[str, Any]:
        """Call Hermes' `browser_cdp` to evaluate in a frame."""
        return self.command("Runtime.evaluate", {"expression": expression, "returnByValue": True}, frame_id)

    def command(self, method: str, params: Mapping[str, Any], frame_id: str) -> dict[str, Any]:
        """Call Hermes' `browser_cdp` for a frame."""
        return dict(json.loads(self._commands.browser_cdp(method, params, frame_id=frame_id, task_id=TASK)))

    def console(self, expression: str) -> dict[str, Any]:
        """Call Hermes' `browser_console` to evaluate in the page."""
        return dict(json.loads(self._tools.browser_console(expression=expression, task_id=TASK)))

    def value(self, expression: str) -> Any:
        """What the page has, as the second connection sees it."""
        with connect_sync(self._browser.ws_url) as judge:
            found = judge.send(target.GetTargets()).target_infos
            page = judge.attach(next(each.target_id for each in found if each.type == "page"))
            return page.send(runtime.Evaluate(expression=expression, return_by_value=True)).result.value

    def soon(self, script: str) -> None:
        """Have the page run a script that may not end before somebody answers."""
        self.value(f"setTimeout(() => {{ {script} }}, 20)")

    def opened(self) -> Any:
        """The dialog that is open."""
        return self.until(lambda: self.registry.get(TASK).snapshot().pending_dialogs)[0]

    def oopifs(self, count: int = 1) -> list[dict[str, Any]]:
        """The frames in other processes, once there are so many."""

        def found() -> list[dict[str, Any]]:
            frames: list[dict[str, Any]] = self.registry.get(TASK).snapshot().frame_tree.get("children") or []
            own = [frame for frame in frames if frame.get("session_id")]
            return own if len(own) >= count else []

        return list(self.until(found))

    @staticmethod
    def until(look: Callable[[], Any]) -> Any:
        """What `look` returns once it is true."""
        end = time.monotonic() + WITHIN_S
        while not (seen := look()) and time.monotonic() < end:
            time.sleep(0.05)
        assert seen, "not in time"
        return seen


Play: TypeAlias = Callable[[Hermes], object]


def _answered(script: str, action: str, expected: Any, **given: Any) -> Play:
    """A dialog that one call answers; `r` in the page is its result."""

    def play(it: Hermes) -> None:
        it.start()
        it.soon(f"window.r = String({script}); window.done = true")
        dialog = it.opened()
        assert (dialog.type, dialog.message) == (script.partition("(")[0], "text")
        answered = it.answer(action, **given)
        assert answered["success"], answered
        it.until(lambda: it.value("window.done"))
        assert it.value("r") == expected

    play.__name__ = f"{action}_{script}"
    return play


def _by_policy(policy: str, expected: bool) -> Play:
    def play(it: Hermes) -> None:
        it.start(dialog_policy=policy)
        it.soon("window.r = confirm('text')")
        it.until(lambda: it.value("window.r !== undefined"))
        assert it.value("r") is expected

    play.__name__ = policy
    return play


def no_dialog_is_open(it: Hermes) -> None:
    it.start()
    assert it.answer("accept")["error"]


def another_dialog_is_named(it: Hermes) -> None:
    it.start()
    it.soon("alert(1)")
    dialog = it.opened()
    assert it.answer("accept", dialog_id="none")["error"]
    assert it.answer("accept", dialog_id=dialog.id)["success"]


def an_unknown_action(it: Hermes) -> None:
    it.start()
    it.soon("alert(1)")
    it.opened()
    assert it.answer("explode")["error"]
    assert it.answer("dismiss")["success"]


def no_supervisor_runs(it: Hermes) -> None:
    assert it.answer("accept")["error"]


def the_watchdog_answers(it: Hermes) -> None:
    it.start(dialog_timeout_s=1.0)
    it.soon("window.r = confirm('text')")
    it.opened()
    it.until(lambda: it.value("window.r === false"))


def two_dialogs_in_turn(it: Hermes) -> None:
    it.start()
    it.soon("window.r = [confirm('one'), confirm('two')]")
    it.until(lambda: it.opened().message == "one")
    assert it.answer("accept")["success"]
    it.until(lambda: it.opened().message == "two")
    assert it.answer("dismiss")["success"]
    assert it.until(lambda: it.value("window.r")) == [True, False]


def a_dialog_that_was_answered_is_remembered(it: Hermes) -> None:
    supervisor = it.start()
    it.soon("alert('text')")
    it.opened()
    it.answer("accept")
    told = it.until(lambda: supervisor.snapshot().to_dict().get("recent_dialogs"))
    assert [dialog["message"] for dialog in told] == ["text"]


def a_dialog_of_an_iframe(it: Hermes) -> None:
    it.start("/same")
    it.soon("window.r = frames[0].confirm('text')")
    it.opened()
    assert it.answer("accept")["success"]
    assert it.until(lambda: it.value("window.r"))


def a_dialog_of_another_process(it: Hermes) -> None:
    it.start("/cross")
    (frame,) = it.oopifs()
    assert it.in_frame(frame["frame_id"], "void setTimeout(() => { window.r = confirm('text') }, 20)")["success"]
    it.opened()
    assert it.answer("accept")["success"]
    it.until(lambda: it.in_frame(frame["frame_id"], "window.r")["result"]["result"].get("value"))


def a_page_that_asks_to_stay(it: Hermes) -> None:
    supervisor = it.start()
    it.value("void (onbeforeunload = event => event.preventDefault())")
    assert supervisor.evaluate_runtime("navigator.userActivation.hasBeenActive")["result"]
    it.soon("location.href = '/other'")
    assert it.opened().type == "beforeunload"
    assert it.answer("accept")["success"]
    it.until(lambda: it.value("document.title") == "other")


def an_evaluation_while_a_dialog_is_open(it: Hermes) -> None:
    supervisor = it.start()
    it.soon("alert(1)")
    it.opened()
    began = time.monotonic()
    assert not supervisor.evaluate_runtime("1 + 1", timeout=2.0)["ok"]
    assert time.monotonic() - began < 4
    assert it.answer("accept")["success"]


def the_top_frame(it: Hermes) -> None:
    assert it.start().snapshot().to_dict()["frame_tree"]["top"]["url"].endswith("/plain")


def a_frame_of_another_process(it: Hermes) -> None:
    it.start("/cross")
    (frame,) = it.oopifs()
    assert it.in_frame(frame["frame_id"], "document.title")["result"]["result"]["value"] == "inner"


def nested_frames_of_other_processes(it: Hermes) -> None:
    it.start("/nested")
    seen = [it.in_frame(frame["frame_id"], "document.title") for frame in it.oopifs(2)]
    assert sorted(each["result"]["result"]["value"] for each in seen) == ["middle", "plain"]


def a_frame_that_no_snapshot_has_room_for(it: Hermes) -> None:
    supervisor = it.start("/many")

    def left_out() -> str | None:
        children: list[dict[str, Any]] = supervisor.snapshot().frame_tree.get("children") or []
        shown = {frame["frame_id"] for frame in children}
        with supervisor._state_lock:  # as Hermes' own tool reads it
            frames = {name: frame.to_dict() for name, frame in supervisor._frames.items()}
        top = supervisor.snapshot().frame_tree["top"]["frame_id"]
        own = (name for name, frame in frames.items() if frame.get("session_id") and name not in {*shown, top})
        return next(own, None) if len(frames) > 40 else None

    assert it.in_frame(it.until(left_out), "document.title")["result"]["result"]["value"] == "inner"


def a_frame_of_the_same_process(it: Hermes) -> None:
    supervisor = it.start("/same")
    (frame,) = it.until(lambda: supervisor.snapshot().frame_tree.get("children"))
    assert "not an out-of-process iframe" in it.in_frame(frame["frame_id"], "1").get("error", "")


def an_unknown_frame(it: Hermes) -> None:
    it.start()
    assert "not found" in it.in_frame("none", "1")["error"]


def an_unknown_command_for_a_frame(it: Hermes) -> None:
    it.start("/cross")
    (frame,) = it.oopifs()
    assert "No.such" in it.command("No.such", {}, frame["frame_id"])["error"]


def a_value_by_the_console(it: Hermes) -> None:
    it.start()
    assert it.console("({list: [1, 2], title: document.title})")["result"] == {"list": [1, 2], "title": "plain"}


def a_promise_by_the_console(it: Hermes) -> None:
    it.start()
    assert it.console("Promise.resolve(7)")["result"] == 7


def an_error_by_the_console(it: Hermes) -> None:
    it.start()
    assert "missing is not defined" in it.console("missing.name")["error"]


def a_supervisor_that_starts_again(it: Hermes) -> None:
    it.start()
    it.registry.stop(TASK)
    assert it.registry.get(TASK) is None
    it.start("/other")


SCENARIOS: Final[tuple[Play, ...]] = (
    _answered("alert('text')", "accept", "undefined"),
    _answered("confirm('text')", "accept", "true"),
    _answered("confirm('text')", "dismiss", "false"),
    _answered("prompt('text', 'given')", "accept", "Ann", prompt_text="Ann"),
    _answered("prompt('text', 'given')", "dismiss", "null"),
    _by_policy("auto_accept", True),
    _by_policy("auto_dismiss", False),
    no_dialog_is_open,
    another_dialog_is_named,
    an_unknown_action,
    no_supervisor_runs,
    the_watchdog_answers,
    two_dialogs_in_turn,
    a_dialog_that_was_answered_is_remembered,
    a_dialog_of_an_iframe,
    a_dialog_of_another_process,
    a_page_that_asks_to_stay,
    an_evaluation_while_a_dialog_is_open,
    the_top_frame,
    a_frame_of_another_process,
    nested_frames_of_other_processes,
    a_frame_that_no_snapshot_has_room_for,
    a_frame_of_the_same_process,
    an_unknown_frame,
    an_unknown_command_for_a_frame,
    a_value_by_the_console,
    a_promise_by_the_console,
    an_error_by_the_console,
    a_supervisor_that_starts_again,
)
