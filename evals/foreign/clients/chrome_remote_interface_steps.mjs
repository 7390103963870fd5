// chrome-remote-interface; usage: HTTP_ADDRESS ORIGIN.
import CDP from "chrome-remote-interface";
import { play } from "./steps.mjs";

const [http, origin] = process.argv.slice(2);
const { hostname: host, port } = new URL(http);
const target = await CDP.New({ host, port });
const client = await CDP({ host, port, target });
const { DOM, Emulation, Input, IO, Network, Page, Runtime } = client;
const evaluate = async (expression, options = {}) => {
  const { result, exceptionDetails } = await Runtime.evaluate({ expression, returnByValue: true, ...options });
  return exceptionDetails ? exceptionDetails.exception.description.split("\n")[0] : result.value;
};

await play({
  "List": async () => (await CDP.List({ host, port })).some((known) => known.id === target.id),
  "Version": async () => (await CDP.Version({ host, port }))["Protocol-Version"],
  "Protocol": async () => (await CDP.Protocol({ host, port, local: false })).domains.length > 40,
  goto: async () => {
    await Page.enable();
    const loaded = Page.loadEventFired();
    const { errorText } = await Page.navigate({ url: `${origin}/` });
    await loaded;
    return errorText ?? null;
  },
  title: () => evaluate("document.title"),
  evaluate: () => evaluate("6 * 7"),
  "evaluate a promise": () => evaluate("Promise.resolve(42)", { awaitPromise: true }),
  "evaluate what throws": () => evaluate("throw new Error('no')"),
  "a variable": () => evaluate("window.total"),
  callFunctionOn: async () => {
    const { result } = await Runtime.evaluate({ expression: "({a: 1})" });
    const { objectId } = result;
    const called = await Runtime.callFunctionOn({ functionDeclaration: "function () { return this.a }", objectId });
    return called.result.value;
  },
  getProperties: async () => {
    const { result } = await Runtime.evaluate({ expression: "({a: 1, b: 2})" });
    const { result: properties } = await Runtime.getProperties({ objectId: result.objectId, ownProperties: true });
    return properties.filter(({ enumerable }) => enumerable).map(({ name }) => name);
  },
  dialog: async () => {
    const opening = Page.javascriptDialogOpening();
    const answer = evaluate("prompt('Name?', 'nobody')");
    const { type, message, defaultPrompt } = await opening;
    await Page.handleJavaScriptDialog({ accept: true, promptText: "Ada" });
    return [type, message, defaultPrompt, await answer];
  },
  getDocument: async () => (await DOM.getDocument()).root.children?.length,
  querySelector: async () => {
    const { root } = await DOM.getDocument();
    return (await DOM.querySelector({ nodeId: root.nodeId, selector: "#absent" })).nodeId;
  },
  getOuterHTML: async () => (await DOM.getOuterHTML({ nodeId: 1 })).outerHTML.includes("near"),
  "IO.read of nothing": () => IO.read({ handle: "nope" }),
  "setTimezoneOverride of nowhere": () => Emulation.setTimezoneOverride({ timezoneId: "Nowhere/City" }),
  captureScreenshot: async () => (await Page.captureScreenshot()).data.length > 100,
  getLayoutMetrics: async () => (await Page.getLayoutMetrics()).cssLayoutViewport.clientWidth > 0,
  cookies: async () => {
    await Network.setCookie({ name: "a", value: "1", url: origin });
    return (await Network.getCookies({ urls: [origin] })).cookies.map(({ name, value }) => [name, value]);
  },
  insertText: () => Input.insertText({ text: "abc" }),
  "a method that is none": () => client.send("Page.nothing"),
  "a navigation to no address": () => Page.navigate({ url: "nowhere" }),
  close: async () => { await CDP.Close({ host, port, id: target.id }); return null; },
});
await Promise.race([client.close(), new Promise((resolve) => setTimeout(resolve, 2000))]);
process.exit(0);
