"""`snapshot`, `eval` and `dialog`, each against a mock browser whose pages another client moves."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from cdp_typed.mock import ThreadedMockServer
from cdp_typed.protocol import page, runtime
from supervisor import CDPSupervisor
from supervisor.cli import dialog
from tests.supervisor.cli.conftest import Run
from tests.support.stages.stages import is_loaded


@pytest.fixture
def other(mock: ThreadedMockServer) -> Iterator[CDPSupervisor]:
    """Another client of the same browser."""
    with CDPSupervisor(mock.url) as running:
        yield running


@pytest.fixture
def shop(other: CDPSupervisor) -> CDPSupervisor:
    """The other client, which has opened the page with two iframes."""
    other.send(page.Navigate(url="http://shop.test/"))
    other.wait_for(
        lambda now: is_loaded(now) and {frame.name for frame in now.frame_tree.children} == {"pay", "news"},
        timeout_s=10,
    )
    return other


def test_a_snapshot_shows_the_frames_of_the_current_page(
    run: Run, mock: ThreadedMockServer, shop: CDPSupervisor
) -> None:
    done = run("snapshot", mock.http_url)

    assert (done.code, done.err) == (0, "")
    frames = json.loads(done.out)["frame_tree"]["children"]
    assert sorted((frame["name"], frame["is_oopif"]) for frame in frames) == [("news", False), ("pay", True)]


def test_no_tab_of_a_person_is_managed(run: Run, mock: ThreadedMockServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supervisor.cli.arguments.find_running", lambda: mock.url)

    done = run("snapshot", "--connect")

    assert (done.code, done.err) == (0, "")
    assert [page["is_managed"] for page in json.loads(done.out)["pages"]] == [False]


@pytest.mark.parametrize(
    ("frame", "value"),
    [((), "Shop"), (("--frame", "pay"), "Pay"), (("--frame", "shop.test/news"), "News")],
    ids=["top", "by name", "by URL"],
)
def test_an_expression_is_evaluated_in_the_frame_that_is_meant(
    run: Run, mock: ThreadedMockServer, shop: CDPSupervisor, frame: tuple[str, ...], value: str
) -> None:
    done = run("eval", mock.url, "document.title", *frame)

    assert (done.code, done.err, json.loads(done.out)) == (0, "", value)


def test_a_frame_is_named_by_its_id_too_and_all_tells_where_it_ran(
    run: Run, mock: ThreadedMockServer, shop: CDPSupervisor
) -> None:
    frame = next(frame for frame in shop.snapshot().frame_tree.children if frame.name == "pay")

    done = run("eval", mock.url, "document.title", "--frame", frame.frame_id, "--all")

    told = json.loads(done.out)
    assert (told["value"], told["frame_id"], told["url"]) == ("Pay", frame.frame_id, "http://pay.test/")


@pytest.mark.parametrize(
    ("wanted", "complaint"),
    [("nobody", "no frame has the id or name 'nobody', or it in its URL; there are: "), ("shop.test", "2 frames are")],
)
def test_a_frame_that_is_not_there_or_not_one_is_refused_with_the_list(
    run: Run, mock: ThreadedMockServer, shop: CDPSupervisor, wanted: str, complaint: str
) -> None:
    done = run("eval", mock.url, "1", "--frame", wanted)

    assert (done.code, done.out) == (2, "")
    assert complaint in done.err
    assert '("news")' in done.err


def test_what_json_cannot_hold_is_described(run: Run, mock: ThreadedMockServer, other: CDPSupervisor) -> None:
    assert json.loads(run("eval", mock.url, "1 / 0").out) == "Infinity"


def test_an_expression_that_throws_is_one_line(run: Run, mock: ThreadedMockServer, other: CDPSupervisor) -> None:
    done = run("eval", mock.url, "nobody.home")

    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert "nobody is not defined" in done.err


def test_a_dialog_that_the_expression_opens_is_told_and_not_left_behind(
    run: Run, mock: ThreadedMockServer, other: CDPSupervisor
) -> None:
    done = run("eval", mock.url, "window.said = confirm('sure?')")

    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "cdp-supervisor: note: the confirm dialog was dismissed\n"
        'cdp-supervisor: error: a dialog stopped the expression: confirm "sure?"\n'
    )
    assert other.evaluate("window.said").value is False


def test_the_next_dialog_is_awaited_and_answered_with_a_text(
    run: Run, mock: ThreadedMockServer, other: CDPSupervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page is opened once the command listens: a dialog that opened before cannot be answered."""
    listens = threading.Event()
    wait = dialog.wait_for_dialog

    def listening(*given: object) -> object:
        listens.set()
        return wait(*given)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr(dialog, "wait_for_dialog", listening)
    with ThreadPoolExecutor(1) as pool:
        opening = pool.submit(lambda: listens.wait(20) and other.send(page.Navigate(url="http://shop.test/asks")))
        done = run("dialog", mock.url, "accept", "--text", "Ada", "--type", "prompt")
        opening.result(20)

    told = json.loads(done.out)
    assert (done.code, done.err) == (0, "")
    assert (told["dialog"]["message"], told["receipt"]["user_input"]) == ("your \x1b[31mname?", "Ada")
    assert "\x1b" not in done.out
    assert other.evaluate("window.answer").value == "Ada"


def test_no_dialog_in_time_is_an_error_that_names_a_page_which_does_not_respond(
    run: Run, mock: ThreadedMockServer, other: CDPSupervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("supervisor.core.pages.sessions.SETUP_TIMEOUT_S", 0.5)
    other.send(runtime.Evaluate(expression="setTimeout(() => alert('early'), 0)"))
    frozen = other.wait_for(lambda now: bool(now.pending_dialogs), timeout_s=10).pending_dialogs[0].target_id

    done = run("dialog", mock.url, "accept", "--wait", "1")

    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines() == [
        f"cdp-supervisor: note: page {frozen} does not respond: a dialog that opened earlier, or a long script",
        "cdp-supervisor: error: no dialog opened within 1 s",
    ]
