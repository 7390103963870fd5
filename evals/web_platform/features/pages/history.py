"""Going from document to document: history, fragments, the back/forward cache, reloads, redirects."""

from __future__ import annotations

from evals.web_platform.feature import Feature, Held, page
from tests.support.servers.sites import Response

CACHED = {"Cache-Control": "max-age=0"}
"""A page that may be kept in the back/forward cache."""
RULES = """
need(HTMLScriptElement.supports('speculationrules'), 'speculation rules');
const speculate = rules =>
  element('script', {type: 'speculationrules', textContent: JSON.stringify(rules)}, document.head);
"""


def redirect(status: int, place: str) -> Response:
    return Response(status=status, headers={"Location": place})


FEATURES = (
    Feature(
        "history_push_and_back",
        """
        const before = history.length;
        history.pushState({number: 1}, '', 'first');
        history.pushState({number: 2}, '', 'second');
        same([history.state.number, history.length - before, location.pathname.split('/').at(-1)], [2, 2, 'second']);
        const event = await once(window, 'popstate', () => history.back());
        same([event.state.number, location.pathname.split('/').at(-1)], [1, 'first']);
        await once(window, 'popstate', () => history.go(-1));
        history.replaceState('replaced', '');
        same(history.state, 'replaced');
        """,
    ),
    Feature(
        "history_of_fragments",
        """
        await loaded();
        const event = await once(window, 'hashchange', () => location.hash = 'there');
        same([new URL(event.newURL).hash, document.querySelector(':target').id], ['#there', 'there']);
        same(scrollY > 0, true);
        await once(window, 'hashchange', () => history.back());
        same(location.hash, '');
        """,
        html='<div style="height: 3000px"></div><p id="there">There</p><div style="height: 3000px"></div>',
    ),
    Feature(
        "history_across_documents",
        """
        await loaded();
        let finish;
        const end = new Promise(resolve => finish = resolve);
        const proceed = () => {
          const been = sessionStorage.been = (sessionStorage.been ?? '') + step;
          if (been === '0') location.href = '?step=1';
          if (been === '01') history.back();
          if (been === '010') history.forward();
          if (been === '0101') finish();
        };
        addEventListener('pageshow', event => event.persisted && proceed());
        proceed();
        await wait('the way there, back and there again', end);
        """,
        headers={"Cache-Control": "no-store"},
    ),
    Feature(
        "history_from_the_cache",
        """
        if (step) {
          await loaded();
          history.back();
          await never;
        }
        const [{type, notRestoredReasons}] = performance.getEntriesByType('navigation');
        if (type === 'back_forward') tell(['loaded again', notRestoredReasons?.reasons ?? null]);
        await loaded();
        const shown = once(window, 'pageshow');
        location.href = '?step=1';
        same((await shown).persisted, true);
        """,
        headers=CACHED,
    ),
    Feature(
        "history_from_the_cache_of_another_site",
        """
        if (performance.getEntriesByType('navigation')[0].type === 'back_forward') tell('loaded again');
        await loaded();
        const shown = once(window, 'pageshow');
        location.href = elsewhere('back.html');
        same((await shown).persisted, true);
        """,
        headers=CACHED,
        files={"back.html": page("await loaded(); history.back()")},
    ),
    Feature(
        "history_of_a_frame",
        """
        await loaded();
        const inner = await frame({src: 'frame.html?1'});
        await sleep(0);
        const reached = once(inner, 'load');
        inner.contentWindow.location.href = 'frame.html?2';
        await reached;
        await once(inner, 'load', () => history.back());
        same(inner.contentWindow.location.search, '?1');
        """,
        files={"frame.html": page()},
    ),
    Feature(
        "history_scroll_restoration",
        """
        await loaded();
        scrollTo(0, 1000);
        history.pushState(1, '');
        scrollTo(0, 0);
        history.back();
        await until(() => scrollY === 1000);
        """,
        html='<div style="height: 5000px"></div>',
    ),
    Feature(
        "navigation_api",
        """
        need(window.navigation, 'navigation');
        await loaded();
        navigation.addEventListener('navigate', event => {
          if (event.canIntercept && event.destination.url.endsWith('/there')) event.intercept({async handler() {}});
        });
        const changed = once(navigation, 'currententrychange');
        await navigation.navigate('there', {state: 'kept', info: 'told'}).finished;
        same([navigation.currentEntry.getState(), (await changed).navigationType, navigation.canGoBack],
             ['kept', 'push', true]);
        await navigation.back().committed;
        same(location.pathname.endsWith('/there'), false);
        """,
    ),
    Feature(
        "navigation_event_of_a_navigation",
        """
        if (step) same(sessionStorage.seen, 'push false');
        need(window.navigation, 'navigation');
        if (step) return;
        navigation.addEventListener('navigate', event => {
          sessionStorage.seen = `${event.navigationType} ${event.userInitiated}`;
        });
        await go(1);
        """,
    ),
    Feature(
        "view_transition",
        """
        need(document.startViewTransition, 'startViewTransition');
        document.head.append(Object.assign(document.createElement('style'), {
          textContent: '::view-transition-group(*) { animation-duration: 20ms }',
        }));
        const transition = document.startViewTransition(() => document.body.append('new'));
        await wait('the transition to be ready', transition.ready);
        await wait('its end', transition.finished);
        """,
    ),
    Feature(
        "view_transition_across_documents",
        """
        need(window.PageRevealEvent, 'pagereveal');
        if (step) same(await until(() => window.revealed), 'a transition');
        else await nextFrame(), await go(1);
        """,
        html="""
        <style>@view-transition { navigation: auto } ::view-transition-group(*) { animation-duration: 20ms }</style>
        <script>
        addEventListener('pagereveal', event => {
          window.revealed = event.viewTransition ? 'a transition' : 'no transition';
        });
        </script>
        """,
    ),
    Feature(
        "location_reload",
        """
        if (performance.getEntriesByType('navigation')[0].type === 'reload') return;
        await loaded();
        location.reload();
        await wait('the reload', never);
        """,
    ),
    Feature(
        "location_replace",
        """
        const before = Number(sessionStorage.length_before ?? history.length);
        if (step) return same(history.length, before);
        sessionStorage.length_before = before;
        await loaded();
        location.replace('?step=1');
        await wait('the next document', never);
        """,
    ),
    Feature(
        "location_of_another_site_and_back",
        """
        if (step) return same(document.referrer, 'http://127.0.0.1:' + location.port + '/');
        await loaded();
        location.href = elsewhere('back.html?') + encodeURIComponent(here('?step=1'));
        await wait('the way back', never);
        """,
        files={"back.html": page("await loaded(); location.href = decodeURIComponent(location.search.slice(1))")},
    ),
    Feature(
        "meta_refresh",
        """
        if (step) return;
        await loaded();
        element('meta', {httpEquiv: 'refresh', content: '0;url=?step=1'}, document.head);
        await wait('the refresh', never);
        """,
    ),
    Feature(
        "redirected_document",
        """
        if (step) return same(performance.getEntriesByType('navigation')[0].redirectCount, 2);
        location.href = 'moved';
        await wait('the redirected document', never);
        """,
        files={"moved": redirect(302, "moved-again"), "moved-again": redirect(307, "./?step=1")},
    ),
    Feature(
        "redirected_frame_of_another_site",
        """
        const inner = attach({src: elsewhere('moved')});
        same(await from(inner.contentWindow), '?arrived');
        """,
        files={
            "moved": redirect(302, "frame.html?arrived"),
            "frame.html": page("parent.postMessage(location.search, '*')"),
        },
    ),
    Feature(
        "document_without_content",
        """
        await loaded();
        location.href = 'none';
        await requested('none');
        await sleep(50);
        same(location.pathname.endsWith('/none'), false);
        """,
        files={"none": Response(status=204)},
    ),
    Feature(
        "document_that_is_not_there",
        """
        if (step) return same(document.referrer.endsWith('/missing.html'), true);
        location.href = 'missing.html';
        await wait('the way back', never);
        """,
        files={"missing.html": Response(page("location.href = './?step=1'"), status=404)},
    ),
    Feature(
        "window_stop",
        """
        const inner = attach({src: 'held.html'});
        await requested('held.html');
        window.stop();
        await more();
        same(inner.contentDocument?.title ?? '', '');
        """,
        files={"held.html": Held(("<p>first</p>", "<title>late</title>"), "text/html")},
    ),
    Feature(
        "window_name",
        "if (step) same(name, 'kept'); else window.name = 'kept', await go(1)",
    ),
    Feature(
        "referrer_policies",
        """
        const seen = [];
        for (const policy of ['no-referrer', 'origin', 'same-origin', 'unsafe-url'])
          seen.push(await wordOfFrame({src: elsewhere('frame.html'), referrerpolicy: policy}));
        same(seen, ['', location.origin + '/', '', location.href]);
        """,
        files={"frame.html": page("parent.postMessage(document.referrer, '*')")},
    ),
    Feature(
        "referrer_policy_of_a_header",
        "same(await wordOfFrame({src: 'frame.html'}), '')",
        headers={"Referrer-Policy": "no-referrer"},
        files={"frame.html": page("parent.postMessage(document.referrer)")},
    ),
    Feature(
        "document_request_headers",
        """
        if (!step) await go(1);
        const {headers} = (await requests('')).at(-1);
        tell(JSON.parse(JSON.stringify(headers).replaceAll(':' + location.port, ':PORT')));
        """,
    ),
    Feature(
        "navigation_timing",
        """
        await loaded();
        const entry = performance.getEntriesByType('navigation')[0];
        tell([entry.type, entry.redirectCount, entry.responseStatus, entry.nextHopProtocol, entry.deliveryType,
              entry.activationStart, entry.loadEventStart >= entry.domInteractive]);
        """,
    ),
    Feature(
        "speculation_rules_prefetch",
        RULES
        + """
        speculate({prefetch: [{source: 'list', urls: ['next.html'], eagerness: 'immediate'}]});
        const request = await Promise.race([requested('next.html'), sleep(8000)]);
        tell(request?.headers['sec-purpose'] ?? 'never');
        """,
        files={"next.html": page()},
    ),
    Feature(
        "speculation_rules_prerender",
        RULES
        + """
        if (step) {
          const entry = performance.getEntriesByType('navigation')[0];
          if (document.prerendering) await once(document, 'prerenderingchange');
          tell([entry.activationStart > 0, document.prerendering, document.visibilityState]);
        }
        await loaded();
        speculate({prerender: [{source: 'list', urls: ['?step=1'], eagerness: 'immediate'}]});
        await Promise.race([until(async () => (await requests('')).length > 1), sleep(8000)]);
        await sleep(100);
        location.href = '?step=1';
        await wait('the next step', never);
        """,
    ),
)
