"""Pages within the scope are supervised; the others are let run and left alone."""

from __future__ import annotations

import pytest

from cdp_typed.errors import CommandError
from cdp_typed.protocol import page, runtime, target
from supervisor.core.connection.lifecycle import START
from supervisor.core.vocabulary import command_tags, inputs, requests
from supervisor.core.vocabulary.effects import Arm, Send
from supervisor.core.vocabulary.errors import NotRunning
from supervisor.core.vocabulary.timers import PopupRelease
from tests.support.core.bridge import bridge
from tests.support.core.owned_pages import announced, begin, created, left, pages
from tests.support.core.play import TOP, Core, attached, detached, frame, frame_tree_reply, sent, told, tree, with_page

REFUSAL = CommandError(-32000, "no", method="m", session=None)
FIRST, OPENED = command_tags.FirstPage(), command_tags.PageCreated("open")


def opens(call: str = "open", *, select: bool = True) -> requests.OpenRequested:
    return requests.OpenRequested(call_id=call, background=True, select=select)


def current(core: Core) -> list[str]:
    return [info.target_id for info in core.seen.pages if info.is_current]


def managed(core: Core) -> list[str]:
    return [info.target_id for info in core.seen.pages if info.is_managed]


def with_opened() -> Core:
    """The same page, and one that a caller opened."""
    return with_page().after(opens(), attached("s-2", "page-2"), created("page-2", OPENED))


def test_of_all_pages_one_is_ours_with_its_popups() -> None:
    core = begin(scope="tab", target_id="mine")

    other = core.play(attached("s-1", "other"))
    core.play(attached("s-2", "mine"), attached("s-3", "popup", opener="mine", waiting=True))
    core.play(attached("s-4", "popup of the popup", opener="popup"))
    stranger = core.play(attached("s-5", "stranger", opener="other", waiting=True))

    assert other == left("s-1")
    assert stranger == [Arm(PopupRelease("s-5"), 0.5)]
    assert pages(core) == ["mine", "popup", "popup of the popup"]


def test_a_shared_browser_has_no_page_that_is_managed_until_one_is_opened_or_selected() -> None:
    popup = attached("s-2", "popup", opener="first", waiting=True)
    core = begin(scope="shared").after(attached("s-1", "first"), popup, attached("s-3", "next"))

    assert (sorted(pages(core)), managed(core)) == (["first", "next", "popup"], [])
    assert managed(core.after(requests.SelectRequested("a", "next"))) == ["next"]


@pytest.mark.parametrize(
    "further", [["next"], ["held", "next"], []], ids=["was there", "after one of another client", "comes later"]
)
def test_a_first_page_that_closes_during_the_start_gives_its_place_to_the_next(further: list[str]) -> None:
    core = begin()
    held = target.TargetInfo(
        target_id=target.TargetID("held"), type="page", title="", url="", attached=True, can_access_opener=False
    )
    core.play(inputs.CommandSucceeded(command_tags.BrowserIdentity(), target.GetTargetsResult(target_infos=(held,))))
    core.play(attached("s-1", "closing"), *(attached(f"s-{page_id}", page_id) for page_id in further), detached("s-1"))
    if not further:
        core.play(attached("s-next", "next"))

    assert managed(core) == ["next"]


def test_a_popup_that_is_not_ours_is_left_to_whoever_else_holds_it_before_we_let_it_go() -> None:
    core = begin(scope="tab", target_id="mine").after(
        attached("s-1", "mine"), attached("s-2", "stranger", opener="other", waiting=True)
    )

    assert core.play(inputs.TimerFired(PopupRelease("s-2"))) == left("s-2")


def test_a_popup_of_a_page_that_is_not_managed_is_set_up_at_once_and_let_go_later() -> None:
    core = begin().after(attached("s-1", "first"), attached("s-2", "second"))
    run = Send(command=runtime.RunIfWaitingForDebugger(), session_id="s-4")

    managed = core.play(attached("s-3", "popup", opener="first", waiting=True))
    foreign = core.play(attached("s-4", "stranger", opener="second", waiting=True))

    assert managed[-1] == Send(command=runtime.RunIfWaitingForDebugger(), session_id="s-3")
    assert Send(command=page.Enable(), session_id="s-4") in foreign
    assert foreign[-1] == Arm(PopupRelease("s-4"), 0.5)
    assert core.play(inputs.TimerFired(PopupRelease("s-4"))) == [run]
    core.play(inputs.Disconnected("gone"))
    assert core.play(inputs.TimerFired(PopupRelease("s-4"))) == []


def test_a_page_without_the_bridge_that_always_asks_for_is_among_what_is_lacking() -> None:
    core = begin().having(bridge=bridge("always")).after(attached("s-1", "first"), attached("s-2", "second"))

    (lacking,) = core.seen.lacks
    assert "page second has no dialog bridge" in lacking
    for session, page_id in (("s-1", "first"), ("s-2", "second")):
        core.play(
            inputs.CommandSucceeded(command_tags.ChildAutoAttach(session), None),
            frame_tree_reply(session, tree(frame(page_id, "http://a.test/"))),
        )
    changes = [change for change in core.state.world.change_log.changes if change.kind == "bridge"]
    assert [(change.subject, change.text) for change in changes] == [("absent", "second")]


