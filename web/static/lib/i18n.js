// The texts of this page in the reader's language.

import { set, write } from "./dom.js";

const { documentElement: root } = document;
const { default: texts, sentences } = await import(root.dataset.words);
const plurals = {}; // by language

/** The language that is read here: "en", "fr". */
export const language = root.lang;

/** The form of a text for the number `n`, or else for the first placeholder that is a number. */
function pluralForm(forms, values) {
  const rule = (plurals[forms.language ?? language] ??= new Intl.PluralRules(forms.language ?? language));
  const named = [...forms.other.matchAll(/\{(\w+)\}/gu)].map(([, name]) => values[name]);
  const number = [values.n, ...named].find((value) => typeof value === "number");
  return forms[rule.select(number)] ?? forms.other;
}

/** The text under "section.key" with its values, in its plural form where it has several. */
export function t(key, values = {}) {
  const found = texts[key];
  if (found === undefined) console.error(`no text ${key}`);
  return filled(found?.other === undefined ? (found ?? key) : pluralForm(found, values), values);
}

const filled = (text, values) => text.replace(/\{(\w+)\}/gu, (whole, name) => values[name] ?? whole);

/** The text under a key where there is one, else what is said `otherwise`. */
export const known = (key, otherwise, values) => (key in texts ? t(key, values) : otherwise);

// The table's own sentences, which come in English.

const placeholders = /\\\{(\w+)\\\}/gu;
const escaped = (text) => text.replace(/[$()*+./?[\\\]^{|}]/gu, "\\$&");
const pattern = ([english, own]) => [
  new RegExp(`^${escaped(english).replace(placeholders, "(?<$1>.+?)")}$`, "isu"), own,
];
const patterns = sentences.map(pattern);
const untranslated = new Set();
const own = new Set(Object.values(texts));

/** Fetch the words of a sheet that came after its page, in a module of their own. */
export async function learn(sheet) {
  const more = await import(`/words/${language}/${sheet}-later.js`);
  Object.assign(texts, more.default);
  patterns.push(...more.sentences.map(pattern));
}

/** A sentence of the table in the reader's language; one that is not known stays English, and a page's own as it is. */
export function translated(sentence) {
  if (own.has(sentence)) return sentence;
  for (const [pattern, own] of patterns) {
    const values = pattern.exec(sentence)?.groups;
    if (values === undefined && !pattern.test(sentence)) continue;
    const filledIn = filled(own, inOwnWords(values ?? {}));
    if (untranslated.has(values?.fault)) break; // or half of it would be English
    return begun(filledIn, sentence);
  }
  if (language !== "en") untranslated.add(sentence);
  return sentence;
}

/** What stands in a sentence may be a sentence or a word of the table itself. */
const inOwnWords = (values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, known(`words.${name}_${value}`, inside(value))]));

const inside = (value) => (/\s/u.test(value) ? translated(value) : value);

/** With a capital where it begins with a letter. */
export const capital = (text) => text.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(language));

/** With a capital where the sentence had one. */
const begun = (text, like) => (/^\p{Lu}/u.test(like) ? capital(text) : text);

/** A sentence of the table that stands by itself: in the reader's language, and begun with a capital. */
export function asSentence(sentence) {
  const said = translated(sentence);
  if (untranslated.has(said)) untranslated.add(capital(said));
  return capital(said);
}

/** The `lang` of what is shown: "en" for a sentence of the table that stayed English, else null. */
export const languageOf = (text) => (untranslated.has(text) ? "en" : null);

/** Write what is said, and in which language where that is not the page's. */
export function quote(node, said) {
  write(node, said);
  set(node, "lang", languageOf(said));
}
