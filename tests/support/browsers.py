"""Real browsers for tests."""

from __future__ import annotations

import atexit
import shutil
import tempfile
import warnings
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Protocol

from cdp_typed.launch import Launch, LaunchedBrowser, NoSandboxWarning, launch
from tests.support.processes import kill_group

NO_OMNIBOX = "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,PaintHolding"
"""An argument; see `launched`. Chromium's own list, which this replaces, is PaintHolding alone (156, headless)."""


class LaunchBrowser(Protocol):
    """The fixture `chromium_factory`: a call of it launches a browser for this test alone, which ends with the test."""

    def __call__(self, *, isolate_sites: bool = True, args: Sequence[str] = ()) -> LaunchedBrowser: ...


def quiet_launch(
    executable: Path | None = None,
    *,
    isolate_sites: bool = True,
    args: Sequence[str] = (),
    timeout: float = 30.0,
    env: Mapping[str, str] = {},
) -> Launch:
    """`launch` as the tests want it: without the warning that CI, which is often root, cannot avoid, and with downloads
    in a folder that ends with the run, unless the environment names a home."""
    if "HOME" not in env:
        env = {"XDG_CONFIG_HOME": str(downloads_folder()), **env}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoSandboxWarning)
        return launch(executable, isolate_sites=isolate_sites, args=("--disable-gpu", *args), timeout=timeout, env=env)


@cache
def downloads_folder() -> Path:
    """The folder for downloads, until this process ends, with the setting that names it."""
    folder = Path(tempfile.mkdtemp(prefix="downloads-of-tests-"))
    atexit.register(shutil.rmtree, folder)
    (folder / "user-dirs.dirs").write_text(f'XDG_DOWNLOAD_DIR="{folder}"\n', "utf-8")
    return folder


@contextmanager
def launched(
    executable: Path | None = None, *, isolate_sites: bool = True, args: Sequence[str] = (), omnibox: bool = True
) -> Generator[LaunchedBrowser, None, None]:
    """A running browser for the length of the block, killed at its end.

    Asked to end it would take 0.2 s, in each of some five hundred tests. `omnibox` False leaves out the two pages with
    which Chromium draws what drops down from its address bar, targets of the type `browser_ui`: they take half of the
    processor time of a start, 0.8 of 1.8 s (156). A browser that many tests share has them, as users have.
    """
    own = () if omnibox else (NO_OMNIBOX,)
    with quiet_launch(executable, isolate_sites=isolate_sites, args=(*own, *args)) as browser:
        try:
            yield browser
        finally:
            kill_group(browser.pid)
