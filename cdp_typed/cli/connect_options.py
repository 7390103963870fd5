"""The way to the browser: the options of `connect` that every command which dials one has."""

from __future__ import annotations

import argparse
import ssl as tls
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from cdp_typed.addresses import check_headers
from cdp_typed.client.connect import Opening, connect
from cdp_typed.endpoint.discovery import ListedTarget, Resolved, discover, fetch_targets, resolve
from cdp_typed.transport import Transport
from cdp_typed.transport.websocket import open_websocket

__all__ = ["DIRECT", "ConnectOptions", "add_connect_options", "connect_options_of"]


class ConnectOptions(Struct, frozen=True):
    """How to get to a browser."""

    headers: Mapping[str, str]
    proxy: str | None
    ssl: tls.SSLContext | None

    def connect(self, url: str, *, open_timeout: float = 10.0, command_timeout: float = 30.0) -> Opening:
        """`cdp_typed.connect`, this way."""
        return connect(
            url,
            open_timeout=open_timeout,
            command_timeout=command_timeout,
            headers=self.headers,
            proxy=self.proxy,
            ssl=self.ssl,
        )

    async def resolve(self, endpoint: str, *, timeout: float) -> Resolved:
        """`cdp_typed.endpoint.discovery.resolve`, this way."""
        return await resolve(endpoint, headers=self.headers, timeout=timeout, proxy=self.proxy, ssl=self.ssl)

    async def discover(self, endpoint: str, *, timeout: float) -> Resolved | tuple[ListedTarget, ...]:
        """`cdp_typed.endpoint.discovery.discover`, this way."""
        return await discover(endpoint, headers=self.headers, timeout=timeout, proxy=self.proxy, ssl=self.ssl)

    async def fetch_targets(self, endpoint: str, *, timeout: float) -> tuple[ListedTarget, ...]:
        """`cdp_typed.endpoint.discovery.fetch_targets`, this way."""
        return await fetch_targets(endpoint, headers=self.headers, timeout=timeout, proxy=self.proxy, ssl=self.ssl)

    async def dial(self, found: Resolved, *, open_timeout: float, max_size: int) -> Transport:
        """A wire to a websocket, this way. Raises `EndpointError`."""
        return await open_websocket(
            found.url,
            open_timeout=open_timeout,
            max_size=max_size,
            headers=self.headers,
            proxy=self.proxy,
            ssl=self.ssl,
            v8_version=found.v8_version,
        )


DIRECT = ConnectOptions(headers={}, proxy=None, ssl=None)
"""Without any of the options."""


def add_connect_options(parser: argparse.ArgumentParser) -> None:
    """`--header`, `--proxy` and `--ca`."""
    group = parser.add_argument_group("the way to the browser")
    group.add_argument(
        "--header",
        action="append",
        type=_header,
        metavar="'NAME: VALUE'",
        default=[],
        help="send it with every request, for example 'Authorization: Bearer ...'; may be given several times",
    )
    group.add_argument(
        "--proxy", metavar="URL", help="an HTTP proxy, http://[user:password@]host:port (default: none, whatever "
        "the environment says)",
    )  # fmt: skip
    group.add_argument(
        "--ca", type=_certificates, metavar="FILE", help="trust the certificates in this PEM file, for wss and https"
    )


def connect_options_of(options: argparse.Namespace) -> ConnectOptions:
    """What the parsed options say."""
    given: dict[str, Any] = vars(options)
    return ConnectOptions(headers=dict(given["header"]), proxy=given["proxy"], ssl=given["ca"])


def _header(text: str) -> tuple[str, str]:
    # Nothing of the value may be repeated: it is most often a secret.
    name, colon, value = text.partition(":")
    if not colon:
        raise argparse.ArgumentTypeError("'NAME: VALUE' is expected")
    name, value = name.strip(), value.strip()
    try:
        check_headers({name: value})
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return name, value


def _certificates(path: str) -> tls.SSLContext:
    try:
        return tls.create_default_context(cafile=path)
    except tls.SSLError:
        raise argparse.ArgumentTypeError(f"{path}: no certificates in PEM form") from None
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{path}: {error.strerror or 'cannot be read'}") from None
