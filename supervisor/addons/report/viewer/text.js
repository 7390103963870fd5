// Texts as they are shown. A page wrote most of them: what cannot be seen, or turns text around, is an escape.

const HIDDEN = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;
const HIDDEN_BUT_LINES = /(?![\n\t])[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;
const LONG = 400; // characters of a text that a row or a detail shows

function escaped(character) {
  const point = character.codePointAt(0);
  const special = { 9: "\\t", 10: "\\n", 13: "\\r" }[point];
  if (special) return special;
  const hex = point.toString(16);
  if (point < 256) return `\\x${hex.padStart(2, "0")}`;
  return point < 65536 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** The text on one line, at most `limit` characters of it. */
function visible(text, limit = LONG) {
  const kept = text.length > limit ? text.slice(0, limit) : text;
  const shown = kept.replace(HIDDEN, escaped);
  return text.length > limit ? `${shown}… (${number(text.length - limit)} more characters)` : shown;
}

/** The same with its lines as they are. */
function visibleLines(text) {
  return text.replace(HIDDEN_BUT_LINES, escaped);
}

const COUNTS = new Intl.NumberFormat("en-US");

function number(value) {
  return COUNTS.format(value);
}

function plural(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** A moment: seconds since the recording began, as a clock. */
function clock(seconds) {
  const whole = Math.max(0, seconds);
  const minutes = Math.floor(whole / 60);
  const rest = (whole - minutes * 60).toFixed(3).padStart(6, "0");
  if (minutes < 60) return `${minutes}:${rest}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

/** A length of time. */
function duration(seconds) {
  if (seconds < 0.001) return seconds <= 0 ? "0 ms" : `${(seconds * 1e6).toFixed(0)} µs`;
  if (seconds < 1) return `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
}

/** A URL without what nobody reads: its scheme, a query that is long. */
function shortUrl(url, limit = 60) {
  const bare = url.replace(/^https?:\/\//, "").replace(/\/$/, "");
  return visible(bare.length > limit ? `${bare.slice(0, limit - 1)}…` : bare);
}
