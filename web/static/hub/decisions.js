// Decisions are sent once for each tap: with an id, and again by the same id while nothing comes, so none is doubled.

import { asPost, asSentence, languageOf, readStorage, request, t, writeStorage } from "../lib/browser.js";
import { NIGHT } from "./night_stream.js";

const TRIES = 4;
const TIMEOUT = 5_000; // ms before a request is given up; repeating it is safe
const SIGNATURE = "pegboard.director";

/** 128 random bits; plain http has no randomUUID. */
export function newRequestId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The name by which this director's decisions stand in the trail. */
export const signature = {
  get: () => readStorage(SIGNATURE) ?? "",
  set: (name) => writeStorage(SIGNATURE, name),
};

/** Send a request, and again while no answer comes whole: {ok, status, body}, with status 0 where none did. */
export async function send(path, values, { id = newRequestId(), tries = TRIES } = {}) {
  const answer = await request(path, asPost({ id, ...values }), TIMEOUT);
  if (answer.body !== null) return answer;
  return tries > 1 ? send(path, values, { id, tries: tries - 1 }) : { ...answer, ok: false, status: 0 };
}

const CALLS = "/night/v1/calls"; // of which nothing is stored

/** Where requests go that are no decisions. */
const PATHS = { call: CALLS, accept_call: CALLS, end_call: CALLS, dismiss_alarm: "/night/v1/alarms" };

/** Have something decided: {ok, body} as `send`; `base` is the revision that was seen. */
export function decide(decision, base) {
  return send(PATHS[decision.do] ?? "/night/v1/decisions", { night: NIGHT, ...(base && { base }), signature: signature.get(), ...decision });
}

/** The sentence of a refusal, or that the hub does not answer, with its language: {text, lang}; no field is named as programs do. */
export function refusalOf({ status, body }) {
  if (body?.key === "night_field") return { text: t("hub.field_takes", { takes: body.values.takes }), lang: null };
  const text = status && body?.detail ? asSentence(body.detail) : t("hub.no_answer");
  return { text, lang: languageOf(text) };
}
