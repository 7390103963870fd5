"""Tasks with the small things that a page needs now and then."""

from __future__ import annotations

from tests.tasks.desk import Desk
from tests.tasks.toolsets.hands import ToolsetHands
from tests.tasks.toolsets.task import ANSWER, answered, found_in, toolset_task, type_answer


@toolset_task(
    '<a href="second">Second</a>',
    lambda desk: desk.told == ["second", "second"],
    files={"second": "<p>Second page</p><script>addEventListener('pageshow', () => tell('second'))</script>"},
)
def go_forward(hands: ToolsetHands, desk: Desk) -> None:
    """Follow a link, go back, and go forward again."""
    hands.click(hands.ref("Second", "link"))
    hands.wait_text("Second page")
    hands.back()
    hands.forward()


@toolset_task(
    "<script>const visits = Number(sessionStorage.visits ?? 0) + 1; sessionStorage.visits = visits</script>",
    "visits === 2 && performance.getEntriesByType('navigation')[0].type === 'reload'",
)
def reload_the_page(hands: ToolsetHands, desk: Desk) -> None:
    """Load the page again."""
    hands.reload()


@toolset_task(
    ANSWER
    + """<button onclick="copy()">Copy the link</button><script>
    function copy() { const field = document.createElement('textarea'); field.value = 'https://a.test/v-7316';
      document.body.append(field); field.select(); document.execCommand('copy'); field.remove() }</script>""",
    answered("v-7316"),
)
def read_the_clipboard(hands: ToolsetHands, desk: Desk) -> None:
    """Let the page copy a link that it does not show, and type the number in the link."""
    hands.click(hands.ref("Copy the link", "button"))
    type_answer(hands, found_in(hands.read_clipboard(), r"(v-\d+)"))


@toolset_task('<input id="code" aria-label="Code">', "code.value === 'from the clipboard'")
def write_the_clipboard(hands: ToolsetHands, desk: Desk) -> None:
    """Put a text on the clipboard, and paste it with the keyboard."""
    hands.write_clipboard("from the clipboard")
    hands.click(hands.ref("Code", "textbox"))
    hands.press("Control+v")


@toolset_task(
    ANSWER
    + """<button onclick="buy()">Buy</button><script>
    function countPears() { console.error('out of stock') }
    function buy() { countPears() }</script>""",
    answered("countPears"),
)
def find_who_wrote_on_the_console(hands: ToolsetHands, desk: Desk) -> None:
    """Buy, and type the name of the function that reports an error on the console."""
    hands.click(hands.ref("Buy", "button"))
    type_answer(hands, found_in(hands.console_stacks("out of stock"), r"(count\w+)"))
