// Plays the steps of a client one after the other, each with a deadline, and prints a line of JSON for each.
const DEADLINE_MS = 6000;
const LATE = Symbol("late");

export async function play(steps) {
  for (const [name, step] of Object.entries(steps)) {
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(() => resolve(LATE), DEADLINE_MS)));
    let said;
    try {
      const value = await Promise.race([step(), late]);
      said = value === LATE ? { hangs: true } : { value: value === undefined ? null : value };
    } catch (error) {
      said = { error: [error?.message ?? error, error?.cause?.message ?? ""].join(" ").trim() };
    }
    clearTimeout(timer);
    console.log(JSON.stringify({ step: name, ...said }));
    await new Promise((resolve) => setTimeout(resolve, 100)); // until it is read: what the mock refuses belongs to it
  }
}

process.on("unhandledRejection", () => {});
