// All that is shown besides the picture. Text of pages goes into textContent and value, and nowhere else.

const $ = (id) => document.getElementById(id);

const STATUS = {
  attaching: "attaching", ok: "", unresponsive: "does not respond", partly_unresponsive: "an iframe does not respond",
  unwatched: "a dialog is being ended", crashed: "crashed",
};
const BLOCKERS = {
  file_chooser: "A file chooser waits", download: "A download is under way", debugger: "A script stands at a breakpoint", print: "A print preview is open",
  http_auth: "A server asks for a login", account_chooser: "A chooser of accounts waits", crash: "The tab has crashed", unresponsive: "The tab does not respond", storm: "The tab opens one dialog after the other",
};

const WAYS = ["back", "forward", "reload", "stop", "close"];

/** An element with a class, text and children. */
function make(tag, className = "", text = null, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== null) element.textContent = text;
  element.append(...children);
  return element;
}

function button(text, onclick, className = "") {
  const made = make("button", className, text);
  made.type = "button";
  made.addEventListener("click", onclick);
  return made;
}

/** The button that a form is sent with, also by Enter. */
function submit(text) {
  const made = make("button", "primary", text);
  made.type = "submit";
  return made;
}

function field(label, type = "text", value = "") {
  const input = make("input");
  input.type = type;
  input.value = value;
  input.autocomplete = "off";
  input.setAttribute("aria-label", label);
  input.placeholder = label;
  return input;
}

function ago(since) {
  const seconds = Math.max(0, Date.now() / 1000 - since);
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}

/** Make the children of a list those of `items`, and keep the elements of those that were there. */
function keyed(list, items, keyOf, create, update = () => {}) {
  const old = new Map(Array.from(list.children, (child) => [child.dataset.key, child]));
  let at = list.firstElementChild;
  for (const item of items) {
    const key = String(keyOf(item));
    let element = old.get(key);
    if (element) old.delete(key);
    else {
      element = create(item);
      element.dataset.key = key;
    }
    update(element, item);
    if (element === at) at = at.nextElementSibling;
    else list.insertBefore(element, at);
  }
  for (const gone of old.values()) gone.remove();
}

function rows(list, items, nothing, build) {
  list.replaceChildren(...(items.length ? items.map(build) : [make("li", "quiet", nothing)]));
}

export class Panels {
  constructor(say, choose, upload) {
    this.say = say;
    this.choose = choose;
    this.upload = upload;
    this.by = "agent";
    this.state = {};
    this.shown = null;
    $("take").addEventListener("click", () => this.say({ do: this.by === "you" ? "give_back" : "take" }));
    for (const way of WAYS) $(way).addEventListener("click", () => this.say({ do: "go", way }));
    $("new-tab").addEventListener("click", () => this.say({ do: "new_tab" }));
    $("address").addEventListener("submit", (event) => {
      event.preventDefault();
      let url = $("url").value.trim();
      if (url && !/^[a-z][a-z0-9+.-]*:/i.test(url)) url = `https://${url}`;
      if (url) this.say({ do: "go", way: "address", url });
    });
    $("tabs").addEventListener("keydown", (event) => this.walk(event));
    setInterval(() => this.tick(), 1000);
  }

  offline(why) {
    $("connection").textContent = why;
    $("connection").className = "pill bad";
    $("take").disabled = true;
  }

  show(changed, state, shown) {
    const isOther = this.shown?.id !== shown?.id;
    this.state = state;
    this.shown = shown;
    if (changed.connection) this.connection(changed.connection);
    if (changed.control) this.control(changed.control);
    if (changed.tabs || isOther) this.tabs(state.tabs ?? []);
    if (changed.others) this.others(changed.others);
    if (changed.dialogs || changed.blockers || changed.storms || changed.approvals) this.asks(state);
    if (changed.frames || isOther) this.frames(state.frames?.[shown?.id] ?? []);
    if (changed.calls) this.calls(changed.calls);
    if (changed.recent) this.recent(changed.recent);
    if (changed.downloads) this.downloads(changed.downloads);
    if (changed.console) this.console(changed.console);
    if (changed.notices) this.notices(changed.notices);
    if (document.activeElement !== $("url")) $("url").value = shown?.url ?? "";
  }

  connection({ state, reason }) {
    $("connection").textContent = reason ? `${state}: ${reason}` : state;
    $("connection").className = `pill ${state === "ready" ? "good" : state === "lost" || state === "stopped" ? "bad" : "busy"}`;
    $("take").disabled = state !== "ready";
  }

  control({ by, since, viewers }) {
    this.by = by;
    $("take").textContent = by === "you" ? "Give back" : "Take over";
    $("take").setAttribute("aria-pressed", String(by === "you"));
    $("take").hidden = by === "another";
    $("control").textContent = { agent: "", you: "You control the browser; the agent waits.", another: "Another person controls the browser." }[by];
    $("viewers").textContent = viewers === 1 ? "1 viewer" : `${viewers} viewers`;
    $("url").readOnly = by !== "you";
    for (const id of [...WAYS, "new-tab"]) $(id).disabled = by !== "you";
    document.body.classList.toggle("controlling", by === "you");
  }

