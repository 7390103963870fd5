"""`browser_batch`: several calls in one, on real Chromium; the recording has the steps."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from supervisor import Config, SupervisorRegistry
from supervisor.tools import CallNext, Toolbox, ToolCall
from tests.support.browsers import launched
from tests.support.servers.sites import Sites

pytestmark = pytest.mark.chromium

FORM = """<!doctype html><link rel=icon href=data:,><title>Form</title><script>log = []</script>
<label>Name <input></label><label>Code <input type=password></label>
<button onclick="log.push('sent ' + document.querySelector('input').value)">Send</button>
<button onclick="log.push(confirm('Sure?'))">Delete</button>"""

Step: TypeAlias = tuple[str, dict[str, Any]]

hooked: list[str] = []


async def note(call: ToolCall, call_next: CallNext) -> dict[str, Any]:
    hooked.append(call.name)
    return await call_next(call)


class Desk:
    """A page, and the tools."""

    def __init__(self, box: Toolbox) -> None:
        self.box = box

    def batch(self, *steps: Step) -> dict[str, Any]:
        """Call the batch with these steps."""
        given = [{"tool": tool, "arguments": arguments} for tool, arguments in steps]
        result: dict[str, Any] = json.loads(self.box.dispatch("browser_batch", {"steps": given}))
        return result

    def log(self) -> Any:
        """What the page has noted."""
        return json.loads(self.box.dispatch("browser_evaluate", {"expression": "log"}))["value"]


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The flight recording."""
    return tmp_path_factory.mktemp("recordings") / "flight.jsonl"


@pytest.fixture(scope="module")
def pages() -> Iterator[Sites]:
    """The form, and pages of single tests."""
    with Sites() as sites:
        sites.pages["/form"] = FORM
        yield sites


@pytest.fixture(scope="module")
def shared_box(recording: Path) -> Iterator[Toolbox]:
    """All tools, in one browser."""
    registry = SupervisorRegistry()
    with launched(omnibox=False) as browser:
        config = Config(cdp_url=browser.ws_url, record_to=str(recording))
        yield Toolbox(config, registry=registry, toolsets="all", hooks=[note])
        registry.stop_all()


@pytest.fixture
def desk(shared_box: Toolbox, pages: Sites) -> Desk:
    """A desk with the form."""
    assert json.loads(shared_box.dispatch("browser_navigate", {"url": pages.local("/form")}))["success"]
    hooked.clear()
    return Desk(shared_box)


def test_steps_are_done_in_order_and_each_tells_its_result(desk: Desk) -> None:
    done = desk.batch(
        ("type", {"ref": 'textbox "Name"', "text": "Ann"}),
        ("browser_press", {"key": "End"}),
        ("type", {"text": "a"}),
        ("click", {"ref": 'button "Send"', "snapshot": True}),
    )

    lines = done["results"].splitlines()
    assert (done["success"], done["done"]) == (True, 4)
    assert lines[0] == '1 browser_type: "Ann"'
    assert lines[1].startswith("2 browser_press: ")
    assert lines[2] == '3 browser_type: "Anna"'
    assert done["untrusted"] == ["results"]
    assert desk.log() == ["sent Anna"]
    assert hooked[:5] == ["browser_batch", "browser_type", "browser_press", "browser_type", "browser_click"]


def test_steps_may_have_their_arguments_as_json_text_or_none(desk: Desk) -> None:
    """As models write them in OpenAI's strict form."""
    steps = [
        {"tool": "type", "arguments": json.dumps({"ref": 'textbox "Name"', "text": "Ann", "submit": None})},
        {"tool": "tabs", "arguments": None},
    ]
    for given in (steps, json.dumps(steps)):
        done = json.loads(desk.box.dispatch("browser_batch", {"steps": given}))

        assert (done["success"], done["done"]) == (True, 2), done


def test_a_batch_stops_at_the_step_that_fails(desk: Desk) -> None:
    failed = desk.batch(
        ("type", {"ref": 'textbox "Name"', "text": "Ann"}),
        ("click", {"ref": 'button "Save"'}),
        ("press", {"key": "End"}),
        ("click", {"ref": 'button "Send"'}),
    )

    assert (failed["success"], failed["done"], failed["error_type"]) == (False, 1, "NotLocated")
    assert failed["error"].startswith("Step 2 (browser_click): ")
    assert failed["error"].endswith(" The 2 later steps were not done.")
    assert failed["results"] == '1 browser_type: "Ann"'
    assert desk.log() == []


