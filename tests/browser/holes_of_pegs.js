// The holes in which the pegs of two lanes stand, read back from the drawing: [[rear, front], [rear, front]].
() => {
  const circles = [...document.querySelectorAll(".slab .holes circle.hole")];
  const places = circles.map((node) => [node.cx.baseVal.value, node.cy.baseVal.value]);
  const perLane = 122; // two start holes and 120 more; the game hole is drawn last, for both
  const near = ([x, y], { e, f }) => Math.hypot(x - e, y - f) < 0.1;
  const hole = (lane, peg) => {
    const { matrix } = peg.transform.baseVal[0];
    if (near(places.at(-1), matrix)) return 121;
    return Math.max(0, places.slice(perLane * lane, perLane * (lane + 1)).findIndex((place) => near(place, matrix)) - 1);
  };
  return [0, 1].map((lane) => ["rears", "fronts"].map((row) => hole(lane, document.querySelector(`.${row} .l${lane}`))));
}
