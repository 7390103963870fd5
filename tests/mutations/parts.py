"""The parts of the code in which faults are planted, and the tests that `make test` and `make all` run for each."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from msgspec import Struct

__all__ = ["MAKE_ALL", "MAKE_REST", "MAKE_TEST", "PARTS", "REPOSITORY", "Part", "Selection", "nearest_tests"]

REPOSITORY: Final = Path(__file__).parents[2]


class Selection(Struct, frozen=True):
    """The tests that a target of the Makefile runs."""

    options: tuple[str, ...]
    """What pytest is given besides the paths."""

    stages: str = "mock,chromium"
    """The browsers of the scenarios, as in `CDP_TYPED_STAGES`."""


MAKE_TEST: Final = Selection(("--part", "test"))
MAKE_REST: Final = Selection(("--part", "rest"))
"""What `make all` plays besides, without the older browsers."""
MAKE_ALL: Final = Selection(())
"""Both."""


class Part(Struct, frozen=True):
    """A part of the code with its tests; paths are relative to the repository."""

    name: str
    sources: tuple[str, ...]
    tests: tuple[str, ...]
    without: tuple[str, ...] = ()


_SUPERVISOR: Final = ("tests/supervisor/scenarios", "tests/supervisor/test_aio.py", "tests/supervisor/test_registry.py")

PARTS: Final = (
    Part("core", ("supervisor/core",), ("tests/supervisor/core", *_SUPERVISOR)),
    Part("tools", ("supervisor/tools",), ("tests/supervisor/tools", "tests/supervisor/compat", "tests/tasks")),
    Part(
        "client",
        tuple(
            f"cdp_typed/{folder}"
            for folder in ("client", "endpoint", "helpers", "recording", "sync", "transport", "wire")
        ),
        ("tests/cdp_typed", "tests/faults"),
        ("cdp_typed/helpers/blocking", "tests/cdp_typed/mock", "tests/cdp_typed/launch"),
    ),
    Part("mock", ("cdp_typed/mock",), ("tests/cdp_typed/mock", "tests/honesty", "tests/supervisor/scenarios")),
    Part("driver", ("supervisor/driver",), ("tests/supervisor/driver", *_SUPERVISOR, "tests/supervisor/live")),
    Part("fleet", ("supervisor/fleet",), ("tests/supervisor/fleet",), ()),
    Part(
        "launch",
        ("cdp_typed/launch",),
        (
            "tests/cdp_typed/launch",
            "tests/cdp_typed/test_pytest_plugin.py",
            "tests/test_shared_browser.py",
        ),
    ),
)


def nearest_tests(file: str) -> str:
    """Return the folder of tests that mirrors a file's folder, or the folder above it that has one."""
    folder = Path(file).parent
    while not (REPOSITORY / "tests" / folder).is_dir():
        folder = folder.parent
    return f"tests/{folder}"
