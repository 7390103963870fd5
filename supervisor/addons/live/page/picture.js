// The picture of the tab.

import { readPicture } from "./token.js";

const OLD_MS = 6000;
const LOST = {
  "not started": "No browser runs yet.",
  reconnecting: "The connection to the browser is lost. The supervisor tries to connect again.",
  lost: "The browser is gone.",
  stopped: "The supervisor has stopped.",
};

export class Picture {
  constructor(canvas) {
    this.canvas = canvas;
    this.tab = null;
    this.size = { width: 0, height: 0 };
    this.order = 0;
    this.drawn = 0;
    this.nothing = document.getElementById("nothing");
    this.age = document.getElementById("age");
    this.confirmedAt = 0;
    setInterval(() => this.tell(), 1000);
  }

  /** Take a message with a picture. */
  async take(buffer, panels) {
    const { head, jpeg } = readPicture(buffer);
    const order = ++this.order;
    if (!jpeg.length) {
      this.confirm(head); // the page looks as before
      return;
    }
    let bitmap;
    try {
      bitmap = await createImageBitmap(new Blob([jpeg], { type: "image/jpeg" }));
    } catch {
      return; // no picture after all
    }
    panels.thumbnail(head.tab, bitmap);
    if (head.tab === this.tab && order > this.drawn && (head.large || this.nothing.hidden === false)) {
      this.drawn = order;
      this.confirm(head);
      this.size = { width: head.width, height: head.height };
      this.canvas.width = bitmap.width;
      this.canvas.height = bitmap.height;
      this.canvas.getContext("2d").drawImage(bitmap, 0, 0);
      this.nothing.hidden = true;
      this.mark();
      this.canvas.dataset.pictures = String(Number(this.canvas.dataset.pictures ?? 0) + 1);
    }
    bitmap.close();
  }

  /** The picture shows the page as it is now. */
  confirm(head) {
    if (head.tab !== this.tab || !head.large) return;
    this.confirmedAt = performance.now();
    this.tell();
  }

  /** Tell when the picture is old. */
  tell() {
    const old = this.nothing.hidden && performance.now() - this.confirmedAt > OLD_MS;
    this.age.hidden = !old;
    if (old) this.age.textContent = `This picture is ${Math.round((performance.now() - this.confirmedAt) / 1000)} s old.`;
  }

  /** Mark what the agent is about to touch. */
  mark() {
    const stage = this.canvas.getBoundingClientRect();
    const scale = Math.min(stage.width / this.canvas.width, stage.height / this.canvas.height);
    const left = (stage.width - this.canvas.width * scale) / 2;
    const pixels = (this.canvas.width * scale) / this.size.width;
    const marks = (this.size.width ? (this.aims ?? []) : []).map((aim) => {
      const mark = document.createElement("div");
      mark.className = "aim";
      mark.style.left = `${left + aim.left * pixels}px`;
      mark.style.top = `${aim.top * pixels}px`;
      mark.style.width = `${aim.width * pixels}px`;
      mark.style.height = `${aim.height * pixels}px`;
      return mark;
    });
    document.getElementById("aims").replaceChildren(...marks);
  }

  clear() {
    this.nothing.hidden = false;
    this.age.hidden = true;
    this.canvas.getContext("2d").clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  show(state, tab) {
    const lost = LOST[state.connection?.state];
    if (tab?.id !== this.tab) {
      this.tab = tab?.id ?? null;
      this.clear();
    }
    if (lost) this.clear();
    const reason = state.pictures?.reason;
    const isAsking = (state.dialogs ?? []).some((dialog) => dialog.tab === this.tab);
    this.nothing.textContent = lost ? lost : !tab ? "No tab is open." : reason ? `No pictures: ${reason}` : isAsking ? "No picture before its dialog is answered." : "No picture yet.";
    this.canvas.setAttribute("aria-label", tab ? `Picture of the tab ${tab.title || tab.url}` : "No tab");
    this.canvas.classList.toggle("frozen", isAsking);
    this.aims = (state.approvals ?? []).map((ask) => ask.aim).filter((aim) => aim?.tab === this.tab);
    this.mark();
  }

  /** The point of the page below a place of the window; null without a picture. */
  point({ clientX, clientY }) {
    if (!this.size.width) return null;
    // `object-fit: contain`, at the top, in the middle.
    const box = this.canvas.getBoundingClientRect();
    const scale = Math.min(box.width / this.canvas.width, box.height / this.canvas.height);
    const left = box.left + (box.width - this.canvas.width * scale) / 2;
    const x = ((clientX - left) / (this.canvas.width * scale)) * this.size.width;
    const y = ((clientY - box.top) / (this.canvas.height * scale)) * this.size.height;
    return { x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 };
  }
}
