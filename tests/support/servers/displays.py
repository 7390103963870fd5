"""An X server for tests with windows, and a person at its keyboard."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager

import pytest

needs_display = pytest.mark.skipif(
    shutil.which("Xvfb") is None or shutil.which("xdotool") is None,
    reason="windows need an X server and a keyboard: install xvfb and xdotool",
)


@contextmanager
def virtual_display() -> Generator[str]:
    """An X server without a screen, on the first number that is free."""
    reading, writing = os.pipe()
    with subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x900x24"],
        pass_fds=(writing,),
        stderr=subprocess.DEVNULL,
    ) as server:
        os.close(writing)
        try:
            with os.fdopen(reading) as number:
                yield f":{number.readline().strip()}"
        finally:  # or a test that fails would wait for it for ever
            server.terminate()


def press(display: str, *keys: str) -> None:
    """Press keys one after the other, as a person does."""
    for key in keys:
        subprocess.run(["xdotool", "key", key, "sleep", "0.2"], env={**os.environ, "DISPLAY": display}, check=True)
