"""Tasks in Wagtail."""

from __future__ import annotations

from evals.arena.applications.newsroom import Wagtail
from evals.arena.arriving import reach
from evals.arena.reading import Reading
from evals.arena.task import task
from evals.tasks.hands import Hands


def publish(hands: Hands) -> None:
    """Open the menu of the button that saves, and publish."""
    hands.looking.click(hands.ref("More actions", "button"))
    hands.click(reach(hands, "Publish", "button", "menuitem"))


@task(Wagtail, lambda cms: cms.page("Winter fair").get("live") == 1 and "snow" in cms.page("Winter fair")["body"],
      opens="/admin/pages/add/newsroom/articlepage/2/", in_part=True)  # fmt: skip
def publish_a_page_with_rich_text(hands: Hands, cms: Wagtail) -> None:
    """Create a page with a title and a rich text, and publish it."""
    page = hands.look()
    body = Reading(page).of("textbox")[-1].ref
    hands.type(page.ref("Title", "textbox"), "Winter fair")
    hands.click(body)
    hands.write("There is snow.")
    publish(hands)


@task(Wagtail, lambda cms: cms.page("Bus routes").get("intro") == "All lines", opens="/admin/pages/4/edit/")
def change_an_intro(hands: Hands, cms: Wagtail) -> None:
    """Change a field of a page, and publish it."""
    hands.type(hands.ref("Intro", "textbox"), "All lines")
    publish(hands)


@task(Wagtail, lambda cms: not cms.page("Old notice"), opens="/admin/pages/6/delete/")
def delete_a_page_of_the_site(hands: Hands, cms: Wagtail) -> None:
    """Delete a page, and confirm it."""
    hands.click(hands.ref("Yes, delete", "button", "link"))


@task(Wagtail, lambda cms: cms.page("City budget").get("live") == 0, opens="/admin/pages/5/unpublish/")
def unpublish_a_page(hands: Hands, cms: Wagtail) -> None:
    """Unpublish a page, and confirm it."""
    hands.click(hands.ref("Yes, unpublish", "button", "link"))
