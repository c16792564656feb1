// What a ruler and a magnifying glass find wrong on a page: an empty list, if nothing.
({ smallestText, smallestTarget }) => {
  const found = new Set();
  const say = (...words) => found.add(words.join(" "));
  const label = (node) => `${node.tagName}.${node.getAttribute("class") ?? ""} "${node.textContent.trim().slice(0, 16)}"`;
  const seen = (node) =>
    node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !node.closest(".unseen, dialog:not([open])");
  const mayBeCut = ".name, .short, .crib span, .ailing a, .what, .what *, .when, .why, .hint, #now, .hero, .final b, .slab, .slab *, .graph *, .mark, .mark *";
  const inLinks = ".links, nav";
  const ownText = (node) => [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent.trim());
  const ink = (node) => {
    const whole = node.getBoundingClientRect();
    if (!ownText(node) || node.matches("button")) return whole;
    const range = document.createRange();
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect();
    return {
      left: Math.max(text.left, whole.left), right: Math.min(text.right, whole.right),
      top: Math.max(text.top, whole.top), bottom: Math.min(text.bottom, whole.bottom),
    };
  };
  const scrolls = (node) => ["auto", "scroll"].includes(getComputedStyle(node).overflowY);
  /** What is scrolled out of its list, or has no room beside the link, is not in the way. */
  const inList = (node, box) => {
    for (let list = node.parentElement; list; list = list.parentElement) {
      if (!scrolls(list) && !list.matches(".top .link")) continue;
      const { top, bottom } = list.getBoundingClientRect();
      box = { left: box.left, right: box.right, top: Math.max(box.top, top), bottom: Math.min(box.bottom, bottom) };
    }
    return box;
  };

  const nodes = [...document.querySelectorAll("body *")].filter((node) => seen(node) && node.getBoundingClientRect().width);
  if (document.documentElement.scrollWidth > innerWidth) say("the page is wider than the screen");
  for (const node of nodes) {
    const { left, right, width, height } = node.getBoundingClientRect();
    if (right > innerWidth + 0.5 || left < -0.5) say("beyond the edge:", label(node));
    if (ownText(node)) {
      const size = parseFloat(getComputedStyle(node).fontSize);
      if (size < smallestText - 0.1) say(`text of ${size} px:`, label(node));
      const cut = node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== "inline";
      if (cut && !node.matches(mayBeCut)) say("cut off:", label(node));
    }
    if (node.matches("button, a") && !node.closest(inLinks) && Math.min(width, height) < smallestTarget - 0.1) {
      say(`target of ${Math.round(width)} x ${Math.round(height)} px:`, label(node));
    }
  }

  const standing = nodes.filter((node) => (ownText(node) && !node.closest("svg")) || node.matches("svg.slab, button, .mark, canvas, .qr"));
  const boxes = standing.filter((node) => !node.closest(".trouble, .sentence") && !node.matches(".what *, .why *")).map((node) => [node, inList(node, ink(node))]);
  for (const [i, [one, a]] of boxes.entries()) {
    for (const [other, b] of boxes.slice(i + 1)) {
      if (one.contains(other) || other.contains(one)) continue;
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 1.5 && !one.closest("main") === !other.closest("main")) say(label(one), "overlaps", label(other));
    }
  }
  return [...found];
}
