// What is different between two plain values. Members of a list are compared by their ids, where they have any.

const IDS = ["id", "seq", "call_id", "target_id", "frame_id", "ended_at"];

function isObject(value) {
  return typeof value === "object" && value !== null;
}

/** The members of a list or an object, by the name under which they are compared. */
function members(value) {
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  for (const id of value.length && value.every(isObject) ? IDS : []) {
    const made = new Map(value.map((item) => [String(item[id]), item]));
    if (value[0][id] !== undefined && made.size === value.length) return made;
  }
  return new Map(value.map((item, index) => [String(index), item]));
}

/** Null where nothing is; else a kind (added, removed, changed, inside) with what was before, or the members' own. */
function differences(before, after) {
  if (before === after) return null;
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after)) {
    return { kind: "changed", before };
  }
  const [old, now] = [members(before), members(after)];
  const found = new Map();
  for (const [name, value] of now) {
    const change = old.has(name) ? differences(old.get(name), value) : { kind: "added" };
    if (change) found.set(name, change);
  }
  for (const [name, value] of old) if (!now.has(name)) found.set(name, { kind: "removed", before: value });
  return found.size ? { kind: "inside", members: found } : null;
}

/** How many values are different. */
function countOf(change) {
  if (!change) return 0;
  if (change.kind !== "inside") return 1;
  let count = 0;
  for (const inner of change.members.values()) count += countOf(inner);
  return count;
}
