"""The tasks that our tools cannot do today, each with its reason."""

from __future__ import annotations

__all__ = ["RED", "UNSTEADY"]

RED: dict[str, str] = {}
"""Never done: one that is done all the same is an error, and must go from here."""

UNSTEADY: dict[str, str] = {
    "download_a_file_and_know_its_name": "a download that ends at once is told in every second run only",
    "press_a_button_that_slides_in": "on a busy machine the click goes where the moving button was before",
    "sort_a_list_by_dragging": "on a busy machine SortableJS sees too little of the drag",
    "move_a_card_to_another_list": "SortableJS looks at the pointer every 50 ms only",
}
"""Done at times."""
