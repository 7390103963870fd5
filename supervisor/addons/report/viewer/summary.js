// What stands on top: what kind of flight it was, what failed, and what waited for whom.

const COUNTED = {
  actions: "action", failed_actions: "failed action", pages: "tab", frames: "frame", dialogs: "dialog", calls: "call", failed_calls: "failed call", tools: "tool call",
  console: "console message", console_errors: "console error", requests: "request", failed_requests: "failed request",
  reconnects: "reconnect", storms: "storm", crashes: "crash", pictures: "picture", left_out: "input left out",
};
const GRAVE = ["failed_actions", "failed_calls", "console_errors", "failed_requests", "reconnects", "storms", "crashes", "left_out"];
const NAMES = { lost: "connection", reconnect: "connection", busy: "page busy" };
const MOST_FINDINGS = 200;

class Summary {
  /** `go(finding)` is called for a finding that is chosen. */
  constructor(report, go) {
    Object.assign(this, { report, go });
    const { summary } = report;
    document.title = visible(summary.title, 120);
    byId("title").textContent = visible(summary.title, 120);
    byId("facts").textContent = this.facts().join(" · ");
    byId("counts").replaceChildren(...Object.entries(summary.counts).filter(([, count]) => count).map((entry) => this.count(entry)));
    const shown = report.findings.slice(0, MOST_FINDINGS).map((finding) => this.finding(finding));
    const more = report.findings.length - shown.length;
    if (more > 0) shown.push(element("li", { class: "calm", text: `and ${number(more)} more: choose a severity in the timeline` }));
    if (!shown.length) shown.push(element("li", { class: "calm", text: "Nothing failed, and nothing waited." }));
    byId("findings").replaceChildren(...shown);
    byId("notes").replaceChildren(...summary.notes.map((note) => element("li", { text: visible(note, 500) })));
    const table = { ...summary.versions, ...summary.settings };
    byId("settings").replaceChildren(
      ...Object.entries(table).flatMap(([name, value]) => [
        element("dt", { text: visible(name, 80) }),
        element("dd", { text: visible(String(value), 300) }),
      ]),
    );
  }

  facts() {
    const { summary, duration: length, inputs } = this.report;
    const began = new Date(summary.started_at * 1000);
    const date = Number.isNaN(began.getTime()) ? "" : began.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
    const reason = summary.ended_reason && summary.ended_reason !== summary.ended ? ` (${visible(summary.ended_reason, 80)})` : "";
    const end = ["stopped", "lost"].includes(summary.ended) ? summary.ended : `ends while ${summary.ended}`;
    const { actions, failed_actions: failed } = summary.counts;
    const did = actions ? `${plural(actions, "action")}, ${failed ? `${number(failed)} failed` : "none failed"}` : "";
    return [did, duration(length), visible(summary.versions.browser ?? "", 60), date, plural(inputs.count, "input"), `${visible(end, 60)}${reason}`].filter(Boolean);
  }

  count([name, count]) {
    const one = COUNTED[name] ?? visible(name.replaceAll("_", " "), 40);
    const many = one.endsWith("crash") ? `${one}es` : one === "input left out" ? "inputs left out" : `${one}s`;
    return element("li", { class: GRAVE.includes(name) ? "is-grave" : null }, element("b", { text: number(count) }), ` ${count === 1 ? one : many}`);
  }

  finding(finding) {
    const { name, severity, text, input, action } = finding;
    return element("li", {}, element(
      "button", { type: "button", class: `finding is-${severity}`, click: () => this.go(finding), title: visible(text, 600) },
      span(`badge is-${severity}`, NAMES[name] ?? name),
      span("finding-text", visible(text, 500)),
      span("at", action === null ? clock(this.report.inputs.at(input)) : `action ${number(action)}`),
    ));
  }
}
