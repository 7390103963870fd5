// Runs snippets of puppeteer; usage: play_puppeteer.mjs HTTP_ADDRESS < SNIPPETS (see play_python.py).
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const installed = createRequire(join(process.cwd(), "package.json")).resolve("puppeteer-core");
const { default: puppeteer } = await import(pathToFileURL(installed).href);
const AsyncFunction = (async () => {}).constructor;

const browser = await puppeteer.connect({ browserURL: process.argv[2] });
const values = {};
for (const [title, [source, name]] of Object.entries(JSON.parse(readFileSync(0, "utf-8")))) {
  const page = await browser.newPage();
  try {
    values[title] = await new AsyncFunction("browser", "page", `${source}\nreturn ${name};`)(browser, page);
  } catch (error) {
    values[title] = String(error);
  }
  await page.close();
}
await browser.disconnect();
console.log(JSON.stringify(values));
