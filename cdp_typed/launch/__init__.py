"""Find and start a local Chromium; leave nothing behind. See `launch`."""

from cdp_typed.launch.browser import Launch, LaunchedBrowser, NoSandboxWarning, launch
from cdp_typed.launch.find import ENVIRONMENT_VARIABLE, find_browser

__all__ = ["ENVIRONMENT_VARIABLE", "Launch", "LaunchedBrowser", "NoSandboxWarning", "find_browser", "launch"]
