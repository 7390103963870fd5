// The keys, and the page that tells them.

const KEYS = [
  ["a r x t", "actions, requests, errors, timeline"],
  ["← →", "the action before, the next one; in the timeline the input"],
  ["Shift + ← →", "ten inputs"],
  [", .", "the same, also in a tree"],
  ["n p", "the next action or event, the one before"],
  ["e E", "the next warning or error, the one before"],
  ["Home End", "the first input, the last one"],
  ["+ - 0", "zoom in, zoom out, the whole flight"],
  ["[ ]", "move the part in sight"],
  ["/", "search; Enter goes to the first that is found, Escape clears"],
  ["s d i v", "state, details, inputs, events"],
  ["c", "only what has changed, or everything"],
  ["l", "copy a link to this moment"],
  ["↑ ↓ Enter", "in a list or a tree: move, open; ← → close and open in a tree"],
  ["?", "this page"],
];

/** `actions` are the functions by their keys. A list or a tree takes its own keys first. */
function listenToKeys(actions) {
  byId("keys").replaceChildren(
    ...KEYS.flatMap(([keys, does]) => [
      element("dt", {}, ...keys.split(" ").map((key) => (key === "+" && keys.startsWith("Shift") ? " + " : element("kbd", { text: key })))),
      element("dd", { text: does }),
    ]),
  );
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (document.querySelector("dialog[open]") || isTyping(event.target)) return;
    const action = actions[event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key];
    if (!action) return;
    if (event.target instanceof HTMLInputElement && event.key === " ") return;
    event.preventDefault();
    action();
  });
}
