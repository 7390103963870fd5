"""Tasks in an order form of Streamlit."""

from __future__ import annotations

from collections.abc import Callable

from evals.arena.applications.forms import Streamlit
from evals.arena.arriving import open_by, reach
from evals.arena.task import task
from evals.tasks.hands import Hands


def reported(**values: object) -> Callable[[Streamlit], bool]:
    """A judge: the program has computed with these values."""

    def judge(app: Streamlit) -> bool:
        return values.items() <= app.last().items()

    judge.__name__ = f"reported {values}"
    return judge


@task(Streamlit, reported(seats=73), in_part=True)
def move_a_slider_to_a_number(hands: Hands, app: Streamlit) -> None:
    """Bring a slider from 20 to 73."""
    hands.set(reach(hands, "Seats", "slider"), "73")


@task(Streamlit, reported(plan="Pro"), in_part=True)
def choose_a_plan(hands: Hands, app: Streamlit) -> None:
    """Choose in a list that opens below its field."""
    open_by(hands, "Plan", "combobox")
    hands.click(reach(hands, "Pro", "option"))


@task(Streamlit, reported(note="Deliver to the back door"))
def write_a_note(hands: Hands, app: Streamlit) -> None:
    """Write into a field, and press Enter."""
    hands.type(reach(hands, "Note", "textbox"), "Deliver to the back door", submit=True)


@task(Streamlit, reported(features=["Backup", "Search"]))
def choose_two_features(hands: Hands, app: Streamlit) -> None:
    """Choose two of several options, in a list that stays open."""
    open_by(hands, "Features", "combobox")
    for option in [reach(hands, name, "option") for name in ("Backup", "Search")]:
        hands.click(option)


@task(Streamlit, reported(agreed=True))
def agree_to_the_terms(hands: Hands, app: Streamlit) -> None:
    """Tick a checkbox."""
    hands.check(reach(hands, "I agree to the terms", "checkbox"))


@task(Streamlit, reported(size="Large"))
def choose_a_size(hands: Hands, app: Streamlit) -> None:
    """Choose a radio button."""
    hands.check(reach(hands, "Large", "radio"))


@task(Streamlit, reported(count=12))
def order_twelve_copies(hands: Hands, app: Streamlit) -> None:
    """Enter a number, and press Enter."""
    hands.type(reach(hands, "Copies", "spinbutton"), "12", submit=True)


@task(Streamlit, reported(resets=2))
def press_a_button_twice(hands: Hands, app: Streamlit) -> None:
    """Press a button, and once more."""
    reset = reach(hands, "Reset the counter", "button")
    hands.click(reset)
    hands.click(reset)


@task(Streamlit, reported(upload="We agree.\n"))
def upload_a_contract(hands: Hands, app: Streamlit) -> None:
    """Upload a file."""
    path = app.folder / "contract.txt"
    path.write_text("We agree.\n")
    hands.upload_by_chooser(reach(hands, "Upload", "button"), [path])


@task(Streamlit, reported(plan="Team", seats=20, size="Medium", note="Soon"))
def fill_several_fields(hands: Hands, app: Streamlit) -> None:
    """Choose a plan and a size, and write a note."""
    size, note = reach(hands, "Medium", "radio"), reach(hands, "Note", "textbox")
    open_by(hands, "Plan", "combobox")
    hands.click(reach(hands, "Team", "option"))
    hands.check(size)
    hands.type(note, "Soon", submit=True)
