// puppeteer-core plays scenarios; usage: main.mjs ADDRESS OWN OTHER FOLDER new|shared [SCENARIO...],
// in a folder where puppeteer-core is installed.
import { once } from "node:events";
import { createRequire } from "node:module";
import "./browsing.mjs";
import "./waiting.mjs";
import "./working.mjs";
import { newPagesOnly, scenarios, within, World } from "./world.mjs";

const SCENARIO_MS = 30_000;
const puppeteer = createRequire(`${process.cwd()}/`)("puppeteer-core");
const [address, own, other, folder, group, ...names] = process.argv.slice(2);

function tell(message) {
  console.log(JSON.stringify(message));
}

async function play(name, page, world) {
  try {
    await within(SCENARIO_MS, scenarios.get(name)(page, world));
  } catch (error) {
    world.see("error", `${error.name}: ${error.message.split("\n")[0]}`); // whatever it is, it is an outcome
  }
  await within(SCENARIO_MS, world.end()).catch(() => {});
  tell({ scenario: name, seen: world.seen });
}

process.on("unhandledRejection", () => {}); // of what a scenario left behind when its time was over
const browser = await puppeteer.connect({ browserURL: address, defaultViewport: null });
const here = await browser.pages();
const shared = group === "shared" && here.find((page) => page.url() === `${own}/plain`);
tell({ connected: true });
await once(process.stdin, "data");
for (const name of names.length ? names : scenarios.keys()) {
  if (shared && newPagesOnly.has(name)) continue;
  const world = new World(browser, own, other, folder);
  const page = world.prepare(shared || (await browser.newPage()));
  await play(name, page, world);
  // The empty page helps where a script waits for something.
  const ends = shared ? ["about:blank", `${own}/plain`].map((url) => () => page.goto(url)) : [() => page.close()];
  for (const end of ends) await within(SCENARIO_MS, end()).catch(() => {});
}
await browser.disconnect();
process.exit(0);
