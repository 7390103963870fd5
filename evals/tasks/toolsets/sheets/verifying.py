"""Tasks that verify a page: what is as expected, and what is not."""

from __future__ import annotations

from evals.tasks.desk import Desk
from evals.tasks.toolsets.hands import ToolsetHands
from evals.tasks.toolsets.task import ANSWER, answered, toolset_task, type_answer

RIGHT_AND_WRONG = answered("True False")


def type_both(hands: ToolsetHands, is_right: bool, is_wrong: bool) -> None:
    """Type what the tool says of what is so, and of what is not."""
    type_answer(hands, f"{is_right} {is_wrong}")


@toolset_task("<p>Your order has been sent.</p><p hidden>Your order was refused.</p>" + ANSWER, RIGHT_AND_WRONG)
def verify_a_text(hands: ToolsetHands, desk: Desk) -> None:
    """Type whether the page shows that the order has been sent, and whether it shows that it was refused."""
    type_both(hands, hands.verify("text", "has been sent"), hands.verify("text", "was refused"))


@toolset_task('<label>City <input value="Basel"></label>' + ANSWER, RIGHT_AND_WRONG)
def verify_a_value(hands: ToolsetHands, desk: Desk) -> None:
    """Type whether the city is Basel, and whether it is Bas."""
    is_right = hands.verify("value", "Basel", name="City", role="textbox")
    type_both(hands, is_right, hands.verify("value", "Bas", name="City", role="textbox"))


@toolset_task('<button>Save</button><button style="visibility: hidden">Delete</button>' + ANSWER, RIGHT_AND_WRONG)
def verify_that_a_button_is_visible(hands: ToolsetHands, desk: Desk) -> None:
    """Type whether the button Save is visible, and whether Delete is."""
    is_right = hands.verify("visible", "", name="Save", role="button")
    type_both(hands, is_right, hands.verify("visible", "", name="Delete", role="button"))


@toolset_task("<ul aria-label='Fruit'><li>Apples</li><li>Pears</li><li>Plums</li></ul>" + ANSWER, RIGHT_AND_WRONG)
def verify_a_list(hands: ToolsetHands, desk: Desk) -> None:
    """Type whether the list has apples, pears and plums, and whether it has apples and cherries."""
    is_right = hands.verify("list", ["Apples", "Pears", "Plums"], name="Fruit", role="list")
    type_both(hands, is_right, hands.verify("list", ["Apples", "Cherries"], name="Fruit", role="list"))


@toolset_task("<script>document.title = 'Inbox (3)'</script>" + ANSWER, RIGHT_AND_WRONG)
def verify_the_title(hands: ToolsetHands, desk: Desk) -> None:
    """Type whether the title is "Inbox (3)", and whether it is "Inbox (4)"."""
    type_both(hands, hands.verify("title", "Inbox (3)"), hands.verify("title", "Inbox (4)"))


@toolset_task("<script>history.replaceState({}, '', '?view=done')</script>" + ANSWER, RIGHT_AND_WRONG)
def verify_the_address(hands: ToolsetHands, desk: Desk) -> None:
    """Type whether the address has view=done, and whether it has view=open."""
    type_both(hands, hands.verify("url", "view=done"), hands.verify("url", "view=open"))


@toolset_task("<button>Remove</button>" * 3 + "<button>Add</button>" + ANSWER, RIGHT_AND_WRONG)
def verify_a_number_of_elements(hands: ToolsetHands, desk: Desk) -> None:
    """Type whether there are three buttons Remove, and whether there are two."""
    is_right = hands.verify("count", "3", name="Remove", role="button")
    type_both(hands, is_right, hands.verify("count", "2", name="Remove", role="button"))


@toolset_task(ANSWER + '<button onclick="undefined.price">Break</button>', RIGHT_AND_WRONG)
def verify_that_the_console_is_clean(hands: ToolsetHands, desk: Desk) -> None:
    """Type whether the page has no errors, and whether it has none after the button Break."""
    is_clean = hands.verify("console", "")
    hands.click(hands.ref("Break", "button"))
    type_both(hands, is_clean, hands.verify("console", ""))
