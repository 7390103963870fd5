"""Tasks on pages that are made of libraries as they are published."""

from __future__ import annotations

from evals.libraries.pages import LIT_MAP, SHOELACE, script, style
from evals.libraries.pdf import small_pdf
from evals.tasks.desk import Desk
from evals.tasks.hands import Hands
from evals.tasks.task import task
from tests.support.servers.sites import Response

REACT = script("react/umd/react.development.js") + script("react-dom/umd/react-dom.development.js")


@task(
    REACT
    + """<div id="root"></div><script>
    const {createElement: h, useState} = React;
    const App = () => { const [name, setName] = useState(''), [done, setDone] = useState(false);
      return h('div', null, h('label', null, 'Name ', h('input', {value: name,
        onChange: event => setName(event.target.value.toUpperCase())})),
        h('label', null, h('input', {type: 'checkbox', checked: done, onChange: event =>
          setDone(event.target.checked)}),
        'Done'), h('button', {disabled: !name || !done, onClick: () => tell(name)}, 'Save')) };
    ReactDOM.createRoot(document.getElementById('root')).render(h(App));</script>""",
    "told.join() === 'ANN'",
    needs_libraries=True,
)
def fill_a_form_of_react(hands: Hands, desk: Desk) -> None:
    """Fill controlled inputs, and save."""
    view = hands.look()
    with hands.together():
        hands.type(view.ref("Name", "textbox"), "ann")
        hands.check(view.ref("Done", "checkbox"))
        hands.click(view.ref("Save", "button"))


@task(
    """<div id="app"></div><script type="module">
    import {createApp} from '/node_modules/vue/dist/vue.esm-browser.js';
    createApp({data: () => ({text: '', items: ['Bread']}),
      methods: {add() { this.items.push(this.text); this.text = '' },
                drop(item) { tell(item); this.items = this.items.filter(other => other !== item) }},
      template: `<input v-model="text" aria-label="New item" @keyup.enter="add"><ul><li v-for="item in items">{{ item }}
        <button @click="drop(item)">Remove</button></li></ul>`}).mount('#app');</script>""",
    "told.join() === 'Bread' && document.querySelector('li').textContent.includes('Milk')",
    needs_libraries=True,
)
def keep_a_list_in_vue(hands: Hands, desk: Desk) -> None:
    """Add milk to a list, and remove the bread."""
    hands.wait_ref("New item", "textbox")
    view = hands.look()
    with hands.together():
        hands.type(view.ref("New item", "textbox"), "Milk", submit=True)
        hands.click(view.ref("Remove", "button", after="Bread"))


@task(
    f'<script type="importmap">{LIT_MAP}</script>'
    + """<own-counter></own-counter><script type="module">import {LitElement, html} from 'lit';
    customElements.define('own-counter', class extends LitElement { static properties = {count: {type: Number}};
    constructor() { super(); this.count = 0 }
    render() { return html`<p>${this.count} so far</p><button @click=${() => { this.count++; tell(this.count) }}>
    <slot>More</slot></button>` } });</script>""",
    "told.join() === '1,2'",
    needs_libraries=True,
)
def count_in_a_component_of_lit(hands: Hands, desk: Desk) -> None:
    """Press a button of Lit twice."""
    more = hands.wait_ref("More", "button")
    with hands.together():
        hands.click(more)
        hands.click(more)


SHOE = style("@shoelace-style/shoelace/cdn/themes/light.css") + (
    f'<script type="module" src="{SHOELACE}/shoelace.js" data-shoelace="{SHOELACE}"></script>'
)


@task(
    SHOE + """<sl-button variant="primary" onclick="tell('sent')">Send</sl-button>""",
    "told.join() === 'sent'",
    needs_libraries=True,
)
def press_a_button_of_shoelace(hands: Hands, desk: Desk) -> None:
    """Press a button of a library of web components."""
    hands.click(hands.wait_ref("Send", "button"))


@task(
    SHOE + """<sl-select label="Color" id="color" value="red"><sl-option value="red">Red</sl-option>
    <sl-option value="blue">Blue</sl-option></sl-select>""",
    "color.value === 'blue'",
    needs_libraries=True,
)  # fmt: skip
def choose_in_a_select_of_shoelace(hands: Hands, desk: Desk) -> None:
    """Choose blue in a select that is none of HTML."""
    hands.looking.click(hands.wait_ref("Color", "combobox"))
    hands.click(hands.wait_ref("Blue", "option"))


