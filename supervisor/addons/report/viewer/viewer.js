// The moment that is looked at, and all that shows it.

class Viewer {
  constructor(report) {
    this.report = report;
    this.input = 0;
    this.event = null;
    this.filters = new Filters(report);
    this.lanes = new Lanes(report);
    this.timeline = new Timeline(report, this.lanes, {
      chosen: (event, at) => this.go(this.inputOf(event, at), event, at),
      moved: (at) => this.go(report.inputAt(at), null, at),
    });
    this.film = new FilmStrip(report, (picture) => this.go(picture.input, null));
    this.timeline.after.push((scale) => this.film.show(scale, this.input));
    this.lists = new Lists(report, this.filters, (event, input) => this.go(event ? event.first : input, event));
    this.state = new Tree(byId("state"), "State");
    this.details = new Details(report, (input, event) => this.go(input, event));
    this.pane = "state";
    this.choosePane = tabList([byId("tab-state"), byId("tab-details"), byId("tab-picture")], (id) => this.showPane(id.slice(4)));
    byId("tab-picture").hidden = !report.pictures.length;
    this.summary = new Summary(report, (finding) => this.goTo(finding));
    this.actions = new Actions(report, (action, how) => this.chooseAction(action, how), (call) => this.goToCall(call));
    this.requests = new Requests(report, (input, event) => (event.action ? this.goTo({ action: event.action.number }) : this.goInside(input, event)));
    const views = ["actions", "requests", "errors", "timeline"].map((name) => byId(`view-${name}`));
    this.chooseView = tabList(views, (id) => this.showView(id.slice(5)));
    this.choices();
    this.listen();
  }

  /** The last input of an event at a moment: it may have begun a while before. */
  inputOf(event, at) {
    if (event.isPoint || at <= event.start) return event.first;
    return Math.max(event.first, this.report.inputAt(at));
  }

  /** Fills the fields of the filters. */
  choices() {
    const { report } = this;
    const option = (value, text = value) => element("option", { value, text: visible(text, 60) });
    byId("page-filter").replaceChildren(option("", "All tabs"), ...report.pages.map(({ id, name }) => option(id, name)));
    byId("kind-filter").replaceChildren(
      option("", "All kinds"),
      element("optgroup", { label: "Events" }, ...report.kinds.map((kind) => option(kind))),
      element("optgroup", { label: "Inputs" }, ...[...report.inputs.columns.kinds].sort().map((kind) => option(kind))),
    );
    byId("severity-filter").replaceChildren(
      option("", "Any severity"), option("notice", "Notices and graver"), option("warning", "Warnings and errors"), option("error", "Errors"),
    );
  }

  /** Looks at an input: the state after it. `event` is the event that is meant, if one is. */
  go(input, event = null, at = null, isFromLink = false) {
    const { report } = this;
    const last = report.inputs.count - 1;
    this.input = Math.min(last, Math.max(0, input));
    this.event = event;
    this.time = at ?? report.inputs.at(this.input);
    this.timeline.mark(this.time, event);
    this.lists.mark(this.input, event);
    if (!isFromLink) this.remember();
    const name = visible(report.inputs.kind(this.input), 60);
    const place = `${number(this.input)} of ${number(report.inputs.count)}`;
    byId("moment").textContent = `${clock(this.time)} · input ${place} · ${name}`;
    const canvas = byId("timeline");
    canvas.setAttribute("aria-valuemin", 0);
    canvas.setAttribute("aria-valuemax", Math.max(0, last));
    canvas.setAttribute("aria-valuenow", this.input);
    const said = event ? `, ${event.kind} ${visible(event.label, 80)}` : "";
    canvas.setAttribute("aria-valuetext", `${clock(this.time)}, input ${place}, ${name}${said}`);
    byId("back").disabled = byId("first").disabled = this.input === 0;
    byId("forward").disabled = byId("last").disabled = this.input >= last;
    this.fill();
  }

  chooseAction(action, how) {
    this.goToAction(action);
    if (how === "click" && matchMedia("(max-width: 860px)").matches) byId("action-title").scrollIntoView();
  }

  /** Looks at an action, and at the moment at which it ended. */
  goToAction(action, isFromLink = false) {
    if (!action) return;
    this.action = action;
    this.actions.mark(action);
    this.go(action.end_input ?? action.input, null, null, isFromLink);
  }

  goTo({ action, input, event }) {
    const found = this.report.actions[action - 1];
    if (!found) return this.goInside(input, event);
    this.chooseView("view-actions");
    this.goToAction(found);
  }

  goToCall(call) {
    this.goInside(Math.max(0, call.input), this.report.events.find((event) => event.kind === "call" && event.detail.id === call.id) ?? null);
  }

