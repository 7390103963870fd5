// The pictures of the timeline, on canvases: the whole flight, the clock, the lanes.

const TONES = { warning: "warning", error: "error" };

/** The colours of the style sheet, which knows whether it is dark. */
function palette() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const kinds = ["connection", "page", "frame", "navigation", "dialog", "call", "tool", "storm", "console", "network", "blocker"];
  const made = { font: `11px ${style.getPropertyValue("font-family")}` };
  for (const name of ["text", "quiet", "line", "line-soft", "ground", "raised", "accent", "warning", "error"]) {
    made[name] = colour(name);
  }
  for (const kind of kinds) made[`kind-${kind}`] = colour(`kind-${kind}`);
  return made;
}

/** Gives a canvas the pixels of the screen, and returns its context, cleared. */
function fresh(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const [wide, high] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  canvas.style.width = `${width}px`;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** Steps of the clock that are at least `least` seconds apart: 1, 2 or 5 times a power of ten, minutes, hours. */
function clockStep(least) {
  const steps = [60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400];
  if (least > 30) return steps.find((step) => step >= least) ?? Math.ceil(least / 86400) * 86400;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least);
}

function clockLabel(seconds, step) {
  if (step >= 60) return clock(seconds).replace(/\.000$/, "");
  const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(step) - 1e-9)));
  if (seconds < 60) return `${seconds.toFixed(digits)} s`;
  return `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(digits).padStart(digits ? digits + 3 : 2, "0")}`;
}

function drawRuler(context, scale, width, height, colours) {
  const step = clockStep((scale.to - scale.from) / Math.max(1, scale.width / 90));
  context.font = colours.font;
  context.textBaseline = "middle";
  for (let place = Math.ceil(scale.from / step) * step; place <= scale.to; place += step) {
    const x = Math.round(scale.x(place)) + 0.5;
    context.strokeStyle = colours.line;
    context.beginPath();
    context.moveTo(x, height - 5);
    context.lineTo(x, height);
    context.stroke();
    context.fillStyle = colours.quiet;
    if (x + 4 < width - 20) context.fillText(clockLabel(place, step), x + 4, height / 2);
  }
  return step;
}

function drawGrid(context, scale, step, height, colours) {
  context.strokeStyle = colours["line-soft"];
  context.beginPath();
  for (let place = Math.ceil(scale.from / step) * step; place <= scale.to; place += step) {
    const x = Math.round(scale.x(place)) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, height);
  }
  context.stroke();
}

/** How many inputs there were, and where something failed, over the whole flight. */
function drawOverview(context, report, width, height, colours) {
  const counts = new Uint32Array(Math.max(1, Math.ceil(width)));
  const wide = Math.max(report.duration, 1e-9);
  for (const index of report.inputs.all) counts[Math.min(counts.length - 1, Math.floor((report.inputs.at(index) / wide) * width))]++;
  const most = counts.reduce((left, right) => Math.max(left, right), 1);
  context.fillStyle = colours.quiet;
  context.globalAlpha = 0.55;
  counts.forEach((count, x) => {
    if (!count) return;
    const bar = 3 + (Math.log1p(count) / Math.log1p(most)) * (height - 9);
    context.fillRect(x, height - bar, 1, bar);
  });
  context.globalAlpha = 1;
  for (const severity of ["warning", "error"]) {
    context.fillStyle = colours[severity];
    let drawn = -9;
    for (const event of report.events) {
      if (event.severity !== severity) continue;
      const x = Math.floor((event.start / wide) * width);
      if (x <= drawn) continue;
      context.fillRect(x, 0, 2, 4);
      drawn = x + 1;
    }
  }
}

/** One row of a lane: only what is in sight, and of what falls on one pixel the gravest. */
function drawRow(context, row, y, scale, colours, isOverfull) {
  let index = isOverfull ? 0 : Math.max(0, lastAtMost(row.length, (place) => row[place].start, scale.from));
  let held = null;
  const dot = () => {
    if (held) context.fillStyle = colours[TONES[held.severity] ?? `kind-${held.kind}`] || colours.accent;
    if (held) context.fillRect(held.x - 1, y + 3, 3, ROW - 6);
  };
  const ends = scale.width + scale.left;
  const close = (next) => {
    dot();
    if (held && !held.crowd && next - held.x > 60) labelDot(context, held, y, next - held.x - 8, colours);
    held = null;
  };
  for (; index < row.length && row[index].start <= scale.to; index++) {
    const event = row[index];
    const from = scale.x(event.start);
    const until = scale.x(event.end ?? scale.end);
    if (until < scale.left) continue;
    if (until - from >= 3) {
      close(from);
      drawBar(context, event, Math.max(from, scale.left - 4), Math.min(until, ends + 4), y, scale, colours);
      continue;
    }
    const x = Math.round(from);
    if (held && held.x >= x - 1) {
      if (RANK[event.severity] > RANK[held.severity]) held = { x: held.x, severity: event.severity, kind: event.kind };
      held.crowd = true;
      continue;
    }
    close(x);
    held = { x, severity: event.severity, kind: event.kind, label: event.label };
  }
  close(ends);
}

function labelDot(context, dot, y, room, colours) {
  context.fillStyle = colours.quiet;
  context.fillText(cutTo(context, dot.label, room), dot.x + 6, y + ROW / 2 + 0.5);
}

/** The beginning of a text that is no wider than the room. */
function cutTo(context, text, room) {
  const shown = visible(text, 300);
  const wide = context.measureText(shown).width;
  if (wide <= room) return shown;
  const most = Math.floor((shown.length * room) / wide) - 2;
  return most < 2 ? "" : `${shown.slice(0, most)}…`;
}

function drawBar(context, event, from, until, y, scale, colours) {
  const tone = colours[TONES[event.severity] ?? `kind-${event.kind}`] || colours.accent;
  const width = until - from - 1;
  context.fillStyle = tone;
  context.globalAlpha = 0.2;
  context.beginPath();
  context.roundRect(from, y + 1, width, ROW - 2, 3);
  context.fill();
  context.globalAlpha = 1;
  context.fillRect(from, y + 1, 2, ROW - 2);
  let left = from;
  let label = event.label;
  for (const mark of event.marks) {
    const x = scale.x(mark.at);
    if (x > until) break;
    if (x > scale.left) {
      barLabel(context, label, left, Math.min(x, until) - left, y, colours);
      context.fillStyle = tone;
      context.fillRect(x, y + 1, mark.isMove ? 3 : 1.5, ROW - 2);
      left = x;
    } else left = Math.max(from, scale.left);
    label = mark.label || label;
  }
  barLabel(context, label, Math.max(left, scale.left - 2), until - Math.max(left, scale.left - 2), y, colours);
}

function barLabel(context, label, x, room, y, colours) {
  if (room < 26) return;
  context.fillStyle = colours.text;
  context.fillText(cutTo(context, label, room - 8), x + 6, y + ROW / 2 + 0.5);
}