  tabs(tabs) {
    const create = (tab) => {
      const item = make("li", "tab", null, make("canvas", "thumbnail"), make("span", "title"), make("span", "url quiet"), make("span", "badges"));
      item.role = "option";
      item.firstElementChild.setAttribute("aria-hidden", "true");
      item.addEventListener("click", () => this.choose(tab.id));
      return item;
    };
    keyed($("tabs"), tabs, (tab) => tab.id, create, (item, tab) => {
      const [, title, url, badges] = item.children;
      title.textContent = tab.title || tab.url || "empty tab";
      url.textContent = tab.url;
      const isShown = tab.id === this.shown?.id;
      item.setAttribute("aria-selected", String(isShown));
      item.tabIndex = isShown ? 0 : -1;
      const told = [tab.current ? "agent" : "", STATUS[tab.status] ?? tab.status, tab.managed ? "" : "only watched", tab.given ? "given" : ""].filter(Boolean);
      badges.replaceChildren(...told.map((text) => make("span", `badge ${text === "agent" || text === "given" ? "good" : "bad"}`, text)));
    });
  }

  /** The tabs that the person may give to the agent, and those that they gave. */
  others(tabs) {
    $("others").parentElement.hidden = tabs.length === 0;
    const create = (tab) => {
      const way = tab.given ? "take_tab_back" : "give_tab";
      const hand = button(tab.given ? "Take back" : "Give this tab to the agent", () => this.say({ do: way, targetId: tab.id }));
      return make("li", "", null, make("span", "title"), make("span", "url quiet"), hand);
    };
    keyed($("others"), tabs, (tab) => `${tab.id} ${tab.given}`, create, (item, tab) => {
      const [title, url, hand] = item.children;
      title.textContent = tab.title || tab.url || "empty tab";
      url.textContent = tab.url;
      hand.setAttribute("aria-label", `${hand.textContent}: ${title.textContent}`);
    });
  }

  walk(event) {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const items = Array.from($("tabs").children);
    const at = items.findIndex((item) => item.dataset.key === this.shown?.id);
    const next = items[at + (step ?? 0)];
    if (!step || !next) return;
    event.preventDefault();
    this.choose(next.dataset.key);
    next.focus();
  }

  /** Draw a small picture of a tab. */
  thumbnail(tab, bitmap) {
    const canvas = Array.from($("tabs").children).find((item) => item.dataset.key === tab)?.firstElementChild;
    if (!canvas) return;
    canvas.width = 160;
    canvas.height = Math.max(1, Math.round((160 * bitmap.height) / bitmap.width));
    canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  }

  asks({ approvals = [], dialogs = [], blockers = [], storms = [] }) {
    const asks = [...approvals.map((ask) => ({ ...ask, isApproval: true })), ...dialogs.map((ask) => ({ ...ask, isDialog: true })), ...storms, ...blockers];
    keyed($("asks"), asks, (ask) => ask.id, (ask) => (ask.isApproval ? this.approval(ask) : ask.isDialog ? this.dialog(ask) : this.blocker(ask)), (card, ask) => {
      const isHere = !ask.tab || ask.tab === this.shown?.id;
      card.querySelector(".where").textContent = isHere ? "" : "in another tab";
      const about = card.querySelector(".about");
      if (about && about.textContent !== ask.text) about.textContent = ask.text;
    });
    const waiting = dialogs.length + approvals.length;
    document.title = waiting ? `(${waiting}) Live view` : "Live view";
  }

  card(ask, heading, className) {
    const title = make("h3", "", heading, make("span", "where quiet"), make("time", "quiet", ago(ask.since)));
    title.lastElementChild.dataset.since = ask.since;
    title.id = `ask-${ask.id}`;
    const card = make("section", `card ${className}`, null, title);
    card.setAttribute("aria-labelledby", title.id);
    return card;
  }

