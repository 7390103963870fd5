"""Tasks in a form of Gradio."""

from __future__ import annotations

from collections.abc import Callable

from evals.arena.applications.forms import Gradio
from evals.arena.arriving import reach
from evals.arena.task import task
from evals.tasks.hands import Hands


def called_with(**values: object) -> Callable[[Gradio], bool]:
    """A judge: the form's function was called with these values."""

    def judge(app: Gradio) -> bool:
        return values.items() <= app.last().items()

    judge.__name__ = f"called with {values}"
    return judge


def submit(hands: Hands) -> None:
    """Send the form."""
    hands.click(hands.ref("Submit", "button"))


@task(Gradio, called_with(name="Ann", language="English"), in_part=True)
def greet_by_name(hands: Hands, app: Gradio) -> None:
    """Enter a name, and submit."""
    hands.type(reach(hands, "Name", "textbox"), "Ann")
    submit(hands)


@task(Gradio, called_with(name="Ben", language="Swahili"), in_part=True)
def choose_a_language(hands: Hands, app: Gradio) -> None:
    """Choose in a list that filters as one types."""
    hands.type(reach(hands, "Name", "textbox"), "Ben")
    hands.looking.click(hands.ref("Language", "combobox", "listbox", "textbox"))
    hands.click(reach(hands, "Swahili", "option"))
    submit(hands)


@task(Gradio, called_with(name="Cleo", times=12))
def greet_twelve_times(hands: Hands, app: Gradio) -> None:
    """Move a slider, and submit."""
    hands.type(reach(hands, "Name", "textbox"), "Cleo")
    hands.set(hands.ref("Times", "slider"), "12")
    submit(hands)


@task(Gradio, called_with(name="Dora", topics=["News", "Weather"], tone="Formal", loud=True))
def tick_topics_and_tone(hands: Hands, app: Gradio) -> None:
    """Tick checkboxes, choose a radio button, and submit."""
    hands.type(reach(hands, "Name", "textbox"), "Dora")
    hands.fill({hands.ref(name, "checkbox"): ("check", "true") for name in ("News", "Weather", "Loud")})
    hands.check(hands.ref("Formal", "radio"))
    submit(hands)


@task(Gradio, called_with(name="Emil", file="Dear Emil\n"))
def upload_a_letter(hands: Hands, app: Gradio) -> None:
    """Upload a file, and submit."""
    path = app.folder / "letter.txt"
    path.write_text("Dear Emil\n")
    hands.type(reach(hands, "Name", "textbox"), "Emil")
    hands.looking.upload_by_chooser(hands.ref("upload or drop files", "button"), [path])
    reach(hands, "letter.txt")
    submit(hands)
