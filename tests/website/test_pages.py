"""The pages of the site: links, navigation, the reference of the protocol and its examples."""

from __future__ import annotations

import json
import re
import tomllib
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from cdp_typed import Command
from cdp_typed.schema import load_schema
from website.__main__ import publish
from website.navigation import navigation
from website.protocol import protocol_pages
from website.reference import PUBLIC_MODULES, public_names, reference_pages
from website.repository import REPOSITORY, BrokenLink, hand_written_pages


@pytest.fixture(scope="module")
def protocol() -> dict[str, str]:
    return protocol_pages()


def sent(text: str) -> Iterator[Command[object]]:
    """The commands that the examples of a page send."""

    class Session:
        def send(self, command: Command[object]) -> Command[object]:
            return command

    for example in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL):
        names: dict[str, object] = {"session": Session()}
        exec(re.sub(r"^(?:result = )?await (.*)$", r"command = \1", example, flags=re.MULTILINE), names)
        command = names["command"]
        assert isinstance(command, Command)
        yield command


def test_every_command_has_an_example_that_is_that_command(protocol: dict[str, str]) -> None:
    schema = load_schema()
    assert len(schema.domains) == len(protocol) - 1 == 59
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        for name, domain in schema.domains.items():
            shown = [command.METHOD for command in sent(protocol[f"protocol/{name.lower()}.md"])]
            assert sorted(shown) == sorted(f"{name}.{command.name}" for command in domain.commands)


def test_every_command_event_and_type_has_its_place(protocol: dict[str, str]) -> None:
    for name, domain in load_schema().domains.items():
        text = protocol[f"protocol/{name.lower()}.md"]
        anchors = re.findall(r"^### .* \{#(\w+)\}$", text, re.MULTILINE)
        items = [
            *(command.name for command in domain.commands),
            *(event.name for event in domain.events),
            *(definition.id for definition in domain.types),
        ]
        assert sorted(anchors) == sorted(items)


def test_a_page_lists_its_commands_at_the_top_the_common_first_and_the_deprecated_last(
    protocol: dict[str, str],
) -> None:
    text = protocol["protocol/page.md"]

    listed = re.findall(
        r"\[(\w+)\]\(#\w+\)( \*experimental\*)?( \*deprecated\*)?",
        next(line for line in text.splitlines() if line.startswith("[")),
    )
    described = re.findall(r"^### Page\.(\w+) \{#\w+\}$", text.partition("## Events")[0], re.MULTILINE)
    assert [name for name, _, _ in listed] == described
    assert {"enable", "navigate", "captureScreenshot"} <= {name for name, _, _ in listed[:8]}
    deprecated = [bool(mark) for _, _, mark in listed]
    assert any(deprecated)
    assert deprecated == sorted(deprecated)


def test_a_command_is_shown_with_its_class_its_types_and_its_result(protocol: dict[str, str]) -> None:
    text = protocol["protocol/page.md"].partition("### Page.navigate {#navigate}")[2].partition("\n### ")[0]

    assert "Class: `page.Navigate`" in text
    assert "| `url` | `str` | URL to navigate the page to. |" in text
    assert "| `frame_id` (frameId) | `FrameId | None` ([FrameId](#FrameId)) | Optional. Frame id to navigate" in text
    assert "Result: `NavigateResult`" in text
    assert 'result = await session.send(page.Navigate(url="https://example.com/"))' in text


def test_links_lead_to_pages_of_the_site_or_to_files_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "examples").mkdir()
    for name in ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs/other.md"):
        (tmp_path / name).write_text("# Page\n\n[here](#there) [there](https://example.com/)\n")
    (tmp_path / "README.md").write_text("# Shop\n\n[a](docs/other.md#x) [b](examples)\n\n```sh\n[c](gone.md)\n```\n")

    pages = hand_written_pages(tmp_path)

    assert f"[a](other.md#x) [b]({REPOSITORY}/blob/main/examples)" in pages["index.md"]
    assert "[c](gone.md)" in pages["index.md"]
    assert pages["other.md"] == (
        "---\nsource: docs/other.md\n---\n\n# Page\n\n[here](#there) [there](https://example.com/)\n"
    )
    (tmp_path / "docs" / "other.md").write_text("# Page\n\n[c](gone.md)\n")
    with pytest.raises(BrokenLink, match=r"docs/other.md: gone.md leads to docs/gone.md, which is not there"):
        hand_written_pages(tmp_path)


def test_every_page_is_in_the_navigation_once_and_a_new_one_among_the_guides() -> None:
    pages = hand_written_pages() | reference_pages() | {"protocol/index.md": "# Protocol", "new.md": "# A `new` page"}

    written = navigation(pages)

    sections = tomllib.loads(f"nav = {written}")["nav"]
    named = [
        path for section in sections for entries in section.values() for entry in entries for path in entry.values()
    ]
    assert sorted(named) == sorted(pages)
    assert {"A new page": "new.md"} in next(section["Project"] for section in sections if "Project" in section)


def test_the_reference_names_every_public_name_of_its_modules() -> None:
    pages = reference_pages()

    assert set(pages) == {"api/index.md", *(f"api/{module}.md" for module in PUBLIC_MODULES)}
    assert "::: supervisor.CDPSupervisor\n" in pages["api/supervisor.md"]
    assert "### `UNSET` {#cdp_typed.UNSET}" in pages["api/cdp_typed.md"]
    assert {"cdp_typed.connect", "cdp_typed.Connection.events", "cdp_typed.Connection.closed"} <= {
        *public_names("cdp_typed")
    }


def test_versions_stand_side_by_side_and_the_newest_is_shown_first(tmp_path: Path) -> None:
    built, site = tmp_path / "built", tmp_path / "site"
    built.mkdir()
    (built / "old.html").write_text("old")
    (built / "index.html").write_text("first")
    for version in ("0.9.0", "0.10.0", "0.10.0", "0.2.0"):
        publish(built, site, version)
        (built / "old.html").unlink(missing_ok=True)
        (built / "index.html").write_text(f"after {version}")

    listed = [entry["version"] for entry in json.loads((site / "versions.json").read_text())]
    assert listed == ["0.10.0", "0.9.0", "0.2.0"]
    assert (site / "0.10.0" / "index.html").read_text() == "after 0.10.0"
    assert [(site / version / "old.html").exists() for version in listed] == [False, True, False]
    assert "url=0.10.0/" in (site / "index.html").read_text()
