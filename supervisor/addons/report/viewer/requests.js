// Every request that the recording has, over time, with the console beside it; and all errors in one list.

class Requests {
  /** `go(input, event)` is called for a line of the console or an error that is chosen. */
  constructor(report, go) {
    Object.assign(this, { report, go });
    this.current = null;
    this.list = new VirtualList(byId("request-rows"), {
      role: "listbox", label: "Requests", rowHeight: 26,
      render: (made, request) => this.render(made, request),
      chosen: (request) => this.mark(request),
    });
    this.console = this.eventList("console-rows", "Console");
    this.errors = this.eventList("error-rows", "Errors");
    const own = new Set(report.actions.filter(({ tool }) => tool === null).map(({ calls }) => report.calls[calls[0]].id));
    const lines = report.events.filter(({ kind }) => kind === "console");
    const errors = report.events.filter(({ kind, severity, detail }) => severity === "error" && kind !== "page" && (kind !== "call" || own.has(detail.id)));
    this.choose = tabList([byId("tab-console"), byId("tab-request")], (id) => this.showPane(id.slice(4)));
    byId("tab-console").textContent = `Console ${number(lines.length)}`;
    byId("view-requests").textContent = `Requests ${number(report.requests.length)}`;
    byId("view-errors").textContent = `Errors ${number(errors.length)}`;
    byId("no-requests").hidden = report.requests.length > 0;
    byId("no-errors").hidden = errors.length > 0;
    this.list.show(report.requests);
    this.console.show(lines);
    this.errors.show(errors);
    this.showPane("console");
  }

  eventList(id, label) {
    const made = (row, event) => {
      row.classList.add(`is-${event.severity}`);
      const isLine = event.kind === "console";
      row.append(
        span("at", clock(event.start)),
        span(`kind kind-${event.kind}`, isLine ? event.text : event.kind),
        span("label", visible(this.report.lineOf(event.action ? event.action.text : event.label), 300)),
        span("note", isLine ? "" : visible(this.report.lineOf(event.text), 160)),
      );
      row.title = visible(`${event.label}\n${event.text}`, 1000);
    };
    return new VirtualList(byId(id), { role: "listbox", label, rowHeight: 26, render: made, chosen: (event, _, how) => how !== "key" && this.go(event.first, event) });
  }

  mark(request) {
    this.current = request;
    this.choose("tab-request");
  }

  showPane(pane) {
    byId("console-rows").hidden = pane !== "console";
    byId("request").hidden = pane !== "request";
    if (pane === "request") this.fill();
  }

  fill() {
    const { current: one, report } = this;
    byId("copy-curl").hidden = !one;
    if (!one) return byId("request-facts").replaceChildren(element("p", { class: "calm", text: "Choose a request." }));
    const table = (entries) => element("dl", { class: "facts-list" }, ...entries.filter(([, value]) => value !== "" && value !== null && value !== undefined).flatMap(([name, value]) => [element("dt", { text: visible(name, 100) }), element("dd", { text: visible(String(value), 2000) })]));
    const part = (title, entries) => (entries.length ? [element("h3", { text: title }), table(entries)] : []);
    byId("request-facts").replaceChildren(
      element("h3", { text: visible(`${one.method} ${one.url}`, 2000) }),
      table([
        ["Status", this.outcome(one)], ["Type", [one.type, one.mime].filter(Boolean).join(" · ")], ["Asked for by", one.initiator],
        ["From", one.origin], ["Size", one.size === null ? "" : `${number(one.size)} bytes`], ["Began", clock(one.time / 1000)],
        ["Took", one.end === null ? "had not ended" : duration((one.end - one.time) / 1000)], ["Page", one.page && report.lineOf(one.page)],
      ]),
      ...part("Timing", Object.entries(one.timing).map(([name, value]) => [name, duration(value / 1000)])),
      ...part("Headers of the response", Object.entries(one.received)),
      ...part("Headers of the request", Object.entries(one.sent)),
    );
  }

  outcome(one) {
    return one.error || (one.status === null ? "no answer" : String(one.status));
  }

  render(made, one) {
    const isError = Boolean(one.error) || one.status >= 400;
    if (isError) made.classList.add("is-error");
    const whole = Math.max(this.report.duration * 1000, 1);
    const end = one.end ?? whole;
    const bar = element("i", { class: "wait" });
    const head = element("i", { class: "load" });
    bar.style.left = `${(100 * Math.min(one.time, whole)) / whole}%`;
    bar.style.width = `${(100 * Math.max(0, end - one.time)) / whole}%`;
    head.style.left = `${(100 * Math.min(one.answered ?? end, whole)) / whole}%`;
    head.style.width = `${(100 * Math.max(0, end - (one.answered ?? end))) / whole}%`;
    made.append(
      span("verb", visible(one.method, 10)), span("label", shortUrl(one.url, 120)), span("status", visible(this.outcome(one), 40)),
      span("sort", visible(one.type, 20)), span("lasting", one.end === null ? "open" : duration((one.end - one.time) / 1000)),
      element("span", { class: "fall" }, bar, head),
    );
    made.title = visible(`${one.method} ${one.url}\n${this.outcome(one)} · ${one.initiator}`, 1000);
  }
}

/** The request as a command line; secrets stay as marks, and pseudo headers and lengths are left to curl. */
function curlOf(request) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const headers = Object.entries(request.sent).filter(([name]) => !name.startsWith(":") && !/^(content-length|host)$/i.test(name));
  return ["curl", quoted(request.url), "-X", quoted(request.method), ...headers.flatMap(([name, value]) => ["-H", quoted(`${name}: ${value}`)])].join(" ");
}
