"""The scripts for new documents, in the core: which session gets which, and when."""

from __future__ import annotations

from cdp_typed.protocol import page
from supervisor.core.vocabulary import inputs
from supervisor.core.vocabulary.command_tags import InitScriptSent
from supervisor.core.vocabulary.effects import CommandResult, CompleteCall, Effect, Send
from supervisor.core.vocabulary.errors import UnknownInitScript
from supervisor.core.vocabulary.requests import InitScriptAdded, InitScriptsRemoved
from tests.support.core.play import BROWSER, OOPIF, PAGE, Core, attached, with_oopif, with_page

ADD = page.AddScriptToEvaluateOnNewDocument(source="a()")


def add(core: Core, source: str = "a()") -> list[Effect]:
    return core.play(InitScriptAdded("c-1", source))


def sent(effects: list[Effect]) -> list[tuple[str | None, object]]:
    """The commands for scripts, each with its session."""
    kinds = (page.AddScriptToEvaluateOnNewDocument, page.RemoveScriptToEvaluateOnNewDocument)
    return [
        (each.session_id, each.command)
        for each in effects
        if isinstance(each, Send) and isinstance(each.command, kinds)
    ]


def replied(session_id: str, identifier: str, script_id: str = "script-1") -> inputs.CommandSucceeded:
    result = page.AddScriptToEvaluateOnNewDocumentResult(identifier=page.ScriptIdentifier(identifier))
    return inputs.CommandSucceeded(InitScriptSent(session_id, script_id), result)


def removed(identifier: str) -> page.RemoveScriptToEvaluateOnNewDocument:
    return page.RemoveScriptToEvaluateOnNewDocument(identifier=page.ScriptIdentifier(identifier))


def test_a_page_and_its_iframe_in_another_process_get_a_script() -> None:
    effects = add(with_oopif())

    assert sent(effects) == [(PAGE, ADD), (OOPIF, ADD)]
    assert effects[-1] == CompleteCall("c-1", CommandResult("script-1"))


def test_a_new_page_has_it_before_it_runs() -> None:
    core = with_page()
    add(core)

    effects = core.play(attached("session-2", "frame-2", opener="frame-top", waiting=True))

    commands = [each.command.METHOD for each in effects if isinstance(each, Send) and each.session_id == "session-2"]
    assert commands.index(ADD.METHOD) < commands.index("Runtime.runIfWaitingForDebugger")


def test_a_removed_script_is_removed_where_the_browser_has_it_and_the_others_stay() -> None:
    core = with_oopif()
    add(core)
    add(core, "b()")
    core.play(replied(PAGE, "7"), replied(OOPIF, "8"), replied(PAGE, "9", "script-2"))

    effects = core.play(InitScriptsRemoved("c-2", "script-1"))

    assert sent(effects) == [(PAGE, removed("7")), (OOPIF, removed("8"))]
    assert effects[-1] == CompleteCall("c-2", CommandResult(("script-1",)))
    assert sent(core.play(InitScriptsRemoved("c-3", None))) == [(PAGE, removed("9"))]


def test_a_script_that_was_removed_before_the_browser_replied_is_removed_then() -> None:
    core = with_page()
    add(core)

    assert sent(core.play(InitScriptsRemoved("c-2", None))) == []
    assert sent(core.play(replied(PAGE, "7"))) == [(PAGE, removed("7"))]


def test_a_reconnected_browser_gets_it_again() -> None:
    core = with_page()
    add(core)
    core.play(replied(PAGE, "7"), inputs.Disconnected("gone"))

    effects = core.play(inputs.Connected(BROWSER), attached("session-2", "frame-top", url="http://a.test/"))

    assert sent(effects) == [("session-2", ADD)]


def test_an_unknown_script_is_an_error_that_names_those_that_exist() -> None:
    core = with_page()
    add(core)

    (completed,) = [each for each in core.play(InitScriptsRemoved("c-2", "x")) if isinstance(each, CompleteCall)]

    assert isinstance(completed.outcome, UnknownInitScript)
    assert str(completed.outcome) == "no script 'x' exists; scripts: script-1"
