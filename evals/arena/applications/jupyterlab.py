"""JupyterLab, with a folder of files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from evals.arena.applications.application import Program

__all__ = ["JupyterLab"]


class JupyterLab(Program):
    """JupyterLab without a token, on a folder with notebooks and many other files."""

    name: ClassVar[str] = "JupyterLab"
    patience_s: ClassVar[float] = 10.0
    ready: ClassVar[str] = "/api/status"

    @property
    def files(self) -> Path:
        """The folder that it shows."""
        return self.folder / "files"

    def prepare(self) -> None:
        self.files.mkdir()
        for number in range(40):
            (self.files / f"data-{number:02}.csv").write_text(f"day,sold\n1,{number}\n")
        (self.files / "todo.md").write_text("# To do\n")
        for name in ("draft", "sums", "tidy"):
            cells = [_cell("total = 6 * 7\n"), _cell("print(total)\n")]
            kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
            notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
            (self.files / f"{name}.ipynb").write_text(json.dumps(notebook))

    def command(self, port: int) -> Sequence[str | Path]:
        return (
            "jupyter", "lab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}",
            f"--ServerApp.root_dir={self.files}", "--IdentityProvider.token=", "--ServerApp.port_retries=0",
            "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
            "--LabApp.news_url=",
        )  # fmt: skip

    def cells(self, name: str) -> list[dict[str, Any]]:
        """The cells of a notebook as it was saved."""
        cells: list[dict[str, Any]] = json.loads((self.files / f"{name}.ipynb").read_text())["cells"]
        return cells


def _cell(source: str) -> dict[str, object]:
    own: dict[str, object] = {"id": f"cell-{len(source)}", "execution_count": None, "metadata": {}, "outputs": []}
    return {"cell_type": "code", "source": source, **own}
