"""Tasks on the whiteboard Excalidraw, whose drawing is a canvas."""

from __future__ import annotations

from evals.arena.applications.built_page import Excalidraw
from evals.arena.task import task
from evals.tasks.hands import Hands

_SHAPES = "board.getSceneElements()"


@task(Excalidraw, f"{_SHAPES}.some(each => each.type === 'rectangle' && each.width > 150)", in_part=True)
def draw_a_rectangle(hands: Hands, board: Excalidraw) -> None:
    """Choose a tool, and draw with it by dragging."""
    hands.click(hands.ref("Rectangle", "radio"))
    hands.drag_by(hands.find("Drawing canvas", "Canvas", "canvas", "generic"), 200, 120)


@task(Excalidraw, f"{_SHAPES}.some(each => each.type === 'text' && each.text === 'Hello')")
def write_on_the_board(hands: Hands, board: Excalidraw) -> None:
    """Choose the tool for texts, click on the canvas, and write."""
    hands.click(hands.ref("Text", "radio"))
    hands.click(hands.find("Drawing canvas", "Canvas", "canvas", "generic"))
    hands.write("Hello")
    hands.press("Escape")


@task(Excalidraw, f"{_SHAPES}.filter(each => !each.isDeleted && each.type === 'ellipse').length === 0"
      " && window.drewEllipse !== false && board.getAppState().activeTool.type === 'selection'")  # fmt: skip
def draw_and_undo(hands: Hands, board: Excalidraw) -> None:
    """Draw an ellipse, and take it back."""
    hands.click(hands.ref("Ellipse", "radio"))
    hands.drag_by(hands.find("Drawing canvas", "Canvas", "canvas", "generic"), 150, 90)
    hands.click(hands.wait_ref("Undo", "button"))
