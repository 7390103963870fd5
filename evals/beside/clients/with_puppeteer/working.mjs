// What is done in a page, and what it tells.
import { scenario } from "./world.mjs";

scenario("click and type", async (page, world) => {
  await page.goto(`${world.own}/plain`);
  await page.click("#press");
  await page.click("#press", { count: 2 });
  world.see("pressed", await page.$eval("#press", (element) => element.textContent));
  await page.hover("#hover");
  world.see("hovered", await page.$eval("#hover", (element) => element.textContent));
  await page.goto(`${world.own}/inner`);
  await page.type("#field", "abc");
  await page.keyboard.press("Backspace");
  await page.keyboard.sendCharacter("\u2603");
  world.see("typed", await page.$eval("#field", (element) => element.value));
});

scenario("form", async (page, world) => {
  await page.goto(`${world.own}/form`);
  await page.type("#name", "Ada Lovelace");
  await page.click("#agree");
  await page.select("#size", "large");
  await Promise.all([page.waitForNavigation(), page.click("#send")]);
  world.see("sent", await page.$eval("#sent", (element) => element.textContent));
});

scenario("console", async (page, world) => {
  const said = [];
  world.on(page, "console", (message) => said.push([message.type(), message.text()]));
  const failing = new Promise((resolve) => page.once("pageerror", resolve));
  await page.goto(`${world.own}/logging`);
  world.see("failed", (await failing).message);
  const logging = new Promise((resolve) => page.once("console", resolve));
  await page.evaluate("console.log('handle', {a: [1, 2]})");
  world.see("arguments", await Promise.all((await logging).args().map((argument) => argument.jsonValue())));
  world.see("said", said);
});

scenario("bindings", async (_, world) => {
  const page = await world.context();
  await page.exposeFunction("add", (a, b) => a + b);
  await page.goto(`${world.own}/frames`);
  world.see("page", await page.evaluate("add(1, 2)"));
  const frame = await (await page.$("#frame")).contentFrame();
  world.see("frame", await frame.evaluate("add(3, 4)"));
  await page.reload();
  world.see("again", await page.evaluate("add(5, 6)"));
});

scenario("evaluation", async (page, world) => {
  await page.goto(`${world.own}/plain`);
  world.see("debugger", await page.evaluate("(() => { debugger; return 'on' })()"));
  const handle = await page.evaluateHandle("({list: [1, 2], node: document.body})");
  world.see("property", await (await handle.getProperty("list")).jsonValue());
  world.see("promise", await page.evaluate("new Promise(done => setTimeout(() => done('late'), 50))"));
  world.see("thrown", await page.evaluate("throw new TypeError('no')").catch((error) => error.message));
  const moving = page.waitForNavigation();
  const running = page.evaluate("setTimeout(() => { location.href = '/next' }, 0); new Promise(() => {})");
  world.see("navigated", await running.catch((error) => /context was destroyed|detached/i.test(error.message)));
  await moving;
});

scenario("cdp session", async (page, world) => {
  await page.goto(`${world.own}/plain`);
  const session = await page.createCDPSession();
  let paused = 0;
  session.on("Debugger.paused", () => {
    paused += 1;
    session.send("Debugger.resume");
  });
  await session.send("Debugger.enable");
  await session.send("Runtime.evaluate", { expression: "debugger; 1" });
  world.see("paused", paused);
  await session.send("Debugger.disable");
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*/made-up" }] });
  session.on("Fetch.requestPaused", ({ requestId }) =>
    session.send("Fetch.fulfillRequest", { requestId, responseCode: 204 }),
  );
  world.see("fulfilled", await page.evaluate("fetch('/made-up').then(answer => answer.status)"));
  await session.detach();
  world.see("afterwards", await page.evaluate("fetch('/made-up').then(answer => answer.status)"));
});

scenario("coverage and tracing", async (page, world) => {
  await page.coverage.startJSCoverage();
  await page.goto(`${world.own}/workers`);
  const covered = await page.coverage.stopJSCoverage();
  world.see("covered", covered.some(({ url }) => url.endsWith("/workers")));
  await page.tracing.start();
  await page.goto(`${world.own}/plain`);
  world.see("traced", Buffer.from(await page.tracing.stop()).includes("/plain"));
});

scenario("storage", async (_, world) => {
  const page = await world.context();
  await page.goto(`${world.own}/plain`);
  await page.evaluate("localStorage.setItem('key', 'value'); document.cookie = 'a=b'");
  await page.reload();
  world.see("kept", await page.evaluate("[localStorage.getItem('key'), document.cookie]"));
  await page.setExtraHTTPHeaders({ "X-Probe": "extra" });
  await page.goto(`${world.own}/headers`);
  world.see("headers", await page.$eval("body", (body) => body.textContent));
});

scenario("waiting for elements", async (page, world) => {
  await page.goto(`${world.own}/plain`);
  await page.evaluate("setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p id=late>here</p>'), 100)");
  const late = await page.waitForSelector("#late", { visible: true });
  world.see("late", await late.evaluate((element) => element.textContent));
  await page.evaluate("setTimeout(() => late.remove(), 100)");
  await page.waitForSelector("#late", { hidden: true });
  await page.setContent("<title>Set</title><p>content");
  world.see("content", [await page.title(), await page.content()]);
});

scenario("crash", async (_, world) => {
  const page = await world.context();
  await page.goto(`${world.own}/plain`);
  const crashing = new Promise((resolve) => page.once("error", (error) => resolve(error.message)));
  page.goto("chrome://crash").catch(() => {});
  world.see("crashed", await crashing);
  const other = await page.browserContext().newPage();
  await other.goto(`${world.own}/next`);
  world.see("afterwards", await other.title());
});
