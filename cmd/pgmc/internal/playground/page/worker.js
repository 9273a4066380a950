// The worker runs the engine: it answers one request after the other.
"use strict";
importScripts("wasm_exec.js");

const ready = new Promise((resolve) => { self.pgmcReady = resolve; });

async function start() {
  const go = new Go();
  const response = await fetch(new URL(self.location.href).searchParams.get("engine"));
  if (!response.ok) throw new Error("the engine cannot be loaded: " + response.status);
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), go.importObject);
  go.run(instance).then(() => self.postMessage({ ended: true }), () => self.postMessage({ ended: true }));
  await ready;
}

let last = start();

self.onmessage = (event) => {
  const { id, request } = event.data;
  last = last.then(
    () => new Promise((done) => self.pgmc(request, (reply) => { self.postMessage({ id, reply }); done(); })),
  );
  last.catch((problem) => self.postMessage({ id, reply: JSON.stringify({ error: String(problem) }) }));
};