@task(
    SHOE + """<sl-switch id="lamp">Lamp</sl-switch><sl-input id="room" label="Room"></sl-input>
    <sl-checkbox id="timer">Timer</sl-checkbox>""",
    "lamp.checked && timer.checked && room.value === 'Kitchen'",
    needs_libraries=True,
)  # fmt: skip
def fill_fields_of_shoelace(hands: Hands, desk: Desk) -> None:
    """Turn the lamp and the timer on, and type the room."""
    view = hands.wait_view(
        lambda view: view.has("switch.*Lamp") and view.has("textbox.*Room") and view.has("checkbox.*Timer")
    )
    with hands.together():
        hands.click(view.ref("Lamp", "switch"))
        hands.type(view.ref("Room", "textbox"), "Kitchen")
        hands.click(view.ref("Timer", "checkbox"))


@task(
    style("quill/dist/quill.snow.css")
    + script("quill/dist/quill.js")
    + """<div id="editor"></div><script>const quill = new Quill('#editor', {theme: 'snow', placeholder: 'Write here',
    modules: {toolbar: ['bold', 'italic']}});</script>""",
    "quill.getSemanticHTML().replace('&nbsp;', ' ') === '<p>Hello <strong>you</strong></p>'",
    needs_libraries=True,
)
def write_bold_in_quill(hands: Hands, desk: Desk) -> None:
    """Write "Hello", then "you" in bold."""
    bold = hands.ref("bold", "button")
    with hands.together():
        hands.click(bold)
        hands.click(bold)
        hands.write("Hello ")
        hands.press("Control+b")
        hands.write("you")


@task(
    script("monaco-editor/min/vs/loader.js")
    + """<div id="editor" style="width: 600px; height: 200px"></div><script>
    require.config({paths: {vs: '/node_modules/monaco-editor/min/vs'}});
    require(['vs/editor/editor.main'], () => { window.editor = monaco.editor.create(document.getElementById('editor'),
      {language: 'plaintext', value: 'old', ariaLabel: 'Source'}); editor.focus();
      document.body.append('Editor is ready') });</script>""",
    "editor.getValue() === 'let x = 1'",
    looks_first=False,
    needs_libraries=True,
)
def replace_a_text_in_monaco(hands: Hands, desk: Desk) -> None:
    """Replace the text of a code editor that has the focus."""
    with hands.together():
        hands.wait_text("Editor is ready")
        hands.press("Control+a")
        hands.write("let x = 1")


@task(
    script("ag-grid-community/dist/ag-grid-community.min.js")
    + """<div id="grid" style="width: 500px; height: 250px"></div><script>
    agGrid.createGrid(document.getElementById('grid'), {
      rowData: [{name: 'Ann', town: 'Oslo'}, {name: 'Bob', town: 'Rome'}],
      columnDefs: [{field: 'name'}, {field: 'town', editable: true}],
      onCellValueChanged: event => tell(event.data.name + ' ' + event.newValue)});</script>""",
    "told.join() === 'Bob Pisa'",
    needs_libraries=True,
)
def edit_a_cell_of_a_grid(hands: Hands, desk: Desk) -> None:
    """Let Bob live in Pisa."""
    rome = hands.wait_ref("Rome", "gridcell")
    with hands.together():
        hands.click(rome, count=2)
        hands.press("Control+a")
        hands.write("Pisa")
        hands.press("Enter")


@task(
    style("flatpickr/dist/flatpickr.min.css")
    + script("flatpickr/dist/flatpickr.min.js")
    + """<input id="day" aria-label="Day"><script>
    flatpickr('#day', {defaultDate: '2024-02-20', onChange: (dates, text) => tell(text)})</script>""",
    "told.join() === '2024-02-29'",
    needs_libraries=True,
)
def pick_a_day_of_a_calendar(hands: Hands, desk: Desk) -> None:
    """Pick 29 February 2024 in a calendar."""
    hands.looking.click(hands.ref("Day", "textbox"))
    hands.click(hands.ref("February 29, 2024"))


@task(
    style("tom-select/dist/css/tom-select.css")
    + script("tom-select/dist/js/tom-select.complete.min.js")
    + """<select id="fruit" multiple aria-label="Fruit"><option value="a">Apple<option value="b">Banana
    <option value="c">Cherry</select><script>const select = new TomSelect('#fruit');</script>""",
    "select.getValue().join() === 'c'",
    needs_libraries=True,
)
def choose_in_tom_select(hands: Hands, desk: Desk) -> None:
    """Choose Cherry of what is suggested."""
    fruit = hands.ref("Fruit", "combobox", "textbox")
    with hands.together():
        hands.click(fruit)
        hands.looking.write("che")
    view = hands.wait_view(lambda view: view.text.count("Banana") == 1 < view.text.count("Cherry"))
    hands.click(view.ref("Cherry", "option", nth=1))


