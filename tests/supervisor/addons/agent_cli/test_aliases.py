"""The words of a command line, and the tools' arguments that they become."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cdp_typed.cli.arguments import UsageError
from supervisor.addons.agent_cli.aliases import WORDS, commands, format_of, with_commands
from supervisor.addons.agent_cli.other_words import command_named, in_our_words
from supervisor.tools import CATALOGUE, Catalogue, Tool

ROOT = Path(__file__).parents[4]
COMMANDS = commands(CATALOGUE)


def arguments(*words: str, folder: str = "/tree") -> dict[str, Any]:
    """The arguments of the tool of the first word, without the wish to see what changed."""
    found = COMMANDS[words[0]].arguments([*words[1:]], folder)
    return {name: value for name, value in found.items() if name != "snapshot"}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("open", "https://example.com/a?b=1"), {"url": "https://example.com/a?b=1"}),
        (("open", "example.com"), {"url": "https://example.com"}),
        (("open", "localhost:3000/x"), {"url": "http://localhost:3000/x"}),
        (("open", "127.0.0.1:3000"), {"url": "http://127.0.0.1:3000"}),
        (("open", "about:blank"), {"url": "about:blank"}),
        (("look",), {}),
        (("look", "e7", "--find", "Save"), {"ref": "e7", "find": "Save"}),
        (("look", "--interactive-only"), {"interactive_only": True}),
        (("click", 'button "Save"', "--count=2", "--force"), {"ref": 'button "Save"', "count": "2", "force": True}),
        (("fill", "e1", "Ann"), {"fields": [{"ref": "e1", "value": "Ann"}]}),
        (("fill", "e1", "a", "b"), {"fields": [{"ref": "e1", "value": ["a", "b"]}]}),
        (("fill", "e1", "--", "--x"), {"fields": [{"ref": "e1", "value": "--x"}]}),
        (("type", "hello", "--submit"), {"text": "hello", "submit": True}),
        (("type", "e1", "hello"), {"text": "hello", "ref": "e1", "clear": False}),
        (("press", "Tab", "3"), {"key": "Tab", "count": "3"}),
        (("press", "-"), {"key": "-"}),
        (("drag", "e1", "e2"), {"ref": "e1", "to_ref": "e2"}),
        (("drag", "e1", "--by", "120,0"), {"ref": "e1", "by": "120,0"}),
        (("scroll",), {}),
        (("scroll", "up", "90"), {"direction": "up", "amount": "90"}),
        (("scroll", "e4"), {"direction": "into_view", "ref": "e4"}),
        (("upload", "e4", "a.txt", "b.txt"), {"paths": ["/tree/a.txt", "/tree/b.txt"], "ref": "e4"}),
        (("wait", "loaded"), {"until": "loaded"}),
        (("wait", "text:Saved", "url:/done"), {"until": ["text:Saved", "url:/done"]}),
        (("wait", "text", "Saved"), {"until": "text", "value": "Saved"}),
        (("wait", "2.5"), {"until": "time", "value": "2.5"}),
        (("dialog", "accept"), {"action": "accept"}),
        (("dialog", "accept", "Ann", "--dialog-id", "2"), {"action": "accept", "prompt_text": "Ann", "dialog_id": "2"}),
        (("verify", "text", "--expected", "Saved"), {"check": "text", "expected": "Saved"}),
        (("verify", "list", "--expected", "a", "--expected", "b"), {"check": "list", "expected": ["a", "b"]}),
        (("tab",), {}),
        (("tab", "open", "example.com"), {"action": "open", "url": "https://example.com"}),
        (("tab", "new", "example.com"), {"action": "open", "url": "https://example.com"}),
        (("tab", "close", "A1"), {"action": "close", "target_id": "A1"}),
        (("tab", "A1"), {"action": "select", "target_id": "A1"}),
        (("back",), {}),
        (("eval", "1 + 1"), {"expression": "1 + 1"}),
        (("console", "--levels", "error", "--levels", "warning"), {"levels": ["error", "warning"]}),
        (("cdp", "Page.enable", "--params", "{}"), {"method": "Page.enable", "params": "{}"}),
        (("mouse", "click", "10", "20"), {"action": "click", "x": "10", "y": "20"}),
    ],
)
def test_words_become_arguments(words: tuple[str, ...], expected: dict[str, Any]) -> None:
    assert arguments(*words) == expected


def test_closing_a_tab_shows_tabs_and_no_page() -> None:
    command = COMMANDS["tab"]

    for words in (["close"], ["close", "t2"]):
        assert command.arguments(words, ".")["snapshot"] is False
    assert command.arguments(["t2"], ".")["snapshot"] is True
    assert COMMANDS["scroll"].arguments([], ".")["snapshot"] is True


def test_a_file_that_exists_is_opened_as_a_file(tmp_path: Path) -> None:
    (tmp_path / "page.html").touch()

    assert arguments("open", "page.html", folder=str(tmp_path)) == {"url": (tmp_path / "page.html").as_uri()}


def test_files_alone_are_for_an_open_chooser(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()

    assert arguments("upload", "a.txt", folder=str(tmp_path)) == {"paths": str(tmp_path / "a.txt")}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("click", "e1", "e2"), "click takes no further word 'e2': click REF"),
        (("click", "e1", "--buton", "left"), "unknown option --buton; did you mean '--button'?"),
        (("open", "--nope"), "unknown option --nope"),
        (("open", "--deny-privat", "example.com"), "unknown option --deny-privat"),
        (("tab", "new", "--nope"), "unknown option --nope"),
        (("click", "e1", "--button"), "--button needs a value"),
        (("fill", "e1"), "fill REF VALUE..."),
        (("fill", "e1", "--x"), "fill takes no option --x; write -- before a value that begins with --"),
    ],
)
def test_a_mistake_is_refused_with_what_would_be_right(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError) as refused:
        arguments(*words)

    assert str(refused.value).startswith(message)


def test_every_tool_is_one_command() -> None:
    tools = [command.tool.name for command in COMMANDS.values()]

    assert sorted(tools) == sorted({tool.name for tool in CATALOGUE} - {"browser_batch"})
    assert set(WORDS) <= set(COMMANDS)


def test_the_guide_names_every_everyday_command_and_its_tool() -> None:
    page = (ROOT / "docs" / "cdp-agent.md").read_text("utf-8")
    everyday = {name: COMMANDS[name].tool.name for name in WORDS}

    assert [name for name, tool in everyday.items() if f"`{name}`" not in page or f"`{tool}`" not in page] == []


def test_a_tool_that_is_added_is_a_command() -> None:
    def greet(name: str) -> str:
        return f"hello {name}"

    schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    added = Tool.from_schema("browser_greet", "Greet.", schema, greet, toolset="mine")
    found = commands(Catalogue([added]))

    assert found["greet"].arguments(["Ann"], "/") == {"name": "Ann"}


def test_hints_name_commands_and_not_tools() -> None:
    text = with_commands("CommandOutput it with browser_dialog, or look with browser_snapshot.", COMMANDS)

    assert text == "CommandOutput it with `cdp-agent dialog`, or look with `cdp-agent look`."


@pytest.mark.parametrize(
    ("words", "ours", "expected"),
    [
        ("screenshot page.png", "shot", None),
        ("snapshot", "look", {}),
        ("goto localhost:3000", "open", {"url": "http://localhost:3000"}),
        ("navigate example.com", "open", {"url": "https://example.com"}),
        ("reload", "page", {"action": "reload"}),
        ("forward", "page", {"action": "forward"}),
        ("resize 800 600", "emulate", {"action": "set", "width": "800", "height": "600"}),
        ("select e4 Blue", "fill", {"fields": [{"ref": "e4", "value": "Blue"}]}),
        ("check e4", "fill", {"fields": [{"ref": "e4", "value": "true"}]}),
        ("uncheck e4", "fill", {"fields": [{"ref": "e4", "value": "false"}]}),
        ("dblclick e4", "click", {"ref": "e4", "count": "2"}),
        ("pdf page.pdf", "capture", {"name": "page.pdf", "format": "pdf"}),
        ("get title", "eval", {"expression": "document.title"}),
        ("get url", "eval", {"expression": "location.href"}),
        ("get text e4", "read", {"ref": "e4"}),
        ("find Save", "look", {"find": "Save"}),
        ("key Enter", "press", {"key": "Enter"}),
        ("tabs", "tab", {}),
        ("quit", "close", None),
        ("wait Hello", "wait", {"until": "text:Hello"}),
        ("wait loaded", "wait", {"until": "loaded"}),
        ("wait laoded", "wait", {"until": "laoded"}),
        ("wait txt:Hello", "wait", {"until": "txt:Hello"}),
        ("click check", "click", {"ref": "check"}),
        ("get lost", "get", None),
    ],
)
def test_the_words_of_other_command_lines_are_known(words: str, ours: str, expected: dict[str, Any] | None) -> None:
    name, *rest = in_our_words(words.split())

    assert name == ours
    if expected is not None:
        assert arguments(name, *rest) == expected


@pytest.mark.parametrize(("typed", "meant"), [("snapshto", "snapshot"), ("clik", "click"), ("relaod", "reload")])
def test_a_typing_error_is_told_with_the_command_that_was_meant(typed: str, meant: str) -> None:
    with pytest.raises(UsageError, match=f"did you mean '?{meant}"):
        command_named(typed, COMMANDS)


@pytest.mark.parametrize(
    ("name", "form"),
    [(None, "png"), ("a.JPG", "jpeg"), ("a/b.jpeg", "jpeg"), ("a.webp", "webp"), ("a.png", "png"), ("webp", "png")],
)
def test_the_name_of_a_picture_chooses_its_format(name: str | None, form: str) -> None:
    assert format_of(name) == form
