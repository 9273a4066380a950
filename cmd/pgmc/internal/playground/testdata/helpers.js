// What the tests of the page in a browser share.
"use strict";

// state returns the selector of a state's button.
const state = (variable, k) => `[aria-labelledby="v${variable}"] [data-state="${k}"]`;

// open opens the page, with its modules in the global object.
async function open(context, address) {
  const page = await context.newPage();
  await page.goto(address);
  await page.evaluate(async () => {
    for (const name of ["dom", "state", "ask", "cards"]) window[name + "Module"] = await import(`/${name}.js`);
  });
  return page;
}

// settled waits until all cards show an answer after the last change.
const settled = (page) => page.waitForFunction(() => !askModule.asking && !askModule.again && stateModule.state.answer && !cardsModule.behind);

// shown returns the posteriors that the cards show, whose texts it checks.
const shown = (page) => page.evaluate(() => {
  const { cards } = cardsModule, { model } = stateModule.state;
  cards.forEach((c, i) => c.states.forEach((s, k) => {
    if (s.p.textContent !== domModule.percent(c.shown[k])) throw new Error(`card ${i} shows ${s.p.textContent} for ${c.shown[k]}`);
  }));
  return {
    logp: Number(document.getElementById("status").dataset.logp),
    marginals: Object.fromEntries(cards.map((c, i) => [model.variables[i].name, c.shown])),
  };
});

// best returns the states with a star.
const best = (page) => page.evaluate(() => cardsModule.cards.map((c, i) => stateModule.state.model.variables[i].states[c.best]));

const loaded = (page) => page.waitForFunction(() => cardsModule.cards.length === 8 && cardsModule.cards[0].shown.length > 0);

// tab presses a key, Tab or Shift+Tab, until the element of the selector has the focus. Each element on
// the way must show that it has it.
async function tab(page, out, selector, key = "Tab") {
  for (let i = 0; i < 100; i++) {
    await page.keyboard.press(key);
    const at = await page.evaluate((wanted) => {
      const e = document.activeElement;
      return { found: e.matches(wanted), name: e.outerHTML.slice(0, 80), seen: e === document.body || getComputedStyle(e).outlineStyle !== "none" };
    }, selector);
    if (!at.seen) out.errors.push("the focus does not show on " + at.name);
    if (at.found) return;
  }
  throw new Error("Tab does not reach " + selector);
}

module.exports = { state, open, settled, shown, best, loaded, tab };
