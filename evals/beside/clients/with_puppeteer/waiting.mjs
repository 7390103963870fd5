// What waits for somebody: dialogs, file choosers, downloads, logins, held requests.
import { readFileSync, writeFileSync } from "node:fs";
import { newPageScenario, pause, scenario } from "./world.mjs";

// Answers dialogs by their messages: a text or true accepts, false dismisses. What they were is listed.
function answering(world, page, answers) {
  const dialogs = [];
  world.on(page, "dialog", async (dialog) => {
    dialogs.push(`${dialog.type()} ${dialog.message()} ${dialog.defaultValue()}`.trim());
    const given = answers[dialog.message()] ?? true;
    if (given === false) await dialog.dismiss();
    else await dialog.accept(given === true ? undefined : given);
  });
  return dialogs;
}

scenario("dialogs", async (page, world) => {
  const said = answering(world, page, { no: false, "name?": "Ada" });
  await page.goto(`${world.own}/plain`);
  world.see("answers", await page.evaluate("[alert('hello'), confirm('yes'), confirm('no'), prompt('name?', 'x')]"));
  await page.evaluate("setTimeout(() => { window.later = confirm('yes') }, 0)");
  await page.waitForFunction("'later' in window");
  world.see("dialogs", said);
});

scenario("quick dialogs in a row", async (page, world) => {
  const said = answering(world, page, { 1: false, 3: false, 5: false, 7: false });
  await page.goto(`${world.own}/plain`);
  world.see("first", await page.evaluate("[0, 1, 2, 3, 4, 5, 6, 7].map(number => confirm(String(number)))"));
  await page.goto(`${world.own}/next`);
  world.see("second", await page.evaluate("[0, 1, 2].map(number => prompt(String(number), 'text'))"));
  world.see("dialogs", said);
  const other = await world.browser.newPage();
  const saidThere = answering(world, other, {});
  await other.goto(`${world.own}/early`);
  world.see("another page", [await other.evaluate("answer"), saidThere]);
  await other.close();
});

scenario("dialogs of frames", async (page, world) => {
  const said = answering(world, page, { "name?": "Ada" });
  await page.goto(`${world.own}/frames`);
  for (const name of ["frame", "local"]) {
    const frame = await (await page.$(`#${name}`)).contentFrame();
    world.see(name, await frame.evaluate("[prompt('name?'), confirm('sure?'), alert('done')]"));
  }
  world.see("dialogs", said);
});

scenario("dialog of a popup", async (page, world) => {
  await page.goto(`${world.own}/plain`);
  const opening = new Promise((resolve) => page.once("popup", resolve));
  await page.evaluate("window.popup = open('/next'); 0");
  const opened = await opening;
  const said = answering(world, opened, {});
  await opened.waitForFunction("document.title === 'Next'");
  await page.evaluate("setTimeout(() => popup.eval('window.answer = confirm(1)'), 0)");
  await opened.waitForFunction("'answer' in window");
  world.see("answer", [await opened.evaluate("answer"), said]);
  await opened.close();
});

scenario("slow answer", async (page, world) => {
  world.on(page, "dialog", async (dialog) => {
    await pause(600);
    await dialog.accept("late");
  });
  await page.goto(`${world.own}/plain`);
  world.see("answers", await page.evaluate("[prompt('a'), prompt('b')]"));
});

function leaving(world, page, stays) {
  world.on(page, "dialog", async (dialog) => {
    world.see("dialog", dialog.type());
    await (stays.shift() ? dialog.dismiss() : dialog.accept());
  });
}

scenario("beforeunload", async (page, world) => {
  leaving(world, page, [true, false]);
  await page.goto(`${world.own}/staying`);
  await page.click("#touch");
  world.see("stays", await page.goto(`${world.own}/next`).catch((error) => error.message));
  await pause(1000); // a navigation at once would be taken for the one that failed
  await page.goto(`${world.own}/next`);
  world.see("left", page.url());
});

newPageScenario("closing with beforeunload", async (page, world) => {
  leaving(world, page, [true, false]);
  await page.goto(`${world.own}/staying`);
  await page.click("#touch");
  const asked = new Promise((resolve) => page.once("dialog", resolve));
  page.close({ runBeforeUnload: true });
  await asked;
  world.see("stays", await page.title());
  await Promise.all([new Promise((resolve) => page.once("close", resolve)), page.close({ runBeforeUnload: true })]);
  world.see("closed", page.isClosed());
});

