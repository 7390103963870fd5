"""Where an error is in the source of a script, by a source map: what esbuild writes, and what anybody may write."""

from __future__ import annotations

import base64
import json
from typing import Any

import msgspec
import pytest

from cdp_agent import DONE
from supervisor.addons.agent_cli.background.source_places import SourceMap
from tests.supervisor.addons.agent_cli.agent_shell import AgentShell
from tests.support.servers.sites import Request, Response, Sites

SCRIPT = (
    "(()=>{var o=(e,t,r)=>()=>{if(r)throw r[0];try{return e&&(t=e(e=0)),t}catch(n){throw r=[n],n}};var c=(e,t)"
    "=>()=>{try{return t||e((t={exports:{}}).exports,t),t.exports}catch(r){throw t=0,r}};function i(e){return "
    "e.reduce((t,r)=>t+r.price,0)}var m=o(()=>{});var a=c(()=>{m();var u={items:null};document.title=String(i("
    "u.items))});a();})();"
    "\n"
)
MAP: dict[str, Any] = {
    "version": 3,
    "sources": ["../src/cart.ts", "../src/app.ts"],
    "mappings": (
        "6LAEO,SAASA,EAAMC,EAAuB,CACzC,OAAOA,EAAM,OAAO,CAACC,EAAKC,IAASD,EAAMC,EAAK,MAAO,CAAC,CAC1D,CAJA,IAAA"
        "C,EAAAC,EAAA,QCAA,IAAAC,EAAAC,EAAA,KAAAC,IAEA,IAAMC,EAAc,CAAE,MAAO,IAAK,EAClC,SAAS,MAAQ,OAAOC,EAAMD,"
        "EAAO,KAAK,CAAC"
    ),
}
"""What esbuild 0.28 made of two files: line 4 of cart.ts has `items.reduce`, that of app.ts `total(answer.items)`."""
FAILS = SCRIPT.index("reduce") + 1


@pytest.mark.parametrize(
    ("line", "column", "place"),
    [
        (1, FAILS, ("../src/cart.ts", 4, 18)),
        (1, SCRIPT.index("i(u.items)") + 1, ("../src/app.ts", 4, 25)),
        (1, 1, None),  # before all that came from a source
        (2, 1, None),
        (9, 9, None),
    ],
)
def test_a_place_has_the_source_that_made_it(line: int, column: int, place: tuple[str, int, int] | None) -> None:
    assert msgspec.convert(MAP, SourceMap).place(line, column) == place


@pytest.mark.parametrize(
    ("line", "column", "place"),
    [
        (1, FAILS, ("../src/cart.ts", 4, 18)),
        (3, 5, None),  # before the section of this line
        (3, FAILS + 10, ("/lib/../src/cart.ts", 4, 18)),
        (7, FAILS, ("../src/cart.ts", 4, 18)),  # in the second line of its section
        (8, FAILS, None),
    ],
)
def test_a_map_of_sections_tells_places_of_each(line: int, column: int, place: tuple[str, int, int] | None) -> None:
    sections = [
        {"offset": {"line": 0, "column": 0}, "map": MAP},
        {"offset": {"line": 2, "column": 10}, "map": {**MAP, "sourceRoot": "/lib"}},
        {"offset": {"line": 5, "column": 99}, "map": {**MAP, "mappings": f";{MAP['mappings']}"}},
    ]
    assert msgspec.convert({"version": 3, "sections": sections}, SourceMap).place(line, column) == place


INLINE = f"data:application/json;base64,{base64.b64encode(json.dumps(MAP).encode()).decode()}"


@pytest.mark.thorough
@pytest.mark.chromium
def test_an_error_is_told_with_its_source_where_a_map_tells_it(agent: AgentShell, sites: Sites) -> None:
    named = {
        "beside": "app.js.map",
        "inline": INLINE,
        "absent": "gone.map",
        "broken": "broken.map",
        "elsewhere": sites.remote("/js/app.js.map"),
        "none": "",
        "no JSON": "page.map",
        "no address": "app.js.map\n//# sourceURL=http://[x",
        "sections": "sections.map",
        "header": "header.map",
        "old header": "",
        "claimed": f"app.js.map\n//# sourceURL={sites.remote('/js/secret.js')}",
    }
    asked = list[str]()

    def secret(request: Request) -> str:
        asked.append(request.path)
        return SCRIPT

    for number, (name, url) in enumerate(named.items()):
        sites.pages[f"/{number}"] = f"<title>T</title><link rel=icon href=data:,><script src=/js/{number}.js></script>"
        text = f"{SCRIPT}//# sourceMappingURL={url}\n" if url else SCRIPT
        header = {"header": {"SourceMap": "app.js.map"}, "old header": {"X-SourceMap": "app.js.map"}}.get(name, {})
        sites.pages[f"/js/{number}.js"] = Response(text, headers={"Content-Type": "text/javascript", **header})
    sites.pages |= {
        "/js/secret.js": secret,
        "/js/app.js.map": Response(json.dumps(MAP), headers={"Access-Control-Allow-Origin": "*"}),
        "/js/page.map": "<!doctype html><title>What a server of one page answers to everything</title>",
        "/js/sections.map": Response(
            json.dumps({"version": 3, "sections": [{"offset": {"line": 0, "column": 0}, "map": MAP}]})
        ),
        "/js/broken.map": Response(json.dumps({**MAP, "mappings": "!;MAEO,S", "sources": []})),
    }
    told = dict[str, list[str]]()
    for number, name in enumerate(named):
        ended = agent("open", sites.local(f"/{number}"))
        assert (ended.code, "reading 'reduce'" in ended.out) == (DONE, True), ended.out
        told[name] = [line for line in ended.out.splitlines() if line.startswith("its source")]

    here = [f"its source: {sites.local('/src/cart.ts')}:4:18"]
    assert told == {
        **{name: [] for name in named},
        **dict.fromkeys(["beside", "inline", "sections", "header", "old header"], here),
    }
    assert asked == []


@pytest.mark.thorough
@pytest.mark.chromium
def test_messages_of_the_console_are_told_with_their_sources(agent: AgentShell, sites: Sites) -> None:
    warns = SCRIPT.replace("document.title=String", "console.warn").replace("items:null", "items:[]")
    script = f"{warns}//# sourceMappingURL={INLINE}\n"
    sites.pages |= {
        "/": "<link rel=icon href=data:,><script src=/js/app.js></script><script>console.log(1)</script>",
        "/js/app.js": Response(script, headers={"Content-Type": "text/javascript"}),
    }
    agent("open", sites.local("/"))
    told = agent("console").out
    (warned, logged) = json.loads(agent("console", "--json").out)["messages"]

    assert f'warning "0" {sites.local("/js/app.js")} line=1 column=' in told
    assert warned["source"] in told
    assert warned["source"].startswith(sites.local("/src/app.ts:4:"))
    assert ("source" in logged, logged["line"]) == (False, 1)