@task(
    script("sortablejs/Sortable.min.js")
    + """<style>li { padding: 12px; margin: 4px; width: 200px; background: #eee; list-style: none }</style>
    <ul id="list"><li>Alpha</li><li>Beta</li><li>Gamma</li></ul><script>
    new Sortable(list, {animation: 0, onEnd: () => tell([...list.children].map(item => item.textContent[0]).join(''))});
    </script>""",
    "told.join() === 'BGA'",
    needs_libraries=True,
)
def sort_a_list_by_dragging(hands: Hands, desk: Desk) -> None:
    """Drag Alpha to the end (SortableJS)."""
    view = hands.look()
    hands.drag(view.ref("Alpha"), view.ref("Gamma"))


@task(
    script("sortablejs/Sortable.min.js")
    + """<style>li { padding: 12px; margin: 4px; width: 200px; background: #eee; list-style: none }
    ul { min-height: 60px; border: 1px solid }</style><ul id="todo"><li>Wash</li><li>Cook</li></ul>
    <ul id="done"><li>Sleep</li></ul><script>
    for (const list of [todo, done]) new Sortable(list, {group: 'all', forceFallback: true, animation: 0,
      onEnd: () => tell([...done.children].map(item => item.textContent).sort().join())});</script>""",
    "told.join() === 'Cook,Sleep'",
    needs_libraries=True,
)
def move_a_card_to_another_list(hands: Hands, desk: Desk) -> None:
    """Drag Cook from one list to the other (SortableJS with its fallback, by pointer)."""
    view = hands.look()
    hands.drag(view.ref("Cook"), view.ref("Sleep"))


@task(
    style("leaflet/dist/leaflet.css")
    + script("leaflet/dist/leaflet.js")
    + """<div id="map" style="width: 400px; height: 300px"></div><script>
    const map = L.map('map', {zoomAnimation: false}).setView([48, 16], 5);
    L.marker([48, 16], {alt: 'Vienna', title: 'Vienna'}).addTo(map)
      .bindPopup('<button onclick="tell(`go`)">Go there</button>');</script>""",
    "map.getZoom() === 6 && told.join() === 'go'",
    needs_libraries=True,
)
def use_a_map(hands: Hands, desk: Desk) -> None:
    """Zoom in, click the marker of Vienna, and go there."""
    view = hands.look()
    with hands.together():
        hands.click(view.ref("Zoom in", "button", "link"))
        hands.looking.click(view.ref("Vienna", "button", "img", "image"))
    hands.click(hands.wait_ref("Go there", "button"))


@task(
    style("bootstrap/dist/css/bootstrap.min.css")
    + script("bootstrap/dist/js/bootstrap.bundle.min.js")
    + """<div class="dropdown"><button class="btn dropdown-toggle" data-bs-toggle="dropdown">Account</button>
    <ul class="dropdown-menu"><li><a class="dropdown-item" href="#" data-bs-toggle="modal" data-bs-target="#box">
    Close account</a></li></ul></div>
    <div class="modal fade" id="box" tabindex="-1"><div class="modal-dialog"><div class="modal-content"><p>Sure?</p>
    <button class="btn" onclick="tell('closed')" data-bs-dismiss="modal">Yes</button></div></div></div>""",
    "told.join() === 'closed'",
    needs_libraries=True,
)
def close_an_account_in_bootstrap(hands: Hands, desk: Desk) -> None:
    """Choose in a menu, and say yes in a modal that fades in."""
    hands.looking.click(hands.ref("Account", "button"))
    hands.looking.click(hands.ref("Close account", "link"))
    hands.click(hands.wait_ref("Yes", "button"))


@task(
    """<div id="page" style="position: relative"></div><label>Word <input id="word"></label>
    <script type="module">import * as pdf from '/node_modules/pdfjs-dist/build/pdf.min.mjs';
    pdf.GlobalWorkerOptions.workerSrc = '/node_modules/pdfjs-dist/build/pdf.worker.min.mjs';
    const page = await (await pdf.getDocument('small.pdf').promise).getPage(1);
    const layer = new pdf.TextLayer({textContentSource: page.streamTextContent(),
      container: document.getElementById('page'),
      viewport: page.getViewport({scale: 1})});
    await layer.render(); tell('rendered');</script>""",
    "word.value === 'Hello'",
    files={"small.pdf": Response(small_pdf(), headers={"Content-Type": "application/pdf"})},
    needs_libraries=True,
    looks_first=False,
)
def read_a_word_of_a_pdf(hands: Hands, desk: Desk) -> None:
    """Type the first word of a PDF that pdf.js shows."""
    hands.looking.wait_text("Hello")
    view = hands.look()
    hands.type(view.ref("Word", "textbox"), view.match(r"\b(Hello)\b"))