newPageScenario("closing under a dialog", async (page, world) => {
  const asked = new Promise((resolve) => page.once("dialog", resolve));
  await page.goto(`${world.own}/plain`);
  await page.evaluate("setTimeout(() => confirm('left open'), 0)");
  world.see("dialog", (await asked).message());
  await page.close();
  const other = await world.browser.newPage();
  await other.goto(`${world.own}/plain`);
  world.see("afterwards", await other.title());
  await other.close();
});

scenario("interception", async (page, world) => {
  await page.goto(`${world.own}/plain`);
  await page.setRequestInterception(true);
  world.on(page, "request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === "/made-up") return request.respond({ status: 201, body: "fulfilled" });
    if (pathname === "/data.json") return request.abort();
    if (pathname === "/headers") return request.continue({ headers: { ...request.headers(), "X-Probe": "changed" } });
    if (pathname === "/next") return request.respond({ contentType: "text/html", body: "<title>Routed</title>" });
    return request.continue();
  });
  const fetched = (url) =>
    fetch(url).then(async (answer) => [answer.status, (await answer.text()).slice(0, 30)], (error) => error.name);
  for (const url of ["/made-up", "/data.json", "/headers", "/plain"]) world.see(url, await page.evaluate(fetched, url));
  await page.goto(`${world.own}/next`);
  world.see("document", await page.title());
  await page.setRequestInterception(false);
  await page.goto(`${world.own}/next`);
  world.see("without", await page.title());
});

scenario("file chooser", async (page, world) => {
  for (const name of ["one.txt", "two.txt"]) writeFileSync(`${world.folder}/${name}`, name);
  await page.goto(`${world.own}/files`);
  const [chooser] = await Promise.all([page.waitForFileChooser(), page.click("#pick")]);
  world.see("several", chooser.isMultiple());
  await chooser.accept([`${world.folder}/one.txt`, `${world.folder}/two.txt`]);
  world.see("chosen", await page.evaluate("[...pick.files].map(file => file.name)"));
  await (await page.$("#pick")).uploadFile(`${world.folder}/one.txt`);
  world.see("set", await page.evaluate("pick.files[0].text()"));
});

scenario("download", async (_, world) => {
  const page = await world.context();
  const session = await world.browser.target().createCDPSession();
  const setting = { behavior: "allowAndName", browserContextId: page.browserContext().id };
  await session.send("Browser.setDownloadBehavior", { ...setting, downloadPath: world.folder, eventsEnabled: true });
  await page.goto(`${world.own}/download`);
  const begun = new Promise((resolve) => session.once("Browser.downloadWillBegin", resolve));
  const ended = new Promise((resolve) =>
    session.on("Browser.downloadProgress", (event) => event.state !== "inProgress" && resolve(event)),
  );
  await page.click("#get");
  const { guid, suggestedFilename } = await begun;
  world.see("state", [suggestedFilename, (await ended).state]);
  world.see("content", readFileSync(`${world.folder}/${guid}`, "utf8"));
  await session.detach();
});

scenario("download of the default context", async (page, world) => {
  const session = await world.browser.target().createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: world.folder, eventsEnabled: true });
  await page.goto(`${world.own}/download`);
  const ended = new Promise((resolve) =>
    session.on("Browser.downloadProgress", (event) => event.state !== "inProgress" && resolve(event)),
  );
  await page.click("#get");
  world.see("state", (await ended).state);
  world.see("content", readFileSync(`${world.folder}/note.txt`, "utf8"));
  await session.detach();
});

scenario("http auth", async (_, world) => {
  const page = await world.context();
  await page.authenticate({ username: "ada", password: "lovelace" });
  world.see("right", (await page.goto(`${world.own}/members`)).status());
  const other = await world.context();
  await other.authenticate({ username: "ada", password: "wrong" });
  world.see("wrong", (await other.goto(`${world.own}/members`)).status());
});

newPageScenario("http auth not given", async (page, world) => {
  const outcome = page.goto(`${world.own}/members`).then((answer) => answer.status(), (error) => error.message);
  world.see("none", await outcome);
});

scenario("requests", async (page, world) => {
  const told = [];
  for (const word of ["request", "requestfinished", "requestfailed"])
    world.on(page, word, (request) => told.push(`${word} ${request.method()} ${request.url()} ${request.resourceType()}`));
  await page.goto(`${world.own}/plain`);
  const answering = page.waitForResponse((one) => one.url().endsWith("/headers"));
  await page.evaluate("fetch('/headers', {headers: {'X-Probe': 'sent'}}).then(answer => answer.text())");
  world.see("body", await (await answering).text());
  await page.evaluate("fetch('http://127.0.0.1:1/').catch(() => 0)");
  await pause(500);
  world.see("told", told.sort());
});
