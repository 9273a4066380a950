// The link: model and evidence in the fragment, compressed.

import { $, complain, say } from "./dom.js";
import { load } from "./files.js";
import { fileOf } from "./save.js";
import { evidenceOf, nothing, on, state } from "./state.js";

// The most characters of a link, and parameters of a model that may have one.
const mostLink = 60000, mostSize = 200000;

async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let raw = "";
  for (const b of bytes) raw += String.fromCharCode(b);
  return btoa(raw).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpack(text) {
  const raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(raw, (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}

let timer = 0, ownHash = "";

// linkOf returns the fragment that holds model and evidence, or nothing if it would be too long.
async function linkOf() {
  const { evidence, model } = state;
  if (model.size > mostSize || state.source.data?.length > 20 * mostLink) return "";
  const source = await fileOf(state.source);
  const text = "#s=" + await pack(JSON.stringify({ source, evidence, mpe: $("mpe").checked }));
  return text.length > mostLink ? "" : text;
}

// write puts the link into the address, and reports whether there is one.
async function write() {
  const { model } = state, text = await linkOf();
  if (model !== state.model) return write();
  ownHash = text;
  history.replaceState(null, "", text || location.pathname);
  return text !== "";
}

// readLink opens what the address holds, and reports whether it holds a link.
export async function readLink() {
  if (!location.hash.startsWith("#s=") || location.hash === ownHash) return false;
  try {
    const kept = evidenceOf(await unpack(location.hash.slice(3)));
    $("mpe").checked = Boolean(kept.mpe);
    await load(kept.source, { ...nothing(), ...kept.evidence });
    return true;
  } catch (problem) {
    complain(new Error("the link cannot be read: " + problem.message));
    return false;
  }
}

on("settled", () => {
  clearTimeout(timer);
  timer = setTimeout(write, 250);
});

$("link").addEventListener("click", async () => {
  if (!await write()) { complain(new Error("the model is too large for a link")); return; }
  try { await navigator.clipboard.writeText(location.href); say("The link is copied."); }
  catch { say("The link is the address of this page."); }
});
window.addEventListener("hashchange", readLink);
