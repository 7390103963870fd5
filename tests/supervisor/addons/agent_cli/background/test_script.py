"""The batch language of `run -`, and `then`: a command is what was written, or it is refused."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cdp_typed.cli.arguments import UsageError
from supervisor.addons.agent_cli.background.script import joined, written

BREAKS = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""What other languages take for the end of a line."""
TEXT = st.text(st.sampled_from(f"{BREAKS}#-'\"\\$`;|&\n\t =ab") | st.characters(exclude_characters="\0", codec="utf-8"))
COMMANDS = st.lists(TEXT, min_size=1, max_size=5).filter(lambda words: words[0] not in ("close", "run"))


def parsed(script: str) -> list[list[str]]:
    return written(["-"], script)


@given(st.lists(COMMANDS, min_size=1, max_size=4))
@example([["type", "e1", "a\u2028eval evil()"], ["click", "css=#id"]])
def test_what_was_quoted_for_a_shell_is_what_is_run_or_it_is_refused(commands: list[list[str]]) -> None:
    script = "\n".join(shlex.join(words) for words in commands)
    if any("\n" in word for words in commands for word in words):
        try:
            done = parsed(script)
        except UsageError:
            return  # a quoted line feed: no line is complete
        assert done != commands
    else:
        assert parsed(script) == commands


@given(TEXT)
def test_a_line_is_never_more_than_one_command(text: str) -> None:
    try:
        done = parsed(f"eval 1\n{text}")
    except UsageError:
        return
    assert len(done) <= 2 + text.count("\n")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("click css=button#does-not-exist", ["click", "css=button#does-not-exist"]),
        ("fill e1 C#7", ["fill", "e1", "C#7"]),
        ("open http://shop.test/#top # of the page", ["open", "http://shop.test/#top", "#", "of", "the", "page"]),
        ("click #id", ["click", "#id"]),
        *((f"type e1 a{mark}eval", ["type", "e1", f"a{mark}eval"]) for mark in "\x85\u2028\u2029\f\v\x1c"),
    ],
)
def test_only_a_line_feed_ends_a_line_and_only_a_line_is_a_comment(line: str, words: list[str]) -> None:
    assert parsed(f"# first\n  # second\n{line}\n") == [words]


@given(st.lists(st.lists(TEXT.filter(lambda word: word not in ("then", "--")), min_size=1), min_size=1, max_size=4))
@example([["click", "then what"], ["type", "first then"]])
def test_the_commands_that_then_joins_are_those_that_were_written(commands: list[list[str]]) -> None:
    words = [word for command in commands for word in ["then", *command]][1:]

    assert joined(words) == commands
    assert joined(["type", "--", *words, "then"]) == [["type", "--", *words, "then"]]


@pytest.mark.parametrize("words", [["then"], ["then", "look"], ["look", "then"], ["look", "then", "then", "look"]])
def test_then_without_a_command_on_each_side_is_refused(words: list[str]) -> None:
    with pytest.raises(UsageError, match="it needs -- before it"):
        joined(words)
