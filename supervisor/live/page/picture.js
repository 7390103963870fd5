// The picture of the tab, and the hands of the person who has taken over.

const BUTTONS = ["left", "middle", "right", "back", "forward"];
const MOVE_MS = 40;
const OLD_MS = 6000;
const LOST = {
  "not started": "No browser runs yet.",
  reconnecting: "The connection to the browser is lost. The supervisor tries to connect again.",
  lost: "The browser is gone.",
  stopped: "The supervisor has stopped.",
};

function modifiers(event) {
  return (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0);
}

export class Picture {
  constructor(canvas, say) {
    this.canvas = canvas;
    this.say = say;
    this.tab = null;
    this.size = { width: 0, height: 0 };
    this.isControlled = false;
    this.movedAt = 0;
    this.order = 0;
    this.drawn = 0;
    this.nothing = document.getElementById("nothing");
    this.hint = document.getElementById("hint");
    this.age = document.getElementById("age");
    this.confirmedAt = 0;
    setInterval(() => this.tell(), 1000);
    // A drag that ends outside the picture ends on the page, too.
    canvas.addEventListener("pointerdown", (event) => this.isControlled && canvas.setPointerCapture(event.pointerId));
    for (const type of ["mousedown", "mouseup", "mousemove"]) canvas.addEventListener(type, (event) => this.mouse(event));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("contextmenu", (event) => this.isControlled && event.preventDefault());
    for (const type of ["keydown", "keyup"]) canvas.addEventListener(type, (event) => this.key(event));
    canvas.addEventListener("paste", (event) => this.paste(event));
  }

  /** Take a message with a picture: the length of its head, the head, a JPEG. */
  async take(buffer, panels) {
    const length = new DataView(buffer).getUint16(0);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 2, length)));
    const order = ++this.order;
    if (buffer.byteLength === 2 + length) {
      this.confirm(head); // the page looks as before
      return;
    }
    let bitmap;
    try {
      bitmap = await createImageBitmap(new Blob([new Uint8Array(buffer, 2 + length)], { type: "image/jpeg" }));
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
    this.control(state.control?.by === "you");
  }

  control(isControlled) {
    if (isControlled === this.isControlled) return;
    this.isControlled = isControlled;
    this.canvas.classList.toggle("controlled", isControlled);
    this.canvas.setAttribute("role", isControlled ? "application" : "img");
    if (isControlled) {
      this.canvas.tabIndex = 0;
      this.canvas.setAttribute("aria-describedby", "hint");
      this.hint.textContent = "Mouse and keyboard go to the page. Shift+Escape leaves the picture.";
      this.canvas.focus();
    } else {
      this.canvas.removeAttribute("tabindex");
      this.canvas.removeAttribute("aria-describedby");
      this.hint.textContent = "";
    }
  }

  point(event) {
    // `object-fit: contain`, at the top, in the middle.
    const box = this.canvas.getBoundingClientRect();
    const scale = Math.min(box.width / this.canvas.width, box.height / this.canvas.height);
    const left = box.left + (box.width - this.canvas.width * scale) / 2;
    const x = ((event.clientX - left) / (this.canvas.width * scale)) * this.size.width;
    const y = ((event.clientY - box.top) / (this.canvas.height * scale)) * this.size.height;
    return { x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 };
  }

  mouse(event) {
    if (!this.isControlled || !this.size.width) return;
    const type = { mousedown: "mousePressed", mouseup: "mouseReleased", mousemove: "mouseMoved" }[event.type];
    if (type === "mouseMoved") {
      if (event.timeStamp - this.movedAt < MOVE_MS) return;
      this.movedAt = event.timeStamp;
    } else {
      event.preventDefault();
      this.canvas.focus();
    }
    // A move tells the button that is held down: the page takes it for dragging then.
    const held = event.buttons & 1 ? "left" : event.buttons & 2 ? "right" : event.buttons & 4 ? "middle" : "none";
    const button = type === "mouseMoved" ? held : (BUTTONS[event.button] ?? "none");
    const clicks = type === "mouseMoved" ? 0 : event.detail || 1;
    this.say({ do: "mouse", type, ...this.point(event), button, buttons: event.buttons & 31, clicks, modifiers: modifiers(event) });
  }

  wheel(event) {
    if (!this.isControlled || !this.size.width) return;
    event.preventDefault();
    const scale = event.deltaMode === 1 ? 40 : event.deltaMode === 2 ? 400 : 1;
    const deltas = { deltaX: event.deltaX * scale, deltaY: event.deltaY * scale };
    this.say({ do: "mouse", type: "mouseWheel", ...this.point(event), modifiers: modifiers(event), ...deltas });
  }

  key(event) {
    if (!this.isControlled || event.isComposing) return;
    if (event.key === "Escape" && event.shiftKey) {
      event.preventDefault();
      if (event.type === "keydown") document.getElementById("take").focus();
      return;
    }
    // A paste comes as an event of its own, with the text.
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "v") return;
    event.preventDefault();
    const type = event.type === "keydown" ? "keyDown" : "keyUp";
    const { key, code, keyCode, location, repeat } = event;
    this.say({ do: "key", type, key, code, keyCode: Math.min(keyCode, 255), location, repeat, modifiers: modifiers(event) });
  }

  paste(event) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!this.isControlled || !text) return;
    event.preventDefault();
    this.say({ do: "text", text: text.slice(0, 100_000) });
  }
}
