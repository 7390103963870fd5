"""The pages that other clients work with; each is found on both sites of `tests.support.servers.sites`."""

from __future__ import annotations

import base64
import json

from tests.support.servers.sites import Request, Response, Sites, iframe

__all__ = ["add_pages"]

_HEAD = "<!doctype html><meta charset=utf-8><link rel=icon href=data:,>"

_UNCACHED = f"{_HEAD}<script>addEventListener('unload', () => {{}})</script>"
"""Pages that do not go into the history's cache: Playwright and Puppeteer switch it off where they start a browser."""

_PLAIN = f"""{_HEAD}<title>Plain</title>
<h1>Plain</h1><a id=next href=/next>next</a> <button id=press onclick="this.textContent += '!'">press</button>
<p id=hover onmouseover="this.textContent = 'hovered'">hover</p>"""

_FORM = f"""{_HEAD}<title>Form</title><form method=post action=/echo>
<input id=name name=name><input id=agree name=agree type=checkbox>
<select id=size name=size><option>small<option>large</select><button id=send>send</button></form>"""

_INNER = f"""{_HEAD}<title>Inner</title><p id=text>inner text</p>
<button id=press onclick="this.textContent += '!'">press</button><input id=field>"""

_STAYING = f"""{_HEAD}<title>Staying</title><button id=touch>touch</button>
<script>addEventListener('beforeunload', event => event.preventDefault())</script>"""

_EARLY = f"{_HEAD}<title>Early</title><script>window.answer = confirm('early?')</script>"

_FILES = f"""{_HEAD}<title>Files</title><input id=pick type=file multiple onchange="count.textContent = files.length">
<output id=count></output>"""

_DOWNLOAD = f"{_HEAD}<title>Download</title><a id=get href=/note.txt>get</a>"

_LOGGING = f"""{_HEAD}<title>Logging</title><script>
console.log('first', 1); console.warn('second'); console.error('third');
setTimeout(() => {{ throw new Error('boom') }}, 0)</script>"""

_WORKERS = f"""{_HEAD}<title>Workers</title><script>
const answer = port => new Promise(resolve => {{ port.onmessage = event => resolve(event.data) }});
const ask = port => {{ port.postMessage('hello'); return answer(port) }};
window.dedicated = () => ask(new Worker('/worker.js'));
const blob = new Blob(["onmessage = event => postMessage('blob ' + event.data)"]);
window.fromBlob = () => ask(new Worker(URL.createObjectURL(blob)));
window.shared = () => ask(new SharedWorker('/shared.js').port);
window.service = async () => {{
  await navigator.serviceWorker.register('/service.js'); await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller)
    await new Promise(resolve => {{ navigator.serviceWorker.oncontrollerchange = resolve }});
  return (await fetch('/made-up')).text() }};
</script>"""

_SERVICE = """
self.oninstall = () => self.skipWaiting(); self.onactivate = event => event.waitUntil(self.clients.claim());
self.onfetch = event => {
  if (new URL(event.request.url).pathname === '/made-up') event.respondWith(new Response('from the service worker')) };
"""

_SCRIPT = {"Content-Type": "text/javascript"}


def add_pages(sites: Sites) -> None:
    """Add them, with frames that lead to the other site."""
    sites.pages.update(
        {
            "/plain": _PLAIN,
            "/next": f"{_HEAD}<title>Next</title>",
            "/first": f"{_UNCACHED}<title>First</title>",
            "/second": f"{_UNCACHED}<title>Second</title>",
            "/form": _FORM,
            "/echo": _echo,
            "/inner": _INNER,
            "/middle": f"{_HEAD}<title>Middle</title>{iframe(sites.local('/inner'), 'deep')}",
            "/frames": f"{_HEAD}<title>Frames</title>{iframe(sites.remote('/inner'))}{iframe('/inner', 'local')}",
            "/nested": f"{_HEAD}<title>Nested</title>{iframe(sites.remote('/middle'))}",
            "/staying": _STAYING,
            "/early": _EARLY,
            "/files": _FILES,
            "/download": _DOWNLOAD,
            "/note.txt": Response("a note", headers={"Content-Disposition": 'attachment; filename="note.txt"'}),
            "/logging": _LOGGING,
            "/workers": _WORKERS,
            "/worker.js": Response("onmessage = event => postMessage('worker ' + event.data)", headers=_SCRIPT),
            "/shared.js": Response(
                "onconnect = ({ports: [port]}) => port.onmessage = event => port.postMessage('shared ' + event.data)",
                headers=_SCRIPT,
            ),
            "/service.js": Response(_SERVICE, headers=_SCRIPT),
            "/cached": f"{_HEAD}<title>Cached</title><script src=/cached.js></script>",
            "/cached.js": Response("window.cached = true", headers={**_SCRIPT, "Cache-Control": "max-age=600"}),
            "/count": lambda _: str(sum(request.path == "/cached.js" for request in sites.requests)),
            "/data.json": Response('{"from": "server"}', headers={"Content-Type": "application/json"}),
            "/headers": lambda request: Response(json.dumps({"x-probe": request.headers.get("x-probe", "")})),
            "/cookies": lambda request: Response(request.headers.get("cookie", "")),
            "/set-cookie": lambda request: Response(_HEAD, headers={"Set-Cookie": f"{request.query}; Path=/"}),
            "/moved": Response(status=302, headers={"Location": sites.remote("/next")}),
            "/members": _members,
        }
    )


def _echo(request: Request) -> Response:
    return Response(f"{_HEAD}<title>Echo</title><pre id=sent>{request.body.decode()}</pre>")


def _members(request: Request) -> Response:
    wanted = "Basic " + base64.b64encode(b"ada:lovelace").decode()
    if request.authorization == wanted:
        return Response(f"{_HEAD}<title>Members</title>")
    return Response("who are you?", 401, {"WWW-Authenticate": 'Basic realm="members"'})
