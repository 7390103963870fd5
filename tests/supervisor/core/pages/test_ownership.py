"""Pages within the scope are supervised; the others are let run and left alone."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cdp_typed.errors import CommandError
from cdp_typed.protocol import browser, page, runtime, target
from supervisor.core.connection.lifecycle import START
from supervisor.core.vocabulary import command_tags, inputs, requests
from supervisor.core.vocabulary.effects import Arm, CommandResult, Send
from supervisor.core.vocabulary.errors import NotRunning, UnknownPage
from supervisor.core.vocabulary.timers import PopupRelease
from tests.support.core.bridge import bridge
from tests.support.core.owned_pages import announced, begin, created, left, pages
from tests.support.core.play import attached, detached, frame, frame_tree_reply, sent, told, tree, with_page

REFUSAL = CommandError(-32000, "no", method="m", session=None)


def opens(call: str = "open", *, select: bool = True) -> requests.OpenRequested:
    return requests.OpenRequested(call_id=call, background=True, select=select)


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
    core = begin(scope="shared").after(
        attached("s-1", "first"), attached("s-2", "popup", opener="first", waiting=True), attached("s-3", "next")
    )

    assert {page.target_id: page.is_managed for page in core.seen.pages} == {
        "first": False,
        "popup": False,
        "next": False,
    }
    core.play(requests.SelectRequested("a", "next"))
    assert [page.target_id for page in core.seen.pages if page.is_managed] == ["next"]


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

    assert [page.target_id for page in core.seen.pages if page.is_managed] == ["next"]


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
    core = begin()
    core.state = replace(core.state, world=replace(core.state.world, bridge=bridge("always")))
    core.play(attached("s-1", "first"), attached("s-2", "second"))

    (lacking,) = core.seen.lacks
    assert "page second has no dialog bridge" in lacking
    for session, page_id in (("s-1", "first"), ("s-2", "second")):
        core.play(
            inputs.CommandSucceeded(command_tags.ChildAutoAttach(session), None),
            frame_tree_reply(session, tree(frame(page_id, "http://a.test/"))),
        )
    changes = [change for change in core.state.world.change_log.changes if change.kind == "bridge"]
    assert [(change.subject, change.text) for change in changes] == [("absent", "second")]


def test_a_page_that_is_to_be_ours_and_is_not_there_fails_the_start() -> None:
    core = begin(scope="tab", target_id="mine").after(attached("s-1", "other"))

    assert told(announced(core)) == {START: UnknownPage("mine")}
    assert core.seen.state == "lost"


def test_a_page_of_our_own_is_opened_although_others_are_there() -> None:
    core = begin(scope="own")
    assert core.play(attached("s-1", "other")) == left("s-1")

    (send,) = sent(announced(core))
    assert (send.command, send.tag) == (
        target.CreateTarget(url="about:blank", background=True),
        command_tags.FirstPage(),
    )
    held = core.play(attached("s-2", "own", waiting=True), attached("s-3", "stranger", waiting=True))
    effects = core.play(created("own", command_tags.FirstPage()))

    assert held == []
    assert effects[-2:] == left("s-3") or effects[:2] == left("s-3")
    assert {send.session_id for send in sent(effects)} == {None, "s-2", "s-3"}
    assert [(page_info.target_id, page_info.is_ours, page_info.is_current) for page_info in core.seen.pages] == [
        ("own", True, True)
    ]


def test_a_page_that_is_announced_after_the_reply_is_ours_too() -> None:
    core = begin(scope="own")
    announced(core)
    core.play(created("own", command_tags.FirstPage()), attached("s-2", "own"))

    assert pages(core) == ["own"]


def test_a_context_of_our_own_comes_first_and_ends_with_us() -> None:
    core = begin(scope="own", wants_context=True)
    (send,) = sent(announced(core))
    assert (send.command, send.tag) == (target.CreateBrowserContext(), command_tags.OwnContext())

    context_id = browser.BrowserContextID("c")
    (create,) = sent(
        core.play(
            inputs.CommandSucceeded(
                command_tags.OwnContext(), target.CreateBrowserContextResult(browser_context_id=context_id)
            )
        )
    )
    assert create.command == target.CreateTarget(url="about:blank", browser_context_id=context_id, background=True)
    core.play(attached("s-2", "own"), created("own", command_tags.FirstPage()))

    effects = core.play(inputs.StopRequested())
    assert [send.command for send in sent(effects)][-1] == target.DisposeBrowserContext(browser_context_id=context_id)


@pytest.mark.parametrize("tag", [command_tags.FirstPage(), command_tags.OwnContext()])
def test_a_page_that_cannot_be_opened_fails_the_start(tag: command_tags.Tag) -> None:
    core = begin(scope="own", wants_context=isinstance(tag, command_tags.OwnContext))
    announced(core)
    core.play(attached("s-1", "stranger"))

    effects = core.play(inputs.CommandFailed(tag, REFUSAL))

    assert told(effects)[START] == REFUSAL


def test_a_caller_opens_a_page_and_it_is_the_current_one() -> None:
    core = with_page()

    (send,) = sent(core.play(opens()))
    assert (send.command, send.tag) == (
        target.CreateTarget(url="about:blank", background=True),
        command_tags.PageCreated("open"),
    )
    effects = core.play(attached("s-2", "page-2"), created("page-2", command_tags.PageCreated("open")))

    assert told(effects) == {"open": CommandResult("page-2")}
    assert [page_info.target_id for page_info in core.seen.pages if page_info.is_current] == ["page-2"]


def test_a_page_may_be_opened_without_becoming_the_current_one_or_be_refused() -> None:
    core = with_page()
    before = [page_info.target_id for page_info in core.seen.pages if page_info.is_current]
    core.play(opens(select=False), attached("s-2", "page-2"), created("page-2", command_tags.PageCreated("open")))
    assert [page_info.target_id for page_info in core.seen.pages if page_info.is_current] == before

    assert told(core.play(opens("next"), inputs.CommandFailed(command_tags.PageCreated("next"), REFUSAL))) == {
        "next": REFUSAL
    }
    assert core.state.world.page_ownership.opening == {}


def test_what_was_to_be_opened_is_lost_with_the_link() -> None:
    core = with_page().after(opens("a"), opens("b"))

    assert told(core.play(inputs.Disconnected("gone"))).keys() >= {"a", "b"}


def test_while_two_pages_are_opened_others_wait_for_both() -> None:
    core = begin(scope="own")
    announced(core)
    core.play(attached("s-1", "own"), created("own", command_tags.FirstPage()), opens("a"), opens("b"))
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


def test_the_current_page_is_chosen_by_its_id() -> None:
    core = with_page().after(
        attached("s-2", "page-2"), frame_tree_reply("s-2", tree(frame("page-2", "http://b.test/")))
    )

    assert told(core.play(requests.SelectRequested("a", "page-2"), requests.SelectRequested("b", "nope"))) == {
        "a": CommandResult(None),
        "b": UnknownPage("nope"),
    }
    assert [page_info.target_id for page_info in core.seen.pages if page_info.is_current] == ["page-2"]


def test_only_what_we_opened_is_closed_at_the_end_and_nobody_listens_to_dialogs_then() -> None:
    core = with_page().after(opens(), attached("s-2", "page-2"), created("page-2", command_tags.PageCreated("open")))

    effects = core.play(inputs.StopRequested())

    close = target.CloseTarget(target_id=target.TargetID("page-2"))
    assert effects[:2] == [
        Send(command=page.Disable(), session_id="s-2"),
        Send(command=close, session_id=None, tag=command_tags.PageClosed("page-2")),
    ]
    assert len(sent(effects)) == 2


def test_the_last_page_of_a_browser_is_not_closed() -> None:
    core = begin()
    announced(core)
    core.play(attached("s-1", "page-1"), created("page-1", command_tags.FirstPage()))

    assert sent(core.play(inputs.StopRequested())) == []


def test_without_a_link_no_page_is_opened_or_closed() -> None:
    core = with_page().after(opens(), attached("s-2", "page-2"), created("page-2", command_tags.PageCreated("open")))
    core.play(detached("s-2"), inputs.StopRequested())

    assert told(core.play(opens("late"))) == {"late": NotRunning("stopped")}
    lost = with_page().after(inputs.Disconnected("gone"))
    assert sent(lost.play(inputs.StopRequested())) == []


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
