"""Pages that a person gives to the agent, and takes back."""

from __future__ import annotations

import pytest

from cdp_typed.errors import CommandError, ConnectionLost
from cdp_typed.protocol import target
from supervisor.core.vocabulary import command_tags, inputs, requests
from supervisor.core.vocabulary.effects import CommandResult, Send
from supervisor.core.vocabulary.errors import NotRunning, UnknownPage
from tests.support.core.owned_pages import announced, begin, created, left, pages
from tests.support.core.play import Core, attached, detached, sent, told

REFUSAL = CommandError(-32000, "no", method="m", session=None)


def gives(target_id: str = "bank", call: str = "give") -> requests.GiveRequested:
    return requests.GiveRequested(call, target_id)


def found(target_id: str, kind: str = "page", call: str = "give") -> inputs.CommandSucceeded:
    event = attached("s", target_id, kind=kind).event
    assert isinstance(event, target.AttachedToTarget)
    info = event.target_info
    return inputs.CommandSucceeded(command_tags.PageSought(call), target.GetTargetInfoResult(target_info=info))


def given_page() -> Core:
    """A supervisor with a page of its own, and one that a person gave."""
    core = begin(scope="own")
    announced(core)
    core.play(attached("s-1", "mine"), created("mine", command_tags.FirstPage()), gives(), found("bank"))
    reply = target.AttachToTargetResult(session_id=target.SessionID("s-2"))
    core.play(attached("s-2", "bank"), inputs.CommandSucceeded(command_tags.PageGiven("give"), reply))
    return core


def test_a_page_that_a_person_gives_is_attached_to_and_managed_until_it_is_taken_back() -> None:
    core = begin(scope="own")
    announced(core)
    core.play(attached("s-1", "mine"), created("mine", command_tags.FirstPage()))
    sought = Send(
        command=target.GetTargetInfo(target_id=target.TargetID("bank")),
        session_id=None,
        tag=command_tags.PageSought("give"),
    )
    attach = Send(
        command=target.AttachToTarget(target_id=target.TargetID("bank"), flatten=True),
        session_id=None,
        tag=command_tags.PageGiven("give"),
    )
    reply = target.AttachToTargetResult(session_id=target.SessionID("s-2"))

    assert core.play(gives()) == [sought]
    assert core.play(found("bank")) == [attach]
    core.play(attached("s-2", "bank"))
    assert told(core.play(inputs.CommandSucceeded(command_tags.PageGiven("give"), reply))) == {
        "give": CommandResult(None)
    }
    assert [(page.target_id, page.is_managed, page.is_given, page.is_current) for page in core.seen.pages] == [
        ("mine", True, False, True),
        ("bank", True, True, False),
    ]
    assert core.play(requests.TakeBackRequested("back", "bank"))[0] == left("s-2")[1]
    core.play(detached("s-2"))
    assert pages(core) == ["mine"]
    assert left("s-3")[1] in core.play(attached("s-3", "bank"))


def test_a_given_page_that_was_attached_to_twice_is_left_by_both_sessions_and_not_closed_at_the_end() -> None:
    core = given_page().after(attached("s-3", "bank"))
    closed = sent(core.play(requests.TakeBackRequested("back", "bank")))
    core.play(detached("s-3"), detached("s-2"))

    assert closed == [left("s-3")[1], left("s-2")[1]]
    assert pages(core) == ["mine"]
    ending = sent(given_page().play(inputs.StopRequested()))
    assert [send.command.target_id for send in ending if isinstance(send.command, target.CloseTarget)] == ["mine"]


@pytest.mark.parametrize(
    "outcome",
    [found("bank", "iframe"), inputs.CommandFailed(command_tags.PageSought("give"), REFUSAL)],
    ids=["another kind of target", "a target that is gone"],
)
def test_only_a_page_can_be_given(outcome: inputs.Input) -> None:
    core = begin(scope="own")
    announced(core)
    core.play(attached("s-1", "mine"), created("mine", command_tags.FirstPage()), gives())

    assert told(core.play(outcome)) == {"give": UnknownPage("bank")}
    assert core.state.world.page_ownership.given == frozenset()


def test_a_page_that_went_while_it_was_given_is_not_given() -> None:
    core = begin(scope="own")
    announced(core)
    core.play(attached("s-1", "mine"), created("mine", command_tags.FirstPage()), gives(), found("bank"))

    assert told(core.play(inputs.CommandFailed(command_tags.PageGiven("give"), REFUSAL))) == {
        "give": UnknownPage("bank")
    }
    assert core.state.world.page_ownership.given == frozenset()


def test_giving_a_page_ends_with_the_connection() -> None:
    core = begin(scope="own")
    announced(core)
    core.play(attached("s-1", "mine"), created("mine", command_tags.FirstPage()), gives())

    assert isinstance(told(core.play(inputs.Disconnected("gone")))["give"], ConnectionLost)
    assert isinstance(told(core.play(gives(call="later")))["later"], NotRunning)


def test_in_a_shared_browser_a_given_page_is_managed_and_is_not_current_once_it_is_taken_back() -> None:
    core = begin(scope="shared").after(attached("s-1", "first"), attached("s-2", "bank"))
    assert told(core.play(gives())) == {"give": CommandResult(None)}
    core.play(requests.SelectRequested("select", "bank"))
    assert [(page.target_id, page.is_current) for page in core.seen.pages if page.is_managed] == [("bank", True)]

    undone = {send.command.METHOD for send in sent(core.play(requests.TakeBackRequested("back", "bank")))}

    assert undone >= {"Page.setInterceptFileChooserDialog", "FedCm.disable"}

    assert not any(page.is_managed or page.is_given or page.is_current for page in core.seen.pages)
    assert told(core.play(requests.TakeBackRequested("again", "bank"))) == {"again": UnknownPage("bank")}
