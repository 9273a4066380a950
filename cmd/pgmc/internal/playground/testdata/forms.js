// The tests of what the page shows of models that are no plain networks: sequences, decisions, real
// variables, and models that it cannot show.
"use strict";

const assert = require("node:assert/strict");
const path = require("node:path");
const { state, settled } = require("./helpers.js");

// openFile opens a model and waits for its answer.
async function openFile(page, file, variables) {
  await page.setInputFiles("#file", file);
  await page.waitForFunction((n) => cardsModule.cards.length === n && stateModule.state.answer, variables);
  await settled(page);
}

const text = (page, selector) => page.textContent(selector);
const probability = (page, variable, k) => text(page, state(variable, k) + " .p");
const slice = (page) => page.inputValue("#slice-at");

// umbrella follows Russell and Norvig's umbrella world: rain after one umbrella, after two, and on the
// first day given both.
async function umbrella(page, models) {
  await openFile(page, path.join(models, "umbrella.pgmc.json"), 2);
  assert.equal(await probability(page, 0, 0), "50.0%");
  await page.click(state(1, 0));
  await settled(page);
  assert.equal(await probability(page, 0, 0), "81.8%");
  await page.focus("#slice-next");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await slice(page), "1");
  assert.equal(await probability(page, 0, 0), "62.7%");
  await page.waitForFunction(() => document.querySelectorAll("#picture [data-variable]").length === 2 && document.querySelectorAll("#picture .other").length === 4);
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll("#picture .known title")].map((x) => x.textContent)), ["umbrella@0"]);
  await page.click(state(1, 0));
  await settled(page);
  assert.equal(await probability(page, 0, 0), "88.3%");
  assert.match(await text(page, "#status"), /^P\(evidence\) up to slice 1 = 0\.3515/);
  await page.selectOption("#slice-mode", "smooth");
  await page.click("#course [data-slice='0']");
  await settled(page);
  assert.equal(await probability(page, 0, 0), "88.3%");
  await page.selectOption("#slice-mode", "path");
  await settled(page);
  assert.equal(await page.evaluate(() => document.querySelectorAll(".state.best").length), 2);
  assert.equal(await page.evaluate(() => document.querySelectorAll("#course .star").length), 5);
  await page.waitForFunction(() => document.querySelector("#picture .other"));
  await page.click("#picture .other");
  await settled(page);
  assert.equal(await slice(page), "1");
  await page.click("#clear");
  await settled(page);
  assert.equal(await probability(page, 0, 0), "50.0%");
  for (let i = 0; i < 3; i++) await page.click("#undo"); // the clearing, the path, the smoothing
  await settled(page);
  assert.equal(await probability(page, 0, 0), "88.3%");
  await page.click('#v0 button');
  await page.waitForFunction(() => document.getElementById("variable").textContent.includes("rain@-1"));
  for (const [field, wrong] of [["#slice-length", "2.5"], ["#slice-length", "0"], ["#slice-at", "-1"], ["#slice-at", "1000"], ["#slice-at", ""]]) {
    const before = await page.inputValue(field);
    await page.fill(field, wrong);
    await page.keyboard.press("Enter");
    assert.equal(await page.inputValue(field), before, `${field} takes ${wrong}`);
  }
}

// nile observes a real variable of a sequence.
async function nile(page, models) {
  await openFile(page, path.join(models, "nile.pgmc.json"), 2);
  assert.equal(await text(page, "#variables .value"), "any value (flat prior)");
  await page.fill('[aria-label="Observed value of flow"]', "1120");
  await page.keyboard.press("Enter");
  await settled(page);
  await page.waitForFunction(() => document.querySelectorAll(".density").length === 1);
  await page.click("#slice-next");
  await settled(page);
  assert.match(await text(page, "#status"), /^Density of the evidence up to slice 1 = /);
  assert.match(await text(page, "#variables .value"), /^1120\.0 ± 129/); // sqrt(15099 + 1469.1)
  await page.waitForFunction(() => document.querySelectorAll(".density").length === 2);
}

