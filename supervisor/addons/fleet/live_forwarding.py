"""The live view of a task on this machine: a port of loopback whose connections are carried to the task's host."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from cdp_typed.errors import CDPError
from cdp_typed.loop_thread import HANDLER_LOOP

from .errors import HostLost, NoSuchTask, NoSuchTunnel, NotHere
from .on_ray.router import TaskRouter
from .values import Placement, TaskStatus

KEEP_S = 1.0
"""Seconds between two renewals of the tunnel's lease."""
CHUNK = 2**16


class LiveTunnel:
    """Accepts connections on 127.0.0.1 for as long as the task is at its place.

    Its page needs the token, and is given only to the names of loopback.
    """

    def __init__(self, router: TaskRouter, placement: Placement, token: str) -> None:
        self.token: str = token
        self.address: str = ""
        """Without the token."""
        self._router = router
        self._placement = placement
        self._id = ""
        self._server: asyncio.Server | None = None
        self._work: set[asyncio.Task[None]] = set()
        self._ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    @property
    def url(self) -> str:
        """The address to open, with the token."""
        return f"{self.address}/#token={quote(self.token, safe='')}"

    def wait(self) -> str:
        """Wait until the view has ended by itself, and return why."""
        return HANDLER_LOOP.run(self._wait())

    async def wait_ended(self) -> str:
        """The same, to be awaited on any event loop."""
        return await HANDLER_LOOP.hop(self._wait())

    async def open(self, port: int) -> None:
        """Let the host serve the view, and listen here. Raises `OSError` and the host's errors."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", port)
        self.address = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        try:
            self._id = await self._ask("open_live", self.token)
        except BaseException:
            self._server.close()
            raise
        self._spawn(self._keep())

    async def close(self) -> None:
        """Stop listening, and end the tunnel on the host."""
        if self._server is not None:
            self._server.close()
        work = tuple(self._work)
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        with suppress(CDPError):
            await self._ask("close_live", self._id)

    async def _wait(self) -> str:
        return await asyncio.shield(self._ended)

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(KEEP_S)
            try:
                await self._ask("keep_live", self._id)
            except (NoSuchTunnel, NotHere) as ended:
                reason = ended.reason if isinstance(ended, NoSuchTunnel) else ""
                self._end(reason or "the task is not at its place any more")
                return
            except HostLost as lost:
                self._end(lost.reason)
                return
            except Exception as error:  # whoever waits for the end has to learn of it
                self._end(f"its host cannot be asked ({type(error).__name__})")
                raise

    def _end(self, reason: str) -> None:
        if not self._ended.done():
            self._ended.set_result(reason)
        if self._server is not None:
            self._server.close()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._spawn(self._carry(reader, writer))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry the bytes of a connection in both directions until one side has closed it."""
        try:
            connection: str = await self._ask("connect_live", self._id)
            both = {
                asyncio.create_task(self._send(reader, connection)),
                asyncio.create_task(self._receive(connection, writer)),
            }
            try:
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in both:
                    task.cancel()
                await asyncio.gather(*both, return_exceptions=True)
                await self._ask("disconnect_live", self._id, connection)
        except (CDPError, OSError):
            pass  # the person sees that the connection ended, and `_keep` tells why
        finally:
            writer.close()

    async def _send(self, reader: asyncio.StreamReader, connection: str) -> None:
        while data := await reader.read(CHUNK):
            await self._ask("write_live", self._id, connection, data)

    async def _receive(self, connection: str, writer: asyncio.StreamWriter) -> None:
        while (data := await self._ask("read_live", self._id, connection)) is not None:
            writer.write(data)
            await writer.drain()

    async def _ask(self, method: str, *args: Any) -> Any:
        return await self._router.ask_host(self._placement, method, *args)

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)


async def open_tunnel(router: TaskRouter, task_id: str, token: str | None, port: int) -> LiveTunnel:
    """Serve the view of a task here. Raises `NoSuchTask` for a task without a place, `FleetError` and `OSError`."""
    tasks: tuple[TaskStatus, ...] = await router.ask("tasks")
    if all((task.task_id, task.state) != (task_id, "placed") for task in tasks):
        raise NoSuchTask(task_id)
    tunnel = LiveTunnel(router, await router.placement(task_id), token or secrets.token_urlsafe(24))
    await tunnel.open(port)
    return tunnel
