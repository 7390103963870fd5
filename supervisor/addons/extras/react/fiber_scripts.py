"""The scripts that read React's fibers. They rely on names that React 16 to 19 give them, also in production builds."""

from __future__ import annotations

MOST = 300
"""The number of components, or boundaries, of one frame that are listed."""

_FIBERS = """
const COMPONENT = new Set([0, 1, 2, 11, 15]), HOST = new Set([5, 26, 27]), ROOT = 3, SUSPENSE = 13;
const function_of = ({tag, type}) => tag === 11 ? type?.render : tag === 15 ? type?.type ?? type : type;
const name_of = fiber => String(fiber.type?.displayName || function_of(fiber)?.displayName
    || function_of(fiber)?.name || 'Anonymous').replace(/\\s+/g, ' ').slice(0, 80);
const key_of = (object, ...starts) => Object.keys(object).find(key => starts.some(start => key.startsWith(start)));
const roots = () => {
    const found = new Set();
    const look = node => {
        const key = key_of(node, '__reactContainer$');
        const root = (key && node[key]?.stateNode) || node._reactRootContainer?._internalRoot;
        if (root?.current) found.add(root);
        if (node.shadowRoot) within(node.shadowRoot);
    };
    const within = top => { look(top); for (const node of top.querySelectorAll('*')) look(node); };
    within(document);
    return [...found];
};
const first_element = fiber => {
    for (let each = fiber; each;) {
        if (HOST.has(each.tag) && each.stateNode instanceof Element) return each.stateNode;
        if (each.child) { each = each.child; continue; }
        while (each !== fiber && !each.sibling) each = each.return;
        each = each === fiber ? null : each.sibling;
    }
    return null;
};
const walk = (fiber, visit, above = []) => {
    const inner = visit(fiber, above) ? [...above, fiber] : above;
    for (let child = fiber.child; child; child = child.sibling) walk(child, visit, inner);
};
"""

_PLAIN = """
const secrets = [...document.querySelectorAll('input[type=password]')].map(field => field.value).filter(Boolean);
const without = text => secrets.reduce((kept, secret) => kept.split(secret).join('(password)'), text);
let left = 1500;
const plain = (value, depth = 0) => {
    if (left-- <= 0) return '...';
    if (typeof value === 'string') return without(value).slice(0, 500);
    if (typeof value === 'function') return `function ${value.name}`.trim();
    if (typeof value !== 'object' || value === null)
        return ['number', 'boolean'].includes(typeof value) || value === null ? value : String(value);
    if (value instanceof Node) return `<${value.nodeName.toLowerCase()}>`;
    if (value.$$typeof) {
        const type = value.type?.displayName || value.type?.name || value.type;
        return `<${typeof type === 'string' ? type : 'element'}>`;
    }
    if (depth === 3) return Array.isArray(value) ? `Array(${value.length})` : 'Object';
    if (value instanceof Map || value instanceof Set) return plain([...value].slice(0, 21), depth);
    if (Array.isArray(value)) {
        const shown = value.slice(0, 20).map(each => plain(each, depth + 1));
        return value.length > 20 ? [...shown, `... ${value.length - 20} more`] : shown;
    }
    const own = Object.entries(Object.getOwnPropertyDescriptors(value)).filter(([, each]) => each.enumerable);
    const shown = own.slice(0, 30).map(([name, each]) =>
        [without(name), 'value' in each ? plain(each.value, depth + 1) : '(getter)']);
    return Object.fromEntries(own.length > 30 ? [...shown, ['...', `${own.length - 30} more`]] : shown);
};
const hook = ({memoizedState: state, queue}) => {
    if (queue && typeof queue === 'object' && 'getSnapshot' in queue) return ['store', plain(state)];
    if (queue && typeof queue === 'object' && 'dispatch' in queue) return ['state', plain(state)];
    if (Array.isArray(state) && state.length === 2 && (state[1] === null || Array.isArray(state[1])))
        return [typeof state[0] === 'function' ? 'callback' : 'memo', plain(state[0])];
    if (state && typeof state === 'object' && 'create' in state && 'deps' in state) return ['effect'];
    if (state && typeof state === 'object' && Object.keys(state).join() === 'current')
        return ['ref', plain(state.current)];
    return ['other', plain(state)];
};
const hooks_of = fiber => {
    const found = [];
    for (let each = fiber.memoizedState; each && typeof each === 'object' && 'next' in each && found.length < 50;
        each = each.next) found.push(hook(each));
    return found;
};
const contexts_of = fiber => {
    const found = [];
    for (let each = fiber.dependencies?.firstContext; each && found.length < 20; each = each.next)
        found.push([String(each.context?.displayName ?? ''), plain(each.memoizedValue, 1)]);
    return found;
};
"""

TREE = f"""(() => {{ {_FIBERS}
    const lines = [], nodes = [];
    let more = 0;
    const found = roots();
    for (const root of found) walk(root.current, (fiber, above) => {{
        if (!COMPONENT.has(fiber.tag)) return false;
        if (lines.length === {MOST}) return ++more > 0;
        const element = first_element(fiber);
        const key = fiber.key === null ? '' : String(fiber.key);
        lines.push([above.length, name_of(fiber), key, element ? nodes.length : -1]);
        if (element) nodes.push(element);
        return true;
    }});
    return {{plain: {{roots: found.length, lines, more}}, nodes}};
}})()"""
"""An expression: the components of a document, outer ones first, and their first elements."""

