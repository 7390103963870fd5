"""Files that viewers send from their own machines for file choosers."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from supervisor.aio import AsyncSupervisor
from supervisor.http_server import is_loopback

MAX_UPLOAD = 200 * 2**20
"""Bytes of one file."""


class Uploads:
    """Keeps the files for the browser in a directory that only this user can read, until `close`."""

    def __init__(self) -> None:
        self._folder: Path | None = None

    async def take(self, request: Request, supervisor: AsyncSupervisor | None) -> Response:
        """Keep the body of a request as a file, and answer with its path."""
        name = Path(request.query_params.get("name", "")).name
        if name in ("", "..") or "\0" in name or len(name) > 200:
            return PlainTextResponse("The file needs a name of at most 200 characters.", 400)
        if supervisor is None or not _is_on_this_machine(supervisor):
            reason = "The browser runs on another machine. Type the path of a file there."
            return PlainTextResponse(reason, 409)
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="cdp-live-"))
        path = Path(tempfile.mkdtemp(dir=self._folder)) / name
        size = 0
        with path.open("xb") as file:
            async for piece in request.stream():
                size += len(piece)
                if size > MAX_UPLOAD:
                    break
                await asyncio.to_thread(file.write, piece)
        if size > MAX_UPLOAD:
            shutil.rmtree(path.parent)
            return PlainTextResponse(f"A file may have {MAX_UPLOAD // 2**20} MiB at most.", 413)
        return JSONResponse({"path": str(path)})

    def close(self) -> None:
        """Remove all files."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


def _is_on_this_machine(supervisor: AsyncSupervisor) -> bool:
    """True for a browser that was launched, or whose address is one of loopback."""
    endpoint = supervisor.config.cdp_url
    return not isinstance(endpoint, str) or is_loopback(urlsplit(endpoint).hostname or "")
