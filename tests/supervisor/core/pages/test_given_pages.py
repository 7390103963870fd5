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


PAGE_GIVEN = inputs.CommandSucceeded(
    command_tags.PageGiven("give"), target.AttachToTargetResult(session_id=target.SessionID("s-2"))
)


def with_own_page() -> Core:
    """A supervisor with a page of its own."""
    core = begin(scope="own")
    announced(core)
    return core.after(attached("s-1", "mine"), created("mine", command_tags.FirstPage()))


def given_page() -> Core:
    """The same with a page that a person gave."""
    return with_own_page().after(gives(), found("bank"), attached("s-2", "bank"), PAGE_GIVEN)


def test_a_page_that_a_person_gives_is_attached_to_and_managed_until_it_is_taken_back() -> None:
    core = with_own_page()
    bank = target.TargetID("bank")
    seek, attach = target.GetTargetInfo(target_id=bank), target.AttachToTarget(target_id=bank, flatten=True)

    assert core.play(gives()) == [Send(command=seek, session_id=None, tag=command_tags.PageSought("give"))]
    assert core.play(found("bank")) == [Send(command=attach, session_id=None, tag=command_tags.PageGiven("give"))]
    assert told(core.after(attached("s-2", "bank")).play(PAGE_GIVEN)) == {"give": CommandResult(None)}
    assert [(page.target_id, page.is_managed, page.is_given, page.is_current) for page in core.seen.pages] == [
        ("mine", True, False, True),
        ("bank", True, True, False),
    ]
    assert core.play(requests.TakeBackRequested("back", "bank"))[0] == left("s-2")[1]
    assert pages(core.after(detached("s-2"))) == ["mine"]
    assert left("s-3")[1] in core.play(attached("s-3", "bank"))


def test_a_given_page_that_was_attached_to_twice_is_left_by_both_sessions_and_not_closed_at_the_end() -> None:
    core = given_page().after(attached("s-3", "bank"))

    assert sent(core.play(requests.TakeBackRequested("back", "bank"))) == [left("s-3")[1], left("s-2")[1]]
    assert pages(core.after(detached("s-3"), detached("s-2"))) == ["mine"]
    ending = sent(given_page().play(inputs.StopRequested()))
    assert [send.command.target_id for send in ending if isinstance(send.command, target.CloseTarget)] == ["mine"]


@pytest.mark.parametrize(
    "received",
    [
        [found("bank", "iframe")],
        [inputs.CommandFailed(command_tags.PageSought("give"), REFUSAL)],
        [found("bank"), inputs.CommandFailed(command_tags.PageGiven("give"), REFUSAL)],
    ],
    ids=["another kind of target", "a target that is gone", "it went meanwhile"],
)
def test_only_a_page_can_be_given(received: list[inputs.Input]) -> None:
    core = with_own_page().after(gives())

    assert told(core.play(*received)) == {"give": UnknownPage("bank")}
    assert core.state.world.page_ownership.given == frozenset()


def test_giving_a_page_ends_with_the_connection() -> None:
    core = with_own_page().after(gives())

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