BOUNDARIES = f"""(() => {{ {_FIBERS}
    const waiting = [], shown = [], nodes = [];
    const found = roots();
    for (const root of found) walk(root.current, (fiber, above) => {{
        if (fiber.tag === SUSPENSE) {{
            const state = fiber.memoizedState;
            const is = state === null ? 'content' : state.dehydrated ? 'not hydrated' : 'fallback';
            const element = first_element(fiber), owner = above.length ? name_of(above.at(-1)) : '';
            const name = String(fiber.memoizedProps?.name ?? '');
            (state === null ? shown : waiting).push([is, owner, name, element ? nodes.length : -1]);
            if (element) nodes.push(element);
        }}
        return COMPONENT.has(fiber.tag);
    }});
    const lines = [...waiting, ...shown];
    return {{plain: {{roots: found.length, lines: lines.slice(0, {MOST}), more: Math.max(0, lines.length - {MOST})}},
        nodes}};
}})()"""
"""An expression: the boundaries of a document, those that wait first."""

COMPONENTS = f"""function() {{ {_FIBERS} {_PLAIN}
    const starts = ['__reactFiber$', '__reactInternalInstance$'];
    let element = this instanceof Element ? this : this.parentElement;
    while (element && !key_of(element, ...starts))
        element = element.parentElement ?? element.parentNode?.host ?? null;
    if (!element) return null;
    let top = element[key_of(element, ...starts)];
    while (top.return) top = top.return;
    let path = null;
    const look = (fiber, above) => {{
        if (path === null && fiber.stateNode === element) path = above;
        return path === null;
    }};
    if (top.tag === ROOT) walk(top.stateNode.current, look);
    if (path === null) return null;
    const outward = [...path].reverse(), own = [];
    let at = outward.findIndex(fiber => COMPONENT.has(fiber.tag));
    for (; at >= 0 && at < outward.length && !HOST.has(outward[at].tag); at++)
        if (COMPONENT.has(outward[at].tag)) own.push(outward[at]);
    const above = at < 0 ? [] : outward.slice(at).filter(fiber => COMPONENT.has(fiber.tag)).map(name_of);
    return {{above: above.slice(0, 50), components: own.slice(0, 20).map(fiber => ({{
        name: name_of(fiber), key: fiber.key === null ? '' : String(fiber.key), props: plain(fiber.memoizedProps),
        state: fiber.tag === 1 ? plain(fiber.memoizedState) : null,
        hooks: fiber.tag === 1 ? [] : hooks_of(fiber), contexts: contexts_of(fiber)}}))}};
}}"""
"""A function of an element: the components that put it where it is, the nearest first, up to the next element."""

RECORD = f"""(() => {{ {_FIBERS}
    const counts = new Map(), began = performance.now(), watched = roots();
    let commits = 0;
    const differ = (before, now) => {{
        const names = new Set([...Object.keys(before ?? {{}}), ...Object.keys(now ?? {{}})]);
        return [...names].filter(name => !Object.is(before?.[name], now?.[name]));
    }};
    const causes = (before, now) => {{
        const found = differ(before.memoizedProps, now.memoizedProps).slice(0, 20).map(name => `prop ${{name}}`);
        if (now.tag === 1) {{
            if (before.memoizedState !== now.memoizedState) found.push('state');
        }} else for (let old = before.memoizedState, each = now.memoizedState; old && each && 'next' in each;
            old = old.next, each = each.next)
            if (each.queue && !Object.is(old.memoizedState, each.memoizedState)) {{ found.push('state'); break; }}
        for (let old = before.dependencies?.firstContext, each = now.dependencies?.firstContext; old && each;
            old = old.next, each = each.next)
            if (!Object.is(old.memoizedValue, each.memoizedValue)) {{ found.push('context'); break; }}
        return found.length ? found : ['parent'];
    }};
    const took = fiber => typeof fiber.actualDuration === 'number' ? fiber.actualDuration : 0;
    const count = (fiber, before) => {{
        const name = name_of(fiber), kept = counts.get(name) ?? {{name, mounts: 0, renders: 0, ms: 0, causes: {{}}}};
        counts.set(name, kept);
        if (!before) kept.mounts++;
        else {{
            kept.renders++;
            for (const cause of causes(before, fiber)) kept.causes[cause] = (kept.causes[cause] ?? 0) + 1;
        }}
        kept.ms += took(fiber);
    }};
    const compare = (fiber, before) => {{
        // React marks in a flag what it has called in this render.
        if (COMPONENT.has(fiber.tag) && (!before || ((fiber.flags ?? fiber.effectTag) & 1))) count(fiber, before);
        if (before && before.child === fiber.child) return;
        for (let child = fiber.child; child; child = child.sibling)
            compare(child, before ? child.alternate : null);
    }};
    const restore = watched.map(root => {{
        let current = root.current;
        const set = next => {{
            const before = current;
            current = next;
            try {{ commits++; compare(next, before); }} catch {{}}
        }};
        Object.defineProperty(root, 'current', {{configurable: true, enumerable: true, get: () => current, set}});
        return () => Object.defineProperty(root, 'current',
            {{configurable: true, enumerable: true, writable: true, value: current}});
    }});
    return {{roots: watched.length, stop: () => {{
        for (const each of restore) each();
        return {{commits, seconds: (performance.now() - began) / 1000, components: [...counts.values()]}};
    }}}};
}})()"""
"""An expression: it begins to count renders (React sets `current` of a root at each commit), and gives the object whose
`stop` ends that and gives the counts."""
