"""Tasks in grids that draw the rows in view alone: Tabulator and RevoGrid."""

from __future__ import annotations

from evals.arena.applications.built_page import RevoGrid, Tabulator
from evals.arena.task import task
from evals.tasks.hands import Hands


@task(Tabulator, "table.getRow ? table.getData()[3].customer === 'Bo Ek' : false", in_part=True)
def rename_a_customer(hands: Hands, grid: Tabulator) -> None:
    """Click a cell, which becomes a field, and write another name."""
    hands.looking.click(hands.find("Customer 3", "gridcell", "cell"))
    hands.press("Control+a")
    hands.write("Bo Ek")
    hands.press("Enter")


@task(Tabulator, "table.getSorters()[0]?.field === 'amount' && table.getData('active').length === 111")
def sort_and_filter_orders(hands: Hands, grid: Tabulator) -> None:
    """Sort by a column, and filter another one."""
    hands.looking.click(hands.ref("Amount", "columnheader"))
    hands.click(hands.look().match(r"(?:searchbox|textbox)[^\n]*?ref=(\w+)"))
    hands.write("Customer 19")


@task(Tabulator, "table.getData()[1].state === 'late'")
def choose_a_state(hands: Hands, grid: Tabulator) -> None:
    """Open the list of a cell, and choose from it."""
    hands.looking.click(hands.find("paid", "gridcell", "cell"))
    for _step in range(2):
        hands.press("ArrowDown")
    hands.press("Enter")


@task(RevoGrid, "grid.source[3].item === 'Lamp'", in_part=True)
def rename_an_item(hands: Hands, grid: RevoGrid) -> None:
    """Open a cell with a double click, and write another text."""
    hands.click(hands.find("Item 3", "gridcell", "cell"), count=2)
    hands.press("Control+a")
    hands.write("Lamp")
    hands.press("Enter")


@task(RevoGrid, "document.querySelector('[role=gridcell]').closest('[role=row]').textContent.startsWith('Item 0')"
      " && /[↑↓]|asc/.test(document.querySelector('.rgHeaderCell.sortable').innerHTML)")  # fmt: skip
def sort_the_stock(hands: Hands, grid: RevoGrid) -> None:
    """Sort by a column."""
    hands.click(hands.find("PRICE", "columnheader"))


@task(RevoGrid, "grid.source[2].state === 'paid' && grid.source[0].state === 'open'")
def change_a_state(hands: Hands, grid: RevoGrid) -> None:
    """Write into a cell right of a text, which the mouse has chosen."""
    hands.click(hands.find("Item 2", "gridcell", "cell"))
    for _step in range(2):
        hands.press("ArrowRight")
    hands.write("paid")
    hands.press("Enter")
