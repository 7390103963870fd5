"""One picture of the page for each step, where the libraries that write videos are not installed."""

from __future__ import annotations

import re
from pathlib import Path

from cdp_typed import base64_bytes
from cdp_typed.protocol import page
from supervisor.saved_state.private_files import begun

MOST = 500


class StepPictures:
    """Writes the newest picture of the page after each step: `001-click-button-Save.jpg`."""

    def __init__(self, folder: Path) -> None:
        """Raises `OSError`."""
        self.folder = folder
        self.files: list[Path] = []
        self.is_full: bool = False
        self._newest: page.ScreencastFrame | None = None
        folder.mkdir(mode=0o700, parents=True)

    def frame(self, frame: page.ScreencastFrame) -> None:
        """Take in a picture of the page."""
        self._newest = frame

    def dialog(self, text: str) -> None:
        """No picture shows a dialog."""

    def step(self, name: str) -> None:
        """Write the picture of a step. Raises `OSError`."""
        self.is_full = len(self.files) >= MOST
        if self._newest is None or self.is_full:
            return
        words = "-".join(re.findall(r"[A-Za-z0-9]+", name))[:60]
        path = self.folder / f"{len(self.files) + 1:03}-{words or 'step'}.jpg"
        with begun(self.folder, base64_bytes(self._newest.data)) as new:
            new.replace(path)
        self.files.append(path)
