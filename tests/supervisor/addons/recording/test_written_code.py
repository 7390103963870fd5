"""Steps as code of Playwright, and texts of pages as literals of Python and JavaScript, from values alone."""

from __future__ import annotations

import ast
import json
import re

from hypothesis import example, given
from hypothesis import strategies as st

from supervisor.addons.recording.literals import javascript, pattern, python
from supervisor.addons.recording.playwright_code import playwright_python, playwright_typescript
from supervisor.addons.recording.steps import Run, RunStep
from supervisor.addons.recording.targets import ElementTarget

BUTTON = ElementTarget(css=("#up",), is_stable=True, locator="css=#up")


def test_two_uploads_have_two_names() -> None:
    step = RunStep(tool="browser_file", arguments={"paths": ["/a"]}, targets={"ref": BUTTON})

    shown = playwright_typescript(Run(name="up", steps=(step, step))).text

    assert re.findall(r"const (\w+) =", shown) == ["upload1Event", "upload1", "upload2Event", "upload2"]


def test_a_chooser_that_a_click_opened_gets_its_files() -> None:
    click = RunStep(tool="browser_click", arguments={}, targets={"ref": BUTTON})
    files = RunStep(tool="browser_file", arguments={"paths": ["/a"]}, uses_chooser=True)

    shown = playwright_python(Run(name="up", steps=(click, files)))

    assert shown.left_out == ()
    assert [line.strip() for line in shown.text.splitlines()[-4:]] == [
        "with page.expect_file_chooser() as chooser1_event:",
        'page.locator("#up").click()',
        "chooser1 = chooser1_event.value",
        'chooser1.set_files(["/a"])',
    ]


def test_what_playwright_cannot_say_is_named_with_its_step() -> None:
    inner = ElementTarget(css=("b",), is_stable=False, locator="css=b", frames=(("i", "f"),))
    steps = (
        RunStep(tool="browser_click", arguments={"at": "right bottom"}, targets={"ref": inner}),
        RunStep(tool="browser_drag", arguments={"by": "9,0"}, targets={"ref": inner}),
        RunStep(tool="browser_hover", arguments={}, targets={"ref": inner}),
    )

    code = playwright_python(Run(name="up", steps=steps))

    assert code.left_out == (
        "step 1 (browser_click): its place on the element is named by sides",
        "step 2 (browser_drag): it dragged by a distance",
    )
    assert 'page.locator("i").frame_locator("f").locator("b").hover()' in code.text


ANY = st.text(st.characters(), max_size=30)


@given(ANY)
@example("\"'\\\n\r\u2028\u2029\u202e\ud800\U000e0041${x}*/`#{y}")
def test_a_text_is_the_same_again_and_its_literal_is_one_printable_line(text: str) -> None:
    in_python, in_javascript = python(text), javascript(text)

    assert ast.literal_eval(in_python) == text
    assert json.loads(in_javascript) == json.loads(json.dumps(text))
    assert in_python.isprintable()
    assert in_javascript.isprintable()
    assert '"' not in re.sub(r"\\.", "", in_javascript[1:-1])


@given(ANY)
def test_a_pattern_matches_its_text(text: str) -> None:
    assert re.fullmatch(pattern(text), text)
