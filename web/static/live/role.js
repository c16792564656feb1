// What this device may do at the table; asked anew on every return, as it may have been paired or unpaired meanwhile.

const OPEN = document.body.classList.contains("open-table");

export class Role {
  #role = document.body.dataset.role;
  #changed = () => {};

  /** `changed()` is told of every other role. */
  follow(changed) {
    this.#changed = changed;
    if (OPEN) return;
    document.addEventListener("visibilitychange", () => document.hidden || this.ask());
    addEventListener("pageshow", ({ persisted }) => persisted && this.ask());
  }

  /** Whether everybody may do everything here. */
  get open() {
    return OPEN;
  }

  get mayScore() {
    return this.#role !== "viewer";
  }

  get directs() {
    return this.#role === "director";
  }

  /** The table no longer knows this device. */
  lost() {
    this.#take("viewer");
  }

  async ask() {
    const answer = await fetch("/api/v1/me", { cache: "no-store" }).catch(() => null);
    const me = answer?.ok ? await answer.json().catch(() => null) : null;
    if (me?.role) this.#take(me.role);
  }

  /** Be a viewer again; false where the table did not answer. */
  async unpair() {
    const asked = { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"all":false}' };
    const answer = await fetch("/api/v1/unpair", asked).catch(() => null);
    if (answer?.ok) this.lost();
    return answer?.ok === true;
  }

  #take(role) {
    if (role === this.#role) return;
    this.#role = role;
    this.#changed();
  }
}
