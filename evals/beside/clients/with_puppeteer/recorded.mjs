// Plays a replay of Puppeteer: `node recorded.mjs BROWSER FILE`, in the folder where the packages are installed.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const find = createRequire(`${process.cwd()}/package.json`);
const puppeteer = find("puppeteer-core");
const { createRunner, parse, PuppeteerRunnerExtension } = await import(pathToFileURL(find.resolve("@puppeteer/replay")));

const [executablePath, path] = process.argv.slice(2);
const text = (await readFile(path, "utf8")).replace(/\$\{(RECORDED_SECRET_\d+)\}/g, (_, name) => process.env[name]);
const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox"] });
try {
    const page = await browser.newPage();
    const runner = await createRunner(parse(JSON.parse(text)), new PuppeteerRunnerExtension(browser, page, { timeout: 20000 }));
    if (!await runner.run()) throw new Error("the replay was aborted");
} finally {
    await browser.close();
}
