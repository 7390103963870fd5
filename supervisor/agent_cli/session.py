"""A session: one browser, its tools, and one command at a time."""

from __future__ import annotations

import asyncio
import base64
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from cdp_agent import DONE, LOST, REFUSED, TIMEOUT_S, UNSURE, USAGE
from cdp_typed.cli.arguments import UsageError
from cdp_typed.errors import CDPError
from cdp_typed.printable import visible
from cdp_typed.wire.json_text import is_object
from supervisor.config import Config
from supervisor.core.vocabulary.errors import NotRunning
from supervisor.registry import SupervisorRegistry
from supervisor.tools import CATALOGUE, Toolbox
from supervisor.tools.handlers.handler_calls import in_thread

from .own_browser import BrowserChoice, OwnBrowser, endpoint_of
from .printouts import MAX_CHARS, Printout, code_of, fitted, lines_of, save
from .words import ToolCommand, command_named, commands, file_name

TASK = "cdp-agent"
ANEW = "begin anew: cdp-agent open URL"
_FLAGS = {"json": False, "headed": False, "timeout": True, "max": True, "session": True, "cdp": True, "owner": True}
"""Options of all commands and of `open`; true for those with a value."""
_OF_OPEN = ("cdp", "headed", "owner")


class CommandLine(Struct, frozen=True, kw_only=True):
    """A command, as a client sends it."""

    folder: str
    words: list[str]
    given: str = ""
    """Its standard input."""


