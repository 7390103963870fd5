"""The options of `connect` on the command line, for every command that connects to a browser."""

from __future__ import annotations

import argparse
import ssl as tls
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from cdp_typed.addresses import check_headers
from cdp_typed.cli.arguments import warn
from cdp_typed.client.connect import Opening, connect
from cdp_typed.endpoint.discovery import ListedTarget, Resolved, discover, fetch_targets


class ConnectOptions(Struct, frozen=True):
    """The headers, proxy and certificates for a connection to a browser."""

    headers: Mapping[str, str]
    proxy: str | None
    ssl: tls.SSLContext | None

    def connect(self, url: str, *, open_timeout: float = 10.0, command_timeout: float = 30.0) -> Opening:
        """Call `cdp_typed.connect` with these options."""
        return connect(
            url,
            open_timeout=open_timeout,
            command_timeout=command_timeout,
            headers=self.headers,
            proxy=self.proxy,
            ssl=self.ssl,
            on_consent=warn,
        )

    async def discover(self, endpoint: str, *, timeout: float) -> Resolved | tuple[ListedTarget, ...]:
        """Call `cdp_typed.endpoint.discovery.discover` with these options."""
        return await discover(endpoint, headers=self.headers, timeout=timeout, proxy=self.proxy, ssl=self.ssl)

    async def fetch_targets(self, endpoint: str, *, timeout: float) -> tuple[ListedTarget, ...]:
        """Call `cdp_typed.endpoint.discovery.fetch_targets` with these options."""
        return await fetch_targets(endpoint, headers=self.headers, timeout=timeout, proxy=self.proxy, ssl=self.ssl)


def add_connect_options(parser: argparse.ArgumentParser) -> None:
    """Add `--header`, `--proxy` and `--ca`."""
    group = parser.add_argument_group("connection options")
    group.add_argument(
        "--header",
        action="append",
        type=_header,
        metavar="'NAME: VALUE'",
        default=[],
        help="a header to send with every request, for example 'Authorization: Bearer ...'; may be given several times",
    )
    group.add_argument(
        "--proxy", metavar="URL", help="an HTTP proxy, http://[user:password@]host:port (default: none; environment "
        "variables are ignored)",
    )  # fmt: skip
    group.add_argument(
        "--ca", type=_certificates, metavar="FILE", help="trust the certificates in this PEM file, for wss and https"
    )


def connect_options_of(options: argparse.Namespace) -> ConnectOptions:
    """Return the values of `--header`, `--proxy` and `--ca`."""
    values: dict[str, Any] = vars(options)
    return ConnectOptions(headers=dict(values["header"]), proxy=values["proxy"], ssl=values["ca"])


def _header(text: str) -> tuple[str, str]:
    # No error text may quote the value, which is most often a secret.
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
