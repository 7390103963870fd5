// Where pages go, and what they are made of.
import { newPageScenario, pause, scenario } from "./world.mjs";

async function refused(work) {
  try {
    await work;
    return null;
  } catch (error) {
    return error.message.split("\n")[0];
  }
}

scenario("navigation", async (page, world) => {
  const navigated = [];
  world.on(page, "framenavigated", (frame) => navigated.push(frame.url()));
  const response = await page.goto(`${world.own}/plain`, { waitUntil: "networkidle0" });
  world.see("status", response.status());
  world.see("title", await page.title());
  await Promise.all([page.waitForNavigation(), page.click("#next")]);
  await page.goto(`${world.own}/next#part`);
  const moved = await page.goto(`${world.own}/moved`);
  world.see("redirected", [moved.request().redirectChain().map((request) => request.url()), page.url()]);
  world.see("navigated", navigated);
});

scenario("failed navigation", async (page, world) => {
  await page.goto(`${world.own}/plain`);
  world.see("refused", await refused(page.goto("http://127.0.0.1:1/")));
  await pause(1000); // the browser's own error page comes after the refusal, and would end the next call
  world.see("missing", (await page.goto(`${world.own}/missing`)).status());
  await page.goto(`${world.own}/plain`);
  world.see("afterwards", await page.title());
});

scenario("reload and history", async (page, world) => {
  await page.goto(`${world.own}/plain`);
  await page.evaluate("window.mark = 1");
  await page.reload();
  world.see("mark", await page.evaluate("typeof mark"));
  for (const path of ["/first", "/second"]) await page.goto(world.own + path);
  const back = await page.goBack();
  world.see("back", [page.url(), back.status()]);
  const forward = await page.goForward();
  world.see("forward", [page.url(), forward.status()]);
  await page.evaluate("history.pushState({}, '', '/pushed')");
  world.see("pushed", page.url());
});

scenario("oopif", async (page, world) => {
  await page.goto(`${world.own}/frames`);
  const frame = await (await page.$("#frame")).contentFrame();
  world.see("text", await frame.$eval("#text", (element) => element.textContent));
  await frame.click("#press");
  world.see("pressed", await frame.$eval("#press", (element) => element.textContent));
  await frame.type("#field", "typed");
  world.see("typed", await frame.$eval("#field", (element) => element.value));
  world.see("frames", page.frames().map((one) => one.url()).sort());
  world.see("origin", await frame.evaluate("location.origin"));
  await page.evaluate("document.querySelector('#frame').src = '/inner'");
  await page.waitForFunction("document.querySelector('#frame').contentDocument?.title === 'Inner'");
  world.see("moved", page.frames().map((one) => one.url()).sort());
  await page.evaluate("document.querySelector('#frame').remove()");
  world.see("removed", page.frames().map((one) => one.url()).sort());
});

// In a page of its own: puppeteer-core 24 sends what is meant for all frames to one that is gone, and waits.
newPageScenario("nested oopif", async (page, world) => {
  await page.goto(`${world.own}/nested`);
  const middle = await (await page.$("#frame")).contentFrame();
  const deep = await (await middle.waitForSelector("#deep")).contentFrame();
  await (await deep.waitForSelector("#press")).click();
  world.see("pressed", await deep.$eval("#press", (element) => element.textContent));
  world.see("frames", page.frames().length);
});

scenario("popup", async (page, world) => {
  await page.goto(`${world.own}/plain`);
  const opening = new Promise((resolve) => page.once("popup", resolve));
  await page.evaluate("window.popup = open('/next', 'named'); onmessage = event => { window.heard = event.data }; 0");
  const opened = await opening;
  await opened.waitForFunction("document.title === 'Next'");
  world.see("title", await opened.title());
  await opened.evaluate("opener.postMessage('hello', '*')");
  await page.waitForFunction("window.heard");
  world.see("heard", await page.evaluate("heard"));
  await Promise.all([opened.waitForNavigation(), page.evaluate("popup.location = '/plain'; 0")]);
  world.see("navigated", opened.url());
  await Promise.all([new Promise((resolve) => opened.once("close", resolve)), page.evaluate("popup.close()")]);
  world.see("closed", await page.evaluate("popup.closed"));
});

scenario("popup to another site", async (page, world) => {
  await page.goto(`${world.own}/plain`);
  for (const features of ["", "noopener"]) {
    const opening = world.browser.waitForTarget((one) => one.url() === `${world.other}/next`, { timeout: 10_000 });
    await page.evaluate(`open('${world.other}/next', '', '${features}'); 0`);
    const opened = await (await opening).page();
    await opened.waitForFunction("document.title === 'Next'");
    world.see(features || "with opener", await opened.evaluate("opener !== null"));
    await opened.close();
  }
});

