"""The batch language of `run -`: a command is what was written, or it is refused."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cdp_agent import DONE
from cdp_typed.cli.arguments import UsageError
from supervisor.addons.agent_cli.background.script import run_script
from supervisor.addons.agent_cli.printouts import Printout

BREAKS = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""What other languages take for the end of a line."""
TEXT = st.text(st.sampled_from(f"{BREAKS}#-'\"\\$`;|&\n\t =ab") | st.characters(exclude_characters="\0", codec="utf-8"))
COMMANDS = st.lists(TEXT, min_size=1, max_size=5).filter(lambda words: words[0] not in ("close", "run"))


async def parsed(script: str) -> list[list[str]]:
    done: list[list[str]] = []

    async def one(words: list[str]) -> Printout:
        done.append(words)
        return Printout(DONE, "")

    await run_script(["-"], script, one)
    return done


@settings(max_examples=300, deadline=None)
@given(st.lists(COMMANDS, min_size=1, max_size=4))
@example([["type", "e1", "a\u2028eval evil()"], ["click", "css=#id"]])
async def test_what_was_quoted_for_a_shell_is_what_is_run_or_it_is_refused(commands: list[list[str]]) -> None:
    script = "\n".join(shlex.join(words) for words in commands)
    if any("\n" in word for words in commands for word in words):
        try:
            done = await parsed(script)
        except UsageError:
            return  # a quoted line feed: no line is complete
        assert done != commands
    else:
        assert await parsed(script) == commands


@settings(max_examples=300, deadline=None)
@given(TEXT)
async def test_a_line_is_never_more_than_one_command(text: str) -> None:
    try:
        done = await parsed(f"eval 1\n{text}")
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
async def test_only_a_line_feed_ends_a_line_and_only_a_line_is_a_comment(line: str, words: list[str]) -> None:
    assert await parsed(f"# first\n  # second\n{line}\n") == [words]
