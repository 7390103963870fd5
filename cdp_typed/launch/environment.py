"""The environment of a launched browser: what it needs, and nothing else of the program that launches it."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Mapping

# A program's API keys and tokens are in its environment. Whatever gets out of a renderer's sandbox reads that of the
# browser, and so does every program that the browser starts.
_PASSED = (
    *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR", "LD_LIBRARY_PATH"),
    *("DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_*", "DBUS_SESSION_BUS_ADDRESS", "FONTCONFIG_*", "PULSE_SERVER"),
    *("LIBGL_*", "LIBVA_*", "MESA_*", "VK_*", "CHROME_DEVEL_SANDBOX", "CHROMIUM_FLAGS", "QT_*", "QTWEBENGINE_*"),
    "__CF_USER_TEXT_ENCODING",  # macOS
    *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "OS", "USERNAME", "USERPROFILE"),
    *("HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "ALLUSERSPROFILE", "PROGRAMDATA", "PROGRAMFILES*"),
    *("COMMONPROGRAMFILES*", "PUBLIC", "NUMBER_OF_PROCESSORS", "PROCESSOR_*"),
)
# Chromium takes its proxy from these, and leaves out the name and password in them.
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "SOCKS_SERVER", "SOCKS_VERSION", "NO_PROXY")
_USER_INFO = re.compile(r"(^|//)[^/@]*@")


def environment_of(more: Mapping[str, str], environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return what a browser gets of an environment, proxies without user info, and `more`."""
    passed = {name: value for name, value in environ.items() if _is_passed(name)}
    proxies = {
        name: _USER_INFO.sub(r"\1", value, count=1) for name, value in environ.items() if name.upper() in _PROXIES
    }
    return {**passed, **proxies, **more}


def _is_passed(name: str) -> bool:
    return any(fnmatch.fnmatchcase(name.upper(), pattern) for pattern in _PASSED)
