"""Tasks that record a run as code and play the code."""

from __future__ import annotations

from evals.tasks.desk import Desk
from evals.tasks.hands import ToolFailed
from evals.tasks.toolsets.hands import ToolsetHands
from evals.tasks.toolsets.task import ANSWER, answered, found_in, toolset_task, type_answer

SHOP = """<label>Item <input id="item"></label><button onclick="tell(item.value)">Order</button>"""


def order(hands: ToolsetHands, desk: Desk) -> None:
    """Order milk, in a recording."""
    hands.navigate(desk.at("shop"))
    hands.type(hands.ref("Item", "textbox"), "Milk")
    hands.click(hands.ref("Order", "button"))


@toolset_task("<p>First</p>", lambda desk: desk.told == ["Milk", "Milk"], files={"shop": SHOP})
def record_a_run_and_play_it_again(hands: ToolsetHands, desk: Desk) -> None:
    """Record that milk is ordered, and run the code in another browser."""
    hands.record("order")
    order(hands, desk)
    hands.end_recording()
    if not hands.play_code("order"):
        raise ToolFailed("the code failed")


@toolset_task(ANSWER, answered("Total 12"), files={"total": "<p>Total 12</p>"})
def record_an_assertion(hands: ToolsetHands, desk: Desk) -> None:
    """Record that a page shows the words "Total 12", and type the words that the code expects."""
    hands.record("total")
    hands.navigate(desk.at("total"))
    hands.verify("text", "Total 12")
    code = hands.end_recording()
    hands.navigate(desk.url)
    type_answer(hands, found_in(code, r"(?:expect\W|expected)[^\n]*(Total 12)"))
