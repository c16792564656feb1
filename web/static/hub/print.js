// The key that prints what is shown.

import { byId } from "../lib/browser.js";

byId("print").addEventListener("click", () => print());
