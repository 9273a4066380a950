// The test of the page in a browser. Arguments: the address of the page, the browser, a model file of
// 1,000 variables, the folder of pgmc's models. It prints one line of JSON with what the page showed.
"use strict";

const { chromium } = require("playwright-core");
const { state, open, settled, shown, best, loaded, tab } = require("./helpers.js");
const editing = require("./editing.js");
const forms = require("./forms.js");
const layout = require("./layout.js");

const [address, executablePath, wide, models] = process.argv.slice(2);

// unnamed returns the controls and pictures of the accessibility tree that have no name.
async function unnamed(page) {
  const tree = await (await page.context().newCDPSession(page)).send("Accessibility.getFullAXTree");
  const focusable = (n) => (n.properties || []).some((p) => p.name === "focusable" && p.value.value);
  return tree.nodes
    .filter((n) => !n.ignored && (focusable(n) || n.role.value === "image"))
    .filter((n) => !(n.name && n.name.value.trim())).map((n) => n.role.value);
}

// byKeyboard uses the page with the keyboard alone, from its load to the copy of the link.
async function byKeyboard(context, out) {
  const page = await open(context, address);
  const keys = async (...names) => { for (const k of names) await page.keyboard.press(k); await settled(page); };
  const answer = async (name) => { out.answers[name] = await shown(page); };
  await loaded(page);
  await tab(page, out, state(7, 0));
  await keys("Space");
  await answer("keys: observe");
  await tab(page, out, '[aria-label="Likelihood of smoke"]', "Shift+Tab");
  await keys("Enter");
  await tab(page, out, '[aria-label="Likelihood of smoke = yes"]');
  await keys("Home", "ArrowRight", "ArrowRight", "ArrowUp");
  await answer("keys: likelihood");
  await keys("Control+z");
  await answer("keys: undo");
  await tab(page, out, "#mpe", "Shift+Tab");
  await keys("Space");
  out.keysBest = await best(page);
  await tab(page, out, '[aria-label="Intervene on bronc"]');
  await keys("Enter");
  await answer("keys: intervene");
  await tab(page, out, "#link", "Shift+Tab");
  await keys("Enter");
  await page.waitForFunction(() => document.getElementById("status").textContent === "The link is copied.");
  const again = await open(context, await page.evaluate(() => navigator.clipboard.readText()));
  await loaded(again);
  await settled(again);
  out.answers["keys: link"] = await shown(again);
  await again.close();
  await page.bringToFront();
  await tab(page, out, '[aria-labelledby="v5"] .name');
  await keys("Enter");
  await page.waitForSelector("#variable table");
  await layout.byKeyboard(page, out);
  await editing.byKeyboard(page, out);
  await page.close();
}

(async () => {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  const browser = await chromium.launch({ executablePath, args });
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const out = { requests: [], errors: [], answers: {} };
  context.on("request", (r) => { if (!r.url().startsWith(address) && !r.url().startsWith("data:")) out.requests.push(r.url()); });
  context.on("console", (m) => { if (m.type() === "error") out.errors.push(m.text()); });
  context.on("weberror", (e) => out.errors.push(String(e.error())));
  await byKeyboard(context, out);
  const page = await open(context, address);
  await loaded(page);

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
  out.likelihood = await page.evaluate(() => stateModule.state.evidence.soft.smoke);
  out.answers.likelihood = await shown(page);
  await page.check("#mpe");
  await settled(page);
  out.best = await best(page);

  // The link holds model and evidence.
  await page.click("#link");
  await page.waitForTimeout(400);
  const again = await open(context, page.url());
  await loaded(again);
  await settled(again);
  out.answers.link = await shown(again);
  await again.close();

  // What a variable costs, and the package.
  await page.click("#v5 button");
  await page.waitForSelector("#variable table");
  out.cost = await page.textContent("#variable");
  await page.click("#go-box summary");
  await page.waitForFunction(() => document.getElementById("go").textContent.includes("package "), null, { timeout: 120000 });
  out.go = (await page.textContent("#go")).slice(0, 200);
  out.unnamed = await unnamed(page);
  if (process.env.SCREENSHOT) {
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.screenshot({ path: process.env.SCREENSHOT });
  }

  await page.uncheck("#mpe");
  await page.click("#go-box summary"); // closed: the other engine would write a package beside the clicks
  await editing.byMouse(page, out);
  out.unnamed.push(...await unnamed(page));
  await editing.mend(page);

  // A wide network: the times from a click on a card that is seen to the answer in the next frame.
  const opened = Date.now();
  await page.setInputFiles("#file", wide);
  await page.waitForFunction(() => cardsModule.cards.length === 1000 && cardsModule.cards[0].shown.length > 0, null, { timeout: 120000 });
  await settled(page);
  out.first = Date.now() - opened;
  out.clicks = [];
  for (const i of [10, 500, 990, 250, 750, 100, 333, 666]) {
    out.clicks.push(await page.evaluate(async (i) => {
      const { cards, near } = cardsModule;
      const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      cards[i].card.scrollIntoView();
      while (!near.has(i)) await frame();
      await frame(); // the scroll has been drawn
      const began = performance.now();
      stateModule.observe(i, 1);
      while (askModule.asking) await new Promise((done) => setTimeout(done, 1));
      if (cards[i].states[1].p.textContent !== "100%") throw new Error("the card that is seen does not show the answer");
      await frame();
      return performance.now() - began;
    }, i));
  }
  await settled(page);
  out.answers.wide = await shown(page);
  await layout.wide(page);
  await forms.all(page, models);
  await layout.small(page);
  console.log(JSON.stringify(out));
  await browser.close();
})().catch((problem) => {
  console.error(problem);
  process.exit(1);
});
