"""A page that uses nearly everything that Chromium has events for."""

from __future__ import annotations

from tests.support.servers.sites import Response, Sites, iframe

SCRIPT = """
const steps = [];
const late = () => new Promise((_, fail) => setTimeout(fail, 20000, "too late"));
const step = (name, promise) =>
  steps.push(Promise.race([promise, late()]).then(() => name, error => `${name}: ${error}`));
const heard = (source, type) => new Promise(done => source.addEventListener(type, done, {once: true}));

const worker = new Worker("/worker.js");
step("worker", heard(worker, "message"));
const shared = new SharedWorker("/shared.js");
shared.port.start();
step("shared worker", heard(shared.port, "message"));
step("service worker", navigator.serviceWorker.register("/sw.js").then(() => navigator.serviceWorker.ready));
const socket = new WebSocket(SOCKET);
socket.addEventListener("open", () => socket.send("over the socket"));
step("socket", heard(socket, "message"));
step("frames", heard(window, "load"));
step("fetch", fetch("/fetched"));
step("missing", fetch("/missing"));
step("cache", caches.open("shelf").then(shelf => shelf.put("/kept", new Response("kept"))));
step("database", new Promise((done, fail) => {
  const opening = indexedDB.open("books", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("pages", {keyPath: "n"}).put({n: 1, text: "one"});
  opening.onsuccess = done;
  opening.onerror = fail;
}));
localStorage.setItem("lasting", "1");
sessionStorage.setItem("fleeting", "2");
document.cookie = "flavour=plain; SameSite=Strict";
document.getElementById("box").animate([{opacity: 0}, {opacity: 1}], {duration: 50});
document.getElementById("host").attachShadow({mode: "open"}).innerHTML = "<p>in the shadow</p>";
new AudioContext().createOscillator();
console.log("an object", {a: 1, b: [2, 3]}, [1, 2], new Map([[1, 2]]), null, undefined, NaN, -0, 10n, Symbol("s"));
console.table([{a: 1}]);
console.warn("a warning");
performance.mark("here");
history.pushState({}, "", "#pushed");
window.named = function named(first, second) { return first + second; };
setTimeout(() => { throw new TypeError("nobody catches this"); });
Promise.reject(new Error("nor this"));
setTimeout(() => alert("hello"));
window.finished = Promise.all(steps);
"""

PAGE = """<!doctype html><html lang=en><title>Nearly everything</title>
<link rel=stylesheet href=/style.css><style>@media print { p { color: red } } @keyframes k { to { opacity: 0 } }</style>
<h1 id=title class="big blue">Nearly everything</h1><p>Some <b>bold</b> text.</p><div id=box></div><div id=host></div>
<form><label for=name>Name</label><input id=name name=name autocomplete=name><input type=checkbox aria-label=agree>
<select><option>one<option selected>two</select><button type=button>Send</button></form>
<ul><li>one<li>two</ul><table><tr><th>head<td>cell</table><canvas width=8 height=8></canvas>
<img alt=dot src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="><video muted></video>
FRAMES<script>SCRIPT</script></html>"""


def javascript(code: str) -> Response:
    return Response(code, headers={"Content-Type": "text/javascript"})


def furnish(sites: Sites, socket_url: str) -> str:
    """Serve the page and all that it loads; return its address."""
    frames = iframe("/inner", "same") + iframe(sites.remote("/inner"), "other")
    sites.pages.update(
        {
            "/": PAGE.replace("FRAMES", frames).replace("SCRIPT", SCRIPT.replace("SOCKET", repr(socket_url))),
            "/inner": "<!doctype html><title>inner</title><p>inner<script>console.log('inner')</script>",
            "/style.css": Response(
                "#title { color: blue; } .big { font-size: 2em } @font-face { font-family: f; src: url(f) }",
                headers={"Content-Type": "text/css"},
            ),
            "/worker.js": javascript("console.log('worker'); postMessage('ready')"),
            "/shared.js": javascript("onconnect = event => event.ports[0].postMessage('ready')"),
            "/sw.js": javascript("onactivate = event => event.waitUntil(clients.claim()); onfetch = () => {}"),
            "/fetched": "fetched",
        }
    )
    return sites.local("/")
