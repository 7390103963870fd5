"""Tasks in Flask-Admin."""

from __future__ import annotations

from evals.arena.applications.club import FlaskAdmin
from evals.arena.task import task
from evals.tasks.hands import Hands

LIST = "/admin/member/"


@task(FlaskAdmin, lambda club: club.member("Zoe") == ("2026-11-27", 70, "Bergen"), opens=f"{LIST}new/", in_part=True)
def enter_a_member(hands: Hands, club: FlaskAdmin) -> None:
    """Fill a form with a calendar and a list that a script draws, and save it."""
    page = hands.look()
    name, day = page.ref("Name", "textbox"), page.ref("Joined", "textbox")
    fee, save = page.ref("Fee", "spinbutton"), page.ref("Save", "button")
    hands.looking.click(page.ref("__None"))
    hands.looking.click(hands.wait_ref("Bergen"))
    hands.type(name, "Zoe")
    hands.type(day, "2026-11-27")
    hands.press("Tab")
    hands.type(fee, "70")
    hands.click(save)


@task(FlaskAdmin, lambda club: club.member("Member 01b") != (), opens=LIST)
def rename_in_place(hands: Hands, club: FlaskAdmin) -> None:
    """Click a name in the list, and write another one in the field that opens."""
    hands.looking.click(hands.find("Member 01", "link"))
    hands.press("End")
    hands.write("b")
    hands.press("Enter")


@task(FlaskAdmin, lambda club: club.member("Member 02") == (), opens=LIST)
def delete_after_a_question(hands: Hands, club: FlaskAdmin) -> None:
    """Delete a row, which asks in a dialog."""
    hands.click(hands.look().ref("Delete Record", "button", after="Member 01"))
    hands.answer(accept=True)
