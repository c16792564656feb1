// Watch Ann's rear peg for a second and a half: window.flight becomes its [x, y, scale] in every frame in which it is lifted.
() => {
  window.flight = new Promise((done) => {
    const seen = [];
    const begun = performance.now();
    const step = () => {
      const [place, lift] = document.querySelector(".fronts .l0.rear")?.transform.baseVal ?? [];
      if (lift) seen.push([place.matrix.e, place.matrix.f, lift.matrix.a]);
      if (performance.now() - begun < 1500) requestAnimationFrame(step);
      else done(seen);
    };
    step();
  });
}
