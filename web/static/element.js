// Elements from words: text stays text, so a player's name can never become markup.

const SVG = "http://www.w3.org/2000/svg";

const fill = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) set(node, name, value);
  node.append(...children.filter((child) => child !== null));
  return node;
};

/** Set an attribute; true stands for the bare attribute, false and null take it away. */
export function set(node, name, value) {
  if (value === false || value === null) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : value);
}

export const html = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

export const byId = (id) => document.getElementById(id);

/** Write text only where it changed, so that a screen reader and the layout are left in peace. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