class AgentSession:
    """Runs the commands of one session. Used on one event loop."""

    def __init__(self, private: Path) -> None:
        self._private = private
        self._lock = asyncio.Lock()
        self._running = ""
        """The command that runs now."""
        self._choice = BrowserChoice()
        self._own: OwnBrowser | None = None
        self._registry = SupervisorRegistry()
        self._toolbox: Toolbox | None = None
        self._commands = commands(CATALOGUE)
        self._errors_told = 0
        self.has_ended: asyncio.Event = asyncio.Event()
        self.owner: int | None = None

    async def answer(self, request: CommandLine) -> tuple[Printout, bool]:
        """The answer to a command, and whether it is wanted as JSON; never raises, and ends within the timeout."""
        options: dict[str, str] = {}
        try:
            words, options = _common_options(request.words)
            timeout_s, most = _number(options, "timeout", TIMEOUT_S), int(_number(options, "max", MAX_CHARS))
            answer = await self._queued(request, words, options, timeout_s)
        except UsageError as error:
            answer = Printout(USAGE, f"cdp-agent: {error}")
        else:
            name = words[0] if words else "answer"
            answer = Printout(answer.code, fitted(answer.text, name, request.folder, most), answer.facts)
        return answer, "json" in options

    @property
    def has_begun(self) -> bool:
        """Whether there is a browser, or was one."""
        return self._toolbox is not None

    async def close(self) -> None:
        """End the browser and what was started for it."""
        toolbox, self._toolbox = self._toolbox, None
        if toolbox is not None:
            await in_thread(toolbox.close)
        own, self._own = self._own, None
        if own is not None:
            await own.close()

    async def _queued(
        self, request: CommandLine, words: list[str], options: Mapping[str, str], timeout_s: float
    ) -> Printout:
        """One command at a time; the wait for another one counts."""
        if not words:
            raise UsageError("a command is missing (see cdp-agent --help)")
        loop = asyncio.get_running_loop()
        ends = loop.time() + timeout_s
        try:
            async with asyncio.timeout_at(ends):
                await self._lock.acquire()
        except TimeoutError:
            return Printout(REFUSED, f"`{self._running}` still ran after {timeout_s:g} s; nothing was done")
        self._running = words[0]
        try:
            async with asyncio.timeout_at(ends):
                return await self._one(request, words, options, ends)
        except TimeoutError:
            return Printout(UNSURE, f"{words[0]} did not end within {timeout_s:g} s; it may have been done")
        finally:
            self._lock.release()

    async def _one(self, request: CommandLine, words: list[str], options: Mapping[str, str], ends: float) -> Printout:
        name, rest = words[0], words[1:]
        if name == "close":
            return await self._close()
        if name == "run":
            from .script import run_script

            return await run_script(rest, request.given, lambda line: self._one(request, line, options, ends))
        if request.given and rest[-1:] == ["-"]:
            rest = [*rest[:-1], request.given]
        command = command_named(name, self._commands)
        unfit = [f"--{option}" for option in _OF_OPEN if option in options and name != "open"]
        if unfit:
            raise UsageError(f"{unfit[0]} is an option of open")
        if name == "open":
            lost = await self._begin(options)
            if lost is not None:
                return lost
            rest = rest or ["about:blank"]
        elif self._own is not None and self._own.has_ended:
            return Printout(LOST, f"the browser of this session has ended (killed or crashed); {ANEW}")
        return await self._call(command, rest, request.folder, ends)

    async def _begin(self, options: Mapping[str, str]) -> Printout | None:
        """Start the browser where there is none; None when there is one."""
        choice = BrowserChoice(cdp=options.get("cdp"), headed="headed" in options)
        if self._toolbox is not None and not (self._own is not None and self._own.has_ended):
            if any(option in options for option in _OF_OPEN) and choice != self._choice:
                return Printout(REFUSED, "the session uses another browser; nothing was done. End it: cdp-agent close")
            return None
        await self.close()
        if "owner" in options:
            self.owner = int(_number(options, "owner", 0))
        own = OwnBrowser(choice) if choice.cdp is None else None
        try:
            if own is not None:
                await own.start()
            self._private.mkdir(mode=0o700, exist_ok=True)
            config = Config(
                cdp_url=endpoint_of(choice, own),
                watch_requests=True,
                record_to=os.fspath(self._private / "flight.jsonl"),
                record_screenshots=True,
                reconnect_attempts=0 if own is not None else 8,
            )
        except CDPError as error:
            self.has_ended.set()
            return Printout(LOST, str(error))
        self._choice, self._own = choice, own
        self._toolbox = Toolbox(config, registry=self._registry, toolsets="all")
        self._errors_told = 0
        return None

    async def _close(self) -> Printout:
        """End the session. The process ends after the answer."""
        running = self._registry.get(TASK)
        waiting = running.snapshot().pending_dialogs if running is not None and running.is_running else ()
        await self.close()
        self.has_ended.set()
        unanswered = "".join(f"; the dialog {dialog.id} ({dialog.type}) was never answered" for dialog in waiting)
        return Printout(DONE, f"closed{unanswered}")

    async def _call(self, command: ToolCommand, words: list[str], folder: str, ends: float) -> Printout:
        picture, words = file_name(folder, words) if command.name == "shot" else (None, words)
        arguments = command.arguments(words, folder)
        if "timeout" in command.parameters.fields:
            left = ends - asyncio.get_running_loop().time()
            arguments.setdefault("timeout", round(max(0.1, min(300.0, left * 0.9)), 2))
        if self._toolbox is None:
            return Printout(LOST, f"the session has no browser; {ANEW}")
        text = await self._toolbox.adispatch(command.tool.name, arguments, TASK)
        payload: dict[str, Any] = json.loads(text)
        if self._own is not None and self._own.has_ended:
            return Printout(LOST, f"the browser ended during {command.name}, which may have been done; {ANEW}", payload)
        lines = lines_of(command, payload, self._commands)
        try:
            lines += _pictures(payload, picture, folder)
        except OSError as error:
            return Printout(REFUSED, f"the picture could not be saved: {error.strerror}")
        lines += await self._new_errors(command)
        return Printout(code_of(payload), "\n".join(lines), payload)

    async def _new_errors(self, command: ToolCommand) -> list[str]:
        """What the console says of errors since the last command."""
        running = self._registry.get(TASK)
        if command.name == "console" or running is None or self._toolbox is None:
            return []
        try:
            counts = running.snapshot().console_counts
        except NotRunning:
            return []
        errors = sum(number for level, number in counts.items() if level in ("error", "exception"))
        new, self._errors_told = errors - self._errors_told, errors
        if new <= 0:
            return []
        arguments = {"levels": ["error", "exception"], "limit": 1}
        result = json.loads(await self._toolbox.adispatch("browser_console", arguments, TASK))
        said = [visible(json.dumps(line["text"], ensure_ascii=False), 300) for line in result.get("messages", ())]
        return [f"console: {new} new error{'s' * (new > 1)}, the last: {said[0]}"] if said else []


def _pictures(payload: dict[str, Any], named: str | None, folder: str) -> list[str]:
    """Write pictures into files, in the result, too: their paths are in place of the data."""
    lines: list[str] = []
    for key, value in payload.items():
        if is_object(value) and set(value) == {"mime_type", "data"}:
            data = base64.b64decode(value["data"])
            if named is None:
                path = save("shot", value["mime_type"].partition("/")[2], data, folder)
            else:
                path = os.path.relpath(named, folder)
                Path(named).write_bytes(data)
            payload[key] = {"path": path, "bytes": len(data)}
            lines.append(f"{path} ({len(data)} bytes)")
    return lines


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
        elif not _FLAGS[name]:
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
