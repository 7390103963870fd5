// The hands of the person who has taken over: mouse, fingers, keyboard, input methods and the clipboard.

const BUTTONS = ["left", "middle", "right", "back", "forward"];
const MOVE_MS = 40;
const FIT_MS = 300;
const COPY_MS = 5000;
const KEYS_BY_INPUT = { deleteContentBackward: "Backspace", deleteContentForward: "Delete", insertLineBreak: "Enter" };
const KEY_CODES = { Backspace: 8, Delete: 46, Enter: 13 };

const $ = (id) => document.getElementById(id);

function modifiers(event) {
  return (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0);
}

/** Keys that an input method makes a text of, with events of their own. */
function isComposed(event) {
  return event.isComposing || event.keyCode === 229 || event.key === "Dead" || event.key === "Unidentified";
}

export class Hands {
  /** `place` gives the point of the page below a place of the window, or null without a picture. */
  constructor(canvas, say, place, tell) {
    this.canvas = canvas;
    this.say = say;
    this.place = place;
    this.tell = tell;
    this.isControlled = false;
    this.movedAt = 0;
    this.clickedAt = { x: 0, y: 0 };
    this.copied = () => {};
    this.turn = Promise.resolve(); // keys wait for a copy that is asked for, and stay in order
    this.keys = $("keys"); // takes the keyboard, because input methods and on-screen keyboards need a text field
    // A drag that ends outside the picture ends on the page, too.
    canvas.addEventListener("pointerdown", (event) => this.isControlled && canvas.setPointerCapture(event.pointerId));
    for (const type of ["mousedown", "mouseup", "mousemove"]) canvas.addEventListener(type, (event) => this.mouse(event));
    for (const type of ["touchstart", "touchmove", "touchend", "touchcancel"])
      canvas.addEventListener(type, (event) => this.touch(event), { passive: false });
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("contextmenu", (event) => this.isControlled && event.preventDefault());
    for (const type of ["keydown", "keyup"]) this.keys.addEventListener(type, (event) => this.key(event));
    this.keys.addEventListener("paste", (event) => this.paste(event));
    this.keys.addEventListener("beforeinput", (event) => this.edit(event));
    this.keys.addEventListener("input", (event) => event.isComposing || this.type(this.keys.value));
    this.keys.addEventListener("compositionupdate", (event) => this.say({ do: "compose", text: event.data }));
    this.keys.addEventListener("compositionend", (event) => this.type(event.data));
    $("keyboard").addEventListener("click", () => this.keys.focus());
    new ResizeObserver(() => this.fit()).observe($("stage"));
  }

  control(isControlled) {
    if (isControlled === this.isControlled) return;
    this.isControlled = isControlled;
    this.canvas.classList.toggle("controlled", isControlled);
    this.keys.hidden = !isControlled;
    $("keyboard").hidden = !isControlled;
    $("hint").textContent = isControlled ? "Mouse and keyboard go to the page. Shift+Escape leaves the picture." : "";
    this.list(null);
    if (isControlled) {
      this.fit();
      this.keys.focus({ preventScroll: true });
    }
  }

  /** Say how much room there is for the page. */
  fit() {
    clearTimeout(this.fitting);
    if (!this.isControlled) return;
    const { clientWidth, clientHeight } = $("stage");
    const side = (pixels) => Math.round(Math.min(Math.max(pixels, 100), 8000));
    this.fitting = setTimeout(() => this.say({ do: "fit", width: side(clientWidth), height: side(clientHeight) }), FIT_MS);
  }

  mouse(event) {
    const point = this.isControlled && this.place(event);
    if (!point) return;
    const type = { mousedown: "mousePressed", mouseup: "mouseReleased", mousemove: "mouseMoved" }[event.type];
    if (type === "mouseMoved") {
      if (event.timeStamp - this.movedAt < MOVE_MS) return;
      this.movedAt = event.timeStamp;
    } else {
      event.preventDefault();
      this.keys.focus({ preventScroll: true });
      this.clickedAt = { x: event.clientX, y: event.clientY };
    }
    // A move tells the button that is held down: the page takes it for dragging then.
    const held = event.buttons & 1 ? "left" : event.buttons & 2 ? "right" : event.buttons & 4 ? "middle" : "none";
    const button = type === "mouseMoved" ? held : (BUTTONS[event.button] ?? "none");
    const clicks = type === "mouseMoved" ? 0 : event.detail || 1;
    this.say({ do: "mouse", type, ...point, button, buttons: event.buttons & 31, clicks, modifiers: modifiers(event) });
  }

