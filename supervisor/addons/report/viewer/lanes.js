// Where each event stands: a lane a kind, a tab or its frames, and in a lane as many rows as there are at once.

const ROW = 20;
const GAP = 6;
const MOST_ROWS = 8;

/** Puts events that last into rows where they do not overlap. The last row takes what finds no place. */
function packed(events, end) {
  const rows = [];
  const ends = [];
  for (const event of events) {
    const until = event.end ?? end;
    let row = ends.findIndex((taken) => taken <= event.start);
    if (row < 0) row = Math.min(ends.length, MOST_ROWS - 1);
    if (!rows[row]) rows[row] = [];
    rows[row].push(event);
    ends[row] = Math.max(ends[row] ?? 0, until);
  }
  return rows;
}

class Lanes {
  constructor(report) {
    this.report = report;
    this.closed = new Set();
    this.captions = false;
    this.arrange(report.events);
  }

  /** Lays the events out that are shown now. */
  arrange(events) {
    this.events = events;
    const byLane = new Map(this.report.lanes.map((lane) => [lane.key, []]));
    for (const event of events) if (!event.parent) byLane.get(event.lane).push(event);
    const shown = new Set(events);
    for (const { parent } of events) if (parent && !shown.has(parent)) byLane.get(parent.lane).push(shown.add(parent) && parent);
    for (const held of byLane.values()) held.sort((one, two) => one.start - two.start);
    this.lanes = [];
    for (const lane of this.report.lanes) {
      const held = byLane.get(lane.key);
      if (!held.length) continue;
      const rows = lane.points ? [held] : packed(held, this.report.duration);
      this.lanes.push({ ...lane, rows, count: held.length });
    }
    this.place();
  }

  place() {
    let top = 0;
    for (const lane of this.lanes) {
      const shown = this.closed.has(lane.key) ? 1 : lane.rows.length;
      lane.top = top;
      lane.first = top + GAP / 2 + (this.captions ? 14 : 0);
      lane.height = lane.first - top + shown * ROW + GAP / 2;
      lane.shown = shown;
      top += lane.height;
    }
    this.height = top;
  }

  toggle(key) {
    if (!this.closed.delete(key)) this.closed.add(key);
    this.place();
  }

  laneAt(y) {
    return this.lanes.find((lane) => y >= lane.top && y < lane.top + lane.height);
  }

  /** Where an event is: its lane and its row in it. */
  whereIs(named) {
    const event = named.parent ?? named;
    const lane = this.lanes.find((candidate) => candidate.key === event.lane);
    if (!lane) return null;
    const row = lane.rows.findIndex((held) => held.includes(event));
    return row < 0 ? null : { lane, row: Math.min(row, lane.shown - 1) };
  }

  /** The event at a moment of a row, or the nearest one within `slop` seconds. */
  eventAt(time, y, slop) {
    const lane = this.laneAt(y);
    if (!lane) return null;
    const place = Math.min(lane.shown - 1, Math.max(0, Math.floor((y - lane.first) / ROW)));
    const rows = lane.shown < lane.rows.length ? lane.rows : [lane.rows[place]];
    let found = null;
    let distance = slop;
    for (const row of rows) {
      const last = lastAtMost(row.length, (index) => row[index].start, time + slop);
      for (let index = last; index >= 0 && index > last - 200; index--) {
        const event = row[index];
        const end = event.end ?? this.report.duration;
        const away = Math.max(0, event.start - time, time - Math.max(end, event.start));
        if (away < distance || (away === 0 && !found)) {
          found = event;
          distance = away;
        }
        if (distance === 0) return found;
      }
    }
    return found;
  }
}
