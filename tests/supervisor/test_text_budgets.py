"""The texts that an agent reads before it acts are short: the definitions of the tools, and the help."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import pytest

from cdp_agent.program import main
from supervisor import Config
from supervisor.tools import CATALOGUE, Catalogue, Toolbox


def complaint(whole: str, budget: int, parts: Mapping[str, int]) -> str | None:
    """A sentence that names the longest parts of a text that has more characters than it may have."""
    over = sum(parts.values()) - budget
    longest = sorted(parts, key=lambda name: -parts[name])[:5]
    named = ", ".join(f"{name} {parts[name]}" for name in longest)
    return f"{whole}: {over} characters too many for its {budget}; the longest are {named}" if over > 0 else None


def definitions(toolsets: str) -> dict[str, int]:
    """The size of each tool's definition, in OpenAI's format."""
    everywhere = Config(cdp_url="ws://127.0.0.1:9", watch_requests=True)
    box = Toolbox(everywhere, toolsets=toolsets, catalogue=Catalogue(CATALOGUE))
    described = zip(box.chosen, box.schemas("openai"), strict=True)
    return {tool.name: len(json.dumps(schema, separators=(",", ":"))) + 1 for tool, schema in described}


def sections(text: str) -> dict[str, int]:
    """The size of each section or paragraph by its first line."""
    return {part.strip().partition("\n")[0]: len(part) for part in re.split(r"(?m)^(?=## )|(?<=\n)\n", text)}


def test_no_text_is_longer_than_its_budget(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--help"])
    complaints = (
        complaint("the toolset browser (docs/tools.md)", 12_000, definitions("browser")),
        complaint("all toolsets together (docs/toolsets.md)", 30_000, definitions("all")),
        complaint("cdp-agent --help", 2700, sections(capsys.readouterr().out)),
    )

    assert [found for found in complaints if found] == []


def test_a_text_that_is_too_long_is_named_with_its_longest_parts() -> None:
    assert complaint("all", 10, {"a": 4, "b": 6}) is None
    assert complaint("all", 9, {"a": 4, "b": 6}) == "all: 1 characters too many for its 9; the longest are b 6, a 4"
