/** Charts as SVG, readable on light and dark pages. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

const [WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM] = [720, 340, 70, 44, 150, 40];
const COLORS = "#2f81f7 #d29922 #da3633 #3fb950 #a371f7 #db61a2 #768390 #1f9e9e #b08050".split(" ");
const STYLE = `text{font:12px system-ui,sans-serif;fill:#424a53}.title{font-weight:600;font-size:14px}
.grid{stroke:#8b949e;stroke-opacity:.35}@media(prefers-color-scheme:dark){text{fill:#c9d1d9}}`;

/** A line per series on two logarithmic axes. `unit` names the upright axis, `across` the other one. */
export function lines(title: string, unit: string, across: string, series: readonly Series[]): string {
  const all = series.flatMap(({ points }) => points);
  const xs = [...new Set(all.map(([x]) => x))].sort((a, b) => a - b);
  const [low, high] = [Math.min, Math.max].map((most) => Math.log10(most(...all.map(([, y]) => y))));
  const [floor, top] = [Math.floor(low ?? 0), Math.ceil(high ?? 1)];
  const decades = Array.from({ length: top - floor + 1 }, (_, index) => floor + index);
  const x = scale(Math.log10(xs[0] ?? 1), Math.log10(xs.at(-1) ?? 10), LEFT, WIDTH - RIGHT);
  const y = scale(floor, top, HEIGHT - BOTTOM, TOP);
  const at = ([px, py]: readonly [number, number]) => [x(Math.log10(px)), y(Math.log10(py))] as const;
  return svg(title, HEIGHT, [
    label(LEFT, TOP - 10, unit),
    ...decades.flatMap((power) => [
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(power)}" y2="${y(power)}"/>`,
      label(LEFT - 8, y(power) + 4, number(10 ** power), "end"),
    ]),
    ...xs.map((each) => label(x(Math.log10(each)), HEIGHT - BOTTOM + 20, number(each), "middle")),
    label(WIDTH - RIGHT + 40, HEIGHT - BOTTOM + 20, across),
    ...series.flatMap(({ name, points }, index) => {
      const places = points.map(at);
      const [right = 0, end = 0] = places.at(-1) ?? [];
      return [
        `<polyline fill="none" stroke="${COLORS[index]}" stroke-width="2.5" points="${places.join(" ")}"/>`,
        ...places.map(([cx, cy]) => `<circle fill="${COLORS[index]}" cx="${cx}" cy="${cy}" r="3.5"/>`),
        label(right + 10, end + 4, name),
      ];
    }),
  ]);
}

function svg(title: string, height: number, parts: readonly string[]): string {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">`;
  const heading = `<text class="title" x="20" y="18">${title}</text>`;
  return `${[head, `<style>${STYLE}</style>`, heading, ...parts, "</svg>"].join("\n")}\n`;
}

function label(x: number, y: number, text: string, anchor = "start"): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}">${text.replaceAll("&", "&amp;")}</text>`;
}

function scale(from: number, to: number, start: number, end: number): (value: number) => number {
  return (value) => Math.round((start + ((value - from) / (to - from || 1)) * (end - start)) * 10) / 10;
}

function number(value: number): string {
  return value.toLocaleString("en", { maximumSignificantDigits: value < 100 ? 2 : 3 });
}
