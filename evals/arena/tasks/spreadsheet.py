"""Tasks on a sheet of Jspreadsheet."""

from __future__ import annotations

from evals.arena.applications.spreadsheet import Spreadsheet
from evals.arena.task import task
from evals.tasks.hands import Hands


def cell(name: str, value: str) -> str:
    """A judge: a cell has a value."""
    return f"sheet.getValue('{name}') == '{value}'"


@task(Spreadsheet, cell("B2", "8"), in_part=True)
def change_a_cell(hands: Hands, sheet: Spreadsheet) -> None:
    """Overwrite a number in a cell."""
    hands.click(hands.find("Pears", "cell", "gridcell", "uid"))
    hands.press("ArrowRight")
    hands.write("8")
    hands.press("Enter")


@task(Spreadsheet, cell("A3", "Prunes"))
def edit_a_cell(hands: Hands, sheet: Spreadsheet) -> None:
    """Open a cell with a double click, and write another text."""
    hands.click(hands.find("Plums", "cell", "gridcell", "uid"), count=2)
    hands.press("Control+a")
    hands.write("Prunes")
    hands.press("Enter")


@task(Spreadsheet, "document.querySelector('td[data-x=\"3\"][data-y=\"0\"]').textContent == '20'")
def enter_a_formula(hands: Hands, sheet: Spreadsheet) -> None:
    """Enter a formula right of a row."""
    hands.click(hands.find("Apples", "cell", "gridcell", "uid"))
    for _step in range(3):
        hands.press("ArrowRight")
    hands.write("=B1*C1")
    hands.press("Enter")


@task(Spreadsheet, "sheet.getData().length == 7 && !JSON.stringify(sheet.getData()).includes('Plums')")
def delete_a_row(hands: Hands, sheet: Spreadsheet) -> None:
    """Delete a row by its context menu."""
    hands.click(hands.find("Plums", "cell", "gridcell", "uid"))
    hands.looking.click(hands.find("Plums", "cell", "gridcell", "uid"), button="right")
    hands.click(hands.ref("Delete selected rows"))


@task(Spreadsheet, "sheet.getValue('A1') == '' && sheet.getValue('A2') == 'Pears'")
def empty_a_cell(hands: Hands, sheet: Spreadsheet) -> None:
    """Empty a cell with the key Delete."""
    hands.click(hands.find("Apples", "cell", "gridcell", "uid"))
    hands.press("Delete")