  /** Shows a moment in the timeline. */
  goInside(input, event) {
    this.chooseView("view-timeline");
    this.go(input, event);
  }

  showView(view) {
    this.view = view;
    for (const name of ["actions", "requests", "errors"]) byId(name).hidden = view !== name;
    byId("inside").hidden = view !== "timeline";
    if (view === "actions") this.actions.list.reveal(this.actions.list.current);
    else if (view === "timeline") this.lists.reveal();
    if (this.time !== undefined) this.remember();
  }

  /** Fills the pane that is shown. */
  fill() {
    const { report, input } = this;
    if (this.pane === "picture") this.picture();
    else if (this.pane === "details") this.details.show(this.event, input);
    const { nodes, change } = snapshotNodes(report.state(input), report.state(input - 1));
    const count = countOf(change);
    const where = nodes.filter((node) => node.change).map((node) => node.name).join(", ");
    byId("changed").textContent = count ? `${plural(count, "change")} by this input: ${where}` : "Nothing changed by this input";
    if (this.pane === "state") this.state.show(nodes);
  }

  picture() {
    const picture = this.film.at(this.input);
    byId("picture-image").hidden = !picture;
    if (picture) byId("picture-image").src = picture.source;
    byId("picture-image").alt = picture ? `The page at ${clock(picture.at)}` : "";
    const page = picture?.page ? ` · ${visible(this.report.pageName(picture.page), 120)}` : "";
    byId("picture-caption").textContent = picture ? `${clock(picture.at)}${page}` : "There is no picture yet.";
  }

  showPane(pane) {
    this.pane = pane;
    for (const name of ["state", "details", "picture"]) byId(name).hidden = name !== pane;
    byId("only-changes").closest("label").hidden = pane !== "state";
    if (this.time !== undefined) this.fill();
  }

  link() {
    if (this.view === "actions" && this.action) return `#action=${this.action.number}`;
    if (this.view !== "timeline") return `#view=${this.view}`;
    const event = this.event ? `&event=${this.event.number}` : "";
    return `#t=${Number(this.time.toFixed(6))}&input=${this.input}${event}`;
  }

  /** Puts the moment into the address, at most a few times a second: a browser refuses more. */
  remember() {
    clearTimeout(this.remembering);
    this.remembering = setTimeout(() => history.replaceState(null, "", this.link()), 250);
  }

  /** Where a reader begins: at the first action that something went wrong with, or at the first one. */
  begin() {
    const { actions, findings } = this.report;
    const action = actions[(findings.find((finding) => finding.action)?.action ?? 1) - 1];
    this.chooseView(action ? "view-actions" : "view-timeline");
    if (action) this.goToAction(action, true);
    else this.go(this.report.beginning, null, null, true);
  }

  /** Goes to the action or the moment of the address. */
  follow() {
    const { report } = this;
    const asked = new URLSearchParams(location.hash.slice(1));
    const action = report.actions[Number.parseInt(asked.get("action"), 10) - 1];
    if (action) {
      this.chooseView("view-actions");
      this.goToAction(action, true);
      return true;
    }
    const view = asked.get("view");
    if (["timeline", "requests", "errors"].includes(view)) {
      this.chooseView(`view-${view}`);
      this.go(report.beginning, null, null, true);
      return true;
    }
    const at = Number.parseFloat(asked.get("t"));
    if (!Number.isFinite(at)) return false;
    this.chooseView("view-timeline");
    const byTime = report.inputAt(at);
    const input = Number.parseInt(asked.get("input"), 10);
    const isThere = input >= 0 && input < report.inputs.count && Math.abs(report.inputs.at(input) - at) <= report.duration + 1;
    this.go(isThere && asked.has("input") ? input : byTime, report.events[asked.get("event")] ?? null, at, true);
    return true;
  }

  async copyLink() {
    const link = location.href.split("#")[0] + this.link();
    await navigator.clipboard.writeText(link).then(
      () => (byId("changed").textContent = "The link is copied."),
      () => (byId("changed").textContent = `The link: ${link}`),
    );
  }

  async copy(text, name) {
    const said = byId("copied");
    await navigator.clipboard.writeText(text).then(
      () => (said.textContent = `The ${name} is copied.`),
      () => showWhole({ name, whole: text }),
    );
  }

  step(by) {
    if (this.view === "actions") this.goToAction(this.actions.neighbour(Math.sign(by)));
    else this.go(this.input + by);
  }

  toEnd(isLast) {
    if (this.view === "actions") this.goToAction(this.report.actions.at(isLast ? -1 : 0));
    else this.go(isLast ? this.report.inputs.count - 1 : 0);
  }

  toEvent(step, isGrave) {
    if (this.view === "actions") return this.goToAction(this.actions.neighbour(step, isGrave));
    const event = this.lists.neighbour(step, isGrave);
    if (event) this.go(event.first, event);
  }

