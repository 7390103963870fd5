import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import puppeteer from "puppeteer-core";

let mock, browser;

before(async () => {
  mock = spawn(process.env.PYTHON ?? "python3", ["-m", "cdp_typed.mock", "--scenario", "shop.json"]);
  const [line] = await once(createInterface({ input: mock.stdout }), "line");
  browser = await puppeteer.connect({ browserWSEndpoint: line.split(" ").at(-1) });
});

after(async () => {
  await browser.disconnect();
  mock.kill();
});

test("the old address leads to a question", async () => {
  const page = await browser.newPage();
  page.on("dialog", (dialog) => dialog.accept());

  await page.goto("http://shop.test/");
  assert.equal(await page.evaluate("cart.total()"), 42);
  await page.goto("http://shop.test/old");

  assert.equal(page.url(), "http://shop.test/buy");
  assert.equal(await page.evaluate("window.sure"), true);
  assert.deepEqual((await browser.cookies()).map((cookie) => cookie.name), ["visitor"]);
});
