// Evaluates functions that import modules of the pages, without a page: a line [function, argument] in, a line of JSON out.
import { registerHooks } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [, , pages, language, words, parts] = process.argv; // the texts of elements by their id, as JSON

registerHooks({
  resolve(name, context, next) {
    const found = next(name.startsWith("/static/") ? new URL(`.${name}`, pathToFileURL(`${pages}/`)).href : name, context);
    return new URL(found.url).pathname.endsWith(".js") ? { ...found, format: "module" } : found;
  },
});

const nothing = () => {};
const kept = new Map();
const written = JSON.parse(parts);
globalThis.document = {
  documentElement: { lang: language, dataset: { words: pathToFileURL(words).href } },
  body: { classList: { contains: () => false }, dataset: {} },
  addEventListener: nothing,
  getElementById: (id) => (id in written ? { textContent: written[id] } : null),
  querySelectorAll: () => [],
};
globalThis.addEventListener = nothing;
globalThis.matchMedia = () => ({ matches: false });
Object.defineProperty(globalThis, "localStorage", {
  value: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) },
});

const complaints = [];
console.error = (...said) => complaints.push(said.join(" "));

async function answer(line) {
  const [script, argument] = JSON.parse(line);
  try {
    const { default: act } = await import(`data:text/javascript,export default ${encodeURIComponent(script)}`);
    return { value: (await act(argument)) ?? null };
  } catch (error) {
    return { error: `${error.stack}` };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify({ ...(await answer(line)), complaints: complaints.splice(0) }));
}
