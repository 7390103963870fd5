// What happened, from the data: each event with its moments, its lane, and the words for it.

function eventsOf(data, report) {
  const lanes = [{ key: "connection", label: "Connection", kind: "connection", depth: 0 }];
  const lane = (key, label, more = {}) => lanes.push({ key, label, kind: key, depth: 0, ...more });
  const events = [];
  const count = report.inputs.count;
  const add = (kind, span, rest) => {
    const event = new FlightEvent({
      kind, severity: "notice", page: span.page ?? "", text: "", marks: [], isPoint: false, parent: null, lane: kind, detail: span,
      start: span.time / 1000, end: span.end === null ? null : (span.end ?? span.time) / 1000, first: span.input,
      last: span.end_input ?? (span.end === null ? count - 1 : span.input), ...rest,
    });
    events.push(event);
    return event;
  };
  addConnection(data, add, report);
  lane("tool", "Tools");
  lane("call", "Calls");
  lane("dialog", "Dialogs");
  lane("storm", "Storms");
  lane("blocker", "Blockers");
  for (const page of data.pages) addPage(page, lane, add, report);
  lane("console", "Console", { points: true });
  lane("network", "Network failures", { points: true });
  for (const action of data.actions) if (action.tool !== null) addTool(data.tools[action.tool], action, add);
  for (const call of data.calls) addCall(call, add, report);
  for (const dialog of data.dialogs) addDialog(dialog, add);
  for (const storm of data.storms) {
    add("storm", storm, { label: "Dialog storm", severity: "warning", text: `${plural(storm.count, "dialog")} dismissed` });
  }
  for (const blocker of data.blockers) {
    const severity = ["crash", "unresponsive"].includes(blocker.kind) ? "error" : blocker.kind === "download" ? "notice" : "warning";
    add("blocker", blocker, { label: `${blocker.kind.replaceAll("_", " ")} ${blocker.id}`, severity, text: blocker.text || blocker.url });
  }
  for (const entry of data.console) {
    const severity = { error: "error", exception: "error", assert: "error", warning: "warning" }[entry.level] ?? "info";
    add("console", entry, { label: entry.text, severity, text: entry.level, isPoint: true });
  }
  for (const request of data.network) {
    const isError = request.error || request.status >= 400;
    const outcome = request.error || (request.status ? `status ${request.status}` : "");
    add("network", request, {
      label: `${request.method} ${request.url}`, severity: isError ? "error" : "warning", isPoint: true,
      text: [outcome, request.type, duration(request.duration / 1000)].filter(Boolean).join(" · "),
    });
  }
  events.sort((one, two) => one.first - two.first || one.start - two.start);
  events.forEach((event, number) => (event.number = number));
  const kinds = [...new Set(events.map((event) => event.kind))];
  return { events, lanes, kinds };
}

class FlightEvent {
  constructor(fields) {
    Object.assign(this, fields);
  }

  /** What a search looks through, in small letters; made when it is first asked for. */
  get searched() {
    this.low ??= [this.kind, this.label, this.text, JSON.stringify(this.detail ?? "")].join("\n").toLowerCase();
    return this.low;
  }
}

function addConnection(data, add, report) {
  const severities = { lost: "error", reconnecting: "warning" };
  data.connection.forEach((span, place) => {
    const next = data.connection[place + 1];
    const last = next ? next.input : report.inputs.count - 1;
    add("connection", span, { label: span.state, severity: severities[span.state] ?? "info", text: span.reason, last });
  });
}