def test_a_page_of_our_own_is_opened_although_others_are_there() -> None:
    core = begin(scope="own")
    assert core.play(attached("s-1", "other")) == left("s-1")

    create = target.CreateTarget(url="about:blank", background=True)
    assert [(send.command, send.tag) for send in sent(announced(core))] == [(create, FIRST)]
    assert core.play(attached("s-2", "own", waiting=True), attached("s-3", "stranger", waiting=True)) == []
    effects = core.play(created("own", FIRST))

    assert effects[-2:] == left("s-3") or effects[:2] == left("s-3")
    assert {send.session_id for send in sent(effects)} == {None, "s-2", "s-3"}
    assert [(info.target_id, info.is_ours, info.is_current) for info in core.seen.pages] == [("own", True, True)]


def test_a_page_that_is_announced_after_the_reply_is_ours_too() -> None:
    core = begin(scope="own")
    announced(core)
    core.play(created("own", FIRST), attached("s-2", "own"))

    assert pages(core) == ["own"]


@pytest.mark.parametrize("tag", [command_tags.FirstPage(), command_tags.OwnContext()])
def test_a_page_that_cannot_be_opened_fails_the_start(tag: command_tags.Tag) -> None:
    core = begin(scope="own", wants_context=isinstance(tag, command_tags.OwnContext))
    announced(core)
    core.play(attached("s-1", "stranger"))

    assert told(core.play(inputs.CommandFailed(tag, REFUSAL)))[START] == REFUSAL


def test_a_page_may_be_opened_without_becoming_the_current_one_or_be_refused() -> None:
    core = with_page().after(opens(select=False), attached("s-2", "page-2"), created("page-2", OPENED))
    assert current(core) == [TOP]

    refused = inputs.CommandFailed(command_tags.PageCreated("next"), REFUSAL)
    assert told(core.play(opens("next"), refused)) == {"next": REFUSAL}
    assert core.state.world.page_ownership.opening == {}


def test_what_was_to_be_opened_is_lost_with_the_link() -> None:
    assert told(with_page().after(opens("a"), opens("b")).play(inputs.Disconnected("gone"))).keys() >= {"a", "b"}


def test_while_two_pages_are_opened_others_wait_for_both() -> None:
    core = begin(scope="own")
    announced(core)
    core.play(attached("s-1", "own"), created("own", FIRST), opens("a"), opens("b"))
    core.play(attached("s-a", "page-a"), attached("s-x", "stranger"), attached("s-b", "page-b"))

    first = core.play(created("page-b", command_tags.PageCreated("b")))
    assert "s-x" not in {send.session_id for send in sent(first)}
    second = core.play(created("page-a", command_tags.PageCreated("a")))

    assert all(effect in second for effect in left("s-x"))
    assert sorted(pages(core)) == ["own", "page-a", "page-b"]


def test_a_page_that_was_held_when_the_link_was_lost_is_forgotten() -> None:
    core = begin(scope="own")
    announced(core)
    core.play(attached("s-1", "stranger"), inputs.Disconnected("gone"))

    assert core.state.world.page_ownership.undecided == ()


def test_only_what_we_opened_is_closed_at_the_end_and_nobody_listens_to_dialogs_then() -> None:
    effects = with_opened().play(inputs.StopRequested())

    close = target.CloseTarget(target_id=target.TargetID("page-2"))
    closing = Send(command=close, session_id=None, tag=command_tags.PageClosed("page-2"))
    assert sent(effects) == effects[:2] == [Send(command=page.Disable(), session_id="s-2"), closing]


def test_the_last_page_of_a_browser_is_not_closed() -> None:
    core = begin()
    announced(core)
    core.play(attached("s-1", "page-1"), created("page-1", command_tags.FirstPage()))

    assert sent(core.play(inputs.StopRequested())) == []


def test_without_a_link_no_page_is_opened_or_closed() -> None:
    stopped = with_opened().after(detached("s-2"), inputs.StopRequested())
    assert told(stopped.play(opens("late"))) == {"late": NotRunning("stopped")}

    assert sent(with_page().after(inputs.Disconnected("gone")).play(inputs.StopRequested())) == []


@pytest.mark.parametrize(("opened", "is_loading"), [("opened", False), ("another", True)])
def test_a_page_that_we_opened_loads_nothing_also_when_it_is_announced_without_its_address(
    opened: str, is_loading: bool
) -> None:
    """So it is on Chrome 131, which tells of no end of its loading either."""
    core = with_page().after(
        opens(), attached("s-opened", "opened", waiting=True), created(opened, command_tags.PageCreated("open"))
    )

    core.play(frame_tree_reply("s-opened", tree(frame("opened", "about:blank"))))

    assert core.state.world.frames.nodes["opened"].is_loading is is_loading
