// A list of any length of which only the rows in sight are elements. One element has the focus for all of them.

class VirtualList {
  /**
   * `role` is listbox or tree; `render(row, index)` returns the children of a row's element, or sets its attributes;
   * `chosen(index, how)` is called for a row that a click or a key makes the current one.
   */
  constructor(host, { role, label, rowHeight, render, chosen, key }) {
    Object.assign(this, { host, rowHeight, render, chosen, key, itemRole: role === "tree" ? "treeitem" : "option" });
    this.rows = [];
    this.current = -1;
    this.prefix = `${host.id}-row`;
    this.space = element("div", { class: "space", role: "presentation" });
    this.box = element("div", { class: "scroller", role, "aria-label": label, tabindex: 0 }, this.space);
    host.append(this.box);
    this.elements = new Map();
    this.redraw = onceAFrame(() => this.draw());
    this.box.addEventListener("scroll", this.redraw, { passive: true });
    this.box.addEventListener("click", (event) => this.clicked(event));
    this.box.addEventListener("keydown", (event) => this.pressed(event));
    new ResizeObserver(this.redraw).observe(this.box);
  }

  /** Shows other rows. `current` is the index of the row that is marked, or -1. */
  show(rows, current = -1, keepPlace = false) {
    this.rows = rows;
    this.current = current;
    this.space.style.height = `${rows.length * this.rowHeight}px`;
    for (const made of this.elements.values()) made.remove();
    this.elements.clear();
    if (!keepPlace) this.reveal(current);
    this.draw();
  }

  /** Marks a row and scrolls it into sight. */
  mark(index) {
    if (index === this.current && this.elements.has(index)) return;
    this.current = index;
    this.reveal(index);
    this.draw();
  }

  reveal(index) {
    if (index < 0) return;
    const top = index * this.rowHeight;
    const height = this.box.clientHeight;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top + this.rowHeight > this.box.scrollTop + height) {
      const far = top > this.box.scrollTop + 2 * height;
      this.box.scrollTop = far ? top - height / 2 : top + this.rowHeight - height;
    }
  }

  draw() {
    const height = this.box.clientHeight || 400;
    const first = Math.max(0, Math.floor(this.box.scrollTop / this.rowHeight) - 6);
    const last = Math.min(this.rows.length, Math.ceil((this.box.scrollTop + height) / this.rowHeight) + 6);
    for (const [index, made] of this.elements) {
      if (index >= first && index < last) continue;
      made.remove();
      this.elements.delete(index);
    }
    let before = null;
    for (let index = first; index < last; index++) {
      let made = this.elements.get(index);
      if (!made) {
        made = this.made(index);
        this.elements.set(index, made);
        if (before) before.after(made);
        else this.space.prepend(made);
      }
      attribute(made, "aria-selected", index === this.current);
      before = made;
    }
    const held = this.elements.get(this.current);
    attribute(this.box, "aria-activedescendant", held ? held.id : null);
  }

  made(index) {
    const made = element("div", { class: "row", role: this.itemRole, id: `${this.prefix}-${index}` });
    made.style.transform = `translateY(${index * this.rowHeight}px)`;
    made.style.height = `${this.rowHeight}px`;
    made.dataset.index = index;
    if (this.itemRole === "option") {
      made.setAttribute("aria-setsize", this.rows.length);
      made.setAttribute("aria-posinset", index + 1);
    }
    this.render(made, this.rows[index], index);
    return made;
  }

  clicked(event) {
    const row = event.target.closest(".row");
    if (row) this.choose(Number(row.dataset.index), "click", event);
  }

  choose(index, how, event) {
    if (index < 0 || index >= this.rows.length) return;
    this.mark(index);
    this.chosen(this.rows[index], index, how, event);
  }

  pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.rowHeight) - 1);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in moves) {
      const aim = this.current < 0 && moves[event.key] === 1 ? 0 : this.current + moves[event.key];
      this.choose(Math.min(this.rows.length - 1, Math.max(0, aim)), "key", event);
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose(this.current, "enter", event);
    } else if (!this.key || !this.key(event, this.rows[this.current], this.current)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
