"""A script that tells what a frame saw of the mouse."""

from __future__ import annotations

from .hits import GROUP, IS_PART

WITNESS = f"""function() {{
    {IS_PART} {GROUP}
    const root = this.getRootNode(), inner = 'iframe, frame, object, embed, fencedframe';
    const isAround = [this, this.shadowRoot].some(node => node?.querySelector(inner)) || this.matches(inner);
    const every = () => [...root.querySelectorAll(CSS.escape(this.localName))], before = new WeakSet(every());
    const keyOf = node => [node.localName, node.type, node.name, node.textContent].join();
    const key = keyOf(this), presses = [];
    const present = () => this.isConnected ? this : every().find(node => !before.has(node) && keyOf(node) === key);
    const isOn = hit => hit !== null && (isPart(present() ?? this, hit) || isAimedAt(this, hit));
    let at = null, pressed = isAround ? 'inner document' : 'nothing', isHandled = false;
    const seen = {{}}, see = {{}};
    for (const event of ['move', 'down', 'up']) seen[event] = new Promise(done => {{ see[event] = done; }});
    const seeAll = () => Object.values(see).forEach(done => done());
    if (isAround) seeAll();
    const under = () => {{
        for (let hit = null, root = document; ; root = hit.shadowRoot) {{
            const deeper = root.elementFromPoint(at.clientX, at.clientY);
            if (!root.contains(deeper)) return hit;
            hit = deeper;
            if (!hit.shadowRoot) return hit;
        }}
    }};
    globalThis.witness?.end();
    const ending = new AbortController();
    const on = (kind, note) => addEventListener(kind, note, {{capture: true, signal: ending.signal}});
    on('pointermove', event => {{
        at = event;
        see.move();
    }});
    on('pointerdown', event => {{
        presses.push(event);
        if (presses.length === 1) pressed = !this.isConnected || isOn(event.composedPath()[0]) ? 'element' : 'another';
        see.down();
    }});
    on('pointerup', () => setTimeout(see.up));
    on('mousedown', event => {{ presses.push(event); }});
    on('gotpointercapture', () => {{ isHandled = true; }});
    on('click', event => {{ isHandled ||= isOn(event.composedPath()[0]); }});
    globalThis.witness = {{
        after: async (event, question) => {{
            await seen[event];
            return globalThis.witness?.[question]();
        }},
        isOver: () => isAround || !this.isConnected || (at !== null && isOn(under())),
        pressed: () => pressed,
        missed: () => {{
            const node = present();
            const isGone = !node?.getClientRects().length || node.matches(':disabled');
            const isDone = isHandled || isGone || presses.some(event => event.defaultPrevented);
            const isMissed = pressed === 'element' && !isDone;
            if (!isMissed) globalThis.witness.end();
            return isMissed;
        }},
        present,
        end: () => {{
            ending.abort();
            globalThis.witness = undefined;
            seeAll();
        }},
    }};
}}"""
"""A function: has the frame keep what it sees of the mouse from now on.

An element that was replaced is the new one that looks like it. A page that reacts to the press itself needs no click:
it prevents its default, captures the pointer, or removes, hides or disables the element. A press in an iframe reaches
only the document of the iframe. `after` answers a question when the frame has seen the mouse move, a button go down, or
what followed when it went up. The next witness, or a click that was not missed, ends this one.
"""
