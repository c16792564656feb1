// The key that prints the page.

import { byId } from "../lib/browser.js";

byId("print").addEventListener("click", () => print());
