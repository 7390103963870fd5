"""React's components, boundaries and renders, judged by the page's own counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.libraries.installed import installed_packages
from supervisor.tools import Policy
from tests.support.servers.sites import Sites, iframe

from .conftest import Bench

APP = """<title>app</title><div id=root></div>
<script src=/react.js></script><script src=/react-dom.js></script><script>
const {createElement: h, useState, useRef, useMemo, useEffect, useContext, createContext, memo, Suspense} = React;
const Theme = createContext('light'); Theme.displayName = 'Theme';
rendered = {Counter: 0, Row: 0, Still: 0};
function Row({label}) { rendered.Row++; return h('li', null, label); }
const Still = memo(function Still() { rendered.Still++; return h('i', null, 'still'); });
class Clock extends React.Component { state = {hour: 7}; render() { return h('time', null, this.state.hour); } }
function Counter({step, user}) {
    rendered.Counter++;
    const [count, setCount] = useState(5), [key, setKey] = useState(''), box = useRef(null);
    const theme = useContext(Theme), twice = useMemo(() => 2 * count, [count]);
    useEffect(() => { document.title = theme; });
    return h('section', null, h('button', {ref: box, onClick: () => setCount(count + step)}, 'Add'),
        h('input', {type: 'password', 'aria-label': 'Key', value: key, onChange: event => setKey(event.target.value)}),
        h('ul', null, h(Row, {key: 'a', label: `row ${twice}`}), h(Row, {key: 'b', label: 'other'})), h(Still));
}
let arrive;
const late = new Promise(done => { arrive = done; });
const Late = React.lazy(() => late);
const App = () => h(Theme.Provider, {value: 'dark'}, h(Counter, {step: 2, user: {name: 'Ann', on: () => 1}}), h(Clock),
    h(Suspense, {fallback: h('em', null, 'Waiting')}, h(Late)), h(Suspense, {fallback: 'no'}, h('b', null, 'Here')));
