"""The live view on a terminal: keys in, screens out, a supervisor behind it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from msgspec.structs import replace
from rich.console import Console
from rich.live import Live

from cdp_typed.errors import CDPError
from cdp_typed.printable import visible
from supervisor.aio import AsyncSupervisor

from .input_state import Answer, Quit, View, look, press
from .keys import Keys, unbuffered
from .screen import draw

PAUSE_S = 0.05
"""So long further changes are collected before the screen is drawn anew."""


async def watch(supervisor: AsyncSupervisor, console: Console, stdin: int) -> None:
    """Show what a running supervisor knows until q is pressed; `stdin` is a terminal's file descriptor."""
    with (
        unbuffered(stdin),
        Live(console=console, screen=True, auto_refresh=False) as live,
    ):
        await _Watching(supervisor, live, stdin).run()


class _Watching:
    def __init__(self, supervisor: AsyncSupervisor, live: Live, stdin: int) -> None:
        self._supervisor = supervisor
        self._live = live
        self._stdin = stdin
        self._view = View()
        self._keys = Keys()
        self._news = asyncio.Event()
        self._done = False
        self._answering: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        async with self._woken():
            while not self._done:
                self._draw()
                await self._news.wait()
                await asyncio.sleep(PAUSE_S)
                self._news.clear()
        for task in self._answering:
            task.cancel()

    @asynccontextmanager
    async def _woken(self) -> AsyncGenerator[None]:
        """By changes, by keys, and by a terminal that changes its size."""
        loop = asyncio.get_running_loop()
        listener = self._supervisor.on_change(lambda change: loop.call_soon_threadsafe(self._news.set))
        loop.add_reader(self._stdin, self._read)
        if sys.platform != "win32":
            loop.add_signal_handler(signal.SIGWINCH, self._news.set)
        try:
            yield
        finally:
            if sys.platform != "win32":
                loop.remove_signal_handler(signal.SIGWINCH)
            loop.remove_reader(self._stdin)
            listener.close()

    def _draw(self) -> None:
        now = self._supervisor.snapshot()
        self._view = look(self._view, now.pending_dialogs)
        size = self._live.console.size
        self._live.update(draw(now, self._view, height=size.height, width=size.width), refresh=True)

    def _read(self) -> None:
        data = os.read(self._stdin, 1024)
        if not data:
            self._done = True
        for key in self._keys.feed(data):
            self._view, wish = press(self._view, key, self._supervisor.snapshot().pending_dialogs)
            if isinstance(wish, Quit):
                self._done = True
            elif wish is not None:
                task = asyncio.get_running_loop().create_task(self._answer(wish))
                self._answering.add(task)
                task.add_done_callback(self._answering.discard)
        self._news.set()

    async def _answer(self, answer: Answer) -> None:
        try:
            receipt = await self._supervisor.respond_to_dialog(answer.action, answer.text, answer.dialog_id)
            notice = f"{answer.dialog_id} {'accepted' if receipt.accepted else 'dismissed'}"
        except CDPError as error:
            notice = visible(str(error))
        self._view = replace(self._view, notice=notice)
        self._news.set()
