"""Scripts that tell what the mouse hits, and scroll to where it hits an element."""

from __future__ import annotations

IS_PART = """
const above = node => node.assignedSlot || node.parentNode || node.host;
const targetOf = element => {
    const control = 'a[href], button, label, summary, [role], [tabindex]';
    const isThrough = node => node instanceof Element && getComputedStyle(node).pointerEvents === 'none';
    if (element.nodeName.startsWith('::')) return element.parentNode;
    let node = element;
    while (isThrough(node) && !node.matches(control)) node = above(node);
    return node !== element && !isThrough(node) && node.closest?.(control) || element;
};
const isClear = node => {
    const {backgroundColor, backgroundImage} = getComputedStyle(node);
    return node.localName === 'div' && !node.innerText.trim() && backgroundImage === 'none'
        && ['transparent', 'rgba(0, 0, 0, 0)'].includes(backgroundColor);
};
const isOnGraphic = (element, hit) => {
    const area = node => node.getBoundingClientRect().width * node.getBoundingClientRect().height;
    const isSmall = node => area(node) <= 2 * area(element);
    if (!element.matches('canvas, svg, img, video') || !(hit instanceof Element)) return false;
    let node = hit;
    while (node instanceof Element && !node.contains(element) && isClear(node) && isSmall(node)) node = above(node);
    return node !== hit && node.contains(element) && isSmall(node);
};
const isUnpainted = shape => {
    const {opacity, fill, fillOpacity, stroke, strokeOpacity} = getComputedStyle(shape);
    const isClear = (paint, share) => share === '0' || ['none', 'transparent', 'rgba(0, 0, 0, 0)'].includes(paint);
    return opacity === '0' || (isClear(fill, fillOpacity) && isClear(stroke, strokeOpacity));
};
const isClipped = field => [field, field.parentElement].some(node => {
    const {width, height} = node?.getBoundingClientRect() ?? {};
    return (width < 5 || height < 5) && (node === field || getComputedStyle(node).overflow === 'hidden');
});
const isDrawnFor = (field, hit) => {
    const isUnseen = getComputedStyle(field).opacity === '0' || isClipped(field);
    const isBelow = field.matches(isUnseen ? 'input, select' : 'input[role=combobox][readonly]');
    const isAlone = node => node.querySelectorAll('a[href], button, input, select, textarea').length === 1;
    let around = field.parentElement;
    for (let level = 0; isBelow && level < 3 && !around?.contains(hit); level++) around = around?.parentElement;
    if (!isBelow || !around?.contains(hit) || hit === field.parentElement) return false;
    const other = hit instanceof Element && hit.closest('a[href], button, input, [role], [tabindex], [onclick]');
    return (around === field.parentElement || isAlone(around)) && (other === around || !around.contains(other));
};
const isPart = (element, hit) => {
    const target = targetOf(element);
    for (let node = hit; node; node = above(node)) {
        if (node === target || (node instanceof HTMLLabelElement && node.control === element)) return true;
    }
    if (element.localName === 'area' && hit.useMap === `#${element.closest('map')?.name}`) return true;
    const hostOf = node => {
        const root = node.getRootNode();
        return root instanceof ShadowRoot && root.host;  // of a link in no document it would be a text
    };
    for (let host = hostOf(element); host; host = hostOf(host)) if (host === hit) return true;
    const isOverText = hit instanceof SVGGeometryElement && element.matches('text') && isUnpainted(hit);
    if (isOverText && element.ownerSVGElement === hit.ownerSVGElement) return true;
    const isUnder = hit instanceof HTMLElement && getComputedStyle(hit).opacity === '0' && isDrawnFor(hit, element);
    return isOnGraphic(element, hit) || isDrawnFor(element, hit) || isUnder;
};
"""
"""A script: whether a click on `hit` is a click on an element: on a descendant, on its label, or on the button whose
text it is when it lets the mouse through.

Chromium names the host of a shadow tree where text lies that the tree shows in a slot. Over the canvas of a grid or a
map lies an empty element that takes the mouse, over the texts of a diagram a shape that nobody sees, and over a field
what the page draws in its place, or below it where it is not seen itself.
"""

GROUP = """
const shapeOf = node => node?.nodeType === Node.TEXT_NODE ? node.parentNode : node;
const groupOf = (element, hit) => {
    const group = element.parentNode;
    return group?.localName === 'g' && the(shapeOf(hit))?.parentNode === group ? group : null;
};
const isHand = node => getComputedStyle(node).cursor === 'pointer';
const isHandOf = group => isHand(group) && !isHand(group.parentNode);
const isAimedAt = (element, hit) => globalThis.aimedAt !== undefined && globalThis.aimedAt === groupOf(element, hit);
"""
"""A script: the group of an SVG that two shapes are in, and whether it was found to take the clicks on them."""

