"""MCP servers in processes of their own, as clients start them, and clients that talk to them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Literal, TypeAlias

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.support.secrets import CANARY, heard
from tests.support.wheels import ROOT

__all__ = ["TOKEN", "Transport", "client_at", "connected", "http_server", "over_stdio", "serving_http"]

TOKEN = CANARY
Transport: TypeAlias = Literal["stdio", "http"]


def over_stdio(
    *arguments: str, words: Sequence[str] = ("mcp",), environment: dict[str, str] | None = None
) -> StdioServerParameters:
    """A server that the client starts."""
    command = ["-m", "supervisor", *words, *arguments]
    return StdioServerParameters(command=sys.executable, args=command, cwd=ROOT, env=environment)


@contextmanager
def serving_http(*arguments: str) -> Generator[str]:
    """A server on a free port; yields its URL. What it writes is watched for the token."""
    with http_server(*arguments) as (server, url):
        yield url
        os.kill(server.pid, signal.SIGINT)
        out, err = server.communicate(timeout=20)
        assert out == "", err


@contextmanager
def http_server(*arguments: str, words: Sequence[str] = ("mcp",)) -> Generator[tuple[subprocess.Popen[str], str]]:
    """The same, with its process, which a test may end as it likes."""
    server = subprocess.Popen(
        [sys.executable, "-m", "supervisor", *words, "--http", "0", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "CDP_MCP_TOKEN": TOKEN},
    )
    try:
        yield server, _url_told_by(server)
    finally:
        if server.poll() is None:
            os.kill(server.pid, signal.SIGINT)
        server.communicate(timeout=20)


def _url_told_by(server: subprocess.Popen[str]) -> str:
    assert server.stderr is not None
    told: list[str] = []
    for line in server.stderr:
        told.append(heard(line))
        if "listening on" in line:
            return line.split()[-1]
    raise AssertionError("".join(told))


@asynccontextmanager
async def connected(
    transport: Transport, *arguments: str, environment: dict[str, str] | None = None, **client: Any
) -> AsyncGenerator[Client]:
    """A client of a server with these arguments; the environment is that of a server over stdio."""
    if transport == "stdio":
        async with Client(over_stdio(*arguments, environment=environment), **client) as over_pipe:
            yield over_pipe
        return
    with serving_http(*arguments) as url:
        async with client_at(url, **client) as over_http:
            yield over_http


@asynccontextmanager
async def client_at(url: str, **client: Any) -> AsyncGenerator[Client]:
    """A client of the server at this URL, with a session of its own."""
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), **client) as over_http,
    ):
        yield over_http
