"""Streamlit and Gradio, with a form each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from evals.arena.applications.application import PROGRAMS, Program

__all__ = ["Gradio", "Streamlit"]


class Reporting(Program):
    """A program that writes down every value that it has computed with."""

    patience_s: ClassVar[float] = 6.0

    @property
    def variables(self) -> dict[str, str]:
        return {"ARENA_REPORT": str(self.folder / "report")}

    def last(self) -> dict[str, Any]:
        """The last report."""
        path = self.folder / "report"
        lines = path.read_text().splitlines() if path.exists() else []
        last: dict[str, Any] = json.loads(lines[-1]) if lines else {}
        return last


class Streamlit(Reporting):
    """An order form that writes down its values at each run."""

    name: ClassVar[str] = "Streamlit"

    def command(self, port: int) -> Sequence[str | Path]:
        return (
            "streamlit", "run", PROGRAMS / "streamlit_orders.py", "--server.headless=true", f"--server.port={port}",
            "--server.address=127.0.0.1", "--browser.gatherUsageStats=false", "--server.fileWatcherType=none",
        )  # fmt: skip


class Gradio(Reporting):
    """A form that writes down what its function was called with."""

    name: ClassVar[str] = "Gradio"

    @property
    def variables(self) -> dict[str, str]:
        own = {"GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1", "GRADIO_TEMP_DIR": str(self.folder)}
        return {**super().variables, **own}

    def command(self, port: int) -> Sequence[str | Path]:
        return ("python", PROGRAMS / "gradio_greeter.py", str(port))
