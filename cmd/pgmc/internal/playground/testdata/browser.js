// The test of the page in a browser. Arguments: the address of the page, the browser, a model file of
// 1,000 variables. It prints one line of JSON with what the page showed.
"use strict";

const { chromium } = require("playwright-core");

const [address, executablePath, wide] = process.argv.slice(2);

// state returns the selector of a state's button.
const state = (variable, k) => `[aria-labelledby="v${variable}"] [data-state="${k}"]`;

// settled waits until the page shows an answer after the last change.
const settled = (page) => page.waitForFunction(() => !asking && !again);

const shown = (page) => page.evaluate(() => ({
  logp: Number(document.getElementById("status").dataset.logp),
  marginals: Object.fromEntries(cards.map((c, i) => [model.variables[i].name, c.states.map((s) => Number(s.button.dataset.p))])),
}));

(async () => {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const page = await browser.newPage();
  const out = { requests: [], errors: [], answers: {} };
  page.on("request", (r) => { if (!r.url().startsWith(address) && !r.url().startsWith("data:")) out.requests.push(r.url()); });
  page.on("pageerror", (e) => out.errors.push(String(e)));
  page.on("console", (m) => { if (m.type() === "error") out.errors.push(m.text()); });
  await page.goto(address);
  await page.waitForFunction(() => cards.length === 8 && cards[0].shown.length > 0);

  // Clicks: dysp=yes, then an intervention on bronc.
  await page.click(state(7, 0));
  await settled(page);
  out.answers.click = await shown(page);
  await page.click(state(4, 0));
  await page.click('[aria-label="Intervene on bronc"]');
  await settled(page);
  out.answers.intervene = await shown(page);

  // The keyboard alone: undo both, then Tab to a state, arrows, Space.
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await settled(page);
  out.answers.undo = await shown(page);
  await page.focus('#v6 button');
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await settled(page);
  out.answers.keyboard = await shown(page);
  out.checked = await page.getAttribute(state(6, 1), "aria-checked");
  out.focus = await page.evaluate(() => document.activeElement.textContent);

  // A likelihood by the keyboard.
  await page.click('[aria-label="Likelihood of smoke"]');
  await page.focus('[aria-labelledby="v2"] input[type=range]');
  await page.keyboard.press("Home");
  for (let i = 0; i < 2; i++) await page.keyboard.press("PageUp");
  await settled(page);
  out.likelihood = await page.evaluate(() => evidence.soft.smoke);
  out.answers.likelihood = await shown(page);
  await page.check("#mpe");
  await settled(page);
  out.best = await page.evaluate(() => cards.map((c, i) => model.variables[i].states[c.best]));

  // The link holds model and evidence.
  await page.click("#link");
  await page.waitForTimeout(400);
  const again = await browser.newPage();
  await again.goto(page.url());
  await again.waitForFunction(() => cards.length === 8 && cards[0].shown.length > 0);
  await settled(again);
  out.answers.link = await shown(again);
  await again.close();

  // Names without roles and labels.
  out.unnamed = await page.evaluate(() => [...document.querySelectorAll("button, input, select")]
    .filter((e) => !(e.textContent.trim() || e.getAttribute("aria-label") || (e.labels && e.labels.length))).length);

  // What a variable costs, and the package.
  await page.click("#v5 button");
  await page.waitForSelector("#variable table");
  out.cost = await page.textContent("#variable");
  await page.click("#go-box summary");
  await page.waitForFunction(() => document.getElementById("go").textContent.includes("package "), null, { timeout: 120000 });
  out.go = (await page.textContent("#go")).slice(0, 200);
  if (process.env.SCREENSHOT) {
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.screenshot({ path: process.env.SCREENSHOT });
  }

  // A wide network: the times from a click to the answer on the page.
  await page.uncheck("#mpe");
  await page.setInputFiles("#file", wide);
  await page.waitForFunction(() => cards.length === 1000 && cards[0].shown.length > 0, null, { timeout: 120000 });
  await settled(page);
  out.clicks = [];
  for (const i of [10, 500, 990, 250, 750, 100, 333, 666]) {
    out.clicks.push(await page.evaluate(async (i) => {
      const began = performance.now();
      observe(i, 1);
      while (asking) await new Promise((done) => setTimeout(done, 1));
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      return performance.now() - began;
    }, i));
  }
  out.answers.wide = await shown(page);
  console.log(JSON.stringify(out));
  await browser.close();
})().catch((problem) => {
  console.error(problem);
  process.exit(1);
});
