// The tests of changes to models: asia is built from nothing, by mouse and by keyboard.
"use strict";

const assert = require("node:assert/strict");
const { readFile } = require("node:fs/promises");
const { open, settled, shown, tab } = require("./helpers.js");

// asia has the parents of each variable, and for each joint state of them the probability of yes.
const asia = [
  ["asia", [], [.01]],
  ["tub", ["asia"], [.05, .01]],
  ["smoke", [], [.5]],
  ["lung", ["smoke"], [.1, .01]],
  ["bronc", ["smoke"], [.6, .3]],
  ["either", ["tub", "lung"], [1, 1, 1, 0]],
  ["xray", ["either"], [.98, .05]],
  ["dysp", ["either", "bronc"], [.9, .7, .8, .1]],
];

const edges = asia.flatMap(([child, parents]) => parents.map((parent) => [parent, child]));

// node returns the selector of a variable in the picture.
const node = (name) => `#picture [aria-label="${name}"], #picture [aria-label^="${name}, "]`;

// count waits until the picture has a number of variables and of edges.
const count = (page, variables, arrows) => page.waitForFunction(([v, e]) => document.querySelectorAll("#picture [data-variable]").length === v && document.querySelectorAll("#picture .grip").length === e, [variables, arrows]);

const chosen = (page, name) => page.waitForFunction((n) => document.querySelector("[data-key=name]")?.value === n && document.querySelector(".cells"), name);

// size waits until the table of the chosen variable has a number of rows.
const size = (page, rows) => page.waitForFunction((n) => document.querySelectorAll(".cells tbody tr").length === n, rows);

const cell = (page, row, column) => page.locator(`.cells tbody tr:nth-child(${row + 1}) .cell`).nth(column);

// complete waits until the engine has the numbers of a row.
const complete = (page, row, p) => page.waitForFunction(([r, want]) => {
  const list = [...document.querySelectorAll(`.cells tbody tr:nth-child(${r + 1}) .cell`)];
  return list.every((c) => c.value === c.defaultValue) && Number(list[0].value) === want;
}, [row, p]);

