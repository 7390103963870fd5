// What is shown: a search, a page, a kind, a severity. One pass over everything makes the two lists.

class Filters {
  constructor(report) {
    this.report = report;
    this.words = [];
    this.page = "";
    this.kind = "";
    this.severity = "";
  }

  get isOn() {
    return Boolean(this.words.length || this.page || this.kind || this.severity);
  }

  /** Whether one of the report's events is shown. A kind is that of an event, or that of the input it began with. */
  takesEvent(event) {
    if (this.page && event.page !== this.page) return false;
    if (this.kind && event.kind !== this.kind && this.report.inputs.kind(event.first) !== this.kind) return false;
    if (this.severity && RANK[event.severity] < RANK[this.severity]) return false;
    return this.words.every((word) => event.searched.includes(word));
  }

  takesInput(index) {
    const { inputs } = this.report;
    if (this.page && inputs.page(index) !== this.page) return false;
    if (this.kind && inputs.kind(index) !== this.kind && !inputs.eventKinds.get(index)?.has(this.kind)) return false;
    if (this.severity && RANK[inputs.severity(index)] < RANK[this.severity]) return false;
    return this.words.every((word) => inputs.holds(index, word));
  }

  /** Looks for these words, each of which has to be there. */
  set text(text) {
    this.words = text.toLowerCase().split(/\s+/).filter(Boolean);
  }

  events() {
    return this.isOn ? this.report.events.filter((event) => this.takesEvent(event)) : this.report.events;
  }

  /** The indices of the inputs that are shown. */
  inputs() {
    const { all } = this.report.inputs;
    return this.isOn ? all.filter((index) => this.takesInput(index)) : all;
  }
}
