"""Public import paths stay where they are, whatever moves inside the packages."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PUBLIC = {
    "cdp_typed": "ALL Command Connection Event EventStream PROTOCOL Session SyncConnection connect connect_sync",
    "cdp_typed._base": "Base64 Command Event Open ResultClass deprecated",
    "cdp_typed._lazy": "lazy",
    "cdp_typed.cli": "main",
    "cdp_typed.client": "Connection",
    "cdp_typed.schema.diff": "compare",
    "cdp_typed.endpoint": "RunningBrowser fetch_protocol fetch_targets find_running",
    "cdp_typed.errors": "CDPError CommandError CommandTimeout ConnectionLost EndpointError LaunchError",
    "cdp_typed.helpers": "NavigationResult click cookies go_back go_forward goto js network_idle new_context"
    " pdf press screenshot set_cookies type_text",
    "cdp_typed.helpers.blocking": "NavigationResult click cookies go_back go_forward goto js network_idle new_context"
    " pdf press screenshot set_cookies type_text",
    "cdp_typed.launch": "Launch LaunchedBrowser PipedBrowser find_browser launch",
    "cdp_typed.mock": "MockBrowser MockPipe MockServer Page Site ThreadedMockServer load_scenario sample",
    "cdp_typed.mock.assertions": "assert_no_pending differences",
    "cdp_typed.mock.personality": "PERSONALITIES Personality",
    "cdp_typed.mock.samples": "samples",
    "cdp_typed.mock.validate": "check_event check_params check_result check_type",
    "cdp_typed.protocol": "PROTOCOL",
    "cdp_typed.protocol.page": "Navigate",
    "cdp_typed.pytest_plugin": "BrowserUnderTest",
    "cdp_typed.sync": "SyncConnection SyncSession connect_sync",
    "supervisor": "AsyncSupervisor CDPSupervisor Config SUPERVISOR_REGISTRY SupervisorRegistry",
    "supervisor.journal": "replay",
    "supervisor.addons.mcp": "Address Agent make_server serve_http serve_stdio",
    "supervisor.pytest_plugin": "pytest_addoption",
    "supervisor.addons.report": "Report report_html report_json report_of state_at",
    "supervisor.probe": "CAPABILITIES Row probe",
    "supervisor.tools": "CATALOGUE Catalogue ContentForm Form Image InvalidArgument LongPageText PageText PageValue"
    " Policy Refused GateContext Tool ToolContext ToolError ToolUnavailable Toolbox UnknownTool adispatch dispatch"
    " fence get_definitions has_endpoint shown tool",
}
"""Each module that users may import, and names of it that documents and programs use."""


@pytest.mark.parametrize("module", PUBLIC)
def test_a_public_module_has_its_names(module: str) -> None:
    public = import_module(module)

    names = {*PUBLIC[module].split(), *getattr(public, "__all__", ())}
    assert [name for name in names if not hasattr(public, name)] == []


IMPORTER = """
import asyncio, os, sys
for statement in sys.argv[1:]:
    if os.fork() == 0:
        exec(statement)
        sys.exit()
    if os.wait()[1]:
        print(statement)
"""
"""Runs each statement in a fork of an interpreter that has imported none of our modules, and prints those that fail."""


def test_every_public_module_can_be_the_first_that_a_program_imports() -> None:
    statements = [f"from {module} import {', '.join(names.split())}" for module, names in PUBLIC.items()]

    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORTER, *statements], capture_output=True, text=True, check=False
    )

    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_each_entry_point_leads_to_something() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    scripts = {name: place.split(":") for name, place in project["scripts"].items()}
    assert [
        name for name, (module, function) in scripts.items() if not callable(vars(import_module(module))[function])
    ] == []
    assert [import_module(module).__name__ for module in project["entry-points"]["pytest11"].values()] == [
        "cdp_typed.pytest_plugin",
        "supervisor.pytest_plugin",
    ]
