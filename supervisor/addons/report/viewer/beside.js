// A second report beside this one: the actions of both, and the first action in which they differ.

/** The data of a file that `cdp-agent report` wrote: the HTML file, of which nothing runs, or the JSON of `--json`. */
async function reportOf(file) {
  const text = await file.text();
  const packed = /^\s*</.test(text) && new DOMParser().parseFromString(text, "text/html").getElementById("data");
  if (packed) return new FlightReport(await unpacked(packed.textContent));
  let data = null;
  try {
    data = JSON.parse(text);
  } catch {
    // a recording has many lines of JSON
  }
  if (!data?.format) throw new Error(`it is no report. "cdp-agent report" makes a report of a recording`);
  return new FlightReport(readable(data));
}

/** The place of the first action in which two flights differ (supervisor/addons/report/story/difference.py); -1 if none does. */
function firstDifference(one, other) {
  const places = Math.max(one.actions.length, other.actions.length);
  for (let place = 0; place < places; place++) {
    const [first, second] = [one.actions[place], other.actions[place]];
    if (first?.text !== second?.text || first?.status !== second?.status) return place;
  }
  return -1;
}

/** One of the two flights: its actions, and the action that is looked at. */
class Side {
  constructor(name, chosen) {
    this.name = name;
    this.head = byId(`${name}-head`);
    this.list = new VirtualList(byId(`${name}-rows`), {
      role: "listbox",
      label: "Actions",
      rowHeight: 52,
      render: (made, action) => renderAction(made, action, this.report),
      chosen: (_, place) => chosen(place),
    });
  }

  show(report) {
    this.report = report;
    const { actions, failed_actions: failed } = report.summary.counts;
    this.head.replaceChildren(
      element("h2", { text: visible(report.title, 120) }),
      element("p", { class: "calm", text: `${plural(actions ?? 0, "action")}, ${failed ? `${number(failed)} failed` : "none failed"} · ${duration(report.duration)}` }),
    );
    this.list.show(report.actions);
  }

  mark(place) {
    const action = this.report.actions[place];
    const box = byId(`${this.name}-action`);
    this.list.mark(action ? place : -1);
    if (!action) return box.replaceChildren(element("p", { class: "calm", text: `This flight has no action ${number(place + 1)}.` }));
    const outcome = `${STATUSES[action.status]}${action.outcome ? `: ${visible(this.report.lineOf(action.outcome), 400)}` : ""}`;
    box.replaceChildren(
      element("h3", { text: `${number(action.number)} · ${visible(action.text, 200)}` }),
      element("p", { class: `action-outcome is-${action.status}`, text: outcome }),
      pictureOf("After", this.report.pictures[action.after], [], this.report.dialogs[action.dialog] ?? null),
    );
  }
}

class Beside {
  /** `shown()` is called when there is a second report to look at. */
  constructor(report, shown) {
    Object.assign(this, { report, shown, place: 0 });
    this.sides = ["one", "other"].map((name) => new Side(name, (place) => this.go(place)));
    this.note = element("li");
    const input = byId("other-file");
    byId("compare").addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
      void this.open(input.files[0]);
      input.value = "";
    });
    document.addEventListener("dragover", (event) => event.dataTransfer.types.includes("Files") && event.preventDefault());
    document.addEventListener("drop", (event) => {
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      void this.open(event.dataTransfer.files[0]);
    });
  }

  async open(file) {
    try {
      this.show(await reportOf(file));
      this.note.remove();
    } catch (error) {
      this.note.textContent = visible(`${file.name} cannot be compared: ${error?.message ?? error}.`, 500);
      byId("notes").append(this.note);
    }
  }

  show(other) {
    this.count = Math.max(this.report.actions.length, other.actions.length);
    byId("view-beside").hidden = false;
    this.shown();
    for (const [place, side] of this.sides.entries()) side.show([this.report, other][place]);
    const different = firstDifference(this.report, other);
    byId("difference").textContent = different < 0 ? `No difference: both flights did the same ${plural(this.count, "action")}.` : `The first difference is action ${number(different + 1)}.`;
    this.go(Math.max(0, different));
  }

  go(place) {
    if (place < 0 || place >= this.count) return;
    this.place = place;
    for (const side of this.sides) side.mark(place);
  }
}
