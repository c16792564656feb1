// Elements from words: text stays text, so a player's name can never become markup.

/** Set an attribute; true stands for the bare attribute, false and null take it away. */
export function set(node, name, value) {
  if (value === false || value === null) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : value);
}

/** An element such as "b" or "b.kind.other", its attributes, where it has any, and what stands in it. */
const maker = (namespace) => (tag, ...inside) => {
  const [name, ...kinds] = tag.split(".");
  const node = document.createElementNS(namespace, name);
  if (kinds.length) node.setAttribute("class", kinds.join(" "));
  const attributes = inside[0]?.constructor === Object ? inside.shift() : {};
  for (const [key, value] of Object.entries(attributes)) set(node, key, value);
  node.append(...inside.filter((child) => child !== null));
  return node;
};

export const html = maker("http://www.w3.org/1999/xhtml");

export const svg = maker("http://www.w3.org/2000/svg");

export const byId = (id) => document.getElementById(id);

/** Write text only where it changed: screen reader and layout are left in peace. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export const say = (id, text) => write(byId(id), text);

/** The same for nodes. */
export function fill(node, ...inside) {
  const made = html("div", ...inside);
  if (node.innerHTML !== made.innerHTML) node.replaceChildren(...made.childNodes);
}

/** Take a key out of use with its reason, or back with null; it can still be focused and asked. */
export function refuse(key, reason) {
  set(key, "aria-disabled", reason ? "true" : null);
  set(key, "title", reason);
  if (reason) key.dataset.reason = reason;
  else delete key.dataset.reason;
}
