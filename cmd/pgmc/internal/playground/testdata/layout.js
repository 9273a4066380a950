// The tests of what is where on the page: the picture, the chosen variable, phones.
"use strict";

const assert = require("node:assert/strict");
const { state, settled, tab } = require("./helpers.js");

const chosen = (page) => page.textContent("#variable h2");

// inSight reports whether an element is in the window, all of it or, if it is higher, its top.
const inSight = (page, selector) => page.evaluate((s) => {
  const r = document.querySelector(s).getBoundingClientRect();
  return r.height > 0 && r.top >= 0 && r.left >= 0 && r.right <= innerWidth && Math.min(r.bottom, r.top + 100) <= innerHeight;
}, selector);

// width returns the width of the part of the picture that is shown, in the picture's units.
const width = (page) => page.evaluate(() => document.querySelector("#picture svg").viewBox.baseVal.width);

// byKeyboard goes through the picture of asia, in which bronc is chosen.
async function byKeyboard(page, out) {
  await tab(page, out, "#skip [data-to=picture]", "Shift+Tab");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "either, child of tub, lung");
  for (const [key, name] of [["ArrowUp", "tub"], ["ArrowRight", "lung"], ["ArrowDown", "either"], ["ArrowDown", "xray"], ["ArrowDown", "xray"]]) {
    await page.keyboard.press(key);
    await page.waitForFunction((n) => document.querySelector("#variable h2").textContent === n, name);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label").split(",")[0]), name);
  }
  const all = await width(page);
  await page.keyboard.press("+");
  assert.ok(await width(page) < all);
  await page.keyboard.press("0");
  assert.equal(await width(page), all);
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.closest(".card").querySelector(".name").textContent), "xray");
  await tab(page, out, "#skip [data-to=variables]", "Shift+Tab");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.className), "name");
}

// wide looks at a network of 1,000 variables: an overview, and the parts that stay in sight.
async function wide(page) {
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.click("#zoom-fit");
  const drawn = await page.evaluate(() => {
    const box = document.getElementById("picture").getBoundingClientRect(), nodes = [...document.querySelectorAll("#picture [data-variable]")];
    const within = (r) => r.left >= box.left - 1 && r.right <= box.right + 1 && r.top >= box.top - 1 && r.bottom <= box.bottom + 1;
    return nodes.filter((n) => within(n.getBoundingClientRect())).length;
  });
  assert.equal(drawn, 1000, "all variables are in the overview");
  await page.evaluate(() => cardsModule.cards[700].card.scrollIntoView());
  const all = await width(page);
  await page.click('[id="v700"] button');
  await page.waitForFunction(() => document.querySelector("#variable table"));
  assert.equal(await chosen(page), "x700");
  assert.ok(await width(page) < all / 4, "the picture shows the surroundings of the chosen variable");
  for (const s of ["#picture", "#variable", '#picture [data-variable="700"]', "header", '[id="v700"]']) assert.ok(await inSight(page, s), s + " is in sight");
  const before = await page.evaluate(() => document.querySelector('#picture [data-variable="700"]').getBoundingClientRect().x);
  const box = await page.locator("#picture").boundingBox();
  await page.mouse.move(box.x + 10, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 30, box.y + 10, { steps: 2 });
  await page.mouse.move(box.x + 50, box.y + 10, { steps: 2 });
  await page.mouse.up();
  const after = await page.evaluate(() => document.querySelector('#picture [data-variable="700"]').getBoundingClientRect().x);
  assert.ok(Math.abs(after - before - 40) < 3, `a drag of 40 pixels moves the picture by ${after - before}`);
  const scaled = await width(page);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, 200);
  await page.keyboard.up("Control");
  await page.waitForFunction((w) => document.querySelector("#picture svg").viewBox.baseVal.width > w, scaled);
}

// small opens an example on a phone, and gives impossible evidence.
async function small(page) {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.selectOption("#examples", "asia");
  await page.waitForFunction(() => cardsModule.cards.length === 8 && stateModule.state.answer);
  await settled(page);
  assert.equal(await page.evaluate(() => document.getElementById("file").value), "", "the file chooser names no file");
  assert.ok(await inSight(page, "#picture"), "the picture is first");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is not wider than the window");
  await page.click('#picture [data-variable="7"]');
  await page.waitForSelector("#variable table");
  assert.ok(await inSight(page, "#picture"), "a variable that is chosen in the picture leaves it in sight");
  await page.click('[id="v7"] button');
  assert.ok(await inSight(page, "#variable-box"), "a variable that is chosen among the cards comes into sight");
  await page.click(state(1, 0));
  await page.click(state(5, 1));
  await page.waitForFunction(() => document.body.classList.contains("stale"));
  assert.match(await page.textContent("#status"), /^P\(evidence\) = 0: tub and either /);
  assert.match(await page.textContent("#problem"), /^impossible evidence: tub=yes, either=no has probability 0/);
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll(".card.conflict .name")].map((n) => n.textContent)), ["tub", "either"]);
  const grey = await page.evaluate(() => getComputedStyle(document.querySelector(".fill")).backgroundColor);
  await page.click("#undo");
  await page.waitForFunction(() => !document.body.classList.contains("stale") && !document.querySelector(".conflict"));
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.querySelector(".fill")).backgroundColor), grey);
}

module.exports = { byKeyboard, wide, small };
