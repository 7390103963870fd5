// The connection to the server: what it shows goes to the panels and the picture, what the hands do goes back.
// Nothing of a page is ever markup here: all of it is set as textContent.

import { Hands } from "./hands.js";
import { Panels } from "./panels.js";
import { Picture } from "./picture.js";
import { openFeed, readToken } from "./token.js";

const RETRY_MS = 1000;

class Live {
  constructor() {
    this.token = readToken();
    this.state = {};
    this.tab = null; // chosen by the person; null follows the agent
    this.opened = null; // opened by the person, and perhaps not there yet
    this.looked = undefined;
    this.socket = null;
    this.say = this.say.bind(this);
    this.panels = new Panels(this.say, (tab) => this.choose(tab), (file) => this.upload(file));
    const canvas = document.getElementById("picture");
    this.picture = new Picture(canvas);
    this.hands = new Hands(canvas, this.say, (place) => this.picture.point(place), (text) => this.panels.notices([{ text }]));
    document.addEventListener("visibilitychange", () => this.look());
    addEventListener("hashchange", () => {
      this.token = readToken();
      this.socket?.close();
    });
    this.connect();
  }

  connect() {
    if (!this.token) {
      this.panels.offline("Open the address that the command printed: it ends with a token.");
      return;
    }
    const socket = openFeed(location.href, this.token);
    let wasOpen = false;
    socket.onopen = () => {
      wasOpen = true;
      this.looked = undefined;
    };
    socket.onmessage = (event) => {
      if (typeof event.data === "string") this.take(JSON.parse(event.data));
      else this.picture.take(event.data, this.panels);
    };
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.hands.control(false);
      this.panels.offline(wasOpen ? "The server has gone; looking for it." : "The server is not there, or the token is wrong.");
      setTimeout(() => this.connect(), RETRY_MS);
    };
    this.socket = socket;
  }

  say(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  take(changed) {
    Object.assign(this.state, changed);
    const tabs = this.state.tabs ?? [];
    if (changed.opened) this.opened = changed.opened;
    if (tabs.some((tab) => tab.id === this.opened)) [this.tab, this.opened] = [this.opened, null];
    if (!tabs.some((tab) => tab.id === this.tab)) this.tab = null;
    const shown = this.shown();
    this.panels.show(changed, this.state, shown);
    delete this.state.notices; // each is shown once
    this.picture.show(this.state, shown);
    this.hands.control(this.state.control?.by === "you");
    if ("list" in changed) this.hands.list(changed.list);
    if (changed.clipboard) this.hands.clipboard(changed.clipboard);
    this.look();
  }

  /** Send a file of this machine, and return its path on the browser's. */
  async upload(file) {
    const headers = { Authorization: `Bearer ${this.token}` };
    const answer = await fetch(`/upload?name=${encodeURIComponent(file.name)}`, { method: "POST", headers, body: file });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()).path;
  }

  /** The tab that is shown: the chosen one, or the one that the agent works in. */
  shown() {
    const tabs = this.state.tabs ?? [];
    return tabs.find((tab) => tab.id === this.tab) ?? tabs.find((tab) => tab.current) ?? tabs[0] ?? null;
  }

  choose(tab) {
    this.tab = tab;
    this.panels.show(this.state, this.state, this.shown());
    this.picture.show(this.state, this.shown());
    this.look();
  }

  /** Say which tab is looked at; none while this page is hidden, so that no pictures are made. */
  look() {
    const targetId = document.hidden ? null : (this.shown()?.id ?? null);
    if (targetId === this.looked) return;
    this.looked = targetId;
    this.say({ do: "look", targetId, others: true });
  }
}

new Live();
