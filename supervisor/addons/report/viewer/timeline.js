// The timeline: which part of the flight is in sight, and what a pointer or a key does to it.

const GUTTER = 148;

class Timeline {
  /** `chosen(event, seconds)` is called for an event, `moved(seconds)` for a moment that is pointed at. */
  constructor(report, lanes, { chosen, moved }) {
    Object.assign(this, { report, lanes, chosen, moved });
    this.whole = Math.max(report.duration, 0.001);
    this.from = 0;
    this.to = this.whole;
    this.time = 0;
    this.event = null;
    this.canvas = byId("timeline");
    this.ruler = byId("ruler");
    this.overview = byId("overview");
    this.box = byId("lanes");
    this.redraw = onceAFrame(() => this.draw());
    this.after = []; // what else shows the part in sight
    this.box.addEventListener("scroll", this.redraw, { passive: true });
    new ResizeObserver(() => this.resized()).observe(this.box);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.resized());
    this.listen();
  }

  resized() {
    this.colours = palette();
    this.width = this.box.clientWidth;
    this.left = this.width < 620 ? 0 : GUTTER;
    this.lanes.captions = this.left === 0;
    this.pictured = null;
    this.arranged();
  }

  /** After the lanes have changed. */
  arranged() {
    this.lanes.place();
    byId("lanes-size").style.height = `${this.lanes.height}px`;
    this.label();
    this.redraw();
  }

  label() {
    const host = byId("lane-labels");
    host.replaceChildren(
      ...this.lanes.lanes.map((lane) => {
        const isOpen = !this.lanes.closed.has(lane.key);
        const button = element(
          "button",
          {
            type: "button",
            class: `lane-label kind-${lane.kind}`,
            title: visible(lane.title || lane.label),
            "aria-expanded": lane.rows.length > 1 ? isOpen : null,
            "data-lane": lane.key,
            click: () => {
              this.lanes.toggle(lane.key);
              this.arranged();
              [...host.querySelectorAll("button")].find((made) => made.dataset.lane === lane.key)?.focus();
            },
          },
          span("lane-name", visible(lane.label, 80)),
          span("lane-count", number(lane.count)),
        );
        const item = element("li", {}, button);
        item.style.top = `${lane.top}px`;
        item.style.height = `${lane.height}px`;
        item.style.paddingLeft = `${lane.depth * 10}px`;
        return item;
      }),
    );
  }

  get scale() {
    const { from, to, left, width } = this;
    const wide = Math.max(1, width - left - 8);
    const x = (time) => left + ((time - from) / (to - from)) * wide;
    const time = (at) => from + ((at - left) / wide) * (to - from);
    return { from, to, left, width: wide, x, time, end: this.whole };
  }

  /** Shows a part of the flight, within its bounds. */
  look(from, to) {
    const wide = Math.min(this.whole, Math.max(to - from, Math.min(this.whole, 0.0005)));
    this.from = Math.min(Math.max(0, from), this.whole - wide);
    this.to = this.from + wide;
    this.redraw();
  }

  zoom(factor, around = this.time) {
    const middle = around >= this.from && around <= this.to ? around : (this.from + this.to) / 2;
    this.look(middle - (middle - this.from) * factor, middle + (this.to - middle) * factor);
  }

  pan(share) {
    const wide = this.to - this.from;
    this.look(this.from + share * wide, this.to + share * wide);
  }

  /** Marks a moment, and an event or none, and brings them into sight. */
  mark(time, event) {
    this.time = time;
    this.event = event;
    if (time < this.from || time > this.to) {
      const wide = this.to - this.from;
      this.look(time - wide / 2, time + wide / 2);
    }
    const place = event && this.lanes.whereIs(event);
    if (place) {
      const top = place.lane.first + place.row * ROW;
      if (top < this.box.scrollTop) this.box.scrollTop = Math.max(0, top - ROW);
      else if (top + ROW > this.box.scrollTop + this.box.clientHeight) {
        this.box.scrollTop = top + 2 * ROW - this.box.clientHeight;
      }
    }
    this.redraw();
  }

  draw() {
    if (!this.colours || !this.width) return;
    const { colours, width, scale } = this;
    const ruler = fresh(this.ruler, width, 20);
    const step = drawRuler(ruler, scale, width, 20, colours);
    const height = Math.max(1, this.box.clientHeight);
    const top = this.box.scrollTop;
    this.canvas.style.height = `${height}px`;
    const context = fresh(this.canvas, width, height);
    context.font = colours.font;
    context.textBaseline = "middle";
    context.save();
    context.beginPath();
    context.rect(scale.left, 0, width - scale.left, height);
    context.clip();
    drawGrid(context, scale, step, height, colours);
    context.translate(0, -top);
    for (const lane of this.lanes.lanes) {
      if (lane.top > top + height || lane.top + lane.height < top) continue;
      context.fillStyle = colours["line-soft"];
      context.fillRect(0, lane.top + lane.height - 1, width, 1);
      lane.rows.forEach((row, place) => {
        const y = lane.first + Math.min(place, lane.shown - 1) * ROW;
        drawRow(context, row, y, scale, colours, place === MOST_ROWS - 1);
      });
    }
    this.outline(context, scale, colours);
    context.restore();
    this.cursor(context, ruler, scale, height, colours);
    this.drawWhole(colours);
    for (const show of this.after) show(scale);
  }

  outline(context, scale, colours) {
    const place = this.event && this.lanes.whereIs(this.event);
    if (!place) return;
    const from = Math.max(scale.left - 4, scale.x(this.event.start));
    const until = Math.min(scale.left + scale.width + 8, scale.x(this.event.end ?? this.whole));
    context.strokeStyle = colours.accent;
    context.lineWidth = 2;
    context.beginPath();
    context.roundRect(from - 3, place.lane.first + place.row * ROW, Math.max(6, until - from + 5), ROW, 4);
    context.stroke();
    context.lineWidth = 1;
  }

  cursor(context, ruler, scale, height, colours) {
    const x = Math.round(scale.x(this.time));
    if (x < scale.left - 1 || x > scale.left + scale.width + 1) return;
    context.fillStyle = colours.accent;
    context.fillRect(x - 0.5, 0, 1.5, height);
    ruler.fillStyle = colours.accent;
    ruler.beginPath();
    ruler.roundRect(x - 4, 8, 8.5, 12, [2, 2, 5, 5]);
    ruler.fill();
  }

  /** The whole flight in small, with the part in sight. It is drawn once, and then copied. */
  drawWhole(colours) {
    const height = 30;
    if (!this.pictured) {
      this.pictured = document.createElement("canvas");
      const inner = Math.max(1, this.width - this.left - 8);
      drawOverview(fresh(this.pictured, inner, height), this.report, inner, height, colours);
    }
    const context = fresh(this.overview, this.width, height);
    const inner = this.width - this.left - 8;
    context.drawImage(this.pictured, this.left, 0, inner, height);
    const x = (time) => this.left + (time / this.whole) * inner;
    context.fillStyle = colours.ground;
    context.globalAlpha = 0.7;
    context.fillRect(this.left, 0, x(this.from) - this.left, height);
    context.fillRect(x(this.to), 0, this.left + inner - x(this.to), height);
    context.globalAlpha = 1;
    context.strokeStyle = colours.accent;
    context.strokeRect(x(this.from) + 0.5, 0.5, Math.max(2, x(this.to) - x(this.from) - 1), height - 1);
    context.fillStyle = colours.accent;
    context.fillRect(x(this.time) - 0.5, 0, 1.5, height);
  }

  // Pointers.

  listen() {
    for (const canvas of [this.canvas, this.ruler, this.overview]) {
      canvas.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
      canvas.addEventListener("pointerdown", (event) => this.pressed(event, canvas));
    }
    this.canvas.addEventListener("pointermove", (event) => this.hovered(event));
    this.canvas.addEventListener("pointerleave", () => (byId("tip").hidden = true));
  }

  wheeled(event) {
    const isZoom = event.ctrlKey || event.metaKey || (event.currentTarget !== this.canvas && !event.deltaX);
    const across = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
    if (isZoom && event.currentTarget === this.overview) this.zoom(Math.exp(event.deltaY / 300));
    else if (isZoom) this.zoom(Math.exp(event.deltaY / 300), this.scale.time(this.within(event).x));
    else if (across) this.pan(across / Math.max(1, this.width));
    else return;
    event.preventDefault();
  }

  within(event, canvas = this.canvas) {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top + this.box.scrollTop };
  }

  pressed(down, canvas) {
    if (down.button !== 0) return;
    const began = { x: down.clientX, from: this.from, to: this.to, isDrag: false };
    canvas.setPointerCapture(down.pointerId);
    const drag = (event) => {
      const away = event.clientX - began.x;
      if (Math.abs(away) > 3) began.isDrag = true;
      if (canvas === this.ruler) this.moved(this.clamped(this.scale.time(this.within(event).x)));
      else if (!began.isDrag) return;
      else if (canvas === this.overview) this.seek(event);
      else {
        const shift = (away / this.scale.width) * (began.to - began.from);
        this.look(began.from - shift, began.to - shift);
      }
    };
    const over = new AbortController();
    const stop = (event) => {
      over.abort();
      if (event.type === "pointercancel" || began.isDrag) return;
      if (canvas === this.overview) this.seek(event);
      else if (canvas === this.ruler) this.moved(this.clamped(this.scale.time(this.within(event).x)));
      else this.clicked(event);
    };
    canvas.addEventListener("pointermove", drag, over);
    canvas.addEventListener("pointerup", stop, over);
    canvas.addEventListener("pointercancel", stop, over);
  }

  clamped(time) {
    return Math.min(this.whole, Math.max(0, time));
  }

  /** A place in the overview: that moment comes into the middle. */
  seek(event) {
    const { x } = this.within(event, this.overview);
    const time = this.clamped(((x - this.left) / Math.max(1, this.width - this.left - 8)) * this.whole);
    const wide = this.to - this.from;
    this.look(time - wide / 2, time + wide / 2);
    this.moved(time);
  }

  under(event) {
    const { x, y } = this.within(event);
    const time = this.scale.time(x);
    const slop = (4 / this.scale.width) * (this.to - this.from);
    return { time, event: x >= this.left ? this.lanes.eventAt(time, y, slop) : null };
  }

  clicked(pointer) {
    this.canvas.focus({ preventScroll: true });
    const { time, event } = this.under(pointer);
    const at = this.clamped(time);
    const near = (5 / this.scale.width) * (this.to - this.from);
    const mark = event?.marks.find((one) => one.event && Math.abs(one.at - time) < near);
    if (!event) this.moved(at);
    else if (mark) this.chosen(mark.event, mark.at);
    else this.chosen(event, at > event.start && at < (event.end ?? this.whole) ? at : event.start);
  }

  hovered(pointer) {
    const tip = byId("tip");
    const { event, time } = pointer.buttons ? {} : this.under(pointer);
    tip.hidden = !event;
    this.canvas.style.cursor = event ? "pointer" : "";
    if (!event) return;
    const mark = event.marks.findLast((one) => one.at <= time);
    const lasting = event.end === null ? "open to the end" : duration(event.end - event.start);
    tip.replaceChildren(
      span("tip-label", visible(event.label, 160)),
      span("tip-text", `${clock(event.start)} · ${lasting}`),
      ...(event.text ? [span("tip-text", visible(event.text, 200))] : []),
      ...(mark ? [span("tip-text", `${clock(mark.at)} ${visible(mark.text, 160)}`)] : []),
    );
    const box = byId("flight").getBoundingClientRect();
    const x = Math.min(pointer.clientX - box.left + 12, Math.max(0, box.width - tip.offsetWidth - 8));
    tip.style.transform = `translate(${x}px, ${pointer.clientY - box.top + 16}px)`;
  }
}
