"""The profile of a launched browser: a fresh one, one that stays, or a copy of another browser's."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import sys
from pathlib import Path
from typing import Any

from msgspec import Struct

from cdp_typed.endpoint.devtools_active_port import NAME
from cdp_typed.errors import LaunchError
from cdp_typed.wire.json_text import is_object

# Files that a browser makes anew, and files of the browser that runs.
_NOT_COPIED = shutil.ignore_patterns(
    *("Cache", "Code Cache", "GPUCache", "*ShaderCache", "*Cache", "CacheStorage", "ScriptCache", "Crashpad"),
    *("Singleton*", "lockfile", NAME, "*.tmp", "Safe Browsing", "component_crx_cache", "optimization_guide*"),
)


class Profile(Struct, frozen=True):
    """Which user data directory a browser gets: `path` stays, `copy_of` is copied; with neither, it is fresh."""

    path: Path | None = None
    copy_of: Path | None = None
    downloads: Path | None = None
    """The folder for downloads; without it, the one of the profile or of the user."""

    def prepare(self, root: Path) -> Path:
        """Return the directory, ready for a start; what is not to stay is made in `root`. Raises `LaunchError`."""
        try:
            directory = self._directory(root)
            if self.downloads is not None:
                _save_downloads_in(self.downloads, directory)
        except (OSError, shutil.Error) as error:
            raise LaunchError(f"the profile cannot be used: {error}") from None
        return directory

    def _directory(self, root: Path) -> Path:
        if self.path is not None:
            return _prepare(self.path)
        if self.copy_of is not None:
            return _copy(self.copy_of, root / "profile")
        (root / "profile").mkdir()
        return root / "profile"


def _save_downloads_in(folder: Path, directory: Path) -> None:
    """Set the preference, because with it the browser gives a second file of a name a new one.

    With `Browser.setDownloadBehavior` it would replace the first file (Chromium 156).
    """
    used = _object(_read(directory / "Local State").get("profile")).get("last_used") or "Default"
    file = directory / str(used) / "Preferences"
    preferences = _read(file)
    own = {"default_directory": str(folder), "prompt_for_download": False}
    preferences["download"] = {**_object(preferences.get("download")), **own}
    file.parent.mkdir(mode=0o700, exist_ok=True)
    begun = file.with_name("Preferences.new")
    begun.touch(0o600)  # as Chromium makes it: it names the accounts of its user
    begun.write_text(json.dumps(preferences), "utf-8")
    begun.replace(file)


def _read(file: Path) -> dict[str, Any]:
    """The settings in a file; none where the browser would begin with none."""
    try:
        return _object(json.loads(file.read_bytes()))
    except (FileNotFoundError, ValueError):
        return {}


def _object(value: object) -> dict[str, Any]:
    return value if is_object(value) else {}


def _prepare(path: Path) -> Path:
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    user = user_of(path)
    if user is not None:
        raise LaunchError(f"the profile {path} is used by another browser ({user}): end that, or take another profile")
    (path / NAME).unlink(missing_ok=True)  # of the browser before, whose port another program may have now
    return path


def _copy(path: Path, to: Path) -> Path:
    if sys.platform != "linux":
        raise LaunchError(
            "a copy of a profile has no cookies on this system, which ties them to the browser's own directory: "
            "connect to the running browser instead (find_running), or use profile=PATH and log in there once"
        )
    if not (path / "Local State").is_file():
        raise LaunchError(f"{path} is not a user data directory: it has no file 'Local State'")
    shutil.copytree(path, to, symlinks=True, ignore=_NOT_COPIED, copy_function=_copy_file)
    return to


def _copy_file(source: str, to: str) -> None:
    with contextlib.suppress(FileNotFoundError):  # a running browser has removed it meanwhile
        shutil.copy2(source, to, follow_symlinks=False)


def user_of(profile: Path, *, platform: str = sys.platform) -> str | None:
    """Return who uses a user data directory, for an error text; `None` if no process of this machine does."""
    if platform == "win32":
        try:
            (profile / "lockfile").open("r+b").close()
        except FileNotFoundError:
            return None
        except PermissionError:
            return "its lockfile is held"
        return None
    try:
        host, _, pid = str((profile / "SingletonLock").readlink()).rpartition("-")
    except OSError:
        return None
    return f"process {pid}" if host == socket.gethostname() and _runs(int(pid)) else None


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # of another user
        pass
    return True