// oil solves a decision problem of maximum expected utility 22.5, and 20 without the test.
async function oil(page, models) {
  await openFile(page, path.join(models, "oil.pgmc.json"), 4);
  assert.equal(await page.isVisible("#slices"), false);
  assert.match(await text(page, "#strategy"), /^Maximum expected utility: 22\.5 \(cost -10, reward 32\.5\)/);
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll("#strategy .choice")].map((x) => x.textContent)), ["22.5", "77.5", "22.86", "-10"]);
  assert.equal(await page.evaluate(() => document.querySelectorAll("#picture g > rect").length), 4, "decisions and utilities are boxes");
  assert.equal(await probability(page, 1, 0), "59.0%");
  await page.click(state(0, 1));
  await settled(page);
  assert.match(await text(page, "#strategy"), /^Maximum expected utility: 20 \(cost 0, reward 20\)/);
  await page.click("#limited");
  await settled(page);
  assert.match(await text(page, "#strategy"), /^Maximum expected utility: 20 /);
  await page.click(state(3, 1));
  await page.waitForFunction(() => document.body.classList.contains("stale"));
  assert.match(await text(page, "#problem"), /decision|impossible/);
  await page.click("#undo");
  await page.waitForFunction(() => !document.body.classList.contains("stale"));
}

// waste has discrete and real variables; the densities are mixtures.
async function waste(page, models) {
  await openFile(page, path.join(models, "waste.pgmc.json"), 9);
  await page.waitForFunction(() => document.querySelectorAll(".density").length === 6);
  assert.match(await page.getAttribute("#variables .density", "aria-label"), /^density of efficiency, a mixture of 8 normal distributions/);
  assert.match(await text(page, "#status"), /^P\(evidence\) = 1/);
  await page.fill('[aria-label="Observed value of light"]', "1.5");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.match(await text(page, "#status"), /^Density of the evidence = /);
  await page.waitForFunction(() => document.querySelectorAll(".density").length === 5);
  await page.click("#v4 button");
  await page.waitForSelector("#variable table");
  assert.doesNotMatch(await text(page, "#variable"), /Cost/);
}

// strange opens models that the page cannot show: one that only approximate methods answer, and a text.
async function strange(page) {
  const model = (name, content) => page.setInputFiles("#file", { name, mimeType: "text/plain", buffer: Buffer.from(content) });
  await model("square.pgmc.json", JSON.stringify({ pgmc: 2, kind: "bayes", variables: [{ name: "x", real: true }, { name: "y", real: true }],
    factors: [{ scope: ["x"], child: "x", gaussian: { mean: [0], var: [1] } }, { scope: ["x", "y"], child: "y", func: { mean: "x*x", var: [1] } }] }));
  await page.waitForFunction(() => document.getElementById("model-name").textContent === "square" && document.body.classList.contains("stale"));
  assert.match(await text(page, "#problem"), /^the page shows this model but cannot answer about it/);
  assert.equal(await text(page, "#status"), "There is no answer.");
  await model("broken.bif", "no model");
  await page.waitForFunction(() => document.getElementById("problem").textContent.startsWith("broken.bif:1:1: "));
  assert.doesNotMatch(await text(page, "#status"), /Loading/);
  await page.selectOption("#examples", "asia");
  await page.waitForFunction(() => cardsModule.cards.length === 8 && stateModule.state.answer);
  await settled(page);
  assert.equal(await text(page, "#problem"), "");
  assert.equal(await page.isVisible("#strategy-box"), false);
  await page.evaluate(async () => (await import("/engine.js")).engine.worker.onmessage({ data: { ended: true } })); // as after a lack of memory
  await page.click(state(1, 0));
  await page.waitForFunction(() => cardsModule.cards[5].states[0].p.textContent === "100%");
}

async function all(page, models) {
  await umbrella(page, models);
  await nile(page, models);
  await oil(page, models);
  await waste(page, models);
  await strange(page);
}

module.exports = { all };
