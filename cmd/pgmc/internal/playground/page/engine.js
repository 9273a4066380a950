// The engines, each in a worker.

// An Engine sends requests to a worker and resolves to the replies.
export class Engine {
  constructor(file) {
    this.worker = new Worker("worker.js?engine=" + file);
    this.waiting = new Map();
    this.next = 0;
    this.worker.onmessage = ({ data }) => {
      const { resolve, reject } = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      const reply = JSON.parse(data.reply);
      if (reply && reply.error) reject(Object.assign(new Error(reply.error), reply));
      else resolve(reply);
    };
  }
  ask(request) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, request: JSON.stringify(request) });
    });
  }
}

// engine holds the model of the page.
export const engine = new Engine("pgmc.wasm");
