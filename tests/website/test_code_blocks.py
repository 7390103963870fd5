"""Every example of the documentation is run by a test: a new one that nobody runs is an error here."""

from __future__ import annotations

import ast
import contextlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import cdp_agent.program
import cdp_typed.cli
from supervisor.declarations import commands as commands_without_session

ROOT = Path(__file__).parents[2]
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "SECURITY.md",
    *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md")),
)

CLIENT = "tests/cdp_typed/test_client_docs.py"
FLEET = "tests/supervisor/addons/fleet/on_ray/test_fleet_docs.py"
DEPLOYED = "tests/supervisor/addons/fleet/deploy/test_manifests.py"
GUIDES = "tests/website/test_examples_of_guides.py"
START = "tests/test_readme.py::test_a_program_runs_with_the_wheel_alone"
INTEGRATIONS = "tests/supervisor/tools/test_integrations_docs.py"
MOCK = "tests/cdp_typed/mock/test_docs.py"

RUN_BY: dict[str, dict[str, int]] = {
    "README.md": {
        "tests/test_readme.py::test_an_example_runs_as_it_stands": 2,
        "tests/test_examples.py::test_the_recipes_and_the_smallest_test_pass": 1,
    },
    "docs/client.md": {
        f"{CLIENT}::test_the_ways_to_send": 1,
        f"{CLIENT}::test_the_values_that_go_round": 1,
        f"{CLIENT}::test_the_helpers": 2,
        f"{CLIENT}::test_the_blocking_helpers": 1,
        f"{CLIENT}::test_the_ways_to_hear": 1,
        f"{CLIENT}::test_the_sessions": 1,
        f"{CLIENT}::test_the_blocking_client": 1,
        f"{CLIENT}::test_the_blocking_client_is_called_back": 1,
    },
    "docs/connecting.md": {
        f"{GUIDES}::test_the_first_lines_of_connecting_and_of_the_recipes": 1,
        f"{GUIDES}::test_the_browser_that_a_person_uses": 1,
        f"{GUIDES}::test_a_browser_on_a_pipe": 1,
        f"{GUIDES}::test_a_browser_on_a_pipe_for_several_connections": 1,
    },
    "docs/fleet.md": {
        f"{FLEET}::test_the_first_lines_call_tools_of_a_task": 1,
        f"{FLEET}::test_the_supervisor_of_a_task_is_called_from_afar": 1,
        f"{FLEET}::test_a_shared_fleet_is_joined_by_its_name": 1,
        f"{DEPLOYED}::test_the_settings_of_the_page_agree_with_the_manifest": 1,
    },
    "docs/integrations.md": {
        f"{INTEGRATIONS}::test_the_examples_for_a_host_with_tools_of_its_own_do_what_they_say": 3,
        "tests/supervisor/addons/hermes/test_hermes.py::test_the_example_for_hermes_registers_the_tools": 1,
        f"{INTEGRATIONS}::test_the_examples_beside_other_clients_give_both_the_same_browser": 2,
    },
    "docs/live.md": {"tests/supervisor/addons/live/test_live_docs.py::test_the_example_serves_the_view": 2},
    "docs/mcp.md": {f"{GUIDES}::test_the_mcp_server_from_python": 1},
    "docs/migration.md": {
        "evals/foreign/migration/test_migration.py::test_our_side_comes_to_the_same_result": 18,
        "evals/foreign/migration/test_migration.py::test_their_side_comes_to_the_result": 10,
    },
    "docs/mock.md": {
        f"{MOCK}::test_the_program_in_the_docs_runs": 1,
        f"{MOCK}::test_the_browser_without_a_socket_in_the_docs_answers": 1,
    },
    "docs/notebooks.md": {
        "tests/cdp_typed/first_contact/test_notebooks.py::test_the_cells_of_the_page_run_in_a_kernel": 7
    },
    "docs/recipes.md": {
        f"{GUIDES}::test_the_first_lines_of_connecting_and_of_the_recipes": 1,
        "tests/cdp_typed/helpers/test_recipes.py::test_a_recipe_does_what_it_says": 83,
    },
    "docs/report.md": {"tests/supervisor/addons/report/test_report_docs.py::test_the_example_tells_what_failed": 1},
    "docs/start-agent.md": {START: 1},
    "docs/start-client.md": {START: 2},
    "docs/start-testing.md": {"tests/test_examples.py::test_the_recipes_and_the_smallest_test_pass": 1},
    "docs/supervisor.md": {
        f"{GUIDES}::test_the_first_example_of_the_supervisor": 1,
        "tests/supervisor/test_supervisor_docs.py::test_the_example_with_tabs_and_frames": 1,
        f"{GUIDES}::test_a_supervisor_is_restricted": 1,
    },
    "docs/testing-with-the-mock.md": {"tests/test_examples.py::test_the_recipes_and_the_smallest_test_pass": 6},
    "docs/tools.md": {
        f"{GUIDES}::test_the_first_example_of_the_tools": 1,
        "tests/supervisor/tools/framework/test_docs_and_plugins.py::test_the_examples_of_the_docs_run": 2,
    },
}
"""Which test runs how many of a page's examples in Python."""


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """The language and the text of each block of code."""
    yield from re.findall(r"^ *```(\w*)\n(.*?)^ *```$", text, flags=re.MULTILINE | re.DOTALL)


