// What is known about an event or an input, and a text as a whole.

class Details {
  constructor(report, go) {
    Object.assign(this, { report, go });
    this.host = byId("details");
    this.tree = null;
  }

  show(event, input) {
    const { report } = this;
    const { inputs } = report;
    const facts = element("dl", { class: "facts-list" });
    const add = (name, ...values) => facts.append(element("dt", { text: name }), element("dd", {}, ...values));
    const jump = (index) =>
      element("button", { type: "button", class: "link", text: `${clock(inputs.at(index))}, input ${number(index)}`, click: () => this.go(index, event) });
    let title = inputs.kind(input);
    let roots;
    if (event) {
      title = event.label;
      add("Kind", span(`kind kind-${event.kind}`, event.kind));
      if (RANK[event.severity] >= RANK.warning) add("Severity", span(`severity is-${event.severity}`, event.severity));
      if (event.text) add("Outcome", this.said(event.text));
      add("From", jump(event.first));
      if (!event.isPoint) add("To", ...(event.end === null ? ["still open at the end"] : [jump(event.last), ` (${duration(event.end - event.start)})`]));
      if (event.page) add("Page", visible(report.pageName(event.page), 200));
      roots = [
        ...(event.marks.length ? [this.marks(event)] : []),
        ...Object.entries(event.detail ?? {}).map(([key, value]) => this.opened(valueNode(`d/${key}`, key, value))),
      ];
    } else {
      add("Input", `${number(input)} of ${number(inputs.count)}, at ${clock(inputs.at(input))}`);
      add("Kind", span(`kind kind-${inputs.kind(input)}`, inputs.kind(input)));
      if (inputs.text(input)) add("Says", this.said(inputs.text(input)));
      if (inputs.page(input)) add("Page", visible(report.pageName(inputs.page(input)), 200));
      const begins = report.events.filter((one) => one.first === input || (one.last === input && one.end !== null));
      roots = begins.map((one) => this.opened(valueNode(`d/${one.number}`, `${one.kind} ${one.label}`, one.detail)));
    }
    const box = element("div", { class: "rows", id: "detail-tree" });
    this.host.replaceChildren(element("h3", { text: visible(title, 200) }), facts, ...(roots.length ? [box] : []));
    if (!roots.length) return;
    this.tree = new Tree(box, "Details");
    this.tree.show(roots);
  }

  opened(node) {
    return node.members ? { ...node, isOpen: true } : node;
  }

  said(text) {
    const box = span("said", visible(text, 1000));
    if (text.length <= 1000) return box;
    const more = element("button", { type: "button", class: "link", text: "Show all", click: () => showWhole({ name: "Text", whole: text }) });
    return element("span", {}, box, " ", more);
  }

  marks(event) {
    const made = event.marks.map((mark, index) => ({
      path: `marks/${index}`,
      name: clock(mark.at),
      text: mark.text,
      whole: mark.text,
    }));
    return { path: "marks", name: "On the way", note: number(made.length), isOpen: made.length < 30, members: () => made };
  }
}

const WIDE = 140; // characters in a row of a whole text

let wholeText = "";
let wholeList = null;

/** Opens a text as a whole: in rows of which only those in sight are drawn, whatever its length. */
function showWhole(node) {
  if (node.whole === undefined) return;
  wholeText = String(node.whole);
  const rows = [];
  let start = 0;
  let line = -1;
  while (start < wholeText.length) {
    if (line < start) line = wholeText.indexOf("\n", start);
    if (line < 0) line = wholeText.length;
    let end = line;
    const isCut = end - start > WIDE;
    if (isCut) end = start + WIDE;
    rows.push([start, end]);
    start = isCut ? end : end + 1;
  }
  const dialog = byId("whole");
  byId("whole-title").textContent = `${visible(node.name, 80)} · ${plural(wholeText.length, "character")}`;
  wholeList ??= new VirtualList(byId("whole-text"), {
    role: "listbox",
    label: "Text",
    rowHeight: 20,
    render: (made, [from, to]) => made.append(visibleLines(wholeText.slice(from, to))),
    chosen: () => {},
  });
  dialog.showModal();
  wholeList.show(rows, 0);
  wholeList.box.focus();
}
