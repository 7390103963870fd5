"""Tasks that find out why a page is slow."""

from __future__ import annotations

import time

from evals.tasks.desk import Desk
from evals.tasks.toolsets.hands import ToolsetHands
from evals.tasks.toolsets.task import ANSWER, answered, found_in, toolset_task, type_answer
from tests.support.servers.sites import Response

FILLER = "x" * 6000
"""Chromium takes a picture with very few bytes for its size for a background."""
PICTURE = f"""<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><!-- {FILLER} -->
<rect width="600" height="400"/></svg>"""


def slowly(body: str, content_type: str, seconds: float) -> Response:
    """Return a response after some time."""
    time.sleep(seconds)  # the delay is what the task is about
    return Response(body, headers={"Content-Type": content_type})


def measured(hands: ToolsetHands, desk: Desk) -> str:
    """Open the page that is measured, wait until it is complete, and return the figures of the visit."""
    hands.navigate(desk.at("page"))
    hands.wait_text("Complete")
    return hands.vitals()


COMPLETE = "<p id='end'></p><script>onload = () => setTimeout(() => { end.textContent = 'Complete' }, 300)</script>"


@toolset_task(
    "<p>First</p>",
    answered("hero-31"),
    files={
        "page": ANSWER + "<p>A text</p><img src='hero-31.svg' width=600 height=400 alt=''>" + COMPLETE,
        "hero-31.svg": lambda request, desk: slowly(PICTURE, "image/svg+xml", 0.2),
    },
)
def find_the_largest_picture(hands: ToolsetHands, desk: Desk) -> None:
    """Type the name of the picture that is the largest content of the page."""
    type_answer(hands, found_in(measured(hands, desk), r"(hero-\d+)"))


@toolset_task(
    "<p>First</p>",
    answered("offer-58"),
    files={
        "page": ANSWER + "<div id='top'></div><div id='offer-58' style='height: 300px'>Offer</div>"
        "<script>setTimeout(() => { top_ = document.getElementById('top'); top_.style.height = '200px' }, 100)</script>"
        + COMPLETE
    },
)
def find_what_is_shifted(hands: ToolsetHands, desk: Desk) -> None:
    """Type the id of the element that moves while the page loads."""
    type_answer(hands, found_in(measured(hands, desk), r"(offer-\d+)"))


@toolset_task(
    "<p>First</p>",
    "Number(answer.value) >= 400 && Number(answer.value) < 2000",
    files={"page": lambda request, desk: slow_document()},
)
def measure_the_wait_for_the_server(hands: ToolsetHands, desk: Desk) -> None:
    """Type how many milliseconds the document took until its first byte (TTFB)."""
    type_answer(hands, found_in(measured(hands, desk), r"(?i)ttfb\D*(\d+)"))


def slow_document() -> str:
    """Return the page after half a second."""
    time.sleep(0.5)  # the delay is what the task is about
    return ANSWER + COMPLETE


@toolset_task(
    "<p>First</p>",
    answered("chat-77"),
    files={
        "page": "<script src='chat-77.js'></script><p>Text</p>" + ANSWER + COMPLETE,
        "chat-77.js": lambda request, desk: slowly("1", "text/javascript", 0.4),
    },
)
def find_the_script_that_blocks(hands: ToolsetHands, desk: Desk) -> None:
    """Type the name of the script that the page waits for before it shows anything."""
    type_answer(hands, found_in(measured(hands, desk), r"(chat-\d+)"))


BUSY = """<p>Text</p><script>
function grindBeans() { const end = performance.now() + 400; while (performance.now() < end); }
setTimeout(grindBeans, 50);
</script>"""
READ_TRACE = """<input type="file" aria-label="Trace" onchange="read(files[0])"><script>
async function read(file) {
  const packed = file.name.endsWith('.gz'), stream = file.stream();
  const text = await new Response(packed ? stream.pipeThrough(new DecompressionStream('gzip')) : stream).text();
  tell(JSON.parse(text).traceEvents.some(event => event.name === 'FunctionCall'));
}</script>"""


def trace(hands: ToolsetHands, desk: Desk) -> str:
    """Open the page in a trace, and return the summary."""
    hands.begin_trace()
    hands.navigate(desk.at("page"))
    hands.wait_text("Complete")
    return hands.end_trace()


@toolset_task("<p>First</p>" + ANSWER, answered("grindBeans"), files={"page": BUSY + COMPLETE + ANSWER})
def find_the_function_that_takes_long(hands: ToolsetHands, desk: Desk) -> None:
    """Type the name of the function that keeps the page busy while it loads."""
    type_answer(hands, found_in(trace(hands, desk), r"(grind\w+)"))


@toolset_task(READ_TRACE, lambda desk: desk.told == ["true"], files={"page": BUSY + COMPLETE})
def save_a_trace_for_the_developer_tools(hands: ToolsetHands, desk: Desk) -> None:
    """Save a trace of the page in a file, and give it to the first page, which reads the events in it."""
    trace(hands, desk)
    hands.navigate(desk.url)
    hands.upload(hands.ref("Trace", "button", "Button", "textbox"), [hands.trace_file])


GRIND = """<p>Text</p><script>
function grindBeans() { const end = performance.now() + 400; while (performance.now() < end); }
setTimeout(() => grindBeans(), 50);
</script>"""


@toolset_task("<p>First</p>" + ANSWER, answered("grindBeans"), files={"page": GRIND + COMPLETE + ANSWER})
def find_the_function_in_a_profile(hands: ToolsetHands, desk: Desk) -> None:
    """Type the name of the function that takes the most processor time, which another function calls."""
    hands.begin_profile()
    hands.navigate(desk.at("page"))
    hands.wait_text("Complete")
    type_answer(hands, found_in(hands.end_profile(), r"(grind\w+)"))


UNUSED = "".join(f"function never{number}() {{ return 'a text that nobody reads' }}\n" for number in range(50))


@toolset_task(
    "<p>First</p>" + ANSWER,
    answered("code-62"),
    files={
        "page": "<script src='code-11.js'></script><script src='code-62.js'></script>" + COMPLETE + ANSWER,
        "code-11.js": Response("var used = 'a text '.repeat(3)", headers={"Content-Type": "text/javascript"}),
        "code-62.js": Response(UNUSED, headers={"Content-Type": "text/javascript"}),
    },
)
def find_the_script_that_is_not_used(hands: ToolsetHands, desk: Desk) -> None:
    """Type the name of the script of which the page uses least."""
    hands.begin_coverage()
    hands.navigate(desk.at("page"))
    hands.wait_text("Complete")
    type_answer(hands, found_in(hands.end_profile(), r"(code-\d+)\.js"))
