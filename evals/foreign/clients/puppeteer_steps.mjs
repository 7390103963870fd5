// puppeteer-core; usage: HTTP_ADDRESS ORIGIN.
import puppeteer from "puppeteer-core";
import { play } from "./steps.mjs";

const [http, origin] = process.argv.slice(2);
const browser = await puppeteer.connect({ browserURL: http, protocolTimeout: 5000 });
const page = await browser.newPage();
page.setDefaultTimeout(3000);
const dialogs = [];
const console_ = [];
let handle;
page.on("dialog", async (dialog) => {
  dialogs.push([dialog.type(), dialog.message(), dialog.defaultValue()]);
  await dialog.accept("Ada");
});
page.on("console", (message) => console_.push([message.type(), message.text()]));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const goto = async (path) => {
  const response = await page.goto(origin + path);
  return [page.url(), response && response.status()];
};

await play({
  goto: () => goto("/"),
  title: () => page.title(),
  "evaluate an expression": () => page.evaluate("6 * 7"),
  "evaluate a function": () => page.evaluate(() => 42),
  "evaluate a function of an argument": () => page.evaluate((x) => x + 1, 41),
  "evaluate a function of an object": () => page.evaluate((o) => [o.a, o.b], { a: 1, b: "x" }),
  "evaluate an async function": () => page.evaluate(async () => 42),
  "evaluate a promise": () => page.evaluate(() => Promise.resolve(42)),
  "evaluate what throws": () => page.evaluate(() => { throw new Error("no"); }),
  "evaluate an object": () => page.evaluate(() => ({ a: 1, b: [2, null] })),
  "evaluate nothing": () => page.evaluate(() => {}),
  "a variable": () => page.evaluate(() => window.total),
  handle: async () => { handle = await page.evaluateHandle(() => ({ a: 1, b: [2] })); return handle.toString(); },
  "handle, jsonValue": () => handle.jsonValue(),
  "handle, evaluate": () => handle.evaluate((o) => o.a),
  "handle, getProperty": async () => (await handle.getProperty("a")).jsonValue(),
  "handle, dispose": () => handle.dispose(),
  dialog: () => page.evaluate("prompt('Name?', 'nobody')"),
  "dialog, told": async () => dialogs,
  console: async () => { await page.evaluate("console.log('said', 1)"); await pause(200); return console_; },
  exposeFunction: async () => { await page.exposeFunction("add", (a, b) => a + b); return page.evaluate("add(1, 2)"); },
  evaluateOnNewDocument: async () => {
    await page.evaluateOnNewDocument("window.early = 1");
    await page.goto(`${origin}/second`);
    return page.evaluate("window.early");
  },
  setRequestInterception: async () => {
    await page.setRequestInterception(true);
    page.once("request", (request) => request.respond({ status: 200, contentType: "text/html", body: "x" }));
    const response = await page.goto(`${origin}/made-up`);
    await page.setRequestInterception(false);
    return response.status();
  },
  cookies: async () => {
    await browser.setCookie({ name: "a", value: "1", domain: new URL(origin).hostname });
    return (await browser.cookies()).map((cookie) => [cookie.name, cookie.value]);
  },
  $: async () => (await page.$("#near")) !== null,
  "$ of nothing": () => page.$("#absent"),
  "$$ of nothing": async () => (await page.$$("#absent")).length,
  "$eval": () => page.$eval("#near", (element) => element.textContent),
  "waitForSelector of nothing": () => page.waitForSelector("#absent", { timeout: 1000 }),
  waitForFunction: async () => (await page.waitForFunction("1 + 1", { timeout: 1000 })).jsonValue(),
  "locator, click": () => page.locator("#near").setTimeout(1000).click(),
  "locator of nothing, click": () => page.locator("#absent").setTimeout(1000).click(),
  click: () => page.click("#absent"),
  content: () => page.content(),
  keyboard: () => page.keyboard.type("abc"),
  mouse: () => page.mouse.click(5, 500),
  screenshot: async () => (await page.screenshot()).length > 100,
  pdf: async () => (await page.pdf()).length > 100,
  frames: async () => { await page.goto(`${origin}/framed`); return page.frames().map((frame) => frame.url()).sort(); },
  "frame, evaluate": () => page.frames().at(-1).evaluate(() => document.title),
  goBack: async () => {
    await page.goto(`${origin}/`);
    await page.goto(`${origin}/second`);
    return (await page.goBack())?.status() ?? null;
  },
  reload: async () => (await page.reload()).status(),
  "goto a page that is not there": () => goto("/absent"),
  "goto no address": () => page.goto("nowhere"),
  setContent: () => page.setContent("<p id=p>Text</p>"),
  setViewport: () => page.setViewport({ width: 800, height: 600 }),
  metrics: async () => Object.keys(await page.metrics()).length,
  createBrowserContext: async () => {
    const context = await browser.createBrowserContext();
    const other = await context.newPage();
    await other.goto(`${origin}/second`);
    const title = await other.title();
    await context.close();
    return title;
  },
  close: async () => { await page.close(); return page.isClosed(); },
});
await Promise.race([browser.disconnect(), pause(3000)]);
process.exit(0);
