"""Tries the launch of a browser with the installed wheel, on any system that has a Chrome, Chromium or Edge.

python tests/release/launch_trial.py
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

GONE_S = 20.0


def main() -> None:
    """Try all of it. Raises `AssertionError`, or whatever went wrong."""
    show_a_title()
    keep_a_profile()
    end_with_python()
    sys.stdout.write(f"a browser was launched, kept its profile and ended on {sys.platform}\n")


def show_a_title() -> None:
    """List a page with a title that cp1252 cannot encode, as a console of Windows would show it."""
    from cdp_typed import connect_sync
    from cdp_typed.launch import launch
    from cdp_typed.protocol import runtime

    with launch() as browser, connect_sync(browser) as connection, connection.new_page() as tab:
        tab.send(runtime.Evaluate(expression="document.title = '\\u041f\\u0440\\u0438\\u0432\\u0435\\u0442'"))
        listed = subprocess.run(
            [sys.executable, "-m", "cdp_typed", "targets", browser.http_url],
            env={**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
            capture_output=True,
            check=True,
        )
        assert b"\\u041f\\u0440" in listed.stdout, listed.stdout
    assert not browser.profile.exists()
    assert is_closed(browser.http_url), "the browser outlived its block"


def keep_a_profile() -> None:
    """Launch twice with one profile, given as a text; while the first runs, another launch is refused."""
    import tempfile

    from cdp_typed import LaunchError
    from cdp_typed.launch import launch

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for _ in range(2):
            with launch(profile=folder) as browser:
                assert Path(folder, "Local State").exists() or browser.profile.exists()
                try:
                    launch(profile=folder, timeout=10).start()
                except LaunchError:
                    continue
                raise AssertionError("two browsers run with one profile")


def end_with_python() -> None:
    """Kill a Python that has launched a browser: the browser ends, too."""
    program = "from cdp_typed.launch import launch\nwith launch() as b: print(b.http_url, flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as python:
        assert python.stdout is not None
        url = python.stdout.readline().decode().strip()
        assert url, "no browser was launched"
        python.kill()
    deadline = time.monotonic() + GONE_S
    while not is_closed(url):
        assert time.monotonic() < deadline, "the browser outlived the Python that launched it"
        time.sleep(0.1)


def is_closed(url: str) -> bool:
    """Whether nothing accepts a connection at the address any more."""
    host, _, port = url.removeprefix("http://").partition(":")
    try:
        socket.create_connection((host, int(port)), 1).close()
    except OSError:
        return True
    return False


if __name__ == "__main__":
    main()
