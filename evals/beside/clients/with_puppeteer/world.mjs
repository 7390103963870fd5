// What a scenario is given, and the list of them.
export const scenarios = new Map();
export const newPagesOnly = new Set(); // those that close their page

export function scenario(name, play) {
  scenarios.set(name, play);
}

export function newPageScenario(name, play) {
  newPagesOnly.add(name);
  scenario(name, play);
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export function within(ms, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("no end")), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export class World {
  seen = [];
  #endings = [];

  constructor(browser, own, other, folder) {
    Object.assign(this, { browser, own, other, folder });
  }

  see(name, value) {
    this.seen.push([name, value]);
  }

  // Listens until the end of the scenario.
  on(emitter, event, listener) {
    emitter.on(event, listener);
    this.#endings.push(() => emitter.off(event, listener));
  }

  // A page in a browser context of its own, which ends with the scenario.
  async context() {
    const context = await this.browser.createBrowserContext();
    this.#endings.push(() => context.close());
    return this.prepare(await context.newPage());
  }

  prepare(page) {
    page.setDefaultTimeout(10_000);
    return page;
  }

  async end() {
    for (const end of this.#endings) await end();
  }
}
