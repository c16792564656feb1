// A lane's way through the holes, by arc length: straight streets and round turns.

/** Straight lines and half turns; `at` gives place and left-hand normal after some px. */
export class Way {
  #parts = [];
  #x;
  #y;
  length = 0;

  constructor(x, y) {
    this.#x = x;
    this.#y = y;
  }

  line(x, y) {
    const [fromX, fromY] = [this.#x, this.#y];
    const length = Math.hypot(x - fromX, y - fromY);
    const [dx, dy] = length ? [(x - fromX) / length, (y - fromY) / length] : [1, 0];
    this.#add(length, x, y, `L${r(x)} ${r(y)}`, (d) => ({ x: fromX + dx * d, y: fromY + dy * d, nx: dy, ny: -dx }));
  }

  /** Half a turn down to the next street; `side` is 1 on the right, -1 on the left. */
  turn(radius, side) {
    const [cx, cy] = [this.#x, this.#y + radius];
    const at = (d) => {
      const angle = -Math.PI / 2 + (side * d) / radius;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      return { x: cx + radius * c, y: cy + radius * s, nx: side * c, ny: side * s };
    };
    const sweep = side > 0 ? 1 : 0;
    this.#add(Math.PI * radius, cx, cy + radius, `A${r(radius)} ${r(radius)} 0 0 ${sweep} ${r(cx)} ${r(cy + radius)}`, at);
  }

  #add(length, x, y, d, at) {
    this.#parts.push({ from: this.length, to: this.length + length, d, at });
    this.length += length;
    [this.#x, this.#y] = [x, y];
  }

  at(distance) {
    const part = this.#parts.find((one) => distance <= one.to) ?? this.#parts.at(-1);
    return part.at(distance - part.from);
  }

  /** SVG path data from one distance to another, the round turns kept round. */
  path(from, to) {
    const start = this.at(from);
    const end = this.at(to);
    const whole = this.#parts.filter((part) => part.to > from && part.to <= to).map((part) => part.d);
    return `M${r(start.x)} ${r(start.y)}${whole.join("")}L${r(end.x)} ${r(end.y)}`;
  }
}

/** Two decimals are enough for a pixel. */
export const r = (value) => Math.round(value * 100) / 100;
