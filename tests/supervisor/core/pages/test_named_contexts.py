"""Pages in separate browser contexts, which callers name."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_typed.errors import CommandError
from cdp_typed.protocol import browser, target
from supervisor.core.vocabulary import command_tags, inputs, requests
from supervisor.core.vocabulary.effects import CommandResult
from tests.support.core.play import PAGE, TOP, Core, attached, detached, sent, told, with_page

REFUSAL = CommandError(-32602, "Failed to find browser context with id ada", method="m", session=None)
MADE = target.CreateBrowserContext()


def opens(call: str, context: str = "ada") -> requests.OpenRequested:
    return requests.OpenRequested(call_id=call, background=True, select=True, context=context)


def made(call: str, context_id: str) -> inputs.CommandSucceeded:
    result = target.CreateBrowserContextResult(browser_context_id=browser.BrowserContextID(context_id))
    return inputs.CommandSucceeded(command_tags.ContextMade(call), result)


def created(call: str, target_id: str) -> inputs.CommandSucceeded:
    result = target.CreateTargetResult(target_id=target.TargetID(target_id))
    return inputs.CommandSucceeded(command_tags.PageCreated(call), result)


def commands(core: Core, *received: inputs.Input | requests.OpenRequested) -> list[Any]:
    return [send.command for send in sent(core.play(*received))]


def new_page(context_id: str) -> target.CreateTarget:
    return target.CreateTarget(
        url="about:blank", background=True, browser_context_id=browser.BrowserContextID(context_id)
    )


def dispose(context_id: str) -> target.DisposeBrowserContext:
    return target.DisposeBrowserContext(browser_context_id=browser.BrowserContextID(context_id))


OPENED = (attached("s-2", "page-2", browser_context="c-1"), created("a", "page-2"))


def with_context() -> Core:
    """A page in the context `ada`, beside the first one."""
    return with_page().after(opens("a"), made("a", "c-1"), *OPENED)


def test_the_context_is_made_before_its_first_page_and_once() -> None:
    core = with_page()

    assert commands(core, opens("a")) == [MADE]
    assert commands(core, made("a", "c-1")) == [new_page("c-1")]
    assert told(core.play(*OPENED))["a"] == CommandResult("page-2")
    assert commands(core, opens("b")) == [new_page("c-1")]
    assert {page.target_id: page.context for page in core.seen.pages} == {TOP: None, "page-2": "ada"}


def test_contexts_end_with_the_supervisor_but_not_that_of_the_last_page_of_a_browser() -> None:
    assert commands(with_context(), inputs.StopRequested())[-1] == dispose("c-1")
    assert commands(with_context().after(detached(PAGE)), inputs.StopRequested()) == []


def test_two_calls_at_once_get_one_context() -> None:
    core = with_page().after(opens("a"), opens("b"), made("a", "c-1"))

    assert commands(core, made("b", "c-2")) == [dispose("c-2"), new_page("c-1")]


def test_a_context_goes_through_the_proxy_of_the_supervisor() -> None:
    core = with_page().having(page_ownership={"context_proxy": "http://proxy:1"})

    assert commands(core, opens("a")) == [target.CreateBrowserContext(proxy_server="http://proxy:1")]


def test_a_context_that_cannot_be_made_ends_the_call() -> None:
    core = with_page().after(opens("a"))

    assert told(core.play(inputs.CommandFailed(command_tags.ContextMade("a"), REFUSAL))) == {"a": REFUSAL}
    assert commands(core, opens("b")) == [MADE]


@pytest.mark.parametrize(
    ("received", "again"), [([], MADE), ([*OPENED, opens("a")], new_page("c-1"))], ids=["no page", "a page"]
)
def test_a_context_that_the_browser_does_not_know_is_made_again_unless_it_has_a_page(
    received: list[inputs.Input], again: object
) -> None:
    core = with_page().after(opens("a"), made("a", "c-1"), *received)

    assert told(core.play(inputs.CommandFailed(command_tags.PageCreated("a"), REFUSAL))) == {"a": REFUSAL}
    assert commands(core, opens("b")) == [again]
