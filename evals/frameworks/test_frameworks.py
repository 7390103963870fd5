"""The examples of agent frameworks play the shop's task, with scripted models in place of the services.

Each runs in the environment of its framework, which `make frameworks` installs. `CDP_TYPED_FRAMEWORKS` names the
examples to play, or `all`; by default two of them, which `make rest` installs.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from shop import TASK, shop_browser

from evals.frameworks.scripted_services import ScriptedServices, scripted_services
from tests.supervisor.addons.mcp.conftest import TOKEN, serving_http

ROOT = Path(__file__).parents[2]
EXAMPLES = {path.stem: path for path in sorted((ROOT / "examples" / "frameworks").glob("*.py"))}
ENVIRONMENTS = {"langgraph_agent": "langchain_agent"}
"""Examples that share the environment of another one."""
DIRECT_ONLY = {"crewai_agent", "smolagents_agent"}
WITHOUT_PICTURES = {("crewai_agent", "direct"), ("llamaindex_agent", "over_mcp")}
OVER_HTTP = {"ag2_agent", "llamaindex_agent"}
WANTED = os.environ.get("CDP_TYPED_FRAMEWORKS", "anthropic_runner openai_agents")
PLAYED = list(EXAMPLES) if WANTED == "all" else WANTED.split()
LINES = 25

ANSWER = "The payment form comes from http://pay.example. I was asked: Empty the cart? I said no. I saw {}."


def environ(services: ScriptedServices, home: Path) -> Mapping[str, str]:
    """The addresses of the scripted services, and nothing that leads off this machine."""
    nowhere = "http://127.0.0.1:9"
    return {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(home),
        "HTTP_PROXY": nowhere,
        "HTTPS_PROXY": nowhere,
        "NO_PROXY": "127.0.0.1",
        "OPENAI_BASE_URL": f"{services.url}/v1",
        "OPENAI_API_BASE": f"{services.url}/v1",
        "ANTHROPIC_BASE_URL": services.url,
        "GOOGLE_GEMINI_BASE_URL": services.url,
        **dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY"), "none"),
        **dict.fromkeys(("CREWAI_DISABLE_TELEMETRY", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"), "1"),
        **dict.fromkeys(("OPENAI_AGENTS_DISABLE_TRACING", "OTEL_SDK_DISABLED"), "true"),
    }


def play(name: str, way: str, *given: str, home: Path, services: ScriptedServices) -> str:
    """Run an example in its environment, and return its last line. Fails where that is not installed."""
    python = ROOT / ".venv" / "frameworks" / ENVIRONMENTS.get(name, name) / "bin" / "python"
    done = subprocess.run(
        [python, ROOT / "evals" / "frameworks" / "play.py", EXAMPLES[name], way, TASK, *given],
        env=environ(services, home),
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert services.refused == []
    return done.stdout.splitlines()[-1]


@pytest.mark.thorough
@pytest.mark.parametrize("name", PLAYED)
def test_with_the_tools_in_its_process_it_answers_the_dialog_and_sees_the_page(name: str, tmp_path: Path) -> None:
    with scripted_services() as services, shop_browser() as browser:
        answer = play(name, "direct", browser.url, home=tmp_path, services=services)

    assert answer == ANSWER.format("no picture" if (name, "direct") in WITHOUT_PICTURES else "a picture")


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name in PLAYED if name not in DIRECT_ONLY])
def test_over_mcp_it_answers_the_dialog_and_sees_the_page(name: str, tmp_path: Path) -> None:
    has_pictures = (name, "over_mcp") not in WITHOUT_PICTURES
    with scripted_services() as services, shop_browser() as browser:
        if name in OVER_HTTP:
            left_out = () if has_pictures else ("--disabled", "browser_vision")
            with serving_http("--cdp-url", browser.url, *left_out) as url:
                answer = play(name, "over_mcp", url, TOKEN, home=tmp_path, services=services)
        else:
            answer = play(name, "over_mcp", browser.url, home=tmp_path, services=services)

    assert answer == ANSWER.format("a picture" if has_pictures else "no picture")


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("way", ["direct", "over_mcp"])
def test_an_example_fits_into_25_lines(name: str, way: str) -> None:
    """Without imports, and without the other way to do it."""
    other = {"direct": "over_mcp", "over_mcp": "direct"}[way]
    parts = [
        part
        for part in ast.parse(EXAMPLES[name].read_text(encoding="utf-8")).body
        if not isinstance(part, (ast.Import, ast.ImportFrom, ast.Expr)) and getattr(part, "name", "") != other
    ]
    lines = EXAMPLES[name].read_text(encoding="utf-8").splitlines()
    counted = [line for part in parts for line in lines[part.lineno - 1 : part.end_lineno] if line.strip()]

    assert len(counted) <= LINES, counted
