// The data of the report (supervisor/addons/report/model.py): unpacked, its inputs, and the state at each of them.

const FORMAT = 2;
const SEVERITIES = ["info", "notice", "warning", "error"];
const RANK = Object.fromEntries(SEVERITIES.map((name, rank) => [name, rank]));

/** The plain data from base64 of JSON that gzip has made smaller. */
async function unpacked(text) {
  const packed = text.trim();
  const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(packed) : Uint8Array.from(atob(packed), (one) => one.charCodeAt(0));
  return readable(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json());
}

/** The same data, if this viewer can show it. */
function readable(data) {
  if (data?.format !== FORMAT) throw new Error(`its data has the format ${data?.format}, and this viewer reads ${FORMAT}`);
  return data;
}

/** The index of the last item whose value is at most `limit`, or -1; the items are in the order of their values. */
function lastAtMost(count, value, limit) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value(middle) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** What the core took in, one after the other; times are in seconds. */
class Inputs {
  constructor(columns, changed) {
    this.columns = columns;
    this.count = columns.time.length;
    this.all = Array.from({ length: this.count }, (_, index) => index);
    this.changed = new Set(changed);
    this.lowered = [];
    this.eventKinds = new Map();
  }

  at(index) {
    return (this.columns.time[index] ?? 0) / 1000;
  }

  kind(index) {
    return this.columns.kinds[this.columns.kind[index]] ?? "";
  }

  page(index) {
    return this.columns.pages[this.columns.page[index]] ?? "";
  }

  severity(index) {
    return SEVERITIES[this.columns.severity[index]] ?? "info";
  }

  text(index) {
    return this.columns.texts[this.columns.text[index]] ?? "";
  }

  /** Its kind and its text in small letters, made once for those that share a text. */
  holds(index, word) {
    const place = this.columns.text[index];
    const low = (this.lowered[place] ??= (this.columns.texts[place] ?? "").toLowerCase());
    return low.includes(word) || this.kind(index).toLowerCase().includes(word);
  }

  changes(index) {
    return this.changed.has(index);
  }

  /** Notes that an event begins or ends with an input. */
  belongs(index, kind) {
    const held = this.eventKinds.get(index);
    if (held) held.add(kind);
    else this.eventKinds.set(index, new Set([kind]));
  }
}

/** A copy of a value in which what is at the path is what `change` makes of it; the rest is shared. */
function changedAt(value, path, depth, change) {
  if (depth === path.length) return change(value);
  const copy = Array.isArray(value) ? value.slice() : { ...value };
  copy[path[depth]] = changedAt(value[path[depth]], path, depth + 1, change);
  return copy;
}

function patched(state, patch) {
  for (const [operation, path, ...rest] of patch) {
    if (operation === "set") state = changedAt(state, path, 0, () => rest[0]);
    else if (operation === "delete") {
      state = changedAt(state, path.slice(0, -1), 0, (holder) => {
        const { [path.at(-1)]: _, ...kept } = holder;
        return kept;
      });
    } else if (operation === "splice") {
      const [start, count, values] = rest;
      state = changedAt(state, path, 0, (list) => list.toSpliced(start, count, ...values));
    } else throw new Error(`a step of the state is unknown: ${operation}`);
  }
  return state;
}

/** The state after each input: from the key frame before it, and what has changed since. */
class States {
  constructor(timeline) {
    this.timeline = timeline;
    this.held = new Map(); // by the number of patches
  }

  at(input) {
    const { changed, keyframes } = this.timeline;
    const count = lastAtMost(changed.length, (place) => changed[place], input) + 1;
    const known = this.held.get(count);
    if (known) return known;
    const key = keyframes[Math.max(0, lastAtMost(keyframes.length, (place) => keyframes[place].input, input))];
    let from = lastAtMost(changed.length, (place) => changed[place], key.input) + 1;
    let state = key.state;
    if (this.held.has(count - 1) && from < count) [from, state] = [count - 1, this.held.get(count - 1)];
    for (let place = from; place < count; place++) {
      this.keep(place, state);
      state = patched(state, this.timeline.patches[place]);
    }
    this.keep(count, state);
    return state;
  }

  keep(count, state) {
    this.held.delete(count);
    this.held.set(count, state);
    if (this.held.size > 500) this.held.delete(this.held.keys().next().value);
  }
}

