"""Where an error is in the source of a script, by a source map: what esbuild writes, and what anybody may write."""

from __future__ import annotations

import base64
import json
from typing import Any

import msgspec
import pytest

from cdp_agent import DONE
from supervisor.addons.agent_cli.background.source_places import SourceMap
from tests.supervisor.addons.agent_cli.agent_shell import agent_shell
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


INLINE = f"data:application/json;base64,{base64.b64encode(json.dumps(MAP).encode()).decode()}"


@pytest.mark.thorough
@pytest.mark.chromium
def test_an_error_is_told_with_its_source_where_a_map_tells_it(sites: Sites) -> None:
    named = {
        "beside": "app.js.map",
        "inline": INLINE,
        "absent": "gone.map",
        "broken": "broken.map",
        "elsewhere": sites.remote("/js/app.js.map"),
        "none": "",
        "no JSON": "page.map",
        "no address": "app.js.map\n//# sourceURL=http://[x",
        "claimed": f"app.js.map\n//# sourceURL={sites.remote('/js/secret.js')}",
    }
    asked = list[str]()

    def secret(request: Request) -> str:
        asked.append(request.path)
        return SCRIPT

    for number, url in enumerate(named.values()):
        sites.pages[f"/{number}"] = f"<title>T</title><link rel=icon href=data:,><script src=/js/{number}.js></script>"
        text = f"{SCRIPT}//# sourceMappingURL={url}\n" if url else SCRIPT
        sites.pages[f"/js/{number}.js"] = Response(text, headers={"Content-Type": "text/javascript"})
    sites.pages |= {
        "/js/secret.js": secret,
        "/js/app.js.map": Response(json.dumps(MAP), headers={"Access-Control-Allow-Origin": "*"}),
        "/js/page.map": "<!doctype html><title>What a server of one page answers to everything</title>",
        "/js/broken.map": Response(json.dumps({**MAP, "mappings": "!;MAEO,S", "sources": []})),
    }
    told = dict[str, list[str]]()
    with agent_shell() as agent:
        for number, name in enumerate(named):
            ended = agent("open", sites.local(f"/{number}"))
            assert (ended.code, "reading 'reduce'" in ended.out) == (DONE, True), ended.out
            told[name] = [line for line in ended.out.splitlines() if line.startswith("its source")]

    here = [f"its source: {sites.local('/src/cart.ts')}:4:18"]
    assert told == {**{name: [] for name in named}, "beside": here, "inline": here}
    assert asked == []
