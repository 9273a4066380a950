// The engines, each in a worker.

// long is the time, in milliseconds, after which a request may be given up for another model.
const long = 1000;

// An Engine sends requests to a worker and resolves to the replies.
export class Engine {
  constructor(file) {
    this.file = file;
    this.next = this.starts = 0;
    this.waiting = new Map();
    this.start();
  }

  // start starts a worker, without a model, in place of one that has stopped or is given up. Waiting
  // requests fail with a problem.
  start(problem) {
    this.worker?.terminate();
    this.starts++; // a worker knows the versions of models since its start
    for (const { reject } of this.waiting.values()) reject(problem);
    this.waiting.clear();
    this.worker = new Worker("worker.js?engine=" + this.file);
    this.worker.onmessage = ({ data }) => {
      if (data.ended) { this.start(new Error("the engine has stopped: the model takes more memory than it can have")); return; }
      const { resolve, reject } = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      const reply = JSON.parse(data.reply);
      if (reply && reply.error) reject(Object.assign(new Error(reply.error), reply));
      else resolve(reply);
    };
  }
  // fresh gives up a request that takes long.
  fresh() {
    const [oldest] = this.waiting.values();
    if (oldest && performance.now() - oldest.since > long) this.start(Object.assign(new Error("the question was given up for another model"), { replaced: true }));
  }

  ask(request) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, since: performance.now() });
      this.worker.postMessage({ id, request: JSON.stringify(request) });
    });
  }
}

// engine holds the model of the page.
export const engine = new Engine("pgmc.wasm");
