// What happened, as two lists: the events, which are the timeline in words, and every input.

class Lists {
  /** `chosen(event, input)` is called for a row: an event or null, and its input. */
  constructor(report, filters, chosen) {
    Object.assign(this, { report, filters, chosen });
    this.mode = "events";
    this.list = new VirtualList(byId("rows"), {
      role: "listbox",
      label: "Events",
      rowHeight: 26,
      render: (made, row) => (this.mode === "events" ? this.renderEvent(made, row) : this.renderInput(made, row)),
      chosen: (row) => (this.mode === "events" ? chosen(row, null) : chosen(null, row)),
    });
    this.choose = tabList([byId("tab-events"), byId("tab-inputs")], (id) => this.show(id.slice(4)));
  }

  /** After the filters have changed. */
  filter() {
    this.events = this.filters.events();
    this.inputs = this.filters.inputs();
    const { report } = this;
    const counted = (name, shown, all) => (this.filters.isOn ? `${name} ${number(shown)}/${number(all)}` : `${name} ${number(all)}`);
    byId("tab-events").textContent = counted("Events", this.events.length, report.events.length);
    byId("tab-inputs").textContent = counted("Inputs", this.inputs.length, report.inputs.count);
    const none = this.filters.isOn && !this.events.length && !this.inputs.length;
    byId("found").textContent = none ? "Nothing matches" : "";
    this.redraw();
  }

  show(mode) {
    this.mode = mode;
    byId("rows").setAttribute("aria-labelledby", `tab-${mode}`);
    byId("lists").classList.toggle("is-inputs", mode === "inputs");
    this.list.box.setAttribute("aria-label", mode === "events" ? "Events" : "Inputs");
    if (this.events) this.redraw();
  }

  redraw() {
    this.list.show(this.mode === "events" ? this.events : this.inputs, this.place());
  }

  place() {
    const { input, event } = this;
    if (this.mode === "inputs") {
      const place = lastAtMost(this.inputs.length, (index) => this.inputs[index], input);
      return this.inputs[place] === input ? place : -1;
    }
    return event ? this.events.indexOf(event) : -1;
  }

  /** Marks where we are. */
  mark(input, event) {
    const isSame = this.input === input && this.event === event;
    Object.assign(this, { input, event });
    if (isSame || !this.events) return;
    this.list.mark(this.place());
    this.reveal();
  }

  /** Scrolls to where we are. */
  reveal() {
    const place = this.place();
    this.list.reveal(place < 0 && this.mode === "events" ? this.nearest() : place);
  }

  /** The last event that began at the current input or before. */
  nearest() {
    return lastAtMost(this.events.length, (index) => this.events[index].first, this.input);
  }

  /** The next event that is shown, or with -1 the one before; `grave` leaves out what is only information. */
  neighbour(step, grave = false) {
    const { events } = this;
    let place = this.event ? events.indexOf(this.event) : -1;
    if (place < 0) place = this.nearest() + (step < 0 ? 1 : 0);
    do place += step;
    while (grave && events[place] && RANK[events[place].severity] < RANK.warning);
    return events[place] ?? null;
  }

  renderEvent(made, event) {
    made.classList.add(`is-${event.severity}`);
    const lasting = event.isPoint ? "" : event.end === null ? "open" : duration(event.end - event.start);
    made.append(
      span("at", clock(event.start)),
      span(`kind kind-${event.kind}`, event.kind),
      RANK[event.severity] < RANK.warning ? "" : span("unseen", `${event.severity}: `),
      span("label", visible(event.label, 200)),
      span("note", visible(event.text, 160)),
      span("lasting", lasting),
    );
    made.title = visible([event.label, event.text].filter(Boolean).join("\n"), 600);
  }

  renderInput(made, index) {
    const { inputs } = this.report;
    made.classList.add(`is-${inputs.severity(index)}`);
    made.append(
      span("at", clock(inputs.at(index))),
      span("nr", number(index)),
      span(`kind kind-${inputs.kind(index)}`, inputs.kind(index)),
      span("label", visible(inputs.text(index), 200)),
      span("lasting", inputs.changes(index) ? "•" : ""),
    );
    made.title = visible(`${inputs.kind(index)} ${inputs.text(index)}`, 600);
  }
}