// save returns the text of the file that Save makes.
async function save(page, format, press) {
  await page.selectOption("#format", format);
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

// byMouse builds asia by clicks; the keys are only for names and numbers.
async function byMouse(page, out) {
  await page.click("#new");
  await count(page, 0, 0);
  await page.fill("#rename", "asia");
  for (const [name] of asia) {
    await page.fill("#add-name", name);
    await page.click("#add button");
  }
  await count(page, 8, 0);
  let drawn = 0;
  for (const [parent, child] of edges) {
    const at = async (name) => { const b = await page.locator(node(name)).first().boundingBox(); return [b.x + b.width / 2, b.y + b.height / 2]; };
    await page.mouse.move(...await at(parent));
    await page.mouse.down();
    await page.mouse.move(...await at(child), { steps: 3 });
    await page.mouse.up();
    await count(page, 8, ++drawn);
  }
  for (const [name, parents, list] of asia) {
    await page.locator(node(name)).first().click();
    await chosen(page, name);
    await size(page, 2 ** parents.length);
    for (const [row, p] of list.entries()) {
      await cell(page, row, 0).fill(String(p));
      const help = page.locator(`.cells tbody tr:nth-child(${row + 1}) .help button`, { hasText: "Complement" });
      if (await help.count()) await help.click();
      await complete(page, row, p);
    }
  }
  out.built = await save(page, "bif", () => page.click("#save"));
  await page.click('[aria-labelledby="v7"] [data-state="0"]');
  await settled(page);
  out.answers["built by mouse"] = await shown(page);
}

// mend changes the model that byMouse built, and takes all back.
async function mend(page) {
  const before = (await save(page, "json", () => page.click("#save"))).text;
  const steps = await page.evaluate(() => stateModule.state.past.length);
  const model = (f, arg) => page.waitForFunction(f, arg);
  await page.locator(node("smoke")).first().click();
  await chosen(page, "smoke");
  // A row that does not sum to one is marked and not taken; Normalise divides it.
  await cell(page, 0, 0).fill("3");
  await cell(page, 0, 1).fill("1");
  assert.equal(await page.textContent(".cells .sum"), "sum 4");
  assert.equal(await page.getAttribute(".cells tr.off .cell", "aria-invalid"), "true");
  await page.click(".cells .help button:has-text('Normalise')");
  await complete(page, 0, .75);
  // Names, states; the evidence follows.
  await page.click('[aria-labelledby="v2"] [data-state="0"]');
  await page.fill("[data-key=name]", "smoker");
  await page.locator("[data-key=name]").blur();
  await model(() => stateModule.state.model.variables[2].name === "smoker" && stateModule.state.model.variables[3].parents[0] === "smoker");
  await page.fill("[data-key=state0]", "heavy");
  await page.locator("[data-key=state0]").blur();
  await model(() => stateModule.state.model.variables[2].states[0] === "heavy");
  assert.deepEqual(await page.evaluate(() => ({ ...stateModule.state.evidence.hard })), { dysp: "yes", smoker: "heavy" });
  await page.click("[data-key=more]");
  await model(() => stateModule.state.model.variables[2].states.length === 3);
  await page.click("[data-key=drop2]");
  await model(() => stateModule.state.model.variables[2].states.length === 2);
  await page.click("[data-key=drop0]");
  await model(() => stateModule.state.model.variables[2].states.length === 1);
  assert.deepEqual(await page.evaluate(() => ({ ...stateModule.state.evidence.hard })), { dysp: "yes" });
  await page.click("#undo");
  await model(() => stateModule.state.model.variables[2].states.length === 2);
  // An edge that is clicked is removed; the evidence on dysp stays.
  const middle = await page.evaluate(() => {
    const [line] = document.querySelectorAll("#picture .grip"), p = line.getPointAtLength(line.getTotalLength() / 2).matrixTransform(line.getScreenCTM());
    return { x: p.x, y: p.y };
  });
  await page.mouse.click(middle.x, middle.y);
  assert.equal(await page.textContent("#edge"), "Remove edge asia → tub");
  await page.click("#edge button");
  await count(page, 8, 7);
  assert.match(await page.textContent("#notice"), /CPD of "tub": its rows are means over the states of "asia"/);
  assert.equal(await page.evaluate(() => stateModule.state.evidence.hard.dysp), "yes");
  // A noisy-or, a real variable.
  await page.locator(node("either")).first().click();
  await chosen(page, "either");
  await page.click("[data-key='kind noisy-max']");
  await size(page, 5);
  await cell(page, 1, 0).fill(".25");
  await page.click(".cells .help button:has-text('Complement')");
  await complete(page, 1, .25);
  await page.click('[data-key="remove"]');
  await model(() => stateModule.state.model.variables.length === 7);
  await page.fill("#add-name", "height");
  await page.check("#add-real");
  await page.click("#add button");
  await chosen(page, "height");
  await page.selectOption("[data-key=parent]", "asia");
  await page.click("[data-key=join]");
  await size(page, 2);
  await cell(page, 1, 0).fill("-1,5");
  await cell(page, 1, 0).press("Enter");
  await complete(page, 1, -1.5);
  assert.equal((await page.locator("#format option").allTextContents()).some((t) => t.startsWith("bif")), false, "BIF does not hold real variables");
  // Undo and redo of all that, and a link to the changed model.
  await page.click("#link");
  await page.waitForFunction(() => document.getElementById("status").textContent === "The link is copied.");
  const again = await open(page.context(), await page.evaluate(() => navigator.clipboard.readText()));
  await again.waitForFunction(() => stateModule.state.answer);
  const last = (await save(page, "json", () => page.click("#save"))).text;
  const digits = (text) => text.replace(/\d*\.\d+(e-?\d+)?/g, (x) => Number(x).toPrecision(12)); // rows were divided by their sums
  assert.equal(digits((await save(again, "json", () => again.click("#save"))).text), digits(last));
  await again.close();
  const made = await page.evaluate(() => stateModule.state.past.length) - steps;
  for (let i = 0; i < made; i++) await page.click("#undo");
  await model((n) => stateModule.state.past.length === n, steps);
  assert.equal((await save(page, "json", () => page.click("#save"))).text, before);
  for (let i = 0; i < made; i++) await page.click("#redo");
  await model((n) => stateModule.state.past.length === n, steps + made);
  assert.equal((await save(page, "json", () => page.click("#save"))).text, last);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+Shift+Z");
  await model((n) => stateModule.state.past.length === n, steps + made);
  await page.click("#edit");
  await page.waitForFunction(() => !document.querySelector(".cells"));
}

// byKeyboard builds asia by the keyboard alone.
async function byKeyboard(page, out) {
  const keys = page.keyboard, keyed = async (key) => page.evaluate((k) => document.activeElement.dataset.key === k, key);
  await tab(page, out, "#new");
  await keys.press("Enter");
  await count(page, 0, 0);
  await tab(page, out, "#rename", "Shift+Tab");
  await keys.type("asia");
  await keys.press("Tab");
  for (const [k, [name]] of asia.entries()) {
    await keys.type(name);
    await keys.press("Enter");
    await count(page, k + 1, 0);
    await page.waitForFunction(() => document.activeElement.id === "add-name" && !document.activeElement.value);
  }
  await tab(page, out, "#picture [tabindex='0']");
  let drawn = 0;
  for (const [parent, child] of edges) {
    await walk(page, parent);
    await keys.press("e");
    await walk(page, child);
    await keys.press("Enter");
    await count(page, 8, ++drawn);
  }
  for (const [name, parents, list] of asia) {
    await walk(page, name);
    await chosen(page, name);
    await size(page, 2 ** parents.length);
    await tab(page, out, ".cells tr:first-child .cell");
    for (const [row, p] of list.entries()) {
      await keys.type(String(p));
      await keys.press("Tab");
      await keys.type(String(Number((1 - p).toPrecision(12))));
      await keys.press("Tab");
    }
    for (const [row, p] of list.entries()) await complete(page, row, p);
    await tab(page, out, "#picture [tabindex='0']", "Shift+Tab");
  }
  out.keysBuilt = await save(page, "bif", async () => { await tab(page, out, "#save", "Shift+Tab"); await keys.press("Enter"); });
  await tab(page, out, '[aria-labelledby="v7"] [data-state="0"]');
  await keys.press("Space");
  await settled(page);
  out.answers["built by keys"] = await shown(page);
}

// walk goes to a variable of the picture by the arrow keys that a user would choose.
async function walk(page, name) {
  const at = () => page.evaluate(() => document.activeElement.getAttribute("aria-label").split(",")[0]);
  const seen = new Set();
  while (await at() !== name) {
    const here = await page.evaluate((n) => {
      const box = (e) => { const r = e.getBoundingClientRect(); return { x: r.x + r.width / 2, y: r.y + r.height / 2 }; };
      const wanted = [...document.querySelectorAll("#picture [data-variable]")].find((e) => e.getAttribute("aria-label").split(",")[0] === n);
      const a = box(document.activeElement), b = box(wanted);
      return { dx: b.x - a.x, dy: b.y - a.y };
    }, name);
    const across = here.dx > 0 ? "ArrowRight" : "ArrowLeft", along = here.dy > 0 ? "ArrowDown" : "ArrowUp";
    const order = Math.abs(here.dx) > Math.abs(here.dy) ? [across, along] : [along, across];
    const from = await at(), key = order.find((k) => !seen.has(from + k));
    assert.ok(key, `arrow keys do not lead from ${from} to ${name}`);
    seen.add(from + key);
    await page.keyboard.press(key);
  }
}

module.exports = { byMouse, mend, byKeyboard };
