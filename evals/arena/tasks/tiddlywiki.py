"""Tasks in a wiki of TiddlyWiki."""

from __future__ import annotations

from evals.arena.applications.tiddlywiki import TiddlyWiki
from evals.arena.arriving import reach
from evals.arena.task import task
from evals.tasks.hands import Hands


@task(TiddlyWiki, lambda wiki: wiki.text("Cheese") == "Milk and rennet.", in_part=True)
def create_a_page(hands: Hands, wiki: TiddlyWiki) -> None:
    """Create a page with a title and a text."""
    reach(hands, "Soup")
    hands.looking.click(hands.ref("new tiddler", "button"))
    fields = hands.look()
    hands.type(fields.ref("New Tiddler", "textbox"), "Cheese")
    hands.press("Tab")
    hands.press("Tab")
    hands.write("Milk and rennet.")
    hands.press("Control+Enter")


@task(TiddlyWiki, lambda wiki: bool(wiki.page("Soup")) and not wiki.page("Old news"))
def delete_a_page(hands: Hands, wiki: TiddlyWiki) -> None:
    """Delete a page, and confirm it in a dialog."""
    reach(hands, "Old news")
    hands.looking.click(edit(hands, 1))
    hands.expect(hands.click(hands.ref("Delete this tiddler", "button")), "Old news")
    hands.answer(accept=True)


def edit(hands: Hands, place: int) -> str:
    """The ref of the button that edits a page, by the place of the page among those that are open."""
    return hands.look().ref("Edit this tiddler", "button", nth=place)


@task(TiddlyWiki, lambda wiki: "Salt" in wiki.text("Bread") and "Flour" in wiki.text("Bread"))
def add_to_a_page(hands: Hands, wiki: TiddlyWiki) -> None:
    """Add a line to a page."""
    reach(hands, "Flour and water.")
    hands.looking.click(edit(hands, 0))
    hands.looking.click(hands.ref("Flour and water.", "textbox"))
    hands.press("Control+End")
    hands.write(" Salt.")
    hands.press("Control+Enter")
