"""Tasks in JupyterLab."""

from __future__ import annotations

from evals.arena.applications.jupyterlab import JupyterLab
from evals.arena.arriving import open_by, reach
from evals.arena.task import task
from evals.tasks.hands import Hands

OPENS = "/lab"


def file_of(hands: Hands, name: str) -> str:
    """The ref of a file in the file browser."""
    reach(hands, "tidy.ipynb")
    return hands.ref(name, "button", "generic")


@task(JupyterLab, lambda lab: (lab.files / "final.ipynb").exists() and not (lab.files / "draft.ipynb").exists(),
      opens=OPENS, in_part=True)  # fmt: skip
def rename_a_notebook(hands: Hands, lab: JupyterLab) -> None:
    """Rename a notebook by its context menu."""
    draft = file_of(hands, "draft.ipynb")
    hands.looking.click(draft, button="right")
    open_by(hands, "Rename", "menuitem")
    hands.press("Control+a")
    hands.write("final.ipynb")
    hands.press("Enter")


@task(JupyterLab, lambda lab: not (lab.files / "data-17.csv").exists() and (lab.files / "data-18.csv").exists(),
      opens=OPENS)  # fmt: skip
def delete_a_file_of_many(hands: Hands, lab: JupyterLab) -> None:
    """Delete one of many files, and confirm it."""
    hands.click(file_of(hands, "data-17.csv"))
    hands.looking.press("Delete")
    hands.click(reach(hands, "Move to Trash", "button"))


@task(JupyterLab, lambda lab: any(path.is_dir() for path in lab.files.glob("Untitled Folder*")), opens=OPENS)
def create_a_folder(hands: Hands, lab: JupyterLab) -> None:
    """Create a folder with the name that is offered."""
    reach(hands, "tidy.ipynb")
    hands.looking.click(hands.ref("New Folder", "button"))
    hands.press("Enter")


@task(JupyterLab, lambda lab: "42" in str(lab.cells("sums")[1]["outputs"]), opens="/lab/tree/sums.ipynb")
def run_all_cells_and_save(hands: Hands, lab: JupyterLab) -> None:
    """Run all cells of a notebook, and save it."""
    reach(hands, "print", text="print")
    hands.looking.click(hands.ref("Run", "menuitem"))
    open_by(hands, "Run All Cells", "menuitem")
    hands.wait_text("42")
    hands.press("Control+s")


@task(JupyterLab, lambda lab: len(lab.cells("tidy")) == 1, opens="/lab/tree/tidy.ipynb")
def delete_a_cell(hands: Hands, lab: JupyterLab) -> None:
    """Delete the first cell of a notebook, and save it."""
    reach(hands, "print", text="print")
    hands.looking.click(hands.ref("Edit", "menuitem"))
    hands.click(reach(hands, "Delete Cell", "menuitem"))
    hands.press("Control+s")


@task(JupyterLab, lambda lab: "buy bread" in (lab.files / "todo.md").read_text(), opens="/lab/tree/todo.md")
def write_into_a_file(hands: Hands, lab: JupyterLab) -> None:
    """Write into a text file, and save it."""
    hands.click(reach(hands, "# To do"))
    hands.press("Control+End")
    hands.write("buy bread")
    hands.press("Control+s")
