"""Pages of MiniWoB++ with dates, orders, drawings and games."""

from __future__ import annotations

import re

from evals.arena.applications.miniwob import MiniWoB
from evals.arena.miniwob.page import press, seen, solves
from evals.arena.reading import Element, Reading
from evals.tasks.hands import Hands, View

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")  # fmt: skip


@solves("choose-date", "choose-date-easy", "choose-date-medium", "choose-date-nodelay")
def choose_a_date(hands: Hands, _: MiniWoB) -> None:
    """Choose a day in a calendar."""
    page = seen(hands)
    month, day, _year = page.find_all(r"Select (\d+)/(\d+)/(\d+)")
    hands.looking.click(page.ref("textbox"))
    _turn_to(hands, int(month))
    hands.click(hands.ref(str(int(day)), "link"))
    press(hands, page=page)


def _turn_to(hands: Hands, month: int) -> None:
    for _turn in range(12):
        shown = MONTHS.index(Reading(hands.look()).find(rf"({'|'.join(MONTHS)})")) + 1
        if shown == month:
            return
        hands.looking.click(hands.ref("Next" if shown < month else "Prev"))


@solves("book-flight", "book-flight-nodelay")
def book_a_flight(hands: Hands, _: MiniWoB) -> None:
    """Search for flights by two airports and a day, and book the shortest or the cheapest."""
    page = seen(hands)
    kind, start, end, month, day = page.find_all(r"the (\w+) one-way flight from: (.*?) to: (.*?) on (\d+)/(\d+)/\d+")
    for label, place in (("From:", start), ("To:", end)):
        hands.looking.type(hands.ref(label, "textbox"), place)
        hands.click(_suggestion(hands, place))
    hands.looking.click(page.of("textbox")[2].ref)
    _turn_to(hands, int(month))
    hands.click(hands.ref(str(int(day)), "link"))
    hands.looking.click(hands.ref("Search", "button"))
    found = seen(hands)
    prices = [int(price) for price in re.findall(r"Book flight for \$ ?(\d+)", found.words)]
    hours = [int(hour) * 60 + int(minute) for hour, minute in re.findall(r"(\d+)h (\d+)m", found.words)]
    figures = hours if kind == "shortest" else prices
    books = [element for element in found.of("button") if "Book" in element.name]
    hands.click(books[figures.index(min(figures))].ref)


def _suggestion(hands: Hands, place: str) -> str:
    """The ref of the airport that is suggested for a name or a code."""

    def offered(view: View) -> list[str]:
        named = [item for item in Reading(view).elements if re.search(r"\([A-Z]{3}\)$", item.name)]
        return [item.ref for item in named if item.ref and place in item.name]

    return offered(hands.wait_view(lambda view: bool(offered(view))))[0]


@solves("order-food")
def order_food(hands: Hands, _: MiniWoB) -> None:
    """Order one of each dish that is named."""
    page = seen(hands)
    dishes = page.find(r"each item: (.*?) Appetizers").split(", ")
    for dish in dishes:
        place = max(place for place, element in enumerate(page.elements) if element.name == dish)
        hands.click(next(element.ref for element in page.elements[place:] if element.name == "+"))
    press(hands, "Order!", page=page)


@solves("drag-box")
def drag_a_box(hands: Hands, _: MiniWoB) -> None:
    """Drag a small box into a large one."""
    page = seen(hands)
    hands.drag(page.named("s"), page.named("L"))
    press(hands)


WAYS = {"left": (-40, 0), "right": (40, 0), "up": (0, -40), "down": (0, 40)}


@solves("drag-single-shape")
def drag_a_shape(hands: Hands, _: MiniWoB) -> None:
    """Drag a shape in a direction."""
    page = seen(hands)
    right, down = WAYS[page.find(r"Drag the item (\w+) then")]
    hands.drag_by(page.of("graphics-symbol", "generic")[0].ref, right, down)
    press(hands, page=page)


@solves("drag-items")
def drag_an_item(hands: Hands, _: MiniWoB) -> None:
    """Drag an item of a list to another place."""
    page = seen(hands)
    name, place = page.find_all(r"Drag (\w+) to the (\d)")
    names = page.find(r"position\. (.*)$").split()[:5]
    hands.drag(
        hands.find(name, "listitem", "generic", "uid"), hands.find(names[int(place) - 1], "listitem", "generic", "uid")
    )


@solves("drag-items-grid")
def drag_on_a_grid(hands: Hands, _: MiniWoB) -> None:
    """Drag an item of a grid to another place."""
    page = seen(hands)
    name, where = page.find_all(r"Drag (\w+) to the ([\w ]+)\.")
    names = page.find(r"to the [\w ]+\. (.*)$").split()[:9]
    row = 0 if "top" in where else 2 if "bottom" in where else 1
    column = 0 if "left" in where else 2 if "right" in where else 1
    hands.drag(
        hands.find(name, "listitem", "generic", "uid"),
        hands.find(names[3 * row + column], "listitem", "generic", "uid"),
    )


@solves("drag-sort-numbers")
def sort_numbers(hands: Hands, _: MiniWoB) -> None:
    """Sort a list by dragging each number to its place."""
    words = seen(hands).find(r"top of the list\. ((?:-?\d+ ?)+)").split()
    numbers = [int(word) for word in dict.fromkeys(words)]  # a list may have its items for a name
    for place, number in enumerate(sorted(numbers)):
        if numbers[place] != number:
            start, end = (hands.find(str(value), "listitem", "generic", "uid") for value in (number, numbers[place]))
            hands.drag(start, end)
            numbers.remove(number)
            numbers.insert(place, number)
    press(hands)


@solves("grid-coordinate")
def click_on_a_grid(hands: Hands, _: MiniWoB) -> None:
    """Click a point of a grid, whose points come row by row or column by column."""
    page = seen(hands)
    across, up = map(int, page.find_all(r"coordinate \((-?\d),(-?\d)\)"))
    points = page.of("graphics-symbol")[-25:]
    hands.click(points[5 * (across + 2) + 2 - up].ref)


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
"""The rows, columns and diagonals of nine squares."""


@solves("tic-tac-toe")
def win_a_game(hands: Hands, _: MiniWoB) -> None:
    """Win a game of three in a row; the other player's marks are the pictures on squares that were not clicked."""
    squares = [element.ref for element in seen(hands).of("generic")][:9]
    mine: set[int] = set()
    marked: set[int] = set()
    while not any(mine.issuperset(line) for line in LINES):
        move = _move(mine, marked - mine)
        mine.add(move)
        hands.looking.click(squares[move])
        marked |= {squares.index(picture.ref) for picture in seen(hands).elements if _is_mark(picture, squares)}


def _is_mark(element: Element, squares: list[str]) -> bool:
    return element.role in ("image", "img") and element.ref in squares


def _move(mine: set[int], theirs: set[int]) -> int:
    """The square that wins, or else the one with which the other player would win, or else the best that is free."""
    free = [square for square in (4, 0, 2, 6, 8, 1, 3, 5, 7) if square not in mine | theirs]
    winning = (square for ours in (mine, theirs) for line in LINES for square in free if set(line) - ours == {square})
    return next(winning, free[0])
