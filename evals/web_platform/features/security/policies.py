"""Isolation and policies: COOP, COEP, CORP, CSP, Permissions Policy, Trusted Types."""

from __future__ import annotations

from evals.web_platform.feature import Feature, javascript, page
from tests.support.servers.sites import Response

ISOLATED = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}
PIXEL = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>'
IMAGE = """
const image = async url => {
  const picture = element('img');
  const end = Promise.race([once(picture, 'load'), once(picture, 'error')]);
  picture.src = url;
  return (await end).type;
};
"""
VIOLATION = """
// The icon of these pages has a data: address, which some of the policies forbid as well.
const violation = work => wait('a violation', new Promise(resolve => {
  document.addEventListener('securitypolicyviolation', event => {
    if (event.blockedURI !== 'data') resolve([event.effectiveDirective, event.disposition]);
  });
  work();
}));
"""


def csp(policy: str) -> dict[str, str]:
    return {"Content-Security-Policy": policy}


def svg(**headers: str) -> Response:
    return Response(
        PIXEL, headers={"Content-Type": "image/svg+xml", **{k.replace("_", "-"): v for k, v in headers.items()}}
    )


FEATURES = (
    Feature(
        "cross_origin_isolation",
        """
        same(crossOriginIsolated, true);
        const shared = new Int32Array(new SharedArrayBuffer(4)), worker = new Worker('worker.js');
        worker.postMessage(shared);
        same(await message(worker), 'timed-out');
        same(Atomics.load(shared, 0), 7);
        """,
        headers=ISOLATED,
        files={
            "worker.js": javascript(
                "onmessage = ({data}) => { Atomics.store(data, 0, 7); postMessage(Atomics.wait(data, 0, 7, 1)) }",
                Cross_Origin_Embedder_Policy="require-corp",
            )
        },
    ),
    Feature(
        "cross_origin_isolation_and_waiting",
        """
        const shared = new Int32Array(new SharedArrayBuffer(4)), worker = new Worker('worker.js');
        const waiting = Atomics.waitAsync(shared, 0, 0);
        worker.postMessage(shared);
        same(await wait('the notification', waiting.value), 'ok');
        """,
        headers=ISOLATED,
        files={
            "worker.js": javascript(
                "onmessage = ({data}) => { Atomics.store(data, 0, 1); Atomics.notify(data, 0) }",
                Cross_Origin_Embedder_Policy="require-corp",
            )
        },
    ),
    Feature(
        "cross_origin_isolation_and_resources",
        IMAGE + "same([await image(elsewhere('open.svg')), await image(elsewhere('plain.svg'))], ['load', 'error'])",
        headers=ISOLATED,
        files={"open.svg": svg(Cross_Origin_Resource_Policy="cross-origin"), "plain.svg": PIXEL},
    ),
    Feature(
        "cross_origin_isolation_and_frames",
        """
        same(await wordOfFrame({src: elsewhere('frame.html'), allow: 'cross-origin-isolated'}), true);
        await frame({src: elsewhere('refused.html')});
        """,
        headers=ISOLATED,
        files={
            "frame.html": Response(
                page("parent.postMessage(crossOriginIsolated, '*')"),
                headers={
                    "Cross-Origin-Embedder-Policy": "require-corp",
                    "Cross-Origin-Resource-Policy": "cross-origin",
                },
            ),
            "refused.html": page(),
        },
    ),
    Feature(
        "embedder_policy_credentialless",
        IMAGE + "tell([crossOriginIsolated, await image(elsewhere('plain.svg'))])",
        headers={**ISOLATED, "Cross-Origin-Embedder-Policy": "credentialless"},
        files={"plain.svg": PIXEL},
    ),
    Feature(
        "opener_policy_cuts_a_popup_off",
        """
        const channel = new BroadcastChannel('channel'), popup = popUp('popup.html');
        same(await message(channel), null);
        await until(() => popup.closed);
        """,
        headers={"Cross-Origin-Opener-Policy": "same-origin"},
        files={"popup.html": page("new BroadcastChannel('channel').postMessage(opener); close()")},
    ),
    Feature(
        "opener_policy_that_allows_popups",
        "same(await wordOfPopup(elsewhere('popup.html')), 'ready')",
        headers={"Cross-Origin-Opener-Policy": "same-origin-allow-popups"},
        files={"popup.html": page("opener.postMessage('ready', '*')")},
    ),
    Feature(
        "resource_policy",
        IMAGE + "same([await image(elsewhere('own.svg')), await image('own.svg')], ['error', 'load'])",
        files={"own.svg": svg(Cross_Origin_Resource_Policy="same-origin")},
    ),
    Feature(
        "csp_inline_script",
        VIOLATION
        + """
        const seen = await violation(() => element('script', {textContent: 'window.ran = true'}));
        same([seen, window.ran], [['script-src-elem', 'enforce'], undefined]);
        """,
        headers=csp("script-src 'self'"),
    ),
    Feature(
        "csp_eval",
        "same([await refusal(() => eval('1')), await refusal(() => new Function('1'))], ['EvalError', 'EvalError'])",
        headers=csp("script-src 'self'"),
    ),
    Feature(
        "csp_nonce",
        "same([window.named, window.unnamed], [true, undefined])",
        html="<script nonce='n1'>window.named = true</script><script>window.unnamed = true</script>",
        headers=csp("script-src 'self' 'nonce-n1'"),
    ),
    Feature(
        "csp_connect",
        VIOLATION
        + """
        same(await violation(() => fetch(elsewhere('echo?cors')).catch(() => {})), ['connect-src', 'enforce']);
        same(await violation(() => refusal(() => new WebSocket(WEBSOCKETS))), ['connect-src', 'enforce']);
        same((await requests('echo')).length, 0);
        """,
        headers=csp("connect-src 'self'"),
    ),
    Feature(
        "csp_frame",
        VIOLATION
        + """
        same(await violation(() => attach({src: elsewhere('frame.html')})), ['frame-src', 'enforce']);
        same([await wordOfFrame({src: 'frame.html'}), (await requests('frame.html')).length], ['ready', 1]);
        """,
        headers=csp("frame-src 'self'"),
        files={"frame.html": page("parent.postMessage('ready', '*')")},
    ),
    Feature(
        "csp_image_and_style",
        VIOLATION
        + """
        same(await violation(() => element('img').src = elsewhere('image.svg')), ['img-src', 'enforce']);
        same(await violation(() => element('style', {textContent: 'p {}'})), ['style-src-elem', 'enforce']);
        """,
        headers=csp("img-src 'self' data:; style-src 'self'"),
        files={"image.svg": PIXEL},
    ),
    Feature(
        "csp_worker",
        VIOLATION
        + """
        same(await violation(() => refusal(() => new Worker('worker.js').onerror = event => event.preventDefault())),
             ['worker-src', 'enforce']);
        """,
        headers=csp("worker-src 'none'"),
        files={"worker.js": "postMessage('ran')"},
    ),
    Feature(
        "csp_report",
        """
        element('script', {textContent: 'window.ran = true'});
        const report = JSON.parse((await requested('reports')).body)['csp-report'];
        same([report['effective-directive'], report.disposition, window.ran], ['script-src-elem', 'report', true]);
        """,
        headers={"Content-Security-Policy-Report-Only": "script-src 'self'; report-uri reports"},
        files={"reports": ""},
    ),
    Feature(
        "csp_meta",
        VIOLATION + "same(await violation(() => element('img').src = 'image.svg'), ['img-src', 'enforce'])",
        html="""<meta http-equiv="Content-Security-Policy" content="img-src 'none'">""",
        files={"image.svg": PIXEL},
    ),
    Feature(
        "csp_sandbox",
        "same([origin, await refusal(() => localStorage)], ['null', 'SecurityError'])",
        headers=csp("sandbox allow-scripts"),
    ),
    Feature(
        "csp_of_everything",
        VIOLATION + "same(await violation(() => refusal(() => new WebSocket(WEBSOCKETS))), ['connect-src', 'enforce'])",
        headers=csp(
            "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        ),
    ),
    Feature(
        "trusted_types",
        """
        need(window.trustedTypes, 'trusted types');
        same(await refusal(() => document.body.innerHTML = '<p>'), 'TypeError');
        const policy = trustedTypes.createPolicy('policy', {createHTML: html => html});
        element('div').innerHTML = policy.createHTML('<i>allowed</i>');
        same([document.querySelector('i').textContent, await refusal(() => eval('1'))], ['allowed', 'EvalError']);
        """,
        headers=csp("require-trusted-types-for 'script'; trusted-types policy"),
    ),
    Feature(
        "permissions_policy",
        """
        same(['geolocation', 'sync-xhr', 'camera'].map(isAllowed), [false, false, true]);
        const request = new XMLHttpRequest();
        request.open('GET', 'echo', false);
        same(await refusal(() => request.send()), 'NetworkError');
        """,
        headers={"Permissions-Policy": "geolocation=(), sync-xhr=()"},
    ),
    Feature(
        "permissions_policy_of_a_frame",
        """
        same(await wordOfFrame({src: elsewhere('frame.html')}), false);
        same(await wordOfFrame({src: elsewhere('frame.html'), allow: 'geolocation'}), true);
        """,
        files={
            "frame.html": page("parent.postMessage(isAllowed('geolocation'), '*')"),
        },
    ),
    Feature(
        "document_policy",
        "tell(await refusal(() => document.write('<p>written</p>')))",
        headers={"Document-Policy": "document-write=?0"},
    ),
    Feature(
        "reporting_observer",
        """
        need(window.ReportingObserver, 'ReportingObserver');
        const reports = new Promise(resolve => new ReportingObserver(resolve, {types: ['csp-violation']}).observe());
        element('img').src = 'image.svg';
        tell((await wait('a report', reports)).map(({type}) => type));
        """,
        headers=csp("img-src 'none'"),
    ),
)