  approval(ask) {
    const card = this.card(ask, `The agent asks for ${ask.tool} `, "dialog approval");
    const text = make("textarea", "arguments");
    text.value = ask.arguments;
    text.rows = Math.min(ask.arguments.split("\n").length, 12);
    text.spellcheck = false;
    text.setAttribute("aria-label", "Arguments");
    const words = field("Reason, for the agent");
    const form = make("form", "buttons");
    const refuse = button("Refuse", () => this.say({ do: "refuse", approvalId: ask.id, words: words.value }));
    form.append(submit("Approve"), words, refuse);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.say({ do: "approve", approvalId: ask.id, arguments: text.value === ask.arguments ? null : text.value });
    });
    if (ask.again) card.append(make("p", "", "The page has changed since you approved this. Look again."));
    card.append(text, form);
    return card;
  }

  dialog(ask) {
    const card = this.card(ask, `${ask.type} `, "dialog");
    const say = (accept, text = null) => this.say({ do: "answer", dialogId: ask.id, accept, text });
    card.append(make("p", "message", ask.message), make("p", "quiet url", ask.url));
    if (!ask.answerable) {
      card.append(make("p", "", `The browser takes no answer for it any more. ${ask.note}`));
      return card;
    }
    const form = make("form", "buttons");
    if (ask.type === "prompt") {
      const input = field("Answer", "text", ask.default);
      const offered = input.value;
      form.append(input, submit("Accept"));
      // Untouched, the page's own default is sent, as the page wrote it.
      form.answer = () => say(true, input.value === offered ? null : input.value);
    } else {
      form.append(submit("Accept"));
      form.answer = () => say(true);
    }
    if (ask.type !== "alert") form.append(button("Dismiss", () => say(false)));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      form.answer();
    });
    card.append(form);
    return card;
  }

  blocker(ask) {
    const card = this.card(ask, `${BLOCKERS[ask.kind] ?? ask.kind} `, "blocker");
    const form = make("form", "buttons");
    const say = (way, more = {}) => this.say({ do: "blocker", blockerId: ask.id, way, ...more });
    card.append(make("p", "message about", ask.text), make("p", "quiet url", ask.url));
    if (ask.kind === "file_chooser") {
      const paths = field("Path of a file on the browser's machine");
      const own = field("Files of this machine", "file");
      own.multiple = true;
      own.addEventListener("change", async () => {
        try {
          say("files", { paths: await Promise.all(Array.from(own.files, this.upload)) });
        } catch (error) {
          this.notices([{ text: error.message }]);
        }
      });
      form.append(paths, submit("Choose"), button("None", () => say("files")), own);
      form.answer = () => paths.value && say("files", { paths: [paths.value] });
    } else if (ask.kind === "http_auth") {
      const [name, password] = [field("Name"), field("Password", "password")];
      form.append(name, password, submit("Log in"), button("Cancel", () => say("cancel_log_in")));
      form.answer = () => say("log_in", { username: name.value, password: password.value });
    } else if (ask.kind === "download") {
      form.append(button("Cancel the download", () => say("cancel_download")));
    } else if (ask.kind === "print") {
      form.append(button("Close the preview", () => say("cancel_print"), "primary"));
    } else if (ask.kind === "debugger") {
      form.append(button("Resume", () => say("resume"), "primary"));
    } else if (ask.kind === "crash") {
      form.append(button("Reload", () => say("reload"), "primary"));
    }
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      form.answer?.();
    });
    if (form.childElementCount) card.append(form);
    return card;
  }

  frames(frames) {
    rows($("frames"), frames, "none", (frame) => {
      const row = make("li", `depth-${Math.min(frame.depth, 6)}`, null, make("span", "url", frame.url || "about:blank"));
      if (frame.own) row.append(make("span", "badge", "own process"));
      if (frame.name) row.append(make("span", "quiet", frame.name));
      if (frame.loading) row.append(make("span", "badge busy", "loading"));
      return row;
    });
  }

  calls(calls) {
    rows($("calls"), calls, "none", (call) => {
      const time = make("time", "quiet", ago(call.since));
      time.dataset.since = call.since;
      const row = make("li", "", null, make("span", call.tool ? "tool" : "method", call.what), time);
      if (call.text) row.append(make("code", "quiet", call.text));
      if (call.waits) row.append(make("span", "waits", `waits for ${call.waits}`));
      return row;
    });
  }

  recent(records) {
    rows($("recent"), records, "none", (record) => {
      const how = `${record.accepted ? "accepted" : "dismissed"} by ${record.by}`;
      return make("li", "", null, make("span", "", record.type), make("span", "quiet", how), make("span", "message", record.message));
    });
  }

  downloads(downloads) {
    $("downloads").parentElement.hidden = downloads.length === 0;
    rows($("downloads"), downloads, "none", (download) =>
      make("li", "", null, make("span", "url", download.name), make("span", "quiet", download.complete ? "complete" : "not complete")),
    );
  }

  console(messages) {
    const list = $("console");
    const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 8;
    const create = (message) => make("li", `level-${message.level}`, null, make("span", "badge", message.level), make("span", "message", message.text));
    keyed(list, messages, (message) => message.seq, create);
    if (isAtEnd) list.scrollTop = list.scrollHeight;
  }

  notices(notices) {
    for (const { text, button: label, says, tab } of notices) {
      const notice = make("p", "notice", null, make("span", "", text));
      const help = () => {
        notice.remove();
        if (tab) this.choose(tab);
        this.say(says);
      };
      if (label) notice.append(button(label, help, "primary"));
      notice.append(button("Close", () => notice.remove()));
      for (const old of $("notices").children) if (old.firstElementChild.textContent === text) old.remove();
      $("notices").append(notice);
      setTimeout(() => notice.remove(), 12_000);
    }
    while ($("notices").childElementCount > 4) $("notices").firstElementChild.remove();
  }

  tick() {
    for (const time of document.querySelectorAll("time[data-since]")) time.textContent = ago(Number(time.dataset.since));
  }
}
