"""Tasks that find out why a page needs ever more memory."""

from __future__ import annotations

from evals.tasks.desk import Desk
from evals.tasks.toolsets.hands import ToolsetHands
from evals.tasks.toolsets.task import ANSWER, answered, found_in, toolset_task, type_answer

LEAK = f"""{ANSWER}<button onclick="work()">Work</button><p id="done"></p><script>
class Parcel11 {{ constructor(number) {{ this.number = number }} }}
class Parcel17 {{ constructor(number) {{ this.number = number }} }}
class Parcel23 {{ constructor(number) {{ this.number = number }} }}
class Warehouse {{ shelf12 = [new Parcel11(1)]; shelf31 = [new Parcel17(1)] }}
const warehouse = new Warehouse();
window.warehouse = warehouse;
function work() {{
  for (let i = 0; i < 200; i++) {{ warehouse.shelf31.push(new Parcel17(i)); new Parcel23(i) }}
  done.textContent += 'Worked ';
}}
</script>"""


@toolset_task(LEAK, answered("Parcel17"))
def find_the_class_that_leaks(hands: ToolsetHands, desk: Desk) -> None:
    """Press "Work", and type the class of which objects stay in memory."""
    hands.take_heap()
    hands.click(hands.ref("Work", "button"))
    hands.wait_text("Worked")
    type_answer(hands, found_in(hands.heap_changes(), r"(Parcel\d+)"))


@toolset_task(LEAK, answered("shelf31"))
def find_what_keeps_an_object(hands: ToolsetHands, desk: Desk) -> None:
    """Type the name of the property by which objects of the class Parcel17 are kept."""
    hands.take_heap()
    type_answer(hands, found_in(hands.heap_keepers("Parcel17"), r"(shelf\d+)"))


COPIES = f"""{ANSWER}<p>Orders</p><script>
window.orders = Array.from({{length: 37}}, () => JSON.parse('{{"text": "the text of an order"}}'));
</script>"""


@toolset_task(COPIES, answered("37"))
def count_the_copies_of_a_text(hands: ToolsetHands, desk: Desk) -> None:
    """Type how many copies of "the text of an order" the page has in memory."""
    hands.take_heap()
    type_answer(hands, found_in(hands.heap_copies(), r'the text of an order"\D*(\d+)'))
