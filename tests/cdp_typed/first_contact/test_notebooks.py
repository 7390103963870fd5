"""The cells of the page about notebooks, in a real kernel of Jupyter."""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import processes_of
from tests.support.wheels import build_wheel

pytestmark = [pytest.mark.thorough, pytest.mark.chromium]

PAGE = Path(__file__).parents[3] / "docs" / "notebooks.md"
CELLS = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)


@pytest.fixture
def kernel(tmp_path: Path) -> Iterator[Any]:
    """A client of a new kernel, which finds the wheel. The package is imported here, as no other test needs it."""
    with zipfile.ZipFile(build_wheel(tmp_path)) as wheel:
        wheel.extractall(tmp_path)
    environ = {**os.environ, "PYTHONPATH": str(tmp_path)}
    manager, client = import_module("jupyter_client.manager").start_new_kernel(env=environ, cwd=str(tmp_path))
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


class _Cell:
    def __init__(self, kernel: Any, code: str) -> None:
        self.data: dict[str, str] = {}
        self.printed = ""
        reply = kernel.execute_interactive(code, timeout=120, output_hook=self._on_output, allow_stdin=False)
        self.error = "\n".join(reply["content"].get("traceback", ()))

    def _on_output(self, message: Any) -> None:
        content = message["content"]
        self.data |= content.get("data", {}) if message["msg_type"] == "execute_result" else {}
        self.printed += content.get("text", "") if message["msg_type"] == "stream" else ""


def test_the_cells_of_the_page_run_in_a_kernel(kernel: Any, tmp_path: Path) -> None:
    opened, title, image, closed, blocking, toolbox, end = CELLS
    cells = [_Cell(kernel, opened)]
    home = _Cell(kernel, "import cdp_typed; cdp_typed.__file__").data["text/plain"]
    place = _Cell(kernel, "import gc; gc.collect(); (chromium.pid, str(chromium.profile))").data["text/plain"]
    cells += [_Cell(kernel, code) for code in (title, image, closed, blocking, toolbox, end)]

    assert [cell.error for cell in cells] == [""] * 7
    assert home == repr(str(tmp_path / "cdp_typed" / "__init__.py"))
    assert cells[1].data["text/plain"] == "'Shop'"
    assert cells[2].data["image/png"].startswith("iVBORw0KGgo")
    assert cells[4].data["text/plain"] == "'Blocking'"
    assert "Blocking" in cells[5].data["text/plain"]
    warned = "".join(cell.printed for cell in cells).count("a blocking call on a thread that runs an event loop")
    assert warned == 1
    pid, profile = re.fullmatch(r"\((\d+), '(.*)'\)", place).groups()  # type: ignore[union-attr]  # pyright: ignore[reportOptionalMemberAccess]
    assert processes_of(int(pid), Path(profile)) == {}
