"""Tasks that look into the components of a page made with React."""

from __future__ import annotations

from evals.tasks.desk import Desk
from evals.tasks.sheets.libraries import REACT
from evals.tasks.toolsets.hands import ToolsetHands
from evals.tasks.toolsets.task import ANSWER, answered, found_in, toolset_task, type_answer


def app(components: str) -> str:
    """Return a page with the component `App`."""
    start = "ReactDOM.createRoot(document.getElementById('root')).render(h(App));"
    return (
        f'{REACT}{ANSWER}<div id="root"></div><script>'
        f"const {{createElement: h, useState, memo}} = React;{components}{start}</script>"
    )


BASKET = app("""
function Basket() { const [voucher] = useState('v-6412'), [open, setOpen] = useState(false);
  return h('button', {onClick: () => setOpen(!open)}, 'Pay') }
const App = () => h('main', null, h(Basket));""")


@toolset_task(BASKET, answered("v-6412"))
def find_the_state_of_a_component(hands: ToolsetHands, desk: Desk) -> None:
    """Type the number of the voucher that is in the state of the component with the button "Pay"."""
    type_answer(hands, found_in(hands.component(hands.ref("Pay", "button")), r"(v-\d+)"))


ROWS = app("""
function Row27({label}) { return h('button', null, label) }
function Row31({label}) { return h('button', null, label) }
const App = () => h('main', null, h(Row27, {label: 'Order'}), h(Row31, {label: 'Cancel'}));""")


@toolset_task(ROWS, answered("Row31"))
def find_the_component_of_an_element(hands: ToolsetHands, desk: Desk) -> None:
    """Type the name of the component that renders the button "Cancel"."""
    type_answer(hands, found_in(hands.component(hands.ref("Cancel", "button")), r"(Row\d+)"))


CLOCKS = app("""
const Clock41 = memo(function Clock41() { return h('p', null, 'Berlin') });
function Clock52() { return h('p', null, 'Tokyo') }
const Clock63 = memo(function Clock63() { return h('p', null, 'Lima') });
function App() { const [count, setCount] = useState(0);
  return h('main', null, h('button', {onClick: () => setCount(count + 1)}, 'Add'), h('p', null, `Count ${count}`),
    h(Clock41), h(Clock52), h(Clock63)) }""")


@toolset_task(CLOCKS, answered("Clock52"))
def find_the_component_that_renders_for_nothing(hands: ToolsetHands, desk: Desk) -> None:
    """Press "Add", and type the name of the clock that renders again although nothing of it has changed."""
    hands.begin_renders()
    hands.click(hands.ref("Add", "button"))
    hands.wait_text("Count 1")
    type_answer(hands, found_in(hands.end_renders(), r"(Clock\d+)"))