def unrun(page: str, text: str, run_by: Mapping[str, Mapping[str, int]]) -> int:
    """How many more examples in Python a page has than tests run."""
    return Counter(language for language, _ in blocks(text))["python"] - sum(run_by.get(page, {}).values())


@pytest.mark.parametrize("page", PAGES)
def test_every_example_in_python_is_run(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")

    assert unrun(page, text, RUN_BY) == 0, "run each new example in a test, and name the test in RUN_BY"


def test_an_example_that_nobody_runs_is_found() -> None:
    text = (ROOT / "docs" / "connecting.md").read_text("utf-8")

    assert unrun("docs/connecting.md", f"{text}\n```python\nprint('new')\n```\n", RUN_BY) == 1
    assert unrun("docs/new.md", "# New\n\n```python\nprint('new')\n```\n", RUN_BY) == 1


def test_every_test_that_is_named_is_there_and_reads_the_page() -> None:
    for page, tests in RUN_BY.items():
        for test in tests:
            file, _, name = test.partition("::")
            source = (ROOT / file).read_text("utf-8")
            functions = ast.walk(ast.parse(source))
            names = {node.name for node in functions if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
            assert name in names, test
            assert Path(page).name in source, (page, test)


@pytest.mark.parametrize("page", PAGES)
def test_data_in_the_documentation_is_well_formed(page: str) -> None:
    for language, text in blocks((ROOT / page).read_text("utf-8")):
        assert language in {"", "console", "js", "json", "python", "sh", "text", "toml"}, language
        while language == "json" and text.strip():
            document, end = json.JSONDecoder().raw_decode(text.lstrip())
            assert isinstance(document, dict)
            text = text.lstrip()[end:]
        if language == "toml":
            assert tomllib.loads(text)


def commands(text: str) -> Iterator[tuple[str, str, set[str]]]:
    """The program, the command (of a fleet, with its action) and the options of each line in a shell that is for one
    of our programs."""
    for language, block in blocks(text):
        if language == "sh":
            for program, command, rest in re.findall(r"\b(make|cdp-typed|cdp-agent) ([a-z-]+)([^|#\n]*)", block):
                action = f" {rest.split()[0]}" if command == "fleet" and program != "make" else ""
                yield program, f"{command}{action}", set(re.findall(r" (--[a-z-]+)", rest))


@pytest.mark.parametrize("page", PAGES)
def test_commands_in_the_documentation_are_there_with_their_options(
    page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for program, command, options in commands((ROOT / page).read_text("utf-8")):
        if program == "make":
            assert command in targets
            continue
        if program == "cdp-agent" and command.split()[0] not in commands_without_session():
            continue
        main = cdp_typed.cli.main if program == "cdp-typed" else cdp_agent.program.main
        with contextlib.suppress(SystemExit):
            assert main([*command.split(), "--help"]) == 0, (program, command)
        help_text = capsys.readouterr().out
        assert f"{program} {command}" in help_text
        if command != "call":  # its options are the parameters of a command of the protocol
            assert {option for option in options if option not in help_text} == set()