App.displayName = 'App';
ReactDOM.createRoot(root).render(h(App));
</script>"""
BUILDS = ("production.min", "development")


@pytest.fixture(scope="session")
def packages() -> Path:
    return installed_packages("make libraries")


@pytest.fixture(params=BUILDS)
def app(request: pytest.FixtureRequest, packages: Path, bench: Bench, sites: Sites) -> Bench:
    for name in ("react", "react-dom"):
        sites.pages[f"/{name}.js"] = (packages / name / "umd" / f"{name}.{request.param}.js").read_text("utf-8")
    sites.pages |= {"/app": APP, "/around": iframe(sites.remote("/app"))}
    bench.open(sites.local("/app"))
    bench.call("browser_wait", until="text", value="row 10")
    return bench


def test_the_components_of_a_page_are_a_tree_with_refs(app: Bench) -> None:
    shown = app.call("browser_inspect", show="components")

    lines = [line.partition(" [ref=")[0] for line in shown["component_tree"].splitlines()]
    assert lines == ["App", "  Counter", "    Row key=a", "    Row key=b", "    Still", "  Clock"]
    row = shown["component_tree"].splitlines()[2].partition("[ref=")[2].strip("]")
    assert app.call("browser_inspect", ref=row, show="html")["html"] == "<li>row 10</li>"
    assert shown["untrusted"] == ["component_tree"]


def test_a_component_has_the_state_of_the_last_render_without_passwords(app: Bench) -> None:
    app.call("browser_click", ref='button "Add"')
    app.call("browser_type", ref="css=input", text="hunter2")

    counter = app.call("browser_inspect", ref='button "Add"', show="component")
    row = app.call("browser_inspect", ref="css=li:first-child", show="component")
    clock = app.call("browser_inspect", ref="css=time", show="component")

    component, around = counter["components"]
    assert (component["name"], around["name"], row["above"]) == ("Counter", "App", ["Counter", "App"])
    assert component["props"] == {"step": 2, "user": {"name": "Ann", "on": "function on"}}
    assert component["hooks"] == [
        {"kind": "state", "value": 7},
        {"kind": "state", "value": "(password)"},
        {"kind": "ref", "value": "<button>"},
        {"kind": "memo", "value": 14},
        {"kind": "effect"},
        {"kind": "context", "name": "Theme", "value": "dark"},
    ]
    assert row["components"] == [{"name": "Row", "key": "a", "props": {"label": "row 14"}}]
    assert clock["components"][0]["state"] == {"hour": 7}
    assert "hunter2" not in json.dumps([counter, row, clock])


def test_renders_are_those_that_the_page_counts_and_nothing_stays_in_it(app: Bench) -> None:
    fiber = "Object.entries(root).find(([key]) => key.startsWith('__reactContainer$'))[1].stateNode"
    before = app.value("({...rendered})")
    plain = app.value(f"Object.keys({fiber}).join() + Object.getOwnPropertyNames(window).length")

    started = app.call("browser_page", action="renders_start")
    for _ in range(3):
        app.call("browser_click", ref='button "Add"')
    app.value("void arrive({default: () => h('b', null, 'Arrived')})")
    app.call("browser_wait", until="text", value="Arrived")
    counted = app.call("browser_page", action="renders_stop")["renders"]

    after = app.value("({...rendered})")
    by_name = {each["name"]: each for each in counted["components"]}
    own = {name: by_name.get(name, {}).get("renders", 0) for name in after}
    assert started["renders"] == {"recording": True}
    assert own == {name: after[name] - before[name] for name in after} == {"Counter": 3, "Row": 6, "Still": 0}
    assert by_name["Counter"]["causes"] == {"state": 3}
    assert by_name["Row"]["causes"] == {"prop label": 3, "parent": 3}
    assert [each["mounts"] for each in counted["components"] if "mounts" in each] == [1]  # the one that arrived
    assert app.value(f"Object.keys({fiber}).join() + Object.getOwnPropertyNames(window).length") == plain
    again = app.call("browser_page", action="renders_stop")
    assert (again["error_type"], again["argument"]) == ("InvalidArgument", "action")


def test_boundaries_that_wait_come_first(app: Bench) -> None:
    waiting, here = app.call("browser_inspect", show="suspense")["boundaries"]
    shown = app.call("browser_inspect", ref=waiting["ref"], show="html")["html"]
    app.value("void arrive({default: () => h('b', null, 'Arrived')})")
    app.call("browser_wait", until="text", value="Arrived")
    later = app.call("browser_inspect", show="suspense")["boundaries"]

    assert (waiting["shows"], waiting["component"], here["shows"]) == ("fallback", "App", "content")
    assert shown == "<em>Waiting</em>"
    assert [each["shows"] for each in later] == ["content", "content"]


def test_counts_end_with_their_document(app: Bench, sites: Sites) -> None:
    app.call("browser_page", action="renders_start")
    twice = app.call("browser_page", action="renders_start")
    app.open(sites.local("/app"))

    ended = app.call("browser_page", action="renders_stop")

    assert (twice["error_type"], "already" in twice["error"]) == ("InvalidArgument", True)
    assert len(ended["renders"]["lost"]) == 1


def test_a_page_without_react_and_an_element_of_another_part_are_refused(app: Bench, sites: Sites) -> None:
    outside = app.call("browser_inspect", ref="css=#root", show="component")
    sites.pages["/plain"] = "<title>p</title><p>Plain"
    app.open(sites.local("/plain"))

    assert (outside["error_type"], outside["argument"]) == ("InvalidArgument", "ref")
    for refused in (
        app.call("browser_inspect", show="components"),
        app.call("browser_inspect", show="suspense"),
        app.call("browser_page", action="renders_start"),
    ):
        assert (refused["error_type"], "React" in refused["error"]) == ("InvalidArgument", True)


def test_an_iframe_of_another_site_is_read_and_counted(app: Bench, sites: Sites) -> None:
    app.open(sites.local("/around"))
    app.call("browser_wait", until="text", value="row 10", frame_id=app.inner_frame)

    lines = app.call("browser_inspect", show="components")["component_tree"].splitlines()
    app.call("browser_page", action="renders_start")
    app.call("browser_click", ref='button "Add"')
    counted = app.call("browser_page", action="renders_stop")["renders"]["components"]

    assert lines[0] == f"frame {app.inner_frame}"
    assert lines[1].startswith("App [ref=")
    assert {each["name"]: each["renders"] for each in counted} == {"Counter": 1, "Row": 2}


def test_a_policy_without_scripts_and_a_dialog_refuse(app: Bench) -> None:
    held = app.under(Policy(deny_methods=("Runtime.evaluate",)))

    assert held("browser_inspect", show="components")["error_type"] == "Refused"
    assert held("browser_inspect", ref="css=li:first-child", show="component")["error_type"] == "Refused"
    assert held("browser_page", action="renders_start")["error_type"] == "Refused"
    app.call("browser_evaluate", expression="setTimeout(() => confirm('sure?'))")
    app.call("browser_wait", until="dialog")
    assert app.call("browser_inspect", show="suspense")["error_type"] == "BlockedByDialog"
    assert app.call("browser_page", action="renders_start")["error_type"] == "BlockedByDialog"
