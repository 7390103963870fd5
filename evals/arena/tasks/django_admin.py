"""Tasks in Django's admin."""

from __future__ import annotations

from evals.arena.applications.newsroom import DjangoAdmin
from evals.arena.reading import Reading
from evals.arena.task import task
from evals.tasks.hands import Hands

MEMBERS = "/django/newsroom/member/"


@task(DjangoAdmin, lambda admin: admin.member("Zoe").get("city") == "Chur", opens=MEMBERS + "add/", in_part=True)
def add_a_member(hands: Hands, admin: DjangoAdmin) -> None:
    """Fill the form of a new row, and save it."""
    page = hands.look()
    save = page.ref("Save", "button")
    hands.fill({page.ref("Name", "textbox"): ("text", "Zoe"), page.ref("City", "textbox"): ("text", "Chur")})
    hands.click(save)


@task(DjangoAdmin, lambda admin: admin.member("Cleo").get("level") == "gold", opens=MEMBERS)
def promote_a_member(hands: Hands, admin: DjangoAdmin) -> None:
    """Open a row of a list, choose another level, and save it."""
    hands.looking.click(hands.ref("Cleo", "link"))
    page = hands.look()
    save = page.ref("Save", "button")
    hands.select(page.ref("Level", "combobox"), "Gold")
    hands.click(save)


@task(DjangoAdmin, lambda admin: not admin.member("Finn") and not admin.member("Hugo") and bool(admin.member("Gina")),
      opens=MEMBERS)  # fmt: skip
def delete_two_members(hands: Hands, admin: DjangoAdmin) -> None:
    """Tick two rows, choose an action for them, run it, and confirm it."""
    page = hands.look()
    ticks = rows(hands, "Finn", "Hugo")
    hands.fill(dict.fromkeys(ticks, ("check", "true")))
    hands.select(page.ref("Action", "combobox"), "Delete selected members")
    hands.looking.click(page.ref("Run", "button"))
    hands.click(hands.ref("Yes", "button"))


def rows(hands: Hands, *names: str) -> list[str]:
    """The refs of the checkboxes of rows."""
    return [hands.look().ref(f"Select this object for an action - {name}", "checkbox") for name in names]


@task(DjangoAdmin, lambda admin: admin.member("Ida").get("joined") == "2026-05-04", opens=MEMBERS)
def set_a_date(hands: Hands, admin: DjangoAdmin) -> None:
    """Enter a date, and save."""
    hands.looking.click(hands.ref("Ida", "link"))
    page = hands.look()
    save = page.ref("Save", "button")
    hands.type(page.ref("Joined", "textbox"), "2026-05-04")
    hands.click(save)


def searchbox(hands: Hands) -> str:
    """The ref of the field above the list, which is the last of those that search."""
    return Reading(hands.look()).of("searchbox", "textbox")[-1].ref


@task(DjangoAdmin, lambda admin: admin.member("Kim").get("is_active") == 0, opens=MEMBERS)
def search_and_deactivate(hands: Hands, admin: DjangoAdmin) -> None:
    """Search for a row, open it, untick a checkbox, and save."""
    hands.looking.type(searchbox(hands), "Kim", submit=True)
    hands.looking.click(hands.ref("Kim", "link"))
    page = hands.look()
    save = page.ref("Save", "button")
    hands.check(page.ref("Is active", "checkbox"), on=False)
    hands.click(save)
