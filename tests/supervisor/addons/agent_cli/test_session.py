"""A session's commands, in this process, against a mock browser: outcomes, exit codes, files."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from cdp_agent import DIALOG, DONE, KEPT_POLICY, LOST, POLICY, REFUSED, UNSURE, USAGE
from cdp_typed.mock import Page, ThreadedMockServer
from supervisor.addons.agent_cli.aliases import ToolCommand, commands
from supervisor.addons.agent_cli.background.session import AgentSession, CommandLine
from supervisor.addons.agent_cli.outputs import CommandOutput, code_of, likeliest, lines_of, lines_of_errors
from supervisor.tools import CATALOGUE

SITE = {
    "http://shop.test/": Page(title="Shop"),
    "http://shop.test/leaves": Page(
        title="Leaves", on_load="console.error('bad'); location.href = 'http://shop.test/'"
    ),
    "http://shop.test/asks": Page(title="Asks", on_load="window.answer = prompt('your name?', 'nobody')"),
}
Run = Callable[..., Awaitable[CommandOutput]]


@pytest.fixture
async def run(tmp_path: Path, no_leaks: None) -> AsyncIterator[Run]:
    """Run a command in a session whose browser is a mock."""
    session = AgentSession(tmp_path / "private")
    work = tmp_path / "work"
    work.mkdir()

    async def run(*words: str, given: str = "") -> CommandOutput:
        return (await session.answer(CommandLine(folder=str(work), words=list(words), given=given)))[0]

    with ThreadedMockServer(SITE) as mock:
        opened = await run("open", "--cdp", mock.url, "http://shop.test/")
        assert opened.code == DONE, opened.text
        yield run
        await session.close()


async def test_an_error_of_a_page_that_has_left_is_told(run: Run) -> None:
    answer = await run("open", "http://shop.test/leaves")
    later = await run("wait", "loaded")

    assert 'console: 1 new error: "bad" at http://shop.test/leaves:1:9\n' in f"{answer.text}\n{later.text}"
    facts = {**answer.facts, **later.facts}
    assert (facts["new_errors"], facts["error"]["text"], facts["error"]["line"]) == (1, "bad", 1)


PAGE = "http://shop.test/"
LOAD = {"level": "error", "text": "Failed to load resource: 500", "url": f"{PAGE}api"}


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        ([{"level": "exception", "text": "E", "url": "http://[x", "line": 2, "column": 3}], '"E" at http://[x:2:3'),
        (
            [{"level": "exception", "text": "E", "url": "webpack://./a.js", "line": 2}, LOAD],
            '"E" at webpack://./a.js:2',
        ),
        ([{"level": "exception", "text": "E", "url": "blob:x"}, LOAD], '"E" at blob:x'),
        ([{"level": "exception", "text": "E", "url": "http://ads.test/a.js"}, LOAD], f'"{LOAD["text"]}" at {PAGE}api'),
    ],
)
def test_the_error_that_is_told_whatever_a_page_calls_its_scripts(messages: list[dict[str, Any]], told: str) -> None:
    likely = likeliest(messages, PAGE)

    assert likely is not None
    assert lines_of_errors({"new_errors": 1, "error": likely}) == [f"console: 1 new error: {told}"]


CRASH, BUSY = {"kind": "crash"}, {"kind": "unresponsive"}
A_DIALOG: list[dict[str, Any]] = [{}]


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        ({"success": True}, DONE),
        ({"success": True, "maybe_executed": True}, UNSURE),
        ({"success": True, "blockers": [BUSY]}, UNSURE),
        ({"success": True, "blockers": [CRASH]}, LOST),
        ({"success": True, "blockers": [{**CRASH, "target_id": "another"}]}, DONE),
        ({"success": True, "pending_dialogs": A_DIALOG}, DIALOG),
        ({"success": False, "error_type": "StaleRef", "pending_dialogs": A_DIALOG}, DIALOG),
        ({"success": False, "error_type": "StaleRef"}, REFUSED),
        ({"success": False, "error_type": "StaleRef", "maybe_executed": True}, UNSURE),
        ({"success": False, "error_type": "Refused", "pending_dialogs": A_DIALOG, "blockers": [CRASH]}, POLICY),
    ],
)
def test_a_result_has_one_code_whatever_else_it_tells(payload: dict[str, Any], code: int) -> None:
    assert code_of(payload) == code


async def test_a_dialog_that_waits_is_code_3_until_it_is_answered(run: Run) -> None:
    opened = await run("open", "http://shop.test/asks")
    looked = await run("look")
    answered = await run("dialog", "accept", "Ann")
    value = await run("eval", "answer")

    assert (opened.code, looked.code, answered.code) == (DIALOG, DIALOG, DONE)
    assert "answer it with `cdp-agent dialog`" in opened.text
    assert 'd-1 accepted user_input="Ann"' in answered.text
    assert (value.code, value.text) == (DONE, '"Ann"')


OTHERWISE = "the session began with other options; nothing was done. End it: cdp-agent close"
STOPPED = "stopped at step 2 of 3; 1 not done\n2 click e99: "
COMMANDS = [
    ("open http://shop.test/", "", DONE, 'opened\n"Shop" http://shop.test/'),
    ("open --cdp http://127.0.0.1:1 http://shop.test/", "", REFUSED, OTHERWISE),
    ("clck e1", "", USAGE, "cdp-agent: there is no command 'clck'"),
    ("click", "", USAGE, "argument 'ref': missing"),
    ("click e1 --headed", "", USAGE, "cdp-agent: --headed is an option of open"),
    ("look --max few", "", USAGE, "cdp-agent: --max "),
    ("look --timeout 0", "", USAGE, "cdp-agent: --timeout "),
    ("click e99", "", REFUSED, ""),
    ("back --frame", "", USAGE, "cdp-agent: "),
    ("eval \"throw new Error('no')\"", "", UNSURE, ""),
    ("wait dialog --timeout 0.2", "", UNSURE, ""),
    ("eval -", "1 + 1", DONE, "2"),
    ("eval -", "", USAGE, "cdp-agent: "),
    ("run -", "", USAGE, "cdp-agent: "),
    ("type e1 -", "", USAGE, "cdp-agent: "),
    ("run -", "eval 1\n# a comment\nclick e99\neval 2\n", REFUSED, STOPPED),
    ("eval 1 then click e99 then eval 2", "", REFUSED, STOPPED),
    ("eval 1 then eval \"'a then b'\"", "", DONE, "1 eval 1: 1\n2 eval 'a then b': \"a then b\""),
    ("eval 1 then upload made-by-then.png", "", REFUSED, "stopped at step 2 of 2"),  # it was made by nobody
]


@pytest.mark.parametrize(("words", "given", "code", "told"), COMMANDS)
async def test_a_command_ends_with_a_code_and_a_sentence(
    run: Run, words: str, given: str, code: int, told: str
) -> None:
    answer = await run(*shlex.split(words), given=given)

    assert (answer.code, answer.text.startswith(told)) == (code, True), answer


async def test_two_commands_at_once_run_one_after_the_other(run: Run) -> None:
    waiting = asyncio.ensure_future(run("wait", "1", "--timeout", "10"))
    await asyncio.sleep(0)
    late, other = await run("eval", "1", "--timeout", "0.2"), await waiting

    assert (late.code, late.text) == (REFUSED, "`wait` still ran after 0.2 s; nothing was done")
    assert other.code == DONE


@pytest.mark.parametrize("is_slow", [False, True])
async def test_close_goes_before_a_command_that_runs(
    run: Run, monkeypatch: pytest.MonkeyPatch, *, is_slow: bool
) -> None:
    runs = asyncio.ensure_future(run("wait", "dialog", "--timeout", "60"))
    await asyncio.sleep(0)
    waits = asyncio.ensure_future(run("look", "--timeout", "60"))
    at_once = AgentSession.close

    async def close(session: AgentSession) -> None:
        await at_once(session)
        # As the end of a browser may be: the command that waits gets its turn meanwhile. What runs closes, too.
        if is_slow and asyncio.current_task() not in (runs, waits):
            await asyncio.wait({runs, waits})

    monkeypatch.setattr(AgentSession, "close", close)
    assert (await run("tabs", "--timeout", "0.2")).code == REFUSED
    closed = await run("close")

    assert (closed.code, closed.text) == (DONE, "closed")
    assert (await runs).text.startswith("the session was closed during wait, which may have been done; begin anew")
    assert (await waits).text.startswith("the session was closed; nothing was done")


async def test_a_long_answer_goes_into_a_file_and_the_part_that_fits_is_printed(run: Run, tmp_path: Path) -> None:
    answer = await run("eval", f"'{'x' * 9000}'", "--max", "100")
    file = tmp_path / "work" / ".cdp-agent" / "eval-1.txt"

    assert answer.text.splitlines()[-1] == "... 8902 more characters; all 9002 are in .cdp-agent/eval-1.txt"
    assert len(file.read_text()) == 9002
    assert (file.parent / ".gitignore").read_text() == "*\n"


async def test_json_has_the_same_facts(run: Run) -> None:
    answer = await run("eval", "1 + 1", "--json")

    assert json.loads(answer.printed(as_json=True)) == {
        "exit": 0, "success": True, "value": 2, "untrusted": ["value"]
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("capture missing/page.txt", "missing/page.txt: there is no folder"),
        ("capture folder.txt", "folder.txt: it exists and is no regular file"),
        ("capture pipe.txt", "pipe.txt: it exists and is no regular file"),
        ("capture ./page", "./page: expected a file that ends with .pdf, .png, .jpeg, .webp or .txt"),
        ("capture page.jpg", "page.jpg: expected a file that ends with .pdf, .png, .jpeg, .webp or .txt"),
        ("capture page.png --format txt", "page.png: expected a file that ends with .txt"),
        ("capture ./a,b.txt", "./a,b.txt: "),
        ("shot missing/page.png", "missing/page.png: there is no folder"),
        ("shot pipe.txt", "pipe.txt: it exists and is no regular file"),
    ],
)
async def test_a_file_that_cannot_be_written_is_refused_before_anything_is_done(
    run: Run, tmp_path: Path, words: str, why: str
) -> None:
    work = tmp_path / "work"
    (work / "folder.txt").mkdir()
    os.mkfifo(work / "pipe.txt")
    alone = await run(*words.split())
    joined = await run("eval", "document.title = 'written'", "then", *words.split())

    assert (alone.code, alone.text.startswith(f"cdp-agent: {why}"), "\n" in alone.text) == (USAGE, True, False), alone
    assert (joined.code, "nothing was done" in joined.text) == (USAGE, True), joined
    assert (await run("eval", "document.title")).text == '"Shop"'
    assert sorted(path.name for path in work.iterdir()) == ["folder.txt", "pipe.txt"]


WRONG_STEPS = ["click", "click e1 --nope", "fill e1", "click e1 --count many", "shot a b"]


@pytest.mark.parametrize("last", ["close", "quit", "run -", "clik e1", "then", "", *WRONG_STEPS])
async def test_steps_of_which_one_is_no_step_are_refused_before_the_first(run: Run, last: str) -> None:
    writes = "document.title = 'written'"
    joined = await run("eval", writes, "then", *last.split())
    lines = await run("run", "-", given=f'eval "{writes}"\n{last or "then"}\n')

    assert (joined.code, lines.code) == (USAGE, USAGE), (joined, lines)
    assert (await run("eval", "document.title")).text == '"Shop"'


async def test_a_batch_shows_the_step_that_failed_also_when_the_answer_is_cut(run: Run) -> None:
    answer = await run("run", "-", "--max", "300", given=f"eval \"'{'x' * 900}'\"\nclick e99\n")

    assert (answer.code, "\n2 click e99: " in answer.text[:100]) == (REFUSED, True)


async def test_a_batch_as_json_has_the_outcome_of_each_step(run: Run) -> None:
    answer = await run("run", "--json", "-", given="eval '1 + 1'\nlook\nclick e99\n")
    told = json.loads(answer.printed(as_json=True))

    assert [step["command"] for step in told["outcomes"]] == [["eval", "1 + 1"], ["look"], ["click", "e99"]]
    assert [step["exit"] for step in told["outcomes"]] == [DONE, DONE, REFUSED]
    assert (told["exit"], told["step"], told["outcomes"][0]["value"]) == (REFUSED, 3, 2)


async def test_a_batch_that_runs_out_of_time_says_which_steps_were_done(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = AgentSession._call  # pyright: ignore[reportPrivateUsage]  # no tool hangs past its own deadline

    async def hung(session: AgentSession, command: ToolCommand, *rest: Any) -> CommandOutput:
        if command.name == "press":
            await asyncio.sleep(300)
        return await call(session, command, *rest)

    monkeypatch.setattr(AgentSession, "_call", hung)
    answer = await run("run", "--timeout", "3", "-", given="eval 1\npress Enter\neval 2\n")

    assert answer.code == UNSURE
    assert answer.text.splitlines()[0] == "stopped at step 2 of 3; 1 not done"
    assert answer.text.splitlines()[1].startswith("2 press Enter: press did not end within the 3 s of all steps")
    assert answer.text.splitlines()[-1] == "1 eval 1: 1"


async def test_what_a_policy_forbids_is_code_6(tmp_path: Path, no_leaks: None) -> None:
    session = AgentSession(tmp_path / "private")
    with ThreadedMockServer(SITE) as mock:
        words = ["open", "--cdp", mock.url, "--deny-origins", "bank.test,evil.test", "http://evil.test/"]
        refused, _ = await session.answer(CommandLine(folder=str(tmp_path), words=words))
        await session.close()

    assert refused.code == POLICY, refused.text


async def answer_without_browser(private: Path, *words: str) -> CommandOutput:
    return (await AgentSession(private).answer(CommandLine(folder=str(private), words=list(words))))[0]


@pytest.mark.parametrize(
    "words",
    [
        ["--cdp", "x", "--headed"],
        ["--window-size", "big"],
        ["--idle", "never"],
        *(["--deny-origins", origins] for origins in ("a b", "", "a.test,,b.test")),
        ["--allow-origins", ","],
        ["--deny-private=no"],
        ["--deny-origins", "a.test", "--deny-origins", "b.test"],
    ],
)
async def test_options_of_open_are_checked_before_a_browser_starts(tmp_path: Path, words: list[str]) -> None:
    answer = await answer_without_browser(tmp_path, "open", *words, "x.test")

    assert answer.code == USAGE, answer.text


async def test_without_a_browser_every_command_says_how_to_begin(tmp_path: Path) -> None:
    answer = await answer_without_browser(tmp_path, "look")

    assert (answer.code, answer.text) == (LOST, "the session has no browser; begin anew: cdp-agent open URL")


def test_a_page_that_answers_nothing_comes_with_the_way_out() -> None:
    known = commands(CATALOGUE)
    blocker = {"kind": "unresponsive", "id": "u-1", "url": "http://shop.test/"}
    payload = {"success": False, "error": "no answer", "maybe_executed": True, "error_type": "CallTimeout"}

    assert lines_of(known["click"], payload, known) == ["no answer. It may have been done all the same."]
    assert "`cdp-agent tab open URL`" in lines_of(known["click"], {**payload, "blockers": [blocker]}, known)[-1]


@pytest.mark.parametrize(
    ("words", "given"),
    [
        *(
            ("run -", f"eval 1\n{step}\n# hunter2")
            for step in ("eval -", "type e1 -", "fill e1 -", "press -", "click -")
        ),
        *((f"{command} e1 -", "hunter2") for command in ("press", "fill", "click", "wait")),
    ],
)
async def test_neither_a_step_nor_a_command_that_takes_none_gets_the_standard_input(
    run: Run, words: str, given: str
) -> None:
    assert "hunter2" not in (await run(*words.split(), given=given)).text


@pytest.mark.parametrize(
    "kept", [b"", b"{", b'{"deny_privat":true}', b'{"deny_private":1}', b'{"deny_origins":["a b"]}']
)
async def test_restrictions_that_cannot_be_read_are_not_lifted(tmp_path: Path, kept: bytes) -> None:
    (tmp_path / KEPT_POLICY).write_bytes(kept)
    answer = await answer_without_browser(tmp_path, "open", "--cdp", "ws://x")

    assert (answer.code, "cannot be read; end it: cdp-agent close" in answer.text) == (USAGE, True), answer
