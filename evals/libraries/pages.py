"""Pages made of libraries as they are published: each is loaded, used by a script, and looked at."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from evals.libraries.pdf import small_pdf
from evals.web_platform.feature import Feature, File
from tests.support.servers.sites import Response

__all__ = ["FEATURES"]

SHOELACE = "/node_modules/@shoelace-style/shoelace/cdn"
OBSERVE = f"<script>{(Path(__file__).parent / 'complaints.js').read_text()}</script>"
FINISH = "\nif (complaints.length) tell(complaints);"
TILE = '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><circle r="99" fill="#9cf"/></svg>'
SQUARE = [[[-40, -40], [40, -40], [40, 40], [-40, 40], [-40, -40]]]
STYLE = {
    "version": 8,
    "sources": {
        "square": {
            "type": "geojson",
            "data": {
                "type": "Feature",
                "properties": {"name": "square"},
                "geometry": {"type": "Polygon", "coordinates": SQUARE},
            },
        }
    },
    "layers": [
        {"id": "ground", "type": "background", "paint": {"background-color": "#ffffff"}},
        {"id": "square", "type": "fill", "source": "square", "paint": {"fill-color": "#ff0000"}},
    ],
}


def script(path: str) -> str:
    return f'<script src="/node_modules/{path}"></script>'


def style(path: str) -> str:
    return f'<link rel="stylesheet" href="/node_modules/{path}">'


def imports(**packages: str) -> str:
    places = {name.replace("__", "/"): f"/node_modules/{path}" for name, path in packages.items()}
    return f'<script type="importmap">{json.dumps({"imports": places})}</script>'


def library(name: str, head: str, body: str, use: str, files: Mapping[str, File] | None = None) -> Feature:
    return Feature(name, use + FINISH, html=f"{OBSERVE}{head}<body>{body}", files=files or {})


LIT = {
    "lit": "lit/index.js",
    "lit/": "lit/",
    "lit-html": "lit-html/lit-html.js",
    "lit-html/": "lit-html/",
    "lit-element/": "lit-element/",
    "@lit/reactive-element": "@lit/reactive-element/reactive-element.js",
    "@lit/reactive-element/": "@lit/reactive-element/",
}
LIT_MAP = json.dumps({"imports": {name: f"/node_modules/{path}" for name, path in LIT.items()}})

FEATURES = (
    library(
        "react",
        script("react/umd/react.development.js") + script("react-dom/umd/react-dom.development.js"),
        '<div id="root"></div>',
        """
        const {createElement: h, useState, useEffect, useTransition, Suspense, lazy} = React;
        const Late = lazy(async () => ({default: () => h('i', null, 'late')}));
        const App = () => {
          const [count, setCount] = useState(0), [text, setText] = useState(''), [, startTransition] = useTransition();
          useEffect(() => { document.title = `count ${count}`; }, [count]);
          return h('div', null,
            h('button', {onClick: () => startTransition(() => setCount(count + 1))}, 'count ', count),
            h('input', {value: text, onChange: event => setText(event.target.value.toUpperCase())}),
            h(Suspense, {fallback: 'waiting'}, h(Late)));
        };
        ReactDOM.createRoot(document.getElementById('root')).render(h(App));
        await until(() => document.querySelector('i'));
        const button = document.querySelector('button'), input = document.querySelector('input');
        button.click();
        await until(() => document.title === 'count 1');
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, 'typed');
        input.dispatchEvent(new Event('input', {bubbles: true}));
        await until(() => input.value === 'TYPED');
        same([button.textContent, document.querySelector('i').textContent], ['count 1', 'late']);
        """,
    ),
    library(
        "vue",
        "<style>.fade-leave-active { transition: opacity 30ms } .fade-leave-to { opacity: 0 }</style>",
        '<div id="app"></div><div id="aside"></div>',
        """
        const {createApp, ref, computed, nextTick} = await import('/node_modules/vue/dist/vue.esm-browser.js');
        createApp({
          setup() {
            const text = ref('typed'), shown = ref(true), list = ref([1, 2, 3]);
            return {text, shown, list, upper: computed(() => text.value.toUpperCase())};
          },
          template: `<input v-model="text"><b>{{ upper }}</b><button @click="shown = false">Hide</button>
            <Transition name="fade"><p v-if="shown">shown</p></Transition>
            <ul><li v-for="item in list" :key="item">{{ item }}</li></ul><Teleport to="#aside">aside</Teleport>`,
        }).mount('#app');
        const input = document.querySelector('input');
        input.value = 'other';
        input.dispatchEvent(new Event('input'));
        await nextTick();
        document.querySelector('button').click();
        await until(() => !document.querySelector('p'));
        same([document.querySelector('b').textContent, document.querySelectorAll('li').length], ['OTHER', 3]);
        same(document.getElementById('aside').textContent, 'aside');
        """,
    ),
    library(
        "lit",
        f'<script type="importmap">{LIT_MAP}</script>',
        "<own-counter></own-counter>",
        """
        const {LitElement, html, css} = await import('lit'), {repeat} = await import('lit/directives/repeat.js');
        customElements.define('own-counter', class extends LitElement {
          static properties = {count: {type: Number, reflect: true}};
          static styles = css`button { color: red }`;
          constructor() { super(); this.count = 0; }
          render() {
            return html`<button @click=${() => this.count++}>count ${this.count}</button>
              ${repeat([1, 2], key => key, item => html`<i>${item}</i>`)}`;
          }
        });
        const counter = document.querySelector('own-counter'), root = counter.shadowRoot;
        await counter.updateComplete;
        root.querySelector('button').click();
        await counter.updateComplete;
        same([root.querySelector('button').textContent, counter.getAttribute('count')], ['count 1', '1']);
        same([root.querySelectorAll('i').length, getComputedStyle(root.querySelector('button')).color],
             [2, 'rgb(255, 0, 0)']);
        """,
    ),
    library(
        "shoelace",
        style("@shoelace-style/shoelace/cdn/themes/light.css")
        + f'<script type="module" src="{SHOELACE}/shoelace.js" data-shoelace="{SHOELACE}"></script>',
        """<sl-button variant="primary">Open</sl-button><sl-dialog label="Dialog">Text<sl-input></sl-input></sl-dialog>
        <sl-select value="a"><sl-option value="a">A</sl-option><sl-option value="b">B</sl-option></sl-select>
        <sl-icon name="gear"></sl-icon><sl-rating value="3"></sl-rating>""",
        """
        const dialog = document.querySelector('sl-dialog'), select = document.querySelector('sl-select');
        await Promise.all(['sl-dialog', 'sl-select', 'sl-option'].map(name => customElements.whenDefined(name)));
        await Promise.all([dialog.updateComplete, select.updateComplete]);
        await until(() => document.querySelector('sl-icon').shadowRoot.querySelector('svg path'));
        await once(dialog, 'sl-after-show', () => dialog.show());
        same(dialog.querySelector('sl-input').checkValidity(), true);
        await once(dialog, 'sl-after-hide', () => dialog.hide());
        await once(select, 'sl-after-show', () => select.show());
        const release = new MouseEvent('mouseup', {bubbles: true, composed: true});
        await once(select, 'sl-change', () => select.querySelectorAll('sl-option')[1].dispatchEvent(release));
        same([select.value, dialog.open], ['b', false]);
        """,
    ),
    library(
        "quill",
        style("quill/dist/quill.snow.css") + script("quill/dist/quill.js"),
        '<div id="editor"><p>Hello</p></div>',
        """
        const quill = new Quill('#editor', {theme: 'snow', modules: {toolbar: ['bold', {header: [1, 2, false]}]}});
        const changed = new Promise(resolve => quill.once('text-change', resolve));
        quill.insertText(5, ' world');
        await changed;
        quill.setSelection(0, 5);
        document.querySelector('.ql-bold').click();
        quill.history.cutoff();
        quill.clipboard.dangerouslyPasteHTML(quill.getLength(), '<ul><li>item</li></ul>');
        same(quill.getSemanticHTML(), '<p><strong>Hello</strong>&nbsp;world</p><ul><li>item</li></ul>');
        quill.history.undo();
        same(quill.getText().trim(), 'Hello world');
        """,
    ),
    library(
        "monaco",
        script("monaco-editor/min/vs/loader.js"),
        '<div id="editor" style="width: 600px; height: 300px"></div>',
        """
        require.config({paths: {vs: '/node_modules/monaco-editor/min/vs'}});
        await wait('the editor', new Promise((resolve, reject) => require(['vs/editor/editor.main'], resolve, reject)));
        const editor = monaco.editor.create(document.getElementById('editor'), {
          language: 'typescript', value: 'const number: number = "text";\\nnumber.toFixed();\\n',
        });
        const model = editor.getModel();
        await until(() => monaco.editor.getModelMarkers({resource: model.uri}).length);
        const [{message: complaint}] = monaco.editor.getModelMarkers({resource: model.uri});
        same(complaint, "Type 'string' is not assignable to type 'number'.");
        editor.setPosition({lineNumber: 2, column: 1});
        editor.trigger('keyboard', 'type', {text: 'typed'});
        same(model.getLineContent(2), 'typednumber.toFixed();');
        await until(() => document.querySelector('.view-line .mtk1, .view-line span span'));
        const json = monaco.editor.createModel('{"a": }', 'json');
        await until(() => monaco.editor.getModelMarkers({resource: json.uri}).length);
        """,
    ),
    library(
        "ag_grid",
        script("ag-grid-community/dist/ag-grid-community.min.js"),
        '<div id="grid" style="width: 600px; height: 300px"></div>',
        """
        const rowData = Array.from({length: 5000}, (_, id) => ({id, name: `name ${id}`, odd: id % 2 === 1}));
        let api;
        await wait('the grid', new Promise(resolve => api = agGrid.createGrid(document.getElementById('grid'), {
          rowData,
          columnDefs: [{field: 'id', filter: 'agNumberColumnFilter'}, {field: 'name', editable: true}, {field: 'odd'}],
          onFirstDataRendered: resolve,
        })));
        const cell = () => document.querySelector('[row-index="0"] [col-id="id"]')?.textContent;
        api.applyColumnState({state: [{colId: 'id', sort: 'desc'}]});
        await until(() => cell() === '4999');
        api.setFilterModel({id: {type: 'lessThan', filter: 10}});
        await until(() => api.getDisplayedRowCount() === 10);
        api.setFilterModel(null);
        api.ensureIndexVisible(4000);
        await until(() => document.querySelector('[row-index="4000"]'));
        same(document.querySelectorAll('.ag-center-cols-container [row-index]').length < 100, true);
        """,
    ),
    library(
        "flatpickr",
        style("flatpickr/dist/flatpickr.min.css") + script("flatpickr/dist/flatpickr.min.js"),
        '<input id="date">',
        """
        const heard = [], picker = flatpickr('#date', {
          defaultDate: '2024-02-28', onOpen: () => heard.push('open'), onClose: () => heard.push('close'),
          onChange: (dates, text) => heard.push(text),
        });
        picker.open();
        document.querySelector('.flatpickr-day[aria-label="February 29, 2024"]').click();
        picker.changeMonth(1);
        same([heard, document.getElementById('date').value, picker.currentMonth],
             [['open', 'close', '2024-02-29'], '2024-02-29', 2]);
        """,
    ),
    library(
        "tom_select",
        style("tom-select/dist/css/tom-select.css") + script("tom-select/dist/js/tom-select.complete.min.js"),
        '<select id="choice" multiple><option value="a">Apple<option value="b">Banana<option value="c">Cherry</select>',
        """
        const select = new TomSelect('#choice', {plugins: ['remove_button'], create: true});
        await until(() => document.hasFocus());
        select.focus();
        select.setTextboxValue('ban');
        select.refreshOptions();
        await until(() => document.querySelectorAll('.ts-dropdown .option').length === 1);
        document.querySelector('.ts-dropdown .option').click();
        select.createItem('Date');
        await until(() => select.items.length === 2);
        same([select.getValue(), document.querySelectorAll('.ts-control .item').length], [['b', 'Date'], 2]);
        """,
    ),
    library(
        "sortable",
        script("sortablejs/Sortable.min.js"),
        '<ul id="list" style="margin: 0">' + "".join(f'<li data-id="{name}">{name}</li>' for name in "abc") + "</ul>",
        """
        const list = document.getElementById('list'), ended = Promise.withResolvers();
        const sortable = Sortable.create(list, {forceFallback: true, animation: 30, onEnd: ended.resolve});
        const middle = item => {
          const {left, top, width, height} = item.getBoundingClientRect();
          return {clientX: left + width / 2, clientY: top + height / 2};
        };
        const [first, , last] = list.children;
        const options = {bubbles: true, cancelable: true, pointerType: 'mouse', button: 0, buttons: 1};
        const send = (type, target, place) => target.dispatchEvent(new PointerEvent(type, {...place, ...options}));
        send('pointerdown', first, middle(first));
        await sleep(10);
        for (const shift of [2, 6, 10, 12]) {
          const {clientX, clientY} = middle(last);
          send('pointermove', document, {clientX, clientY: clientY + shift});
          await sleep(60);
        }
        send('pointerup', document, middle(last));
        await wait('the end', ended.promise);
        same(sortable.toArray(), ['b', 'c', 'a']);
        """,
    ),
    library(
        "bootstrap",
        style("bootstrap/dist/css/bootstrap.min.css") + script("bootstrap/dist/js/bootstrap.bundle.min.js"),
        """<button id="tip" title="Tip">Button</button><div id="more" class="collapse">More</div>
        <div id="modal" class="modal fade" tabindex="-1">
          <div class="modal-dialog"><div class="modal-content">Modal</div></div>
        </div><div id="toast" class="toast"><div class="toast-body">Toast</div></div>""",
        """
        const part = id => document.getElementById(id), modal = new bootstrap.Modal(part('modal'));
        await once(part('modal'), 'shown.bs.modal', () => modal.show());
        await once(part('modal'), 'hidden.bs.modal', () => modal.hide());
        await once(part('more'), 'shown.bs.collapse', () => new bootstrap.Collapse(part('more')));
        await once(part('toast'), 'shown.bs.toast', () => new bootstrap.Toast(part('toast')).show());
        const tip = new bootstrap.Tooltip(part('tip'), {trigger: 'manual'});
        await once(part('tip'), 'shown.bs.tooltip', () => tip.show());
        same(document.querySelector('.tooltip-inner').textContent, 'Tip');
        same(document.querySelector('.modal-backdrop'), null);
        """,
    ),
    library(
        "three",
        imports(three="three/build/three.module.js"),
        "",
        """
        const three = await import('three');
        const renderer = new three.WebGLRenderer({preserveDrawingBuffer: true}), scene = new three.Scene();
        renderer.setSize(100, 100);
        document.body.append(renderer.domElement);
        const camera = new three.PerspectiveCamera(50, 1, 0.1, 100);
        camera.position.z = 3;
        const material = new three.MeshBasicMaterial({color: 0xff0000});
        const cube = new three.Mesh(new three.BoxGeometry(1, 1, 1), material);
        scene.add(cube);
        let frames = 0;
        await wait('five frames', new Promise(resolve => renderer.setAnimationLoop(() => {
          cube.rotation.y += 0.01;
          renderer.render(scene, camera);
          if (++frames === 5) resolve();
        })));
        renderer.setAnimationLoop(null);
        const context = renderer.getContext(), pixel = new Uint8Array(4);
        context.readPixels(50, 50, 1, 1, context.RGBA, context.UNSIGNED_BYTE, pixel);
        same([...pixel], [255, 0, 0, 255]);
        """,
    ),
    library(
        "pdf_js",
        "",
        '<canvas id="page"></canvas>',
        """
        const pdf = await import('/node_modules/pdfjs-dist/build/pdf.mjs');
        pdf.GlobalWorkerOptions.workerSrc = '/node_modules/pdfjs-dist/build/pdf.worker.mjs';
        const file = await wait('the document', pdf.getDocument('small.pdf').promise), page = await file.getPage(1);
        const content = await page.getTextContent(), viewport = page.getViewport({scale: 1});
        const canvas = document.getElementById('page');
        [canvas.width, canvas.height] = [viewport.width, viewport.height];
        await wait('the page', page.render({canvas, viewport}).promise);
        const painted = canvas.getContext('2d').getImageData(50, 50, 1, 1).data;
        same([file.numPages, content.items.map(({str}) => str).join(''), [...painted]], [1, 'Hello', [255, 0, 0, 255]]);
        """,
        {"small.pdf": Response(small_pdf(), headers={"Content-Type": "application/pdf"})},
    ),
    library(
        "leaflet",
        style("leaflet/dist/leaflet.css") + script("leaflet/dist/leaflet.js"),
        '<div id="map" style="width: 400px; height: 300px"></div>',
        """
        const map = L.map('map').setView([0, 0], 2), tiles = L.tileLayer('tile.svg?{z}/{x}/{y}');
        await wait('the tiles', new Promise(resolve => tiles.once('load', resolve).addTo(map)));
        const marker = L.marker([10, 10]).addTo(map).bindPopup('Here');
        L.geoJSON({type: 'Polygon', coordinates: SQUARE}).addTo(map);
        await wait('the popup', new Promise(resolve => {
          map.once('popupopen', resolve);
          marker.getElement().click();
        }));
        const landed = new Promise(resolve => map.once('moveend', resolve));
        map.flyTo([10, 20], 3, {duration: 0.1});
        await wait('the end of the flight', landed);
        same([map.getZoom(), document.querySelector('.leaflet-popup-content').textContent], [3, 'Here']);
        same(document.querySelectorAll('path.leaflet-interactive').length, 1);
        """.replace("SQUARE", json.dumps(SQUARE)),
        {"tile.svg": TILE},
    ),
    library(
        "maplibre",
        style("maplibre-gl/dist/maplibre-gl.css") + script("maplibre-gl/dist/maplibre-gl.js"),
        '<div id="map" style="width: 300px; height: 300px"></div>',
        """
        const style = STYLE, map = new maplibregl.Map({container: 'map', style, center: [0, 0], zoom: 1});
        const idle = () => wait('the map', new Promise(resolve => map.once('idle', resolve)));
        await idle();
        const [seen] = map.queryRenderedFeatures([150, 150]);
        same([seen.layer.id, seen.properties.name], ['square', 'square']);
        map.easeTo({center: [120, 0], duration: 50});
        await idle();
        same(map.queryRenderedFeatures([150, 150]).length, 0);
        """.replace("STYLE", json.dumps(STYLE)),
    ),
)
