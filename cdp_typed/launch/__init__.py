"""Find and start a local Chromium; leave nothing behind. See `launch`."""

from cdp_typed.launch.browser import NoSandboxWarning, launch
from cdp_typed.launch.executables import ENVIRONMENT_VARIABLE, find_browser
from cdp_typed.launch.pipe import PipedBrowser, PipeLaunch
from cdp_typed.launch.port import Launch, LaunchedBrowser

__all__ = [
    "ENVIRONMENT_VARIABLE",
    "Launch",
    "LaunchedBrowser",
    "NoSandboxWarning",
    "PipeLaunch",
    "PipedBrowser",
    "find_browser",
    "launch",
]
