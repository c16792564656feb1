// Idempotent decisions: one id per tap, resent with the same id until there is a response, so none is duplicated.

import { asPost, asSentence, languageOf, readStorage, request, t, writeStorage } from "../lib/browser.js";
import { NIGHT } from "./night_stream.js";

const TRIES = 4;
const TIMEOUT = 5_000; // ms before a request times out; repeating it is safe
const SIGNATURE = "pegboard.director";

/** 128 random bits; plain http has no randomUUID. */
export function newRequestId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** This director's name in the audit trail. */
export const signature = {
  get: () => readStorage(SIGNATURE) ?? "",
  set: (name) => writeStorage(SIGNATURE, name),
};

/** Send a request, and again until a complete response arrives: {ok, status, body}, with status 0 if none did. */
export async function send(path, values, { id = newRequestId(), tries = TRIES } = {}) {
  const answer = await request(path, asPost({ id, ...values }), TIMEOUT);
  if (answer.body !== null) return answer;
  return tries > 1 ? send(path, values, { id, tries: tries - 1 }) : { ...answer, ok: false, status: 0 };
}

const CALLS = "/night/v1/calls"; // not stored

/** Paths of requests that are not decisions. */
const PATHS = { call: CALLS, accept_call: CALLS, end_call: CALLS, dismiss_alarm: "/night/v1/alarms" };

/** Send a decision: {ok, body} as from `send`; `base` is the revision that was seen. */
export function decide(decision, base) {
  return send(PATHS[decision.do] ?? "/night/v1/decisions", { night: NIGHT, ...(base && { base }), signature: signature.get(), ...decision });
}

/** The sentence of a refusal, or that the hub does not answer, with its language: {text, lang}; without field names. */
export function refusalOf({ status, body }) {
  if (body?.key === "night_field") return { text: t("hub.field_takes", { takes: body.values.takes }), lang: null };
  const text = status && body?.detail ? asSentence(body.detail) : t("hub.no_answer");
  return { text, lang: languageOf(text) };
}
