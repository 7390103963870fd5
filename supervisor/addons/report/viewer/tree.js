// A tree of values in a virtual list. A node: path, name, text, note, value, change, and members() where it has any.

class Tree {
  constructor(host, label) {
    this.roots = [];
    this.opened = new Set();
    this.closed = new Set();
    this.onlyChanges = false;
    this.chosenPath = null;
    this.list = new VirtualList(host, {
      role: "tree",
      label,
      rowHeight: 24,
      render: (made, row) => this.render(made, row),
      chosen: (row, index, how, event) => this.take(row, how, event),
      key: (event, row) => this.pressed(event, row),
    });
  }

  show(roots) {
    this.roots = roots;
    this.flatten();
  }

  isOpen(node) {
    if (!node.members) return false;
    if (this.closed.has(node.path)) return false;
    if (this.opened.has(node.path)) return true;
    return node.isOpen || node.change?.kind === "inside";
  }

  flatten() {
    const rows = [];
    const add = (node, depth, above) => {
      if (this.onlyChanges && !node.change && !above) return;
      rows.push({ node, depth });
      const isWhole = above || (node.change && node.change.kind !== "inside");
      if (this.isOpen(node)) for (const member of node.members()) add(member, depth + 1, isWhole);
    };
    for (const root of this.roots) add(root, 0, false);
    const current = rows.findIndex(({ node }) => node.path === this.chosenPath);
    this.list.show(rows, current, true);
  }

  render(made, { node, depth }) {
    const isOpen = this.isOpen(node);
    const change = node.change?.kind;
    made.style.paddingLeft = `${6 + depth * 14}px`;
    made.setAttribute("aria-level", depth + 1);
    if (node.members) made.setAttribute("aria-expanded", isOpen);
    if (change) made.classList.add(`is-${change}`);
    const sign = { added: "+", removed: "−", changed: "~", inside: "•" }[change] ?? "";
    const spoken = { added: "added: ", removed: "gone: ", changed: "changed: ", inside: "changed inside: " }[change];
    made.append(
      element("span", { class: "twig", "aria-hidden": true, text: node.members ? (isOpen ? "▾" : "▸") : "" }),
      element("span", { class: "sign", "aria-hidden": true, text: sign }),
      ...(spoken ? [span("unseen", spoken)] : []),
      span("name", visible(node.name, 80)),
      ...(node.text !== undefined ? [this.text(node)] : []),
      ...(node.note ? [span("note", visible(node.note, 160))] : []),
    );
    if (change === "changed") {
      made.append(element("span", { class: "was" }, span("unseen", " was "), span("old", shortValue(node.change.before))));
    }
    made.title = visible(node.text === undefined ? node.name : String(node.text), 600);
  }

  text(node) {
    const cut = visible(String(node.text), LONG);
    const shown = span(`value type-${node.type ?? "text"}`, node.type === "string" ? `"${cut}"` : cut);
    if (node.whole !== undefined && node.whole.length > LONG) {
      shown.append(element("button", { type: "button", class: "more", tabindex: -1, text: "Show all" }));
    }
    return shown;
  }

  take(row, how, event) {
    this.chosenPath = row.node.path;
    const isMore = event.target instanceof Element && event.target.closest(".more");
    if (isMore || (how === "enter" && !row.node.members)) showWhole(row.node);
    else if (how === "enter" || (how === "click" && row.node.members)) this.toggle(row.node);
  }

  toggle(node, open = !this.isOpen(node)) {
    if (!node.members) return;
    (open ? this.closed : this.opened).delete(node.path);
    (open ? this.opened : this.closed).add(node.path);
    this.flatten();
  }

  pressed(event, row) {
    const { rows, current } = this.list;
    if (!row) return false;
    if (event.key === "ArrowRight") {
      if (row.node.members && !this.isOpen(row.node)) this.toggle(row.node, true);
      else if (row.node.members && rows[current + 1]) this.list.choose(current + 1, "key", event);
      return true;
    }
    if (event.key === "ArrowLeft") {
      if (this.isOpen(row.node)) this.toggle(row.node, false);
      else {
        const above = rows.findLastIndex((one, index) => index < current && one.depth < row.depth);
        if (above >= 0) this.list.choose(above, "key", event);
      }
      return true;
    }
    return false;
  }
}

function shortValue(value) {
  if (typeof value === "string") return `"${visible(value, 120)}"`;
  if (Array.isArray(value)) return plural(value.length, "item");
  if (isObject(value)) return visible(summaryOf(value), 120);
  return String(value);
}

/** A line that tells an object from others, from the fields that most of them have. */
function summaryOf(value) {
  const told = ["id", "type", "kind", "method", "name", "$", "url", "message", "text"];
  const parts = told.map((name) => value[name]).filter((part) => typeof part === "string" && part);
  return parts.slice(0, 3).map((part) => visible(part, 60)).join(" · ");
}

/** The node of a plain value. */
function valueNode(path, name, value, change = null) {
  if (typeof value === "string") return { path, name, text: value, whole: value, type: "string", change };
  if (!isObject(value)) return { path, name, text: String(value), whole: String(value), type: typeof value, change };
  const held = members(value);
  const gone = change?.kind === "inside" ? [...change.members].filter(([, inner]) => inner.kind === "removed") : [];
  const note = Array.isArray(value) ? plural(value.length, "item") : summaryOf(value);
  if (!held.size && !gone.length) return { path, name, text: Array.isArray(value) ? "[]" : "{}", type: "object", change };
  return { path, name, note, change, members: () => [
    ...[...held].map(([key, item]) => valueNode(`${path}/${key}`, key, item, inside(change, key))),
    ...gone.map(([key, inner]) => valueNode(`${path}/${key}`, key, inner.before, inner)),
  ] };
}

function inside(change, name) {
  return change?.kind === "inside" ? (change.members.get(name) ?? null) : null;
}