  filter() {
    const { filters } = this;
    filters.text = byId("search").value.trim();
    filters.page = byId("page-filter").value;
    filters.kind = byId("kind-filter").value;
    filters.severity = byId("severity-filter").value;
    byId("clear-filters").hidden = !filters.isOn;
    this.lists.filter();
    this.lanes.arrange(this.lists.events);
    this.timeline.arranged();
  }

  clear() {
    for (const id of ["search", "page-filter", "kind-filter", "severity-filter"]) byId(id).value = "";
    this.filter();
  }

  searched(event) {
    if (event.key === "Escape") {
      if (byId("search").value) this.clear();
      else this.lists.list.box.focus();
    } else if (event.key === "Enter") {
      this.filter();
      const [first] = this.lists.events;
      if (first) this.go(first.first, first);
      else if (this.lists.inputs.length) {
        this.lists.choose("tab-inputs");
        this.go(this.lists.inputs[0]);
      }
      this.lists.list.box.focus();
    } else return;
    event.preventDefault();
  }

  listen() {
    const on = (id, type, does) => byId(id).addEventListener(type, does);
    const { timeline } = this;
    const end = () => this.toEnd(true);
    const help = () => byId("help").showModal();
    const changes = () => {
      this.state.onlyChanges = byId("only-changes").checked;
      this.state.flatten();
    };
    const toggle = () => {
      byId("only-changes").checked = !byId("only-changes").checked;
      changes();
    };
    on("first", "click", () => this.toEnd(false));
    on("back", "click", () => this.step(-1));
    on("forward", "click", () => this.step(1));
    on("last", "click", end);
    on("zoom-in", "click", () => timeline.zoom(0.6));
    on("zoom-out", "click", () => timeline.zoom(1 / 0.6));
    on("zoom-fit", "click", () => timeline.look(0, timeline.whole));
    on("only-changes", "change", changes);
    on("copy-link", "click", () => this.copyLink());
    on("copy-prompt", "click", () => void this.copy(promptOf(this.report, this.action), "prompt"));
    on("copy-curl", "click", () => void this.copy(curlOf(this.requests.current), "command"));
    on("open-help", "click", help);
    on("clear-filters", "click", () => this.clear());
    on("copy-whole", "click", () => void navigator.clipboard.writeText(wholeText));
    on("search", "keydown", (event) => this.searched(event));
    let waiting = 0;
    on("search", "input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => this.filter(), 120);
    });
    for (const id of ["page-filter", "kind-filter", "severity-filter"]) on(id, "change", () => this.filter());
    window.addEventListener("hashchange", () => this.follow());
    on("timeline", "keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 0.8, PageUp: -0.8 }[event.key];
      if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      if (Math.abs(step) === 1) this.toEvent(step, false);
      else timeline.pan(step);
    });
    const back = () => this.step(-1);
    const forward = () => this.step(1);
    listenToKeys({
      ArrowLeft: back, ArrowRight: forward, ",": back, ".": forward,
      "Shift+ArrowLeft": () => this.step(-10), "Shift+ArrowRight": () => this.step(10),
      Home: () => this.toEnd(false), End: end,
      n: () => this.toEvent(1, false), p: () => this.toEvent(-1, false),
      e: () => this.toEvent(1, true), E: () => this.toEvent(-1, true),
      "+": () => timeline.zoom(0.6), "=": () => timeline.zoom(0.6), "-": () => timeline.zoom(1 / 0.6),
      0: () => timeline.look(0, timeline.whole), "[": () => timeline.pan(-0.25), "]": () => timeline.pan(0.25),
      a: () => this.chooseView("view-actions"), r: () => this.chooseView("view-requests"), x: () => this.chooseView("view-errors"), t: () => this.chooseView("view-timeline"),
      "/": () => {
        this.chooseView("view-timeline");
        byId("search").focus();
      },
      "?": help, l: () => void this.copyLink(), c: toggle,
      s: () => this.choosePane("tab-state"), d: () => this.choosePane("tab-details"),
      i: () => this.lists.choose("tab-inputs"), v: () => this.lists.choose("tab-events"),
    });
  }
}

async function start() {
  try {
    const report = new FlightReport(await unpacked(byId("data").textContent));
    const viewer = new Viewer(report);
    viewer.filter();
    if (!viewer.follow()) viewer.begin();
    document.documentElement.dataset.ready = "yes";
  } catch (error) {
    byId("failure").textContent = `This report cannot be shown: ${visible(String(error?.message ?? error), 300)}`;
    byId("failure").hidden = false;
    document.documentElement.dataset.ready = "failed";
    throw error;
  }
}

void start();
