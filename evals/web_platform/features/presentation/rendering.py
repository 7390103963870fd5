"""Frames, observers, animations, scrolling, canvases."""

from __future__ import annotations

from evals.web_platform.feature import Feature

BOX = '<div id="box" style="width: 50px; height: 50px; background: red"></div>'
GET_BOX = "const box = document.getElementById('box');"
TALL = '<div style="height: 5000px"></div>'

FEATURES = (
    Feature(
        "animation_frames",
        """
        const times = [await nextFrame()];
        for (let count = 0; count < 10; count++) times.push(await nextFrame());
        tell(tempo(median(times.slice(1).map((time, index) => time - times[index]))));
        """,
    ),
    Feature(
        "idle_callback",
        """
        const idle = options => wait('an idle callback', new Promise(resolve => requestIdleCallback(resolve, options)));
        same(typeof (await idle()).timeRemaining(), 'number');
        await idle({timeout: 50});
        """,
    ),
    Feature(
        "intersection_observer",
        GET_BOX
        + """
        const seen = [];
        const observer = new IntersectionObserver(entries => seen.push(...entries.map(entry => entry.isIntersecting)));
        observer.observe(box);
        await until(() => seen.length === 1);
        box.style.marginTop = '9000px';
        await until(() => seen.length === 2);
        same(seen, [true, false]);
        """,
        html=BOX,
    ),
    Feature(
        "resize_observer",
        GET_BOX
        + """
        const widths = [];
        new ResizeObserver(([entry]) => widths.push(entry.contentRect.width)).observe(box);
        await until(() => widths.length === 1);
        box.style.width = '80px';
        await until(() => widths.length === 2);
        same(widths, [50, 80]);
        """,
        html=BOX,
    ),
    Feature(
        "mutation_observer",
        GET_BOX
        + """
        const records = new Promise(resolve =>
          new MutationObserver(resolve).observe(box, {attributes: true, childList: true, attributeOldValue: true}));
        box.id = 'other';
        box.append('text');
        same((await records).map(({type, oldValue}) => [type, oldValue]), [['attributes', 'box'], ['childList', null]]);
        """,
        html=BOX,
    ),
    Feature(
        "performance_observer",
        """
        const seen = new Promise(resolve => new PerformanceObserver(list => resolve(list.getEntries()))
          .observe({entryTypes: ['mark', 'measure']}));
        performance.mark('begin', {detail: 1});
        performance.measure('all', 'begin');
        same((await seen).map(({name, entryType}) => [name, entryType]), [['begin', 'mark'], ['all', 'measure']]);
        """,
    ),
    Feature(
        "performance_of_painting",
        """
        const names = [];
        new PerformanceObserver(list => names.push(...list.getEntries().map(({name}) => name)))
          .observe({type: 'paint', buffered: true});
        await until(() => names.includes('first-contentful-paint'));
        """,
        html="<p>Text</p>",
    ),
    Feature(
        "performance_of_the_largest_paint",
        """
        const [entry] = await wait('the largest paint', new Promise(resolve =>
          new PerformanceObserver(list => resolve(list.getEntries()))
            .observe({type: 'largest-contentful-paint', buffered: true})));
        same(entry.element.id, 'text');
        """,
        html='<p id="text" style="font-size: 50px">Text</p>',
    ),
    Feature(
        "performance_of_shifting_layout",
        GET_BOX
        + """
        const [entry] = await wait('a shift', new Promise(async resolve => {
          new PerformanceObserver(list => resolve(list.getEntries())).observe({type: 'layout-shift'});
          await nextFrame();
          await nextFrame();
          box.style.marginTop = '200px';
        }));
        same(entry.value > 0, true);
        """,
        html=BOX.replace("50px", "300px"),
    ),
    Feature(
        "performance_of_long_tasks",
        """
        const [entry] = await wait('a long task', new Promise(async resolve => {
          new PerformanceObserver(list => resolve(list.getEntries())).observe({type: 'longtask'});
          await sleep(0);
          for (const began = performance.now(); performance.now() - began < 80;);
        }));
        same(entry.name, 'self');
        """,
    ),
    Feature(
        "performance_of_resources",
        """
        await text('content.txt?resource');
        const [entry] = await until(() => {
          const entries = performance.getEntriesByName(here('content.txt?resource'));
          return entries.length && entries;
        });
        same([entry.initiatorType, entry.transferSize, entry.encodedBodySize, entry.responseStatus],
             ['fetch', 307, 7, 200]);
        """,
        files={"content.txt": "content"},
    ),
    Feature(
        "css_transition",
        GET_BOX
        + """
        box.getBoundingClientRect();  // without a first style there is no transition
        const heard = ['transitionrun', 'transitionstart', 'transitionend'].map(type => once(box, type));
        box.style.width = '80px';
        same((await Promise.all(heard)).map(({propertyName}) => propertyName), ['width', 'width', 'width']);
        """,
        html=BOX + "<style>#box { transition: width 30ms }</style>",
    ),
    Feature(
        "css_animation",
        GET_BOX
        + """
        // a browser that shows no frame during a whole iteration tells of none
        const heard = ['animationstart', 'animationiteration', 'animationend'].map(type => once(box, type));
        box.classList.add('animated');
        same((await Promise.all(heard)).map(({animationName}) => animationName), ['move', 'move', 'move']);
        """,
        html=BOX
        + "<style>.animated { animation: move 300ms 2 } @keyframes move { to { transform: translateX(50px) } }</style>",
    ),
    Feature(
        "web_animation",
        GET_BOX
        + """
        const animation = box.animate({opacity: [1, 0.5]}, {duration: 30, fill: 'forwards'});
        await wait('its end', animation.finished);
        same([animation.playState, getComputedStyle(box).opacity], ['finished', '0.5']);
        """,
        html=BOX,
    ),
    Feature(
        "scroll_driven_animation",
        GET_BOX
        + """
        need(window.ScrollTimeline, 'ScrollTimeline');
        box.animate({opacity: [0, 1]}, {timeline: new ScrollTimeline(), fill: 'both'});
        scrollTo(0, document.documentElement.scrollHeight);
        await until(() => getComputedStyle(box).opacity === '1');
        """,
        html=BOX + TALL,
    ),
    Feature(
        "scroll_events",
        """
        const scrolled = once(document, 'scroll');
        await once(document, 'scrollend', () => scrollTo(0, 500));
        await scrolled;
        same(scrollY, 500);
        await once(document, 'scrollend', () => scrollTo({top: 900, behavior: 'smooth'}));
        same(scrollY, 900);
        """,
        html=TALL,
    ),
    Feature(
        "scroll_snap",
        """
        const scroller = document.getElementById('scroller');
        scroller.scrollTop = 130;
        await until(() => scroller.scrollTop === 100);
        """,
        html='<div id="scroller" style="height: 100px; overflow: auto; scroll-snap-type: y mandatory">'
        + '<p style="height: 100px; margin: 0; scroll-snap-align: start"></p>' * 4
        + "</div>",
    ),
    Feature(
        "scroll_into_view_and_hit_test",
        GET_BOX
        + """
        box.scrollIntoView();
        const {left, top} = box.getBoundingClientRect();
        same(document.elementFromPoint(left + 5, top + 5).id, 'box');
        """,
        html=TALL + BOX + TALL,
    ),
    Feature(
        "content_visibility",
        """
        const hidden = document.getElementById('hidden');
        const states = [];
        hidden.addEventListener('contentvisibilityautostatechange', event => states.push(event.skipped));
        hidden.scrollIntoView();
        await until(() => states.at(-1) === false);
        """,
        html=TALL + '<div id="hidden" style="content-visibility: auto; height: 100px">Hidden</div>',
    ),
    Feature(
        "media_queries",
        """
        const queries = ['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)', '(hover: hover)', 'print',
                         '(pointer: fine)', '(forced-colors: active)', '(display-mode: browser)', '(update: fast)'];
        tell(queries.map(query => matchMedia(query).matches));
        """,
    ),
    Feature(
        "media_query_change",
        """
        const inner = attach({srcdoc: '', width: 200});
        await once(inner, 'load');
        const query = inner.contentWindow.matchMedia('(min-width: 300px)');
        await once(query, 'change', () => inner.width = 400);
        same(query.matches, true);
        """,
    ),
    Feature(
        "container_query",
        GET_BOX
        + """
        const inner = document.getElementById('inner');
        same(getComputedStyle(inner).color, 'rgb(0, 0, 0)');
        box.style.width = '300px';
        same(getComputedStyle(inner).color, 'rgb(255, 0, 0)');
        """,
        html="""<style>
        #box { container-type: inline-size } @container (min-width: 200px) { #inner { color: red } }
        </style><div id="box" style="width: 50px"><p id="inner">Text</p></div>""",
    ),
    Feature(
        "window_geometry",
        """
        tell([innerWidth, innerHeight, outerWidth, outerHeight, devicePixelRatio, screen.width, screen.height,
              screen.availWidth, screen.colorDepth, visualViewport.scale, screenX, screenY, screen.orientation.type]);
        """,
    ),
    Feature(
        "canvas_2d",
        """
        const canvas = element('canvas'), context = canvas.getContext('2d');
        context.fillStyle = 'lime';
        context.fillRect(0, 0, 10, 10);
        same([...context.getImageData(5, 5, 1, 1).data], [0, 255, 0, 255]);
        const blob = await wait('the blob', new Promise(resolve => canvas.toBlob(resolve)));
        same([blob.type, (await createImageBitmap(blob)).width], ['image/png', 300]);
        """,
    ),
    Feature(
        "canvas_text",
        """
        const context = element('canvas').getContext('2d');
        context.font = '20px sans-serif';
        tell([Math.round(context.measureText('Text').width), document.fonts.status]);
        """,
    ),
    Feature(
        "canvas_offscreen",
        """
        const canvas = new OffscreenCanvas(10, 10), context = canvas.getContext('2d');
        context.fillStyle = 'blue';
        context.fillRect(0, 0, 10, 10);
        const bitmap = await createImageBitmap(await canvas.convertToBlob());
        const copy = element('canvas').getContext('2d');
        copy.drawImage(bitmap, 0, 0);
        same([...copy.getImageData(5, 5, 1, 1).data], [0, 0, 255, 255]);
        """,
    ),
    *(
        Feature(
            name,
            f"""
            const context = element('canvas').getContext('{kind}');
            need(context, '{kind}');
            context.clearColor(0, 1, 0, 1);
            context.clear(context.COLOR_BUFFER_BIT);
            const pixel = new Uint8Array(4);
            context.readPixels(0, 0, 1, 1, context.RGBA, context.UNSIGNED_BYTE, pixel);
            same([...pixel], [0, 255, 0, 255]);
            """,
        )
        for name, kind in (("webgl", "webgl"), ("webgl_2", "webgl2"))
    ),
    Feature(
        "webgpu",
        "tell(navigator.gpu ? await refusal(async () => (await navigator.gpu.requestAdapter()).info) : 'absent')",
    ),
)
