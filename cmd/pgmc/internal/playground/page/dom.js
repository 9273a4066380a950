// Elements of the page, and texts that several parts of it write.

export const $ = (id) => document.getElementById(id);

export const element = (name, properties, ...children) => {
  const e = Object.assign(document.createElement(name), properties);
  e.append(...children);
  return e;
};

const namespace = Object.assign(document.createElement("template"), { innerHTML: "<svg></svg>" }).content.firstChild.namespaceURI;

// drawing makes an element of a picture.
export const drawing = (name, attributes, ...children) => {
  const e = document.createElementNS(namespace, name);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  e.append(...children);
  return e;
};

export const say = (text) => { $("status").textContent = text; };
export const note = (lines) => { $("notice").textContent = $("notice").title = lines.join("; "); };
export const complain = (problem) => { $("problem").textContent = problem ? problem.message : ""; };

// percent writes a probability. Only 0 and 1 are 0% and 100%, but for rounding errors.
export function percent(p) {
  if (p === 0) return "0%";
  if (p > 1 - 1e-12) return "100%";
  if (p < 0.0001) return "<0.01%";
  if (p < 0.01) return (100 * p).toFixed(2) + "%";
  if (p >= 0.9995) return ">99.9%";
  return (100 * p).toFixed(1) + "%";
}

// flat reports whether a variance is that of a variable of which nothing is known.
export const flat = (variance) => variance > 1e300;

// number writes a number with four digits.
export const number = (x) => String(Number(x.toPrecision(4)));
