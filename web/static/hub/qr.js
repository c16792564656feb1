// QR codes that phones scan, with what to type where they cannot.

import { html, svg, t } from "../lib/browser.js";

const qrPicture = ({ size, path }, label) =>
  svg("svg.qr", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label }, svg("rect", { width: "100%", height: "100%" }), svg("path", { d: path }));

/** The page there, for who is at this machine: only it reaches the hub. */
const openHere = (url) => html("a.key", { href: url, target: "_blank" }, t("hub.open_here"));

/**
 * How somebody joins by a code: to scan or to type, `how` is the text where there is a QR code, and `howTyped` where there is none, with the reason.
 * `isTouched` is false for a screen that nobody touches.
 */
export function invite({ qr, url, host, reach, code }, how, howTyped, { isTouched = true } = {}) {
  const typed = html("p.typed", t(qr ? how : howTyped, { host }), " ", html("b.code", code));
  if (qr) return [qrPicture(qr, url), typed];
  const here = reach === "machine" && isTouched ? [openHere(url)] : [];
  return [html(reach === "machine" ? "p.quiet" : "p.why", t(`hub.unreached_${reach}`)), typed, ...here];
}
