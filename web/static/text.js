// The texts of this page in the reader's language.

const { documentElement: root } = document;
const { default: texts } = await import(root.dataset.words);
const plurals = new Intl.PluralRules(root.lang);

/** The language that is read here: "en", "fr". */
export const language = root.lang;

/** The text under "section.key" with its values; where it has plurals, `n` chooses. */
export function t(key, values = {}) {
  const found = texts[key];
  if (found === undefined) console.error(`no text ${key}`);
  const text = found?.other === undefined ? (found ?? key) : (found[plurals.select(values.n)] ?? found.other);
  return text.replace(/\{(\w+)\}/gu, (whole, name) => values[name] ?? whole);
}
