// The role of this device: what it may do at the table.

import { fetchJson, postJson } from "../lib/browser.js";

const OPEN = document.body.classList.contains("open-table");

export class Role {
  #role = document.body.dataset.role;
  #changed = () => {};

  /** Call `changed()` when the role changes. */
  follow(changed) {
    this.#changed = changed;
    if (OPEN) return;
    document.addEventListener("visibilitychange", () => document.hidden || this.refresh());
    addEventListener("pageshow", ({ persisted }) => persisted && this.refresh());
  }

  /** Whether everyone may do everything here. */
  get isOpen() {
    return OPEN;
  }

  get mayScore() {
    return this.#role !== "viewer";
  }

  get isDirector() {
    return this.#role === "director";
  }

  /** The server no longer knows this device. */
  becomeViewer() {
    this.#setRole("viewer");
  }

  async refresh() {
    const { ok, body } = await fetchJson("/api/v1/me", { cache: "no-store" });
    if (ok && body.role) this.#setRole(body.role);
  }

  /** Become a viewer again; false if the server did not respond. */
  async unpair() {
    const { ok } = await postJson("/api/v1/unpair", { all: false });
    if (ok) this.becomeViewer();
    return ok;
  }

  #setRole(role) {
    if (role === this.#role) return;
    this.#role = role;
    this.#changed();
  }
}
