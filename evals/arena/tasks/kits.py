"""Tasks on forms of MUI, React Aria and Vaadin, whose lists and calendars no browser draws."""

from __future__ import annotations

from evals.arena.applications.built_page import MaterialUI, ReactAria, Vaadin
from evals.arena.task import task
from evals.tasks.hands import Hands


def choose(hands: Hands, field: str, *options: str) -> None:
    """Open a list by a click, and click options in it."""
    hands.looking.click(field)
    for option in options:
        hands.looking.click(hands.ref(option, "option"))


@task(MaterialUI, "order.size === 'Large'", in_part=True)
def order_a_large_one(hands: Hands, kit: MaterialUI) -> None:
    """Choose one option of a list that MUI draws."""
    choose(hands, hands.ref("Size", "combobox"), "Large")


@task(MaterialUI, "order.tags.join() === 'Gift,Heavy'")
def choose_two_tags(hands: Hands, kit: MaterialUI) -> None:
    """Choose two options of a list for several, and close it."""
    choose(hands, hands.ref("Tags", "combobox"), "Gift", "Heavy")
    hands.press("Escape")


@task(MaterialUI, "order.city === 'Jena'")
def complete_a_city(hands: Hands, kit: MaterialUI) -> None:
    """Type the beginning of a city, and choose what is offered."""
    hands.click(hands.ref("City", "combobox"))
    hands.looking.write("Je")
    hands.click(hands.wait_ref("Jena", "option"))


@task(MaterialUI, "order.placed === true && order.picked === 'Archive'")
def archive_and_order(hands: Hands, kit: MaterialUI) -> None:
    """Choose from a menu, then confirm in a dialog; both hide the page behind them from screen readers."""
    hands.looking.click(hands.ref("More", "button"))
    hands.click(hands.wait_ref("Archive", "menuitem"))
    hands.looking.click(hands.wait_ref("Order now", "button"))
    hands.click(hands.wait_ref("Place it", "button"))


@task(ReactAria, "garden.tree === 'Oak' && garden.soil === 'Peat'", in_part=True)
def choose_tree_and_soil(hands: Hands, kit: ReactAria) -> None:
    """Choose from a button's list, and from that of a text field."""
    choose(hands, hands.look().ref("Tree", "button"), "Oak")
    hands.click(hands.wait_ref("Soil", "combobox"))
    hands.looking.write("Pe")
    hands.click(hands.wait_ref("Peat", "option"))


@task(ReactAria, "garden.day === '2026-12-24'")
def enter_a_day(hands: Hands, kit: ReactAria) -> None:
    """Type a date into a field of three parts."""
    hands.click(hands.find("month", "spinbutton"))
    hands.write("12")
    hands.write("24")
    hands.write("2026")


@task(ReactAria, "garden.first === 'Yew' && garden.chosen.join() === 'Fir'")
def sort_and_choose_a_row(hands: Hands, kit: ReactAria) -> None:
    """Sort a table by a column, and tick the box of a row."""
    hands.looking.click(hands.ref("Height", "columnheader"))
    hands.click(hands.wait_ref("Select Fir", "checkbox"))


@task(Vaadin, "town.value === 'Molde'", in_part=True)
def choose_a_town(hands: Hands, kit: Vaadin) -> None:
    """Type a town into a combobox in a Web Component, and choose it."""
    hands.click(hands.ref("Town", "combobox"))
    hands.looking.write("Mol")
    hands.click(hands.wait_ref("Molde", "option"))


@task(Vaadin, "skills.selectedItems.join() === 'Cooking,Sailing'")
def choose_two_skills(hands: Hands, kit: Vaadin) -> None:
    """Choose two options of a combobox for several."""
    choose(hands, hands.ref("Skills", "combobox"), "Cooking", "Sailing")
    hands.press("Escape")


@task(Vaadin, "grid.selectedItems.map(each => each.name).join() === 'Person 1999'")
def filter_and_tick(hands: Hands, kit: Vaadin) -> None:
    """Filter a long grid, and tick the row that is left."""
    hands.click(hands.find("Name", "textbox"))
    hands.looking.write("Person 1999")
    hands.click(hands.wait_ref("Select Row 1", "checkbox"))
