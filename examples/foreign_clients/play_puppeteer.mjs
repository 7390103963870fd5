// puppeteer-core does the flow; usage: play_puppeteer.mjs HTTP_ADDRESS PAGE.
import puppeteer from "puppeteer-core";

const [http, url] = process.argv.slice(2);
const browser = await puppeteer.connect({ browserURL: http });
const page = await browser.newPage();
const dialogs = [];
page.on("dialog", async (dialog) => {
  dialogs.push([dialog.type(), dialog.message()]);
  await dialog.accept("Ada");
});
await page.goto(url);
const title = await page.title();
const value = await page.evaluate("6 * 7");
const answer = await page.evaluate("prompt('Name?')");
await page.close();
await browser.disconnect();
console.log(JSON.stringify({ title, value, answer, dialogs }));
