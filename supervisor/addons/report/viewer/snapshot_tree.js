// The snapshot of a supervisor as a tree that a person reads: what is open first, and every field below.

const SECTIONS = [
  { key: "pages", name: "Tabs", tell: (one) => ({ name: shortUrl(one.url || "about:blank"), note: tabNote(one) }) },
  { key: "pending_dialogs", name: "Open dialogs", tell: dialogTold },
  { key: "blockers", name: "Blockers", tell: (one) => ({ name: `${one.id} ${one.kind}`, note: one.text || one.url }) },
  { key: "calls", name: "Calls in flight", tell: (one) => ({ name: one.call_id ?? one.id, note: summaryOf(one) }) },
  { key: "frame_tree", name: "Frames", make: frameNodes },
  { key: "recent_dialogs", name: "Closed dialogs", tell: dialogTold },
  { key: "dialog_rules", name: "Dialog rules", tell: (one) => ({ name: one.id, note: summaryOf(one.rule ?? one) }) },
  { key: "dialog_storms", name: "Dialog storms", tell: (one) => ({ name: one.target_id, note: `${one.count} dismissed` }) },
  { key: "console", name: "Console", tell: (one) => ({ name: `${one.seq} ${one.level}`, note: String(one.text ?? "").slice(0, LONG) }) },
  { key: "failed_requests", name: "Failed requests", tell: requestTold },
  { key: "recent_downloads", name: "Downloads", tell: (one) => ({ name: one.id, note: one.name }) },
];

const CONNECTION = ["state", "reason", "epoch"];

function tabNote(page) {
  const told = [page.status, page.is_current && "current", page.is_managed === false && "not managed", page.stale && "stale"];
  return told.filter(Boolean).join(" · ");
}

function dialogTold(dialog) {
  const end = dialog.closed_by && `${dialog.accepted ? "accepted" : "dismissed"} by ${dialog.closed_by}`;
  return { name: `${dialog.id} ${dialog.type}`, note: [`"${String(dialog.message ?? "").slice(0, LONG)}"`, end].filter(Boolean).join(" · ") };
}

function requestTold(request) {
  return { name: `${request.method} ${shortUrl(request.url, 48)}`, note: request.error || String(request.status ?? "") };
}

/** The nodes of a snapshot; `before` is the one of the input before, or null. */
function snapshotNodes(after, before) {
  const change = before ? differences(before, after) : null;
  const nodes = [];
  const link = valueNode("connection", "Connection", pick(after, CONNECTION), picked(change, CONNECTION));
  const phase = [after.state, after.reason].filter(Boolean).join(": ");
  nodes.push({ ...link, note: phase });
  for (const section of SECTIONS) {
    const value = after[section.key];
    const own = inside(change, section.key);
    if (value === undefined && !own) continue;
    const made = (section.make ?? listNodes)(section, value ?? [], own);
    if (made) nodes.push(made);
  }
  const known = new Set([...CONNECTION, ...SECTIONS.map(({ key }) => key)]);
  const rest = Object.keys(after).filter((key) => !known.has(key));
  if (rest.length) nodes.push({ ...valueNode("more", "More", pick(after, rest), picked(change, rest)), note: "" });
  return { nodes, change };
}

function pick(value, names) {
  return Object.fromEntries(names.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]));
}

function picked(change, names) {
  if (change?.kind !== "inside") return null;
  const held = new Map([...change.members].filter(([name]) => names.includes(name)));
  return held.size ? { kind: "inside", members: held } : null;
}

function listNodes(section, list, change) {
  if (!Array.isArray(list)) return isObject(list) ? valueNode(section.key, section.name, list, change) : null;
  const whole = change?.kind === "changed" ? null : change;
  const gone = whole?.kind === "inside" ? [...whole.members].filter(([, inner]) => inner.kind === "removed") : [];
  if (!list.length && !gone.length) return null;
  const node = (key, item, inner) => {
    const path = `${section.key}/${key}`;
    if (!isObject(item)) return valueNode(path, key, item, inner);
    const told = section.tell(item);
    return { ...valueNode(path, told.name, item, inner), note: told.note };
  };
  return {
    path: section.key,
    name: section.name,
    note: number(list.length),
    isOpen: ["pages", "pending_dialogs", "blockers", "calls", "dialog_storms"].includes(section.key),
    change,
    members: () => [
      ...[...members(list)].map(([key, item]) => node(key, item, inside(whole, key))),
      ...gone.map(([key, inner]) => node(key, inner.before, inner)),
    ],
  };
}

/** The frames, each below its parent. */
function frameNodes(section, tree, change) {
  const top = tree.top;
  const oldTop = inside(change, "top");
  if (!top) return oldTop ? valueNode(section.key, section.name, tree, change) : null;
  const below = inside(change, "children");
  const gone = below?.kind === "inside" ? [...below.members].filter(([, inner]) => inner.kind === "removed") : [];
  const children = new Map();
  const ids = new Set([top, ...tree.children].map((frame) => frame.frame_id));
  for (const frame of tree.children) {
    const parent = ids.has(frame.parent_id) ? frame.parent_id : top.frame_id;
    if (!children.has(parent)) children.set(parent, []);
    children.get(parent).push(frame);
  }
  const make = (frame, inner) => {
    const plain = valueNode(`frame/${frame.frame_id}`, shortUrl(frame.url || "about:blank"), frame, inner);
    const note = [frame.name && `"${frame.name}"`, frame.is_oopif && "own process", frame.is_loading && "loading", frame.is_moving && "moving"];
    const inner2 = (children.get(frame.frame_id) ?? []).filter((child) => child.frame_id !== frame.frame_id);
    const nested = () => inner2.map((child) => make(child, inside(below, child.frame_id)));
    const lost = frame === top ? gone.map(([key, own]) => ({ ...make(own.before, own), path: `frame/${key}` })) : [];
    const marked = plain.change ?? (inner2.some((child) => hasChange(child, below, children)) || lost.length ? { kind: "inside", members: new Map() } : null);
    return { ...plain, isOpen: false, change: marked, note: note.filter(Boolean).join(" · "), members: () => [
      ...nested(),
      ...lost,
      { path: `frame/${frame.frame_id}/fields`, name: "fields", note: "", change: plain.change?.kind === "inside" ? plain.change : null, members: plain.members },
    ] };
  };
  return {
    path: section.key,
    name: section.name,
    note: number(tree.total ?? ids.size) + (tree.truncated ? ", not all are held" : ""),
    isOpen: true,
    change,
    members: () => [{ ...make(top, oldTop?.kind === "changed" ? { kind: "added" } : oldTop), isOpen: true }],
  };
}

function hasChange(frame, below, children, depth = 0) {
  if (inside(below, frame.frame_id)) return true;
  return depth < 60 && (children.get(frame.frame_id) ?? []).some((child) => hasChange(child, below, children, depth + 1));
}
