// Elements of the page, and texts that several parts of it write.

export const $ = (id) => document.getElementById(id);

export const element = (name, properties, ...children) => {
  const e = Object.assign(document.createElement(name), properties);
  e.append(...children);
  return e;
};

export const say = (text) => { $("status").textContent = text; };
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
