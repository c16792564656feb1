// Asking the table for something that is not live: an answer, or the sentence of its refusal.

import { html } from "./dom.js";
import { asSentence, languageOf, t } from "./i18n.js";

const PATIENCE = 8_000; // ms

/** What the table says to `path`: {ok, status, body}; status 0 where nothing came, and `body.detail` says so. */
export async function fetched(path, options = {}, patience = PATIENCE) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), patience);
  try {
    const answer = await fetch(path, { ...options, signal: abort.signal });
    const body = await answer.json().catch(() => null);
    if (body === null) return { ok: false, status: answer.status, body: { detail: t("history.unreadable") } };
    return { ok: answer.ok, status: answer.status, body };
  } catch {
    return { ok: false, status: 0, body: { detail: t("history.no_answer") } };
  } finally {
    clearTimeout(timer);
  }
}

/** POST values as JSON. */
export const posted = (path, values, patience) =>
  fetched(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(values) }, patience);

/** A path with the values that are not empty. */
export function asked(path, values) {
  const query = `${new URLSearchParams(Object.entries(values).filter(([, value]) => value))}`;
  return query ? `${path}?${query}` : path;
}

/** The sentence of a refusal, and the line of the rules that it comes from, where there is one. */
export function refusal({ detail, rule }) {
  const said = detail ? asSentence(detail) : t("history.unreadable");
  return [html("span", { lang: languageOf(said) }, said), ...(rule ? [" ", html("a", { href: rule }, t("history.rule"))] : [])];
}