def test_a_dialog_stops_a_batch_unless_a_step_answers_it(desk: Desk) -> None:
    stopped = desk.batch(("click", {"ref": 'button "Delete"'}), ("click", {"ref": 'button "Send"'}))
    answered = desk.batch(("dialog", {"action": "accept"}), ("click", {"ref": 'button "Send"'}))
    both = desk.batch(("click", {"ref": 'button "Delete"'}), ("dialog", {"action": "dismiss"}))

    assert (stopped["success"], stopped["error_type"], stopped["maybe_executed"]) == (False, "BlockedByDialog", False)
    assert [dialog["message"] for dialog in stopped["pending_dialogs"]] == ["Sure?"]
    assert (answered["success"], answered["done"]) == (True, 2)
    assert (both["success"], both["done"]) == (True, 2)
    assert desk.log() == [True, "sent ", False]


MOVED = "told.innerHTML = '<p style=height:60px>Six digits.'"
DOUBTED = """<!doctype html><link rel=icon href=data:,><script>log = []</script>
<label>Code <input onblur="%s"></label><div id=told></div><div onpointerdown="log.push('pressed')">
<label><input type=checkbox onclick="log.push('checked')">Agree</label></div>
<div style="overflow:hidden; height:40px"><button onmouseover="this.style.marginLeft = '400px'">Off</button></div>"""

STEPS: list[list[Step]] = [
    [("type", {"ref": "label=Code", "text": "1"}), ("click", {"ref": 'checkbox "Agree"'})],
    [("type", {"ref": "label=Code", "text": "1"}), ("click", {"ref": 'checkbox "Agree"'}), ("press", {"key": "a"})],
    [("hover", {"ref": "Agree"}), ("click", {"ref": 'button "Off"'}), ("press", {"key": "a"})],
]


@pytest.mark.parametrize("steps", STEPS, ids=["last", "first of two", "another element got it"])
def test_a_step_whose_element_may_not_have_got_it_stops_a_batch(desk: Desk, pages: Sites, steps: list[Step]) -> None:
    pages.pages["/doubted"] = DOUBTED % MOVED
    assert json.loads(desk.box.dispatch("browser_navigate", {"url": pages.local("/doubted")}))["success"]

    stopped = desk.batch(*steps)

    assert (stopped["success"], stopped["done"], stopped["maybe_executed"]) == (False, 1, True)
    assert stopped["error"].startswith("Step 2 (browser_click): The element ")
    assert len(desk.log()) < 2


def test_a_box_that_a_message_moves_under_the_press_is_checked(desk: Desk, pages: Sites) -> None:
    pages.pages["/moved"] = (DOUBTED % MOVED).replace("onpointerdown", "ondrop")
    assert json.loads(desk.box.dispatch("browser_navigate", {"url": pages.local("/moved")}))["success"]

    done = desk.batch(*STEPS[0])

    assert (done["success"], done["done"], desk.log()) == (True, 2, ["checked"])


WRONG: list[tuple[list[Step], str, str]] = [
    ([], "steps", "expected 1 to 20 steps, got 0"),
    ([("press", {"key": "a"})] * 21, "steps", "expected 1 to 20 steps, got 21"),
    ([("press", {"key": "a"}), ("evaluate", {"expression": "1"})], "step 2", "its tool can be back, click"),
    ([("press", {"key": "a"}), ("batch", {"steps": []})], "step 2", "its tool can be back, click"),
    ([("press", {"key": "a"}), ("type", {"txt": "a"})], "step 2, txt", "unknown; did you mean 'text'?"),
    ([("press", {"key": "a"}), ("type", {})], "step 2, text", "missing"),
]
"""Steps, the argument that is wrong, and a part of the error."""


@pytest.mark.parametrize(("steps", "argument", "problem"), WRONG)
def test_a_wrong_step_is_refused_before_the_first(desk: Desk, steps: list[Step], argument: str, problem: str) -> None:
    refused = desk.batch(*steps)

    assert (refused["success"], refused["error_type"], refused["argument"]) == (False, "InvalidArgument", argument)
    assert problem in refused["error"]
    assert hooked == ["browser_batch"]


def test_the_recording_has_the_steps_without_what_was_typed(desk: Desk, recording: Path) -> None:
    done = desk.batch(
        ("type", {"ref": 'textbox "Name"', "text": "Zoe"}), ("type", {"ref": 'textbox "Code"', "text": "sesame-4711"})
    )
    desk.log()  # the lines are written

    text = recording.read_text("utf-8")
    assert (done["success"], "sesame-4711" in done["results"]) == (True, False)
    assert "sesame-4711" not in text
    assert "browser_batch" not in text
    assert "browser_type" in text
