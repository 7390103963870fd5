// All live views of this user: a picture of each one's current tab, its latest calls, its dialogs, and a way into it.
// Text of pages goes into textContent, and nowhere else.

import { openFeed, readPicture, readToken } from "./token.js";

const LIST_MS = 1000;
const LATEST = 5;

const $ = (id) => document.getElementById(id);

function make(tag, className, text = "") {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

class Card {
  constructor(session) {
    this.session = session;
    this.state = {};
    this.calls = new Map(); // the latest that this page has seen
    this.element = make("li", "session");
    this.name = make("h3", "line", session.name);
    this.where = make("p", "line quiet", "connecting");
    this.canvas = make("canvas", "");
    this.canvas.setAttribute("role", "img");
    this.dialogs = make("div", "dialogs");
    this.list = make("ul", "rows calls");
    this.open = make("button", "primary", "Open");
    this.open.type = "button";
    this.open.addEventListener("click", () => {
      window.open(`${session.url}/#token=${encodeURIComponent(session.token)}`, "_blank", "noopener,noreferrer");
    });
    this.element.append(this.name, this.where, this.canvas, this.dialogs, this.list, this.open);
    this.connect();
  }

  connect() {
    const socket = openFeed(this.session.url, this.session.token);
    this.looked = undefined;
    socket.onmessage = (event) => {
      if (typeof event.data === "string") this.take(JSON.parse(event.data));
      else this.draw(event.data);
    };
    socket.onclose = () => {
      this.clear();
      this.where.textContent = "no connection to this live view";
      if (this.element.isConnected) setTimeout(() => this.element.isConnected && this.connect(), LIST_MS);
    };
    this.socket = socket;
  }

  close() {
    this.element.remove();
    this.socket.close();
  }

  take(changed) {
    Object.assign(this.state, changed);
    const tabs = this.state.tabs ?? [];
    const tab = tabs.find((each) => each.current) ?? tabs[0];
    if (tab?.id !== this.tab?.id || this.state.connection?.state !== "ready") this.clear();
    this.tab = tab;
    for (const call of changed.calls ?? []) this.calls.set(`${call.since} ${call.what}`, call);
    while (this.calls.size > LATEST) this.calls.delete(this.calls.keys().next().value);
    this.show();
    this.look();
  }

  show() {
    const { connection, control, dialogs = [], approvals = [] } = this.state;
    const isReady = connection?.state === "ready";
    const place = this.tab ? this.tab.title || this.tab.url : "no tab";
    this.where.textContent = (isReady ? place : `${connection?.state} ${connection?.reason}`) + (control?.by === "agent" ? "" : " (a person is in control)");
    this.canvas.setAttribute("aria-label", `Picture of ${place}`);
    const asking = [
      ...dialogs.map((dialog) => `${dialog.type}: ${dialog.message}`),
      ...approvals.map((ask) => `${ask.tool} waits for an approval`),
    ];
    this.element.classList.toggle("asks", asking.length > 0);
    this.dialogs.replaceChildren(...asking.map((text) => make("p", "dialog", text)));
    this.list.replaceChildren(...Array.from(this.calls.values()).reverse().map((call) => make("li", "line", `${call.what} ${call.text}`)));
  }

  /** Ask for pictures of the current tab while this page is shown. */
  look() {
    const targetId = document.hidden ? null : (this.tab?.id ?? null);
    if (targetId === this.looked || this.socket.readyState !== WebSocket.OPEN) return;
    this.looked = targetId;
    this.socket.send(JSON.stringify({ do: "look", targetId, others: false, small: true }));
  }

  clear() {
    this.canvas.getContext("2d").clearRect(0, 0, this.canvas.width, this.canvas.height);
    delete this.canvas.dataset.pictures;
  }

  async draw(buffer) {
    const { head, jpeg } = readPicture(buffer);
    if (!jpeg.length || head.tab !== this.tab?.id) return;
    const bitmap = await createImageBitmap(new Blob([jpeg], { type: "image/jpeg" })).catch(() => null);
    if (bitmap && head.tab === this.tab?.id) {
      this.canvas.width = bitmap.width;
      this.canvas.height = bitmap.height;
      this.canvas.getContext("2d").drawImage(bitmap, 0, 0);
      this.canvas.dataset.pictures = "1";
    }
    bitmap?.close();
  }
}

class Grid {
  constructor() {
    this.token = readToken();
    this.cards = new Map();
    document.addEventListener("visibilitychange", () => this.cards.forEach((card) => card.look()));
    addEventListener("hashchange", () => (this.token = readToken()));
    this.list();
  }

  async list() {
    try {
      if (this.token) await this.fetch();
      else this.tell("Open the address that the command printed: it ends with a token.");
    } catch {
      this.show([]);
      this.tell("The server has gone, or the token is wrong.");
    }
    setTimeout(() => this.list(), LIST_MS);
  }

  async fetch() {
    const answer = await fetch("/sessions", { headers: { Authorization: `Bearer ${this.token}` } });
    if (!answer.ok) throw new Error(answer.statusText);
    const sessions = await answer.json();
    this.show(sessions);
    this.tell(sessions.length ? `${sessions.length} running` : "No live view of this user runs.");
  }

  tell(text) {
    $("connection").textContent = text;
  }

  show(sessions) {
    const running = new Set(sessions.map((session) => session.id));
    for (const [id, card] of this.cards) {
      if (!running.has(id)) {
        card.close();
        this.cards.delete(id);
      }
    }
    for (const session of sessions) {
      if (this.cards.has(session.id)) continue;
      const card = new Card(session);
      this.cards.set(session.id, card);
      $("sessions").append(card.element);
    }
  }
}

new Grid();
