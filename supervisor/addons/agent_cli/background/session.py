"""A session: one browser, its tools, and one command at a time."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cdp_agent import DONE, LOST, REFUSED, TIMEOUT_S, UNSURE, USAGE
from cdp_typed.cli.arguments import UsageError
from cdp_typed.errors import CDPError
from supervisor.addons.agent_cli.aliases import ToolCommand, commands, file_name, format_of
from supervisor.addons.agent_cli.other_words import command_named, in_our_words
from supervisor.addons.agent_cli.outputs import (
    MAX_CHARS,
    CommandOutput,
    code_of,
    likeliest,
    lines_of,
    lines_of_errors,
    truncated,
)
from supervisor.addons.agent_cli.result_files import ENDINGS, captured_file, measured_file
from supervisor.aio import AsyncSupervisor
from supervisor.cli.caller_files import files_beside, hide_files
from supervisor.config import Config
from supervisor.core.vocabulary.errors import InvalidConfig, NotRunning
from supervisor.core.vocabulary.values import SupervisorSnapshot
from supervisor.registry import SupervisorRegistry
from supervisor.saved_state.named_files import NamedFiles
from supervisor.tools import CATALOGUE, Policy, Toolbox
from supervisor.tools.framework.coercion import read
from supervisor.tools.framework.tool_errors import InvalidArgument
from supervisor.tools.handlers.handler_calls import RunningCall, in_thread

from .live_view import SessionView
from .open_options import OPTIONS, Choices, choices_of, keep_policy, kept_policy
from .own_browser import OwnBrowser, endpoint_of
from .script import joined, run_steps, with_input, written
from .source_places import with_sources
from .tab_names import TabNames
from .whole_results import with_pictures, with_whole_page

TASK = "cdp-agent"
IDLE_S = 30 * 60.0
"""A session without commands for so long ends."""
_ALONE = ("close", "run")
"""Commands that cannot be steps."""
ANEW = "begin anew: cdp-agent open URL"
_FLAGS = {"json": False, "timeout": True, "max": True, "session": True, **OPTIONS}
"""Options that are none of a tool; true for those with a value."""


class CommandLine(Struct, frozen=True, kw_only=True):
    """A command, as a client sends it."""

    folder: str
    words: list[str]
    given: str = ""
    """Its standard input."""


class AgentSession:
    """Runs the commands of one session. Used on one event loop."""

    def __init__(self, private: Path, name: str = TASK) -> None:
        self._private = private
        self._view = SessionView(name, self._supervisor, self._calls)
        self._lock = asyncio.Lock()
        self._running = ""
        """The command that runs now."""
        self._choices = Choices()
        self._folder = "/"
        """Of the caller with whom the browser began."""
        self._own: OwnBrowser | None = None
        self._registry = SupervisorRegistry(replaces_lost=False)
        self._toolbox: Toolbox | None = None
        self._commands = commands(CATALOGUE)
        self._tabs = TabNames()
        self._errors_told = 0
        self.has_ended: asyncio.Event = asyncio.Event()
        self._is_closed = False
        self.owner: int | None = None
        """The process with which the session ends."""
        self.idle_s: float = IDLE_S

    async def answer(self, request: CommandLine) -> tuple[CommandOutput, bool]:
        """The answer to a command, and whether it is wanted as JSON; never raises, and ends within the timeout."""
        options: dict[str, str] = {}
        try:
            words, options = _common_options(request.words)
            timeout_s, most = _number(options, "timeout", TIMEOUT_S), int(_number(options, "max", MAX_CHARS))
            answer = await self._queued(request, words, options, timeout_s)
        except UsageError as error:
            answer = CommandOutput(USAGE, f"cdp-agent: {error}")
        else:
            answer = truncated(answer, words[0], request.folder, most)
        return answer, "json" in options

    @property
    def has_begun(self) -> bool:
        """Whether there is a browser, or was one."""
        return self._toolbox is not None

    async def close(self) -> None:
        """End the browser and what was started for it."""
        await self._view.close()
        toolbox, self._toolbox = self._toolbox, None
        if toolbox is not None:
            await in_thread(toolbox.close)
        own, self._own = self._own, None
        if own is not None:
            await own.close()
            hide_files(self._folder)  # a download may have made their folder after the last command

    async def _queued(
        self, request: CommandLine, words: list[str], options: Mapping[str, str], timeout_s: float
    ) -> CommandOutput:
        """One command at a time; the wait for another one counts."""
        if not words:
            raise UsageError("a command is missing (see cdp-agent --help)")
        if words == ["live"]:  # also while a command runs
            await self._view.serve()
            return CommandOutput(DONE, "the live view is served")
        if in_our_words(words)[0] == "close" and self._lock.locked() and self._running != "open":
            return await self._close()  # it ends the command that runs
        loop = asyncio.get_running_loop()
        ends = loop.time() + timeout_s
        try:
            async with asyncio.timeout_at(ends):
                await self._lock.acquire()
        except TimeoutError:
            return CommandOutput(REFUSED, f"`{self._running}` still ran after {timeout_s:g} s; nothing was done")
        self._running = in_our_words(words)[0]
        try:
            if self._is_closed or self.has_ended.is_set():
                return CommandOutput(LOST, f"the session was closed; nothing was done; {ANEW}")
            steps = joined(words)
            if len(steps) == 1 and words[0] == "run":
                steps = written(words[1:], request.given)
            elif len(steps) == 1:
                words = with_input(words, request.given)
                return await self._timed(request, words, options, ends, f"{timeout_s:g} s")
            self._check(steps, request.folder)
            within = f"the {timeout_s:g} s of all steps (--timeout 120 gives them more)"
            step = replace(request, given="")
            return await run_steps(steps, partial(self._timed, step, options=options, ends=ends, within=within))
        finally:
            self._lock.release()

    def _check(self, steps: Sequence[list[str]], folder: str) -> None:
        """Raise `UsageError` before the first step when one is no command, cannot be a step, or has wrong arguments."""
        for at, step in enumerate(steps, 1):
            try:
                name, *rest = in_our_words(step)
                if name in _ALONE:
                    raise UsageError(f"{step[0]} cannot be a step")
                command = command_named(name, self._commands)
                read(_arguments(command, rest, folder)[1], command.tool.arguments)
            except (UsageError, InvalidArgument) as error:
                raise UsageError(f"step {at} ({' '.join(step)}): {error}; nothing was done") from None

    async def _timed(
        self, request: CommandLine, words: list[str], options: Mapping[str, str], ends: float, within: str
    ) -> CommandOutput:
        try:
            async with asyncio.timeout_at(ends):
                return await self._one(request, words, options, ends)
        except TimeoutError:
            status = self._registry.status(TASK)
            if status.state == "waiting_for_person":
                return CommandOutput(REFUSED, f"{status.reason}, and call again")
            return CommandOutput(UNSURE, f"{words[0]} did not end within {within}; it may have been done")

    async def _one(
        self, request: CommandLine, words: list[str], options: Mapping[str, str], ends: float
    ) -> CommandOutput:
        name, *rest = words = in_our_words(words)
        if name == "close":
            return await self._close()
        command = command_named(name, self._commands)
        unfit = [f"--{option}" for option in OPTIONS if option in options and name != "open"]
        if unfit:
            raise UsageError(f"{unfit[0]} is an option of open")
        if name == "open":
            lost = await self._begin(options, request.folder)
            if lost is not None:
                return lost
            if self._lost():
                await in_thread(partial(self._registry.stop, TASK))  # so that this command starts another one
        elif why := self._lost():
            return CommandOutput(LOST, f"{why}; {ANEW}")
        answer = await self._call(command, rest, request.folder, ends)
        if self._own is None and self._registry.status(TASK).state == "not started":
            await self.close()  # it is unreachable, or its person refused: only `open` asks again
            self.has_ended.set()
        return answer

    def _lost(self) -> str:
        """Why there is no browser any more; empty while there is one."""
        if self._own is not None:
            return "the browser of this session has ended (killed or crashed)" if self._own.has_ended else ""
        status = self._registry.status(TASK)
        return f"the session has lost its browser ({status.reason})" if status.state == "lost" else ""

    async def _begin(self, options: Mapping[str, str], folder: str) -> CommandOutput | None:
        """Start the browser where there is none; None when there is one."""
        try:
            choices = choices_of(options, folder)
        except InvalidConfig as error:
            raise UsageError(str(error)) from None
        if self._toolbox is not None and not (self._own is not None and self._own.has_ended):
            if choices not in (self._choices, Choices()):
                return CommandOutput(
                    REFUSED, "the session began with other options; nothing was done. End it: cdp-agent close"
                )
            return None
        kept = self._choices.policy if self._toolbox is not None else kept_policy(self._private)
        if kept.restricts:  # what was killed must not lift its restrictions
            if choices.policy not in (kept, Policy()):
                why = "the session's restrictions hold until it is closed"
                return CommandOutput(REFUSED, f"{why}; nothing was done. End it: cdp-agent close")
            choices = replace(choices, policy=kept)
        await self.close()
        if "owner" in options:
            self.owner = int(_number(options, "owner", 0))
        self.idle_s = 60 * _number(options, "idle", IDLE_S / 60)
        with files_beside(folder):
            downloads = NamedFiles("downloads").folder
        self._folder = folder
        own = OwnBrowser(self._private, choices, downloads) if choices.is_launched else None
        self._private.mkdir(mode=0o700, exist_ok=True)
        try:
            if own is not None:
                await own.start()
            config = Config(
                cdp_url=endpoint_of(choices, own),
                watch_requests=True,
                record_to=os.fspath(self._private / "flight.jsonl"),
                record_screenshots=True,
                scope="own" if choices.connect else "browser",  # the tabs and windows of a person stay theirs
                own_windows=choices.connect,
                owns_browser=own is not None,
                reconnect_attempts=0 if own is not None else 8,
            )
        except CDPError as error:
            self.has_ended.set()
            return CommandOutput(LOST, str(error))
        keep_policy(self._private, choices.policy)
        self._choices, self._own = choices, own
        self._toolbox = Toolbox(config, registry=self._registry, toolsets="all", policy=choices.policy)
        self._tabs = TabNames()
        self._errors_told = 0
        return None

    async def _close(self) -> CommandOutput:
        """End the session. The process ends after the answer."""
        now = self._now()
        waiting = now.pending_dialogs if now is not None else ()
        self._is_closed = True  # what waits for its turn may get it before the browser has ended
        await self.close()
        self.has_ended.set()
        unanswered = "".join(f"; the dialog {dialog.id} ({dialog.type}) was never answered" for dialog in waiting)
        return CommandOutput(DONE, f"closed{unanswered}")

    async def _call(self, command: ToolCommand, words: list[str], folder: str, ends: float) -> CommandOutput:
        named, arguments = _arguments(command, words, folder)
        if "timeout" in command.parameters.fields:
            left = ends - asyncio.get_running_loop().time()
            arguments.setdefault("timeout", round(max(0.1, min(300.0, left * 0.9)), 2))
        toolbox = self._toolbox
        if toolbox is None:
            return CommandOutput(LOST, f"the session has no browser; {ANEW}")
        with files_beside(folder, named):
            text = await toolbox.adispatch(command.tool.name, self._tabs.restored(arguments), TASK)
        if self._toolbox is not toolbox:
            return CommandOutput(
                LOST, f"the session was closed during {command.name}, which may have been done; {ANEW}"
            )
        self._tabs.note(self._now())
        payload = self._tabs.shortened(json.loads(text))
        if why := self._lost():
            return CommandOutput(LOST, f"{why}; {command.name} may have been done; {ANEW}", payload)
        payload = await with_whole_page(toolbox, TASK, payload)
        if command.name == "console" and payload["success"]:
            payload["messages"] = await self._with_sources(payload["messages"])
        lines = lines_of(command, payload, self._commands)
        try:
            payload, pictures = with_pictures(payload, named, folder)
        except OSError as error:
            return CommandOutput(REFUSED, f"the picture could not be saved: {error.strerror}")
        new = await self._new_errors(command)
        lines += [*pictures, *lines_of_errors(new)]
        return CommandOutput(code_of(payload), "\n".join(lines), {**payload, **new})

    def _supervisor(self) -> AsyncSupervisor | None:
        running = self._registry.get(TASK)
        return running.aio if running is not None else None

    def _calls(self) -> Sequence[RunningCall]:
        return self._toolbox.running if self._toolbox is not None else ()

    def _now(self) -> SupervisorSnapshot | None:
        running = self._registry.get(TASK)
        try:
            return running.snapshot() if running is not None else None
        except NotRunning:
            return None

    async def _new_errors(self, command: ToolCommand) -> dict[str, Any]:
        """How many errors the console has since the last command, and the likeliest cause; empty without any."""
        now = self._now()
        if command.name == "console" or now is None or self._toolbox is None:
            return {}
        errors = sum(number for level, number in now.console_counts.items() if level in ("error", "exception"))
        new, self._errors_told = errors - self._errors_told, errors
        if new <= 0:
            return {}
        # With a cursor, because the page may have left since.
        arguments = {"levels": ["error", "exception"], "limit": min(new, 100), "cursor": 0}
        result = json.loads(await self._toolbox.adispatch("browser_console", arguments, TASK))
        top = now.frame_tree.top
        page_url = "" if top is None else top.url
        told = likeliest(result.get("messages", ()), page_url)
        if told is None:
            return {}
        (error,) = await self._with_sources([told])
        return {"new_errors": new, "error": {"url": page_url, **error}}

    async def _with_sources(self, messages: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """The messages of a console with their places in sources, in a browser that the session started."""
        now, supervisor = self._now(), self._supervisor()
        top = None if now is None else now.frame_tree.top
        if self._own is None or supervisor is None or top is None:
            return messages
        return await with_sources(supervisor, top, messages)


def _arguments(command: ToolCommand, words: list[str], folder: str) -> tuple[str | None, dict[str, Any]]:
    """The path of a file, if the words have one, and the tool's arguments. Raises `UsageError`."""
    if command.name == "capture":
        return captured_file(folder, command.arguments(words, folder))
    if command.name in ENDINGS:
        return measured_file(folder, command.arguments(words, folder), ENDINGS[command.name])
    if command.name != "shot":
        return None, command.arguments(words, folder)
    picture, words = file_name(folder, words)
    return picture, {"format": format_of(picture), **command.arguments(words, folder)}


def _common_options(words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Take the options that are not a tool's out of the words. Raises `UsageError`."""
    plain: list[str] = []
    options: dict[str, str] = {}
    left = list(words)
    while left:
        word = left.pop(0)
        if word == "--":
            plain += [word, *left]
            break
        flag, equals, value = word.partition("=")
        name = flag.removeprefix("--")
        if not flag.startswith("--") or name not in _FLAGS:
            plain.append(word)
        elif name in options:
            raise UsageError(f"--{name} is given twice")
        elif not _FLAGS[name]:
            if equals:
                raise UsageError(f"--{name} takes no value")
            options[name] = "1"
        elif equals or left:
            options[name] = value if equals else left.pop(0)
        else:
            raise UsageError(f"--{name} needs a value")
    return plain, options


def _number(options: Mapping[str, str], name: str, default: float) -> float:
    try:
        number = float(options.get(name, default))
    except ValueError:
        number = 0.0
    if not 0 < number <= 10_000_000:
        raise UsageError(f"--{name} needs a positive number")
    return number
