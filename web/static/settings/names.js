// The names of those who play now, to be corrected where they are misspelt: whoever may score may do it.

import { byId } from "../lib/dom.js";
import { NameForm } from "../pad/name_form.js";
import * as words from "../words/words.js";

export class Names {
  #form;
  #role;

  constructor({ table, role, tell }) {
    this.#role = role;
    this.#form = new NameForm(table, (sentence) => tell(sentence, true));
    byId("names").replaceChildren(this.#form.node);
    table.on("state", () => this.show());
  }

  show() {
    this.#form.show();
    this.#form.close(this.#role.mayScore ? null : words.notPaired);
  }
}
