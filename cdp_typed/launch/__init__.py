"""Find and start a local Chromium; leave nothing behind. See `launch`."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from cdp_typed.launch.browser import NoSandboxWarning, launch
from cdp_typed.launch.executables import ENVIRONMENT_VARIABLE, find_browser
from cdp_typed.launch.pipe import PipedBrowser, PipeLaunch
from cdp_typed.launch.port import Launch, LaunchedBrowser
from cdp_typed.launch.shared_browser import SharedBrowser

__all__ = [
    "ENVIRONMENT_VARIABLE",
    "Launch",
    "LaunchedBrowser",
    "NoSandboxWarning",
    "PipeLaunch",
    "PipedBrowser",
    "SharedBrowser",
    "find_browser",
    "launch",
]


class _Module(ModuleType):
    def __call__(self, *_args: Any, **_options: Any) -> Any:
        raise TypeError("cdp_typed.launch is a module; the function in it: from cdp_typed.launch import launch")


sys.modules[__name__].__class__ = _Module
