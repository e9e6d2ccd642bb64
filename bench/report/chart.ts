/** Charts as SVG, readable on light and dark pages. */

export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

const [WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM] = [720, 340, 70, 44, 150, 40];
const COLORS = [
  "#2f81f7",
  "#d29922",
  "#da3633",
  "#3fb950",
  "#a371f7",
  "#db61a2",
  "#768390",
  "#1f9e9e",
  "#b08050",
];
const STYLE =
  "text{font:12px system-ui,sans-serif;fill:#424a53}.title{font-weight:600;font-size:14px}.grid{stroke:#8b949e;stroke-opacity:.35}" +
  "@media(prefers-color-scheme:dark){text{fill:#c9d1d9}}";

/** A line per series on two logarithmic axes. `unit` names the upright axis, `across` the other one. */
export function lines(title: string, unit: string, across: string, series: readonly Series[]): string {
  const all = series.flatMap(({ points }) => points);
  const xs = [...new Set(all.map(([x]) => x))].sort((a, b) => a - b);
  const decades = powers(all.map(([, y]) => y));
  const x = scale(Math.log10(xs[0] ?? 1), Math.log10(xs.at(-1) ?? 10), LEFT, WIDTH - RIGHT);
  const y = scale(decades[0] ?? 0, decades.at(-1) ?? 1, HEIGHT - BOTTOM, TOP);
  const at = ([px, py]: readonly [number, number]): string => `${x(Math.log10(px))},${y(Math.log10(py))}`;
  return svg(title, HEIGHT, [
    label(LEFT, TOP - 10, unit),
    ...decades.flatMap((power) => [
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(power)}" y2="${y(power)}"/>`,
      label(LEFT - 8, y(power) + 4, number(10 ** power), "end"),
    ]),
    ...xs.map((each) => label(x(Math.log10(each)), HEIGHT - BOTTOM + 20, number(each), "middle")),
    label(WIDTH - RIGHT + 16, HEIGHT - BOTTOM + 20, across),
    ...series.flatMap(({ name, points }, index) => {
      const color = COLORS[index % COLORS.length];
      const last = points.at(-1);
      if (last === undefined) return [];
      return [
        `<polyline fill="none" stroke="${color}" stroke-width="2.5" points="${points.map(at).join(" ")}"/>`,
        ...points.map((point) => {
          const [cx, cy] = at(point).split(",");
          return `<circle fill="${color}" cx="${cx}" cy="${cy}" r="3.5"><title>${number(point[1])}</title></circle>`;
        }),
        label(x(Math.log10(last[0])) + 10, y(Math.log10(last[1])) + 4, name),
      ];
    }),
  ]);
}

/** A bar per row, divided into parts of equal meaning. */
export function bars(
  title: string,
  unit: string,
  parts: readonly string[],
  rows: readonly { readonly name: string; readonly values: readonly number[] }[],
): string {
  const [left, step] = [250, 26];
  const most = Math.max(...rows.map(({ values }) => values.reduce((sum, each) => sum + each, 0)));
  const wide = scale(0, most, 0, WIDTH - left - 60);
  const legend = TOP + rows.length * step + 24;
  return svg(title, legend + 20 * Math.ceil(parts.length / 3) + 8, [
    ...rows.flatMap(({ name, values }, row) => {
      const top = TOP + row * step;
      let from = 0;
      const drawn = values.map((value, part) => {
        const [x, width] = [left + wide(from), wide(value)];
        from += value;
        return `<rect fill="${COLORS[part % COLORS.length]}" x="${round(x)}" y="${top}" width="${round(width)}" height="18"><title>${parts[part]}: ${number(value)} ${unit}</title></rect>`;
      });
      return [
        label(left - 10, top + 14, name, "end"),
        ...drawn,
        label(left + wide(from) + 6, top + 14, `${number(from)} ${unit}`),
      ];
    }),
    ...parts.flatMap((part, index) => {
      const [x, y] = [20 + (index % 3) * 235, legend + 20 * Math.floor(index / 3)];
      return [
        `<rect fill="${COLORS[index % COLORS.length]}" x="${x}" y="${y}" width="12" height="12"/>`,
        label(x + 18, y + 11, part),
      ];
    }),
  ]);
}

function svg(title: string, height: number, parts: readonly string[]): string {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">`;
  return `${[head, `<style>${STYLE}</style>`, `<text class="title" x="20" y="18">${title}</text>`, ...parts, "</svg>"].join("\n")}\n`;
}

function label(x: number, y: number, text: string, anchor: "start" | "middle" | "end" = "start"): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>`;
}

/** The powers of ten from below the least value to above the greatest. */
function powers(values: readonly number[]): number[] {
  const [least, most] = [
    Math.floor(Math.log10(Math.min(...values))),
    Math.ceil(Math.log10(Math.max(...values))),
  ];
  return Array.from({ length: most - least + 1 }, (_, index) => least + index);
}

function scale(from: number, to: number, start: number, end: number): (value: number) => number {
  return (value) => round(start + ((value - from) / (to - from || 1)) * (end - start));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function number(value: number): string {
  return value.toLocaleString("en", { maximumSignificantDigits: value < 100 ? 2 : 3 });
}
