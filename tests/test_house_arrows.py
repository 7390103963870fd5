"""The checks of imports see what is planted in a copy of the packages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.layers import modules_in_no_layer
from tests.test_house import PACKAGES, ROOT, import_circle


@pytest.fixture(scope="module")
def lint_imports() -> str:
    """The command, from the environment that runs the tests."""
    command = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    assert command is not None
    return command


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """The packages and their contracts, as links, to plant violations in."""
    for package in PACKAGES:
        unneeded = ("__pycache__", "schema") if package == "codegen" else ("__pycache__",)
        ignore = shutil.ignore_patterns(*unneeded)
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignore, copy_function=os.symlink)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def plant(house: Path, module: str, lines: str) -> None:
    """Add lines to a module of the house, which has a file of its own from then on."""
    path = house / module
    text = path.read_text() if path.exists() else ""
    path.unlink(missing_ok=True)
    path.write_text(f"{text}\n{lines}\n")


PLANTED = (
    ("cdp_typed/__main__.py", "import supervisor", "supervisor stands on cdp_typed"),
    ("supervisor/driver/driver.py", "import supervisor.facade", "supervisor: surfaces, tools"),
    ("supervisor/tools/framework/tool.py", "import supervisor.tools.page.refs", "supervisor.tools: browser"),
    ("cdp_typed/wire/router.py", "import cdp_typed.transport", "cdp_typed: cli, client"),
    ("cdp_typed/client/subscriptions.py", "import cdp_typed.client.session", "cdp_typed.client: connect"),
    ("cdp_typed/wire/decoding.py", "import cdp_typed.wire.router", "cdp_typed.wire: router"),
    ("cdp_typed/endpoint/http_get.py", "import cdp_typed.endpoint.sources", "cdp_typed.endpoint: sources"),
    ("supervisor/core/step.py", "import asyncio", "supervisor.core is pure"),
    ("supervisor/core/step.py", "from cdp_typed import client", "supervisor.core is pure"),
    ("cdp_typed/mock/state/browser_state.py", "import cdp_typed.mock.flows.popups", "cdp_typed.mock: server, control"),
    ("cdp_typed/mock/__init__.py", "import cdp_typed.wire.router", "the fake browser never imports the client"),
    ("cdp_typed/wire/router.py", "import websockets", "only transports and the mock"),
    ("supervisor/driver/driver.py", "import codegen.model", "nothing imports codegen"),
    ("codegen/model.py", "import cdp_typed.errors", "codegen imports nothing"),
)
"""Imports that point up, each with a file for it and the contract that it breaks."""


def test_each_arrow_that_points_up_is_caught(lint_imports: str, house: Path) -> None:
    for module, line, _ in PLANTED:
        plant(house, module, line)

    run = subprocess.run(
        [lint_imports, "--no-cache", "--no-logo"], cwd=house, capture_output=True, text=True, check=False
    )

    assert run.returncode == 1
    sections = re.split(r"^(\S.*)\n-+\n", run.stdout, flags=re.MULTILINE)
    told = dict(zip(sections[1::2], sections[2::2], strict=True))
    for module, line, contract in PLANTED:
        importer = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        imported = ".".join(line.split()[1::2])
        (chains,) = [text for name, text in told.items() if name.startswith(contract)]
        assert re.search(rf"{importer} -> {imported}\b", chains), (importer, line, chains)


def test_a_module_in_no_layer_is_named_with_the_list_that_it_joins(house: Path) -> None:
    assert list(modules_in_no_layer(house)) == []
    plant(house, "supervisor/driver/new_thing.py", '"""New."""')

    (told,) = modules_in_no_layer(house)

    start, line = told.rsplit(" ", 1)
    assert start.startswith("supervisor/driver/new_thing.py is in no layer: add 'new_thing' to the list `layers` of ")
    assert start.endswith("the contract 'supervisor.driver: driver, connection, recorder' in pyproject.toml, line")
    assert (house / "pyproject.toml").read_text().splitlines()[int(line) - 1] == "layers = ["


@pytest.mark.parametrize(
    "lines",
    [
        "from cdp_typed.client import session",
        "if TYPE_CHECKING:\n    from cdp_typed.client.session import Session",
        "def late():\n    import cdp_typed.client.session",
        "from .session import Session",
    ],
)
def test_a_circle_of_imports_is_caught(tmp_path: Path, lines: str) -> None:
    client = tmp_path / "cdp_typed" / "client"
    client.mkdir(parents=True)
    (client / "session.py").write_text("from cdp_typed.client.auto_attach import AutoAttach")
    (client / "auto_attach.py").write_text("import cdp_typed.errors")
    assert import_circle(tmp_path) == []

    (client / "auto_attach.py").write_text(lines)

    assert set(import_circle(tmp_path)) == {"cdp_typed.client.auto_attach", "cdp_typed.client.session"}