/** A tab: its life with its documents, its frames, and when it was not as it should be. */
function addPage(page, lane, add, report) {
  const key = `page ${page.page}`;
  const name = `Tab ${page.number}`;
  lane(key, `${name} ${shortUrl(page.title || "about:blank", 40)}`, { kind: "page", title: page.title });
  lane(`frames ${page.page}`, "Frames", { kind: "frame", depth: 1 });
  const { frames, statuses, ...detail } = page;
  const life = add("page", { ...page, end: page.end }, { lane: key, label: name, text: page.title, detail, severity: "info" });
  statuses.forEach((span, place) => {
    if (span.status === "ok" || span.status === "attaching") return;
    const last = statuses[place + 1]?.input ?? report.inputs.count - 1;
    const severity = span.status === "crashed" || span.status === "unresponsive" ? "error" : "warning";
    add("page", { ...span, page: page.page }, { lane: key, label: `${name} ${span.status.replaceAll("_", " ")}`, severity, last, text: page.title });
  });
  for (const frame of frames) {
    const isTop = frame.parent_id === null;
    const { stays, visits, ...own } = frame;
    const where = isTop ? key : `frames ${page.page}`;
    const bar = isTop ? life : add("frame", frame, { lane: where, label: frame.name || "frame", detail: own, severity: "info", text: visits.at(-1)?.url ?? "" });
    const inner = (kind, at, label, text, severity = "notice") =>
      add(kind, { ...at, page: page.page, end: undefined }, { lane: where, label, text, severity, isPoint: true, parent: bar, detail: { ...at, frame_id: frame.frame_id } });
    visits.forEach((visit, place) => {
      const isSame = place > 0 && visits[place - 1].loader_id === visit.loader_id;
      const note = [isSame ? "within the document" : "", isTop ? name : `frame ${frame.name || frame.frame_id}`];
      const event = inner("navigation", visit, visit.url, note.filter(Boolean).join(" · "));
      bar.marks.push({ at: event.start, text: visit.url, label: shortUrl(visit.url), event });
    });
    stays.forEach((stay, place) => {
      if (!place || stays[place - 1].is_oopif === stay.is_oopif) return;
      const text = stay.is_oopif ? "into a process of its own" : "into the process of its parent";
      const event = inner("frame", stay, `${frame.name || "frame"} moved ${text}`, frame.visits.at(-1)?.url ?? "");
      bar.marks.push({ at: event.start, text, label: "", isMove: true, event });
    });
    bar.marks.sort((one, two) => one.at - two.at);
  }
}

/** A text that is JSON as its value, any other as it is. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function addTool(tool, action, add) {
  const severity = tool.is_error ? "error" : tool.end === null ? "warning" : "notice";
  const detail = { arguments: parsed(tool.arguments), result: parsed(tool.text), is_error: tool.is_error };
  add("tool", tool, { label: `${tool.name} ${tool.arguments}`, severity, text: tool.text, detail, action });
}

function addCall(call, add, report) {
  const waits = call.blocked_by.length ? `waited for ${call.blocked_by.join(", ")}` : "";
  const severity = call.outcome === "failed" ? "error" : call.outcome === "succeeded" && !waits ? "notice" : "warning";
  const text = [call.error || call.outcome, waits, call.text].filter(Boolean).join(" · ");
  const marks = call.sent_input !== null ? [{ at: report.inputs.at(call.sent_input), text: "sent", label: "" }] : [];
  add("call", call, { label: `${call.kind} ${call.arguments}`, severity, text, marks, detail: { ...call, arguments: parsed(call.arguments), text: parsed(call.text) } });
}

function addDialog(dialog, add) {
  const end = dialog.closed_by ? `${dialog.accepted ? "accepted" : "dismissed"} by ${dialog.closed_by}${dialog.call ? ` (${dialog.call})` : ""}` : "open at the end";
  const isWaiting = !dialog.closed_by || dialog.closed_by === "watchdog";
  const text = [end, dialog.rule_id && `rule ${dialog.rule_id}`, dialog.note, dialog.bridged && "over the bridge"].filter(Boolean).join(" · ");
  add("dialog", dialog, { label: `${dialog.type} ${dialog.id} "${dialog.message}"`, severity: isWaiting ? "warning" : "notice", text });
}