scenario("dedicated workers", async (page, world) => {
  await page.goto(`${world.own}/workers`);
  const starting = new Promise((resolve) => page.once("workercreated", resolve));
  world.see("answer", await page.evaluate("dedicated()"));
  const worker = await starting;
  world.see("inside", [worker.url(), await worker.evaluate("6 * 7")]);
  world.see("blob", await page.evaluate("fromBlob()"));
  world.see("known", page.workers().length);
});

scenario("shared worker", async (page, world) => {
  await page.goto(`${world.own}/workers`);
  world.see("answer", await page.evaluate("shared()"));
});

scenario("service worker", async (_, world) => {
  const page = await world.context();
  await page.goto(`${world.own}/workers`);
  world.see("answer", await page.evaluate("service()"));
  const target = await world.browser.waitForTarget((one) => one.type() === "service_worker", { timeout: 10_000 });
  world.see("inside", [target.url(), await (await target.worker()).evaluate("6 * 7")]);
});

scenario("visibility", async (page, world) => {
  await page.goto(`${world.own}/plain`);
  await page.bringToFront();
  const state = "[document.visibilityState, document.hasFocus()]";
  world.see("state", await page.evaluate(state));
  const frames = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done('came'))))";
  world.see("frames", await page.evaluate(frames));
  const second = await world.browser.newPage();
  world.see("behind", await page.evaluate(state));
  world.see("in front", await second.evaluate(state));
  await second.close();
});

scenario("contexts", async (_, world) => {
  const pages = [await world.context(), await world.context()];
  for (const [number, page] of pages.entries()) {
    await page.goto(`${world.own}/set-cookie?from-server=${number}`);
    await page.setCookie({ name: "from-client", value: String(number), url: world.own });
  }
  for (const page of pages) {
    await page.goto(`${world.own}/cookies`);
    world.see("sent", await page.$eval("body", (body) => body.textContent));
    world.see("kept", (await page.browserContext().cookies()).map((cookie) => cookie.value));
  }
});

scenario("screenshot", async (page, world) => {
  await page.setViewport({ width: 300, height: 200 });
  await page.goto(`${world.own}/frames`);
  const image = Buffer.from(await page.screenshot());
  world.see("size", [image.readUInt32BE(16), image.readUInt32BE(20)]);
  const part = Buffer.from(await (await page.$("#local")).screenshot());
  world.see("part", [part.readUInt32BE(16), part.readUInt32BE(20)]);
  await page.setViewport(null);
});

scenario("pdf", async (page, world) => {
  await page.goto(`${world.own}/frames`);
  world.see("printed", Buffer.from(await page.pdf()).subarray(0, 5).toString());
});

scenario("emulation", async (_, world) => {
  const page = await world.context();
  await page.browserContext().overridePermissions(world.own, ["geolocation"]);
  await page.setGeolocation({ latitude: -36.8, longitude: 174.7 });
  await page.emulateTimezone("Pacific/Auckland");
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await page.setUserAgent("Emulated/1.0");
  await page.setViewport({ width: 321, height: 234 });
  await page.goto(`${world.own}/frames`);
  world.see("page", await page.evaluate(`new Promise((done, failed) => navigator.geolocation.getCurrentPosition(at => done([
    Intl.DateTimeFormat().resolvedOptions().timeZone, at.coords.latitude, navigator.userAgent, innerWidth, innerHeight,
    matchMedia('(prefers-color-scheme: dark)').matches]), failed))`));
  const frame = await (await page.$("#frame")).contentFrame();
  world.see("frame", await frame.evaluate("navigator.userAgent"));
  await page.setOfflineMode(true);
  world.see("offline", await page.evaluate("fetch('/data.json').then(() => 'loaded', () => 'failed')"));
});

scenario("init scripts", async (_, world) => {
  const page = await world.context();
  await page.evaluateOnNewDocument("window.early = document.readyState + location.pathname");
  await page.goto(`${world.own}/frames`);
  world.see("page", await page.evaluate("early"));
  const frame = await (await page.$("#frame")).contentFrame();
  world.see("frame", await frame.evaluate("early"));
});

scenario("many pages at once", async (_, world) => {
  const pages = await Promise.all([1, 2, 3, 4].map(() => world.browser.newPage()));
  await Promise.all(pages.map((page) => page.goto(`${world.own}/frames`)));
  world.see("frames", pages.map((page) => page.frames().length));
  await Promise.all(pages.map((page) => page.close()));
});
