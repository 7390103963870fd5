"""Tasks with web components of our own."""

from __future__ import annotations

from evals.tasks.desk import Desk
from evals.tasks.hands import Hands
from evals.tasks.task import task


def element(name: str, shadow: str, *, mode: str = "open", script: str = "") -> str:
    """A script that defines an element with a shadow root."""
    return f"""<script>customElements.define('{name}', class extends HTMLElement {{
    constructor() {{ super(); const root = this.attachShadow({{mode: '{mode}', delegatesFocus: true}});
    root.innerHTML = `{shadow}`; {script} }} }});</script>"""


@task(
    element("my-button", '<button part="base"><slot name="icon"></slot><span><slot></slot></span></button>')
    + "<my-button onclick=\"tell('sent')\"><i slot=icon>*</i>Send</my-button>",
    "told.join() === 'sent'",
)
def press_a_button_around_a_slot(hands: Hands, desk: Desk) -> None:
    """Press a component whose words are slotted into its button."""
    hands.click(hands.ref("Send", "button"))


@task(
    element("my-button", "<button><slot></slot></button>") + "<my-button onclick=\"tell('sent')\">Send</my-button>",
    "told.join() === 'sent'",
)
def click_the_words_in_a_slot(hands: Hands, desk: Desk) -> None:
    """Click on what the snapshot shows of a component, by its words alone."""
    hands.click(hands.ref("Send"))


@task(
    element("my-field", "<label>Name <input></label>", script="this.field = root.querySelector('input')")
    + "<my-field id=outer></my-field>",
    "outer.field.value === 'Ann'",
)
def type_into_a_field_in_a_shadow_root(hands: Hands, desk: Desk) -> None:
    """Type into the field of a component."""
    hands.type(hands.ref("Name", "textbox"), "Ann")


@task(
    element("my-inner", "<button onclick=\"tell('deep')\">Deep</button>")
    + element("my-middle", "<section><my-inner></my-inner></section>")
    + element("my-outer", "<my-middle></my-middle>")
    + "<my-outer></my-outer>",
    "told.join() === 'deep'",
)
def press_a_button_three_roots_down(hands: Hands, desk: Desk) -> None:
    """Press a button in nested shadow roots."""
    hands.click(hands.ref("Deep", "button"))


@task(
    element("my-safe", "<button onclick=\"tell('open')\">Unlock</button>", mode="closed") + "<my-safe></my-safe>",
    "told.join() === 'open'",
)
def press_a_button_in_a_closed_root(hands: Hands, desk: Desk) -> None:
    """Press a button that no script of the page can reach."""
    hands.click(hands.ref("Unlock", "button"))


@task(
    """<script>customElements.define('my-tab', class extends HTMLElement {
      connectedCallback() {
        this.attachShadow({mode: 'open'}).innerHTML = '<div style="padding: 8px"><slot></slot></div>';
        this.role = 'tab'; this.onclick = () => { this.ariaSelected = 'true'; tell(this.textContent) } } });</script>
    <div role="tablist"><my-tab>Home</my-tab><my-tab>Prices</my-tab></div>""",
    "told.join() === 'Prices'",
)
def choose_a_tab_that_is_a_component(hands: Hands, desk: Desk) -> None:
    """Choose the tab Prices."""
    hands.click(hands.ref("Prices", "tab"))


@task(
    """<script>customElements.define('my-check', class extends HTMLElement {
      static formAssociated = true;
      constructor() { super(); this.internals = this.attachInternals(); }
      connectedCallback() { this.internals.role = 'checkbox'; this.internals.ariaChecked = 'false'; this.tabIndex = 0;
        this.attachShadow({mode: 'open'}).innerHTML = '<span id="box">[ ]</span> <slot></slot>';
        this.onclick = () => { this.internals.ariaChecked = 'true';
          this.internals.setFormValue('on'); this.shadowRoot.getElementById('box').textContent = '[x]' } } });</script>
    <form id="form"><my-check name="news">Send me news</my-check></form>""",
    "new FormData(form).get('news') === 'on'",
)
def tick_a_component_of_a_form(hands: Hands, desk: Desk) -> None:
    """Tick a checkbox that a component makes of itself."""
    hands.click(hands.ref("Send me news", "checkbox"))


@task(
    element("my-card", "<slot></slot><slot name=action></slot>")
    + """<my-card><p>Ticket</p><button slot="action" onclick="tell('bought')">Buy</button></my-card>""",
    "told.join() === 'bought'",
)
def press_a_button_that_is_slotted_itself(hands: Hands, desk: Desk) -> None:
    """Press a button that stands in another's slot."""
    hands.click(hands.ref("Buy", "button"))


@task(
    element("my-select", "<label>Color <select><option>Red<option>Green</select></label>",
            script="this.select = root.querySelector('select')")
    + "<my-select id=outer></my-select>",
    "outer.select.value === 'Green'",
)  # fmt: skip
def choose_an_option_in_a_shadow_root(hands: Hands, desk: Desk) -> None:
    """Choose Green in a component's select."""
    hands.select(hands.ref("Color", "combobox"), "Green")