class FlightReport {
  constructor(data) {
    const { summary } = data;
    this.title = summary.title;
    this.summary = summary;
    this.inputs = new Inputs(data.inputs, data.timeline.changed);
    this.states = new States(data.timeline);
    this.duration = Math.max(summary.duration / 1000, this.inputs.at(this.inputs.count - 1));
    this.pages = data.pages.map((page) => ({ id: page.page, name: `Tab ${page.number} · ${shortUrl(page.title || "about:blank", 50)}` }));
    this.names = new Map(this.pages.map(({ id, name }) => [id, name]));
    this.pictures = data.pictures.map((picture, number) => ({
      number,
      input: picture.input,
      at: picture.time / 1000,
      page: picture.page,
      reason: picture.reason,
      source: `data:${picture.mime};base64,${picture.data}`,
      view: picture.view,
    }));
    const { actions, tools, calls, dialogs, requests } = data;
    Object.assign(this, { actions, tools, calls, dialogs, requests }, eventsOf(data, this));
    for (const event of this.events) {
      this.inputs.belongs(event.first, event.kind);
      if (!event.isPoint && event.end !== null) this.inputs.belongs(event.last, event.kind);
    }
    this.findings = summary.items.map((item) => this.finding(item));
  }

  /** The last input at a moment or before. */
  inputAt(seconds) {
    const { time } = this.inputs.columns;
    return Math.max(0, lastAtMost(time.length, (index) => time[index], seconds * 1000 + 1e-6));
  }

  state(input) {
    return this.states.at(input);
  }

  pageName(id) {
    return this.names.get(id) ?? id;
  }

  finding(item) {
    const kinds = { failed: ["call", "tool", "network", "console"], waited: ["call", "tool", "dialog", "blocker"], storm: ["storm"], crash: ["blocker", "page"], dialog: ["dialog"], busy: ["blocker"] };
    const wanted = kinds[item.kind] ?? ["connection"];
    const near = this.events.filter((event) => (event.first === item.input || event.last === item.input) && wanted.includes(event.kind));
    const event = near.sort((one, two) => RANK[two.severity] - RANK[one.severity])[0] ?? null;
    const lasting = item.duration !== null && ["waited", "storm"].includes(item.kind);
    const text = [item.text, item.whom && `It waited for ${item.whom}.`, lasting && `It lasted ${duration(item.duration / 1000)}.`];
    return { name: item.kind, severity: item.severity, text: text.filter(Boolean).join(" "), input: item.input, event, action: item.action };
  }

  /** A line about an action, in which tabs have their short names in place of their ids. */
  lineOf(text) {
    for (const { id, name } of this.pages) text = text.replaceAll(`tab ${id}`, id).replaceAll(id, name.split(" · ")[0]);
    return text;
  }

  /** What was asked for in an action. */
  argumentsOf(action) {
    return parsed(action.tool === null ? this.calls[action.calls[0]].arguments : this.tools[action.tool].arguments);
  }

  resultOf(action) {
    if (action.tool !== null) return this.tools[action.tool].text;
    const call = this.calls[action.calls[0]];
    return [call.error, call.text].filter(Boolean).join(": ");
  }

  /** The last action until this one in which the agent read a page. */
  readBefore(action) {
    for (let place = action.number - 1; place >= 0; place--) {
      const { tool, name } = this.actions[place];
      if (tool !== null && (name.endsWith("_snapshot") || this.tools[tool].text.includes("[ref="))) return this.actions[place];
    }
    return null;
  }

  /** The picture that shows the page as it was when the mouse was pressed; null where that is not known. */
  pressedOn(action) {
    const [before, after] = [this.pictures[action.before], this.pictures[action.after]];
    if (!action.point.length || !before) return null;
    const next = after ?? this.pictures.find((one) => one.page === action.page && one.at * 1000 >= action.time);
    const isAlike = (one) => one.view.every((value, place) => value === before.view[place]);
    if (!next || isAlike(next)) return before;
    return after?.reason === "tool" && !this.hasNavigated(action) ? after : null;
  }

  hasNavigated({ page, time, end }) {
    return this.events.some((one) => one.kind === "navigation" && one.page === page && one.start * 1000 >= time && one.start * 1000 <= (end ?? Infinity));
  }

  /** Where a reader begins: at what went wrong first, or at the end. */
  get beginning() {
    const grave = ["error", "warning"].map((severity) => this.findings.find((finding) => finding.severity === severity));
    return grave.find(Boolean)?.input ?? this.inputs.count - 1;
  }
}
