"""Tasks on long lists and tables."""

from __future__ import annotations

from evals.tasks.desk import Desk
from evals.tasks.hands import Hands
from evals.tasks.task import task


def rows(count: int) -> str:
    """A table whose rows have a button each."""
    return f"""<table><tbody id="body"></tbody></table><script>
    body.innerHTML = Array.from({{length: {count}}}, (_, n) =>
      `<tr><td>Person ${{n + 1}}</td><td>${{(n * 37) % 101}}</td>
    <td><button onclick="tell(${{n + 1}})">Edit ${{n + 1}}</button></td></tr>`).join('');</script>"""


@task(rows(300), "told.join() === '287'", looks_first=False)
def press_a_button_in_a_list_of_300(hands: Hands, desk: Desk) -> None:
    """Edit person 287."""
    hands.click(hands.find("Edit 287", "button"))


@task(
    """<main id="all"></main><script>all.innerHTML = Array.from({length: 10000}, (_, n) =>
    `<button onclick="tell(${n + 1})">Edit ${n + 1}</button>`).join(' ')</script>""",
    "told.join() === '9876'",
    looks_first=False,
)
def press_a_button_in_a_list_of_10_000(hands: Hands, desk: Desk) -> None:
    """Edit person 9876."""
    hands.click(hands.find("Edit 9876", "button"))


@task(
    """<ul id="all"></ul><script>all.innerHTML = Array.from({length: 3000}, (_, n) =>
    `<li>Entry ${n + 1}</li>`).join('')
    </script><button onclick="tell('end')">After the list</button>""",
    "told.join() === 'end'",
    looks_first=False,
)
def press_a_button_after_3_000_entries(hands: Hands, desk: Desk) -> None:
    """Press the button below a list of 3,000 entries."""
    hands.click(hands.find("After the list", "button"))


@task(
    """<input type="search" aria-label="Filter" oninput="show(value)"><ul id="all"></ul><script>
    const show = text => { all.innerHTML = Array.from({length: 800}, (_, n) => `Book ${n * 7}`)
      .filter(name => name.includes(text)).map(name => `<li><button onclick="tell('${name}')">${name}</button></li>`)
      .join('') }; show('');</script>""",
    "told.join() === 'Book 4557'",
)
def filter_a_list_and_choose(hands: Hands, desk: Desk) -> None:
    """Filter 800 books by 4557, and choose what is left."""
    hands.looking.type(hands.ref("Filter", "searchbox", "textbox"), "4557")
    hands.click(hands.ref("Book 4557", "button"))


@task(
    """<table><thead><tr><th aria-sort="none" id="age"><button onclick="sort()">Age</button></th><th>Name</th></tr>
    </thead><tbody id="body"><tr><td>41</td><td>Ann</td></tr><tr><td>19</td><td>Bob</td></tr><tr><td>33</td>
    <td>Cem</td></tr>
    </tbody></table><input id="youngest" aria-label="Youngest"><script>const sort = () => { age.ariaSort = 'ascending';
    body.append(...[...body.rows].sort((a, b) => a.cells[0].textContent - b.cells[0].textContent)) };</script>""",
    "youngest.value === 'Bob' && age.ariaSort === 'ascending'",
)
def sort_a_table_and_read_its_first_row(hands: Hands, desk: Desk) -> None:
    """Sort by age, and type the name of the youngest."""
    view = hands.look()
    hands.looking.click(view.ref("Age", "button"))
    hands.type(view.ref("Youngest", "textbox"), hands.look().match(r"\b(Ann|Bob|Cem)\b"))


@task(
    """<ul role="tree" aria-label="Files"><li role="treeitem" aria-expanded="false" tabindex="0" id="docs"
    aria-labelledby="words"><div id="words" onclick="docs.ariaExpanded = 'true'; kids.hidden = false">Documents</div>
    <ul role="group" id="kids" hidden><li role="treeitem" tabindex="-1"
    onclick="tell('taxes')">Taxes</li></ul></li></ul>""",
    "told.join() === 'taxes'",
)
def open_a_branch_of_a_tree(hands: Hands, desk: Desk) -> None:
    """Open the documents, and choose the taxes."""
    hands.looking.click(hands.ref("Documents"))
    hands.click(hands.ref("Taxes"))
