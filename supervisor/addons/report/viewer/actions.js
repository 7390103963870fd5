// What the agent did, a line for each action, and the action that is looked at: its pictures, what it read, its calls.

class Actions {
  /** `chosen(action, how)` is called for an action that is chosen, `inside(call)` for one of its calls. */
  constructor(report, chosen, inside) {
    Object.assign(this, { report, chosen, inside });
    this.current = null;
    this.hasPictures = report.pictures.length > 0;
    this.list = new VirtualList(byId("action-rows"), {
      role: "listbox",
      label: "Actions",
      rowHeight: 52,
      render: (made, action) => renderAction(made, action, this.report),
      chosen: (action, _, how) => chosen(action, how),
    });
    this.calls = new VirtualList(byId("action-calls"), {
      role: "listbox",
      label: "Internal calls",
      rowHeight: 26,
      render: (made, call) => this.renderCall(made, call),
      chosen: (call, _, how) => how !== "key" && inside(call),
    });
    byId("action-tab-pictures").hidden = !this.hasPictures;
    const tabs = ["pictures", "page", "result", "calls"].map((name) => byId(`action-tab-${name}`));
    const choose = tabList(tabs.slice(this.hasPictures ? 0 : 1), (id) => this.showPane(id.slice(11)));
    this.list.show(report.actions);
    choose(this.hasPictures ? "action-tab-pictures" : "action-tab-result");
  }

  /** Looks at an action. */
  mark(action) {
    this.current = action;
    const place = action.number - 1;
    this.list.mark(place);
    byId("action-title").textContent = `${number(action.number)} · ${visible(action.text, 200)}`;
    const lasting = action.end === null ? "did not end" : duration((action.end - action.time) / 1000);
    const facts = [action.name, `at ${clock(action.time / 1000)}`, lasting, action.page && this.report.lineOf(action.page)];
    byId("action-facts").textContent = facts.filter(Boolean).map((fact) => visible(fact, 80)).join(" · ");
    const outcome = byId("action-outcome");
    outcome.textContent = `${STATUSES[action.status]}${action.outcome ? `: ${visible(this.report.lineOf(action.outcome), 400)}` : ""}`;
    outcome.className = `action-outcome is-${action.status}`;
    byId("action-tab-calls").textContent = `Internal calls ${number(action.calls.length)}`;
    this.fill();
  }

  /** The action so many places from this one; with `isGrave` the next that did not succeed. */
  neighbour(step, isGrave = false) {
    const { actions } = this.report;
    let place = this.current ? this.current.number - 1 : -1;
    do place += step;
    while (isGrave && actions[place] && actions[place].status === "succeeded");
    return actions[place] ?? null;
  }

  showPane(pane) {
    this.pane = pane;
    for (const name of ["pictures", "page", "result", "calls"]) byId(`action-${name}`).hidden = name !== pane;
    if (this.current) this.fill();
  }

  fill() {
    const { current: action, report } = this;
    if (this.pane === "pictures") this.pictures(action);
    else if (this.pane === "page") {
      const read = report.readBefore(action);
      byId("action-page").replaceChildren(
        element("p", { class: "calm", text: read ? `What the agent read in action ${number(read.number)}, ${visible(read.text, 80)}:` : "The agent has not read the page yet." }),
        element("pre", { text: read ? visibleLines(report.resultOf(read)) : "" }),
      );
    } else if (this.pane === "result") {
      const [asked, result] = [report.argumentsOf(action), report.resultOf(action)];
      byId("action-result").replaceChildren(
        element("h3", { text: "Arguments" }), element("pre", { text: visibleLines(pretty(asked)) }),
        element("h3", { text: "Result" }), element("pre", { text: visibleLines(result) || "(nothing)" }),
      );
    } else this.calls.show(action.calls.map((place) => report.calls[place]));
  }

  pictures(action) {
    const { pictures, dialogs } = this.report;
    const [before, after] = [pictures[action.before], pictures[action.after]];
    const marked = this.report.pressedOn(action);
    const dialog = dialogs[action.dialog] ?? null;
    byId("action-pictures").classList.toggle("is-one", !before || !(after || dialog));
    byId("action-pictures").replaceChildren(
      pictureOf("Before", before, marked === before ? action.point : [], null),
      pictureOf("After", after, marked === after ? action.point : [], dialog),
    );
  }

  renderCall(made, call) {
    if (call.outcome !== "succeeded") made.classList.add("is-warning");
    made.append(
      span("at", clock(call.time / 1000)),
      span("label", visible(`${call.kind} ${call.arguments}`, 160)),
      span("note", visible(call.error || call.blocked_by.join(", "), 80)),
      span("lasting", call.end === null ? "open" : duration((call.end - call.time) / 1000)),
    );
    made.title = visible(`${call.kind} ${call.arguments}\n${call.text}`, 600);
  }
}

const STATUSES = { succeeded: "Succeeded", failed: "Failed", abandoned: "Given up", pending: "Had not ended" };

/** JSON with a member on each line. */
function pretty(value) {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** A picture with the point of the mouse, and a dialog, of which no browser takes pictures. */
function pictureOf(name, picture, point, dialog) {
  const frame = element("div", { class: "frame" });
  if (picture) frame.append(element("img", { src: picture.source, alt: `The page at ${clock(picture.at)}`, draggable: "false" }));
  else if (!dialog) frame.append(element("p", { class: "calm", text: name === "Before" ? "There is no earlier picture of this tab." : "No picture of this tab was taken before the next action ended." }));
  if (picture && point.length) {
    const ring = element("span", { class: "press", role: "img", "aria-label": `The mouse was pressed at ${point.map(Math.round).join(", ")}` });
    ring.style.left = `${(100 * point[0]) / picture.view[2]}%`;
    ring.style.top = `${(100 * point[1]) / picture.view[3]}%`;
    frame.append(ring);
  }
  if (dialog) {
    frame.append(element("div", { class: "drawn-dialog" },
      element("b", { text: `${dialog.type} is open` }), element("span", { text: visible(dialog.message, 300) }),
      element("small", { text: "Drawn by this report: browsers take no pictures of dialogs." })));
  }
  const when = picture ? ` · ${clock(picture.at)}` : "";
  return element("figure", {}, element("figcaption", {}, element("b", { text: name }), when), frame);
}

/** The line of an action in a list. */
function renderAction(made, action, report) {
  made.classList.add(`is-${action.status}`);
  const picture = report.pictures[action.after ?? action.before];
  const lasting = action.end === null ? "open" : duration((action.end - action.time) / 1000);
  made.append(
    span("nr", number(action.number)),
    ...(report.pictures.length ? [element("span", { class: "thumb" }, picture ? element("img", { src: picture.source, alt: "", loading: "lazy", draggable: "false" }) : null)] : []),
    element("span", { class: "did" },
      element("span", { class: "did-text", text: visible(action.text, 160) }),
      action.status === "succeeded" ? null : span("unseen", ` ${STATUSES[action.status]}: `),
      span("did-outcome", visible(report.lineOf(action.outcome), 160))),
    span("lasting", lasting),
  );
  made.title = visible(`${action.text}\n${action.outcome}`, 600);
}
