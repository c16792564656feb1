// A QR code as a picture.

import { svg } from "../lib/browser.js";

export const qrPicture = ({ size, path }, label) =>
  svg("svg.qr", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label }, svg("rect", { width: "100%", height: "100%" }), svg("path", { d: path }));