UNCOVER = f"""function([at, within]) {{
    {IS_PART}
    const root = document.scrollingElement, boxes = [];
    for (let node = above(this); node; node = above(node)) {{
        if (!(node instanceof Element) || node === document.body || node === root) continue;
        const {{overflowX, overflowY}} = getComputedStyle(node), isBox = /auto|scroll/.test(overflowX + overflowY);
        if (isBox && (node.scrollHeight > node.clientHeight || node.scrollWidth > node.clientWidth)) boxes.push(node);
    }}
    boxes.splice(2);
    if (root) boxes.push(root);
    const sides = box => {{
        if (box === root) return {{left: 0, top: 0, right: innerWidth, bottom: innerHeight}};
        const {{left, top}} = box.getBoundingClientRect(), x = left + box.clientLeft, y = top + box.clientTop;
        return {{left: x, top: y, right: x + box.clientWidth, bottom: y + box.clientHeight}};
    }};
    const point = () => {{
        const all = this.getBoundingClientRect();
        if (within) return [all.left + this.clientLeft + within[0], all.top + this.clientTop + within[1]];
        if (at) return [all.left + at[0] * all.width + at[2], all.top + at[1] * all.height + at[3]];
        const every = [...boxes.map(sides), all];
        const most = name => Math.max(...every.map(side => side[name]));
        const least = name => Math.min(...every.map(side => side[name]));
        return [(most('left') + least('right')) / 2, (most('top') + least('bottom')) / 2];
    }};
    const isFree = () => {{
        const [x, y] = point();
        let hit = document.elementFromPoint(x, y);
        for (let inner; (inner = hit?.shadowRoot?.elementFromPoint(x, y)) && inner !== hit;) hit = inner;
        return hit && (within ? hit === this : isPart(this, hit));
    }};
    const put = (box, across, down) => {{
        const own = this.getBoundingClientRect(), {{left, top, right, bottom}} = sides(box);
        const x = own.left - left - across * (right - left - own.width);
        const y = own.top - top - down * (bottom - top - own.height);
        box.scrollBy({{left: x, top: y, behavior: 'instant'}});
    }};
    const shares = [0.5, 0, 1], ways = [[]];
    for (const _ of boxes) ways.push(...ways.splice(0).flatMap(way => shares.map(share => [...way, share])));
    for (const isDown of [true, false]) for (const way of ways) {{
        boxes.forEach((box, number) => put(box, isDown ? 0.5 : way[number], isDown ? way[number] : 0.5));
        if (isFree()) return true;
    }}
    for (const box of boxes) put(box, 0.5, 0.5);
    return false;
}}"""
"""A function: scrolls the two boxes around an element, and its document, to where the mouse hits it: in the middle, at
the start or at the end of each. `at` is a place of the element, `within` a point in it, if it is an iframe. False if it
is nowhere free; then it is in the middle."""

IS_DISABLED = """function() {
    if (this.matches?.(':disabled')) return true;
    for (let node = this; node; node = node.parentElement || the(node.parentNode)?.host) {
        const said = node.getAttribute?.('aria-disabled') ?? null;
        if (said !== null) return said === 'true';
    }
    return false;
}"""
"""A function: true when the element, or what is around it, says that it is disabled (as ARIA inherits it)."""

FREE = f"""function() {{
    {IS_PART}
    const whole = 'a[href], button, summary, [tabindex], [role=treeitem], [role=option], [role=row], [role=menuitem]';
    const part = `${{whole}}, select, [role=button], [role=link], [role=checkbox], [role=radio], [role=switch],
        input[type=checkbox], input[type=radio], input[type=button], input[type=submit]`;
    const root = this.getRootNode(), {{innerWidth, innerHeight}} = window, rects = [...this.getClientRects()];
    const isSeen = ({{left, top, right, bottom, width, height}}) => width > 2 && height > 2
        && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
    const box = rects.find(isSeen) || rects[0] || this.getBoundingClientRect();  // of a link over two lines the first
    const at = (x, y) => root.elementFromPoint(x, y);
    const isFree = node => {{
        for (; node && node !== this; node = node.parentElement) if (node.matches(part)) return false;
        return node === this;
    }};
    const left = Math.max(box.left, 0), top = Math.max(box.top, 0);
    const width = Math.min(box.right, innerWidth) - left, height = Math.min(box.bottom, innerHeight) - top;
    const middle = at(left + width / 2, top + height / 2);
    if (!box.width || !box.height) return null;  // what is shown of it has another box
    const isTaken = this.matches(whole) && this.contains(middle) && !isFree(middle);
    if (middle && isPart(this, middle) && !isTaken) return null;
    const share = this instanceof SVGElement ? 0.5 : 0;  // the browser counts strokes to its box, a script does not
    const from = [box.left + share * box.width, box.top + share * box.height];
    const place = (x, y) => this.contains(at(x, y)) && isFree(at(x, y)) ? [x - from[0], y - from[1], share] : null;
    const texts = document.createTreeWalker(this, NodeFilter.SHOW_TEXT), range = document.createRange();
    for (let look = 0; look < 50 && texts.nextNode(); look++) {{
        if (!texts.currentNode.data.trim()) continue;
        range.selectNodeContents(texts.currentNode);
        const [text] = range.getClientRects();
        const found = text && place(text.left + text.width / 2, text.top + text.height / 2);
        if (found) return found;
    }}
    const shapes = this instanceof SVGElement ? [this, ...this.querySelectorAll('*')] : [];
    for (const shape of shapes.filter(shape => shape instanceof SVGGeometryElement).slice(0, 20)) {{
        for (const part of [0.5, 0.25, 0.75, 0, 1]) {{
            const point = shape.getPointAtLength(part * shape.getTotalLength()), around = shape.getBoundingClientRect();
            const {{x, y}} = point.matrixTransform(shape.getScreenCTM());
            const found = place(x, y) || place(around.left + around.width / 2, around.top + around.height / 2);
            if (found) return found;
        }}
    }}
    for (const down of [0.5, 0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9]) {{
        for (const across of [0.5, 0.3, 0.7, 0.1, 0.9, 0.2, 0.8, 0.05, 0.95]) {{
            const found = place(left + width * across, top + height * down);
            if (found) return found;
        }}
    }}
    return null;
}}"""
"""A function: a place of the element that takes the mouse, and is in no other control in it, where its middle does not;
null where there is none, and where its middle does. Texts and shapes in it come before the room beside them."""
