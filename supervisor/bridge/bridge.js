// Replaces alert, confirm and prompt by functions that ask the supervisor through a synchronous XMLHttpRequest, which
// the browser holds back for it (Fetch.requestPaused) and which therefore never leaves the browser.
//
// nonce: proves to the supervisor that a request is ours. proof: proves to us that a reply is the supervisor's.
// path, host: the address, see `address`. farewell: the type of an event on the window that takes all of this back.
//
// Whatever does not work ends in the page's own function: no answer is ever made up here. All that the page could
// replace is taken beforehand, and nothing is looked up on a prototype later.
(nonce, proof, path, host, farewell) => {
  "use strict";
  const page = window;
  const { alert, confirm, prompt, Proxy, WeakMap, Event, XMLHttpRequest } = page;
  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
  const { parse } = JSON;
  const { includes, slice, toLowerCase } = String.prototype;
  const { getAttribute } = Element.prototype;
  const { open, send } = XMLHttpRequest.prototype;
  const textOf = getOwnPropertyDescriptor(XMLHttpRequest.prototype, "responseText").get;
  const known = new WeakMap();
  const recall = WeakMap.prototype.get.bind(known);
  const LONGEST = 10240; // Chromium cuts the message of a native dialog here, and not the default of a prompt
  let broken = false;

  // An installation of an earlier connection takes itself back first.
  page.dispatchEvent(new Event(farewell));

  const isSite = (text) => apply(slice, text, [0, 4]) === "http";

  // A path of the document's own site needs no CORS, is no mixed content, and a policy of 'self' lets it through.
  // A document without an origin may still have an address of the site that it came from.
  const address = () => {
    if (isSite(page.origin)) return page.origin + path;
    if (isSite(page.location.origin)) return page.location.origin + path;
    return "https://" + host + path;
  };

  // Natively nothing is shown in a sandboxed frame without allow-modals, nor in what is inside of it. From here that
  // can only be seen of frames of the same origin; the supervisor looks at the others.
  const isSilenced = () => {
    for (let here = page; here !== here.parent; here = here.parent) {
      let owner;
      try {
        owner = here.frameElement;
      } catch {
        return false;
      }
      if (!owner) return false;
      const flags = apply(getAttribute, owner, ["sandbox"]);
      if (flags !== null && !apply(includes, apply(toLowerCase, flags, []), ["allow-modals"])) return true;
    }
    return false;
  };

  // Only a sandbox takes the origin from a document that came from a site, or from its parent.
  const isSandboxed = () =>
    page.origin === "null" &&
    (isSite(page.location.protocol) || page.location.href === "about:srcdoc");

  // The supervisor's reply: [accepted, text]; nothing where the page's own function is to be called.
  const ask = (kind, message, text) => {
    if (broken || isSilenced()) return;
    message = apply(slice, message, [0, LONGEST]);
    let said;
    try {
      const request = new XMLHttpRequest();
      apply(open, request, ["POST", address(), false]);
      const head = nonce + " " + kind + " " + (isSandboxed() ? 1 : 0) + " " + message.length;
      apply(send, request, [head + "\n" + message + text]);
      said = parse(apply(textOf, request, []));
    } catch {
      return; // a policy of the page forbids it, the page is being left, or nobody is there
    }
    if (said === null || typeof said !== "object" || said[0] !== proof) {
      broken = true; // it went to the network: the supervisor is gone, and another would bring a script of its own
      return;
    }
    if (said[1] === "answer") return [said[2], said[3]];
    if (said[1] === "leave") leave();
  };

  // As the Web IDL of these functions turns arguments into texts; once, because that may run code of the page.
  const textual = (args, number, isOptional) => {
    const value = args[number];
    if (args.length <= number || (isOptional && value === undefined)) return "";
    return `${value}`;
  };

  const kinds = [
    ["alert", alert, (self, args) => {
      const message = textual(args, 0, false);
      if (!ask("alert", message, "")) apply(alert, self, args.length ? [message] : []);
    }],
    ["confirm", confirm, (self, args) => {
      const message = textual(args, 0, true);
      const answer = ask("confirm", message, "");
      return answer ? answer[0] : apply(confirm, self, [message]);
    }],
    ["prompt", prompt, (self, args) => {
      const message = textual(args, 0, true);
      const preset = textual(args, 1, true);
      const answer = ask("prompt", message, preset);
      if (!answer) return apply(prompt, self, [message, preset]);
      return answer[0] ? answer[1] : null;
    }],
  ];

  const undo = [];
  // A proxy of the native function has its name and its length.
  const replace = (owner, name, native, call) => {
    const before = getOwnPropertyDescriptor(owner, name);
    const ours = new Proxy(native, {
      __proto__: null,
      apply: (target, self, args) => (broken ? apply(target, self, args) : call(self, args)),
    });
    known.set(ours, native);
    defineProperty(owner, name, { ...before, value: ours });
    undo[undo.length] = () => {
      const now = getOwnPropertyDescriptor(owner, name);
      if (now && now.value === ours) defineProperty(owner, name, before);
    };
  };

  for (const [name, native, call] of kinds) {
    // Called for another window, or for something that is none, it is the browser's matter.
    replace(page, name, native, (self, args) =>
      self === undefined || self === null || self === page ? call(self, args) : apply(native, self, args));
  }
  // Their source text is that of the native functions, and its own too.
  const toString = Function.prototype.toString;
  replace(Function.prototype, "toString", toString, (self, args) => apply(toString, recall(self) || self, args));

  const leave = () => {
    broken = true;
    for (let number = 0; number < undo.length; number++) undo[number]();
    page.removeEventListener(farewell, leave);
  };
  page.addEventListener(farewell, leave);
}