  touch(event) {
    if (!this.isControlled) return;
    event.preventDefault(); // or the tap would come as a click of the mouse, too
    const type = { touchstart: "touchStart", touchmove: "touchMove", touchend: "touchEnd", touchcancel: "touchCancel" }[event.type];
    if (type === "touchMove") {
      if (event.timeStamp - this.movedAt < MOVE_MS) return;
      this.movedAt = event.timeStamp;
    }
    const [last] = event.changedTouches;
    this.clickedAt = { x: last.clientX, y: last.clientY };
    const fingers = Array.from(event.touches, (finger) => ({ id: finger.identifier & 255, ...this.place(finger) }));
    this.say({ do: "touch", type, fingers, modifiers: modifiers(event) });
  }

  wheel(event) {
    const point = this.isControlled && this.place(event);
    if (!point) return;
    event.preventDefault();
    const scale = event.deltaMode === 1 ? 40 : event.deltaMode === 2 ? 400 : 1;
    const deltas = { deltaX: event.deltaX * scale, deltaY: event.deltaY * scale };
    this.say({ do: "mouse", type: "mouseWheel", ...point, modifiers: modifiers(event), ...deltas });
  }

  key(event) {
    if (!this.isControlled || isComposed(event)) return;
    if (event.key === "Escape" && event.shiftKey) {
      event.preventDefault();
      if (event.type === "keydown") $("take").focus();
      return;
    }
    const isCommand = event.ctrlKey || event.metaKey;
    const letter = isCommand && event.type === "keydown" ? event.key.toLowerCase() : "";
    // A paste comes as an event with the text.
    if (isCommand && event.key.toLowerCase() === "v") return;
    event.preventDefault();
    const type = event.type === "keydown" ? "keyDown" : "keyUp";
    const { key, code, keyCode, location, repeat } = event;
    const message = { do: "key", type, key, code, keyCode: Math.min(keyCode, 255), location, repeat, modifiers: modifiers(event) };
    if (letter === "c" || letter === "x") this.turn = this.turn.then(() => this.copy());
    this.turn = this.turn.then(() => this.say(message));
  }

  /** Ask for what is selected in the page, and wait for it: a cut removes it there. */
  copy() {
    return new Promise((done) => {
      this.copied = done;
      setTimeout(done, COPY_MS);
      this.say({ do: "copy" });
    });
  }

  async clipboard({ text }) {
    this.copied();
    if (!text) return;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      this.tell("This browser did not let the view write to the clipboard.");
    }
  }

  paste(event) {
    event.preventDefault();
    this.type(event.clipboardData?.getData("text/plain") ?? "");
  }

  type(text) {
    this.keys.value = "";
    if (this.isControlled && text) this.say({ do: "text", text: text.slice(0, 100_000) });
    else this.say({ do: "compose", text: "" });
  }

  /** On-screen keyboards send edits in place of keys. */
  edit(event) {
    const key = KEYS_BY_INPUT[event.inputType];
    if (!key || event.isComposing) return;
    event.preventDefault();
    for (const type of ["keyDown", "keyUp"]) this.say({ do: "key", type, key, code: key, keyCode: KEY_CODES[key] });
  }

  /** Show the options of a list that the browser draws outside the page. */
  list(opened) {
    const list = $("list");
    const stage = $("stage").getBoundingClientRect();
    list.hidden = !opened;
    let group = "";
    const rows = [];
    for (const [index, option] of (opened?.options ?? []).entries()) {
      if (option.group && option.group !== group) {
        const heading = document.createElement("li");
        heading.className = "quiet";
        heading.role = "presentation";
        heading.textContent = group = option.group;
        rows.push(heading);
      }
      const row = document.createElement("li");
      row.role = "option";
      row.textContent = option.text || "\u00a0";
      row.setAttribute("aria-selected", String(index === opened.selected));
      row.setAttribute("aria-disabled", String(option.disabled));
      row.addEventListener("mousedown", (event) => event.preventDefault()); // the keyboard stays with the page
      if (!option.disabled) row.addEventListener("click", () => this.say({ do: "choose", index }));
      rows.push(row);
    }
    list.replaceChildren(...rows);
    if (!opened) return;
    list.style.left = `${Math.min(this.clickedAt.x - stage.left, Math.max(stage.width - list.offsetWidth - 8, 0))}px`;
    list.style.top = `${Math.min(this.clickedAt.y - stage.top + 12, Math.max(stage.height - list.offsetHeight - 8, 0))}px`;
  }
}
