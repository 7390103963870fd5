// Elements, and nothing else that touches the document's structure: every text goes in as text.

function byId(id) {
  return document.getElementById(id);
}

/** An element; `attributes` are attributes, but for `text` (its text) and functions (listeners, by the event's name). */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "text") made.textContent = value;
    else if (typeof value === "function") made.addEventListener(key, value);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function span(kind, text) {
  return element("span", { class: kind, text });
}

/** Sets an attribute, or takes it away for null. */
function attribute(target, name, value) {
  if (value === null || value === undefined) target.removeAttribute(name);
  else if (target.getAttribute(name) !== String(value)) target.setAttribute(name, String(value));
}

function isTyping(target) {
  return target instanceof Element && target.matches("input:not([type=checkbox]), select, textarea");
}

/** A function that runs at most once a frame. */
function onceAFrame(work) {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      work();
    });
  };
}

/** Tabs of which one is chosen: arrow keys move between them. */
function tabList(buttons, choose) {
  const show = (chosen) => {
    for (const button of buttons) {
      attribute(button, "aria-selected", button === chosen);
      button.tabIndex = button === chosen ? 0 : -1;
    }
    choose(chosen.id);
  };
  buttons.forEach((button) => {
    button.addEventListener("click", () => show(button));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const shown = buttons.filter((one) => !one.hidden);
      const next = shown[(shown.indexOf(button) + step + shown.length) % shown.length];
      show(next);
      next.focus();
    });
  });
  return (id) => show(byId(id));
}
