/** docs/performance.md and its charts, from the files of `bench/results`. */
import { GOALS, type Goal } from "../goals.ts";
import { SIZES, type Size } from "../data/sizes.ts";
import { type Figure, type Measured, reliability, resultOf } from "../harness/result.ts";
import { few, show } from "../harness/spread.ts";
import { lines, type Series } from "./chart.ts";
import { markdown } from "./markdown.ts";
import { type Column, SECTIONS, SURVIVED, type Table } from "./sections.ts";

const ALL: readonly Size[] = ["S", "M", "L"];

/** Every file that follows from the results, by its path. */
export function performance(): Readonly<Record<string, string>> {
  const sections = SECTIONS.map(({ title, text, chart, table, drawn = [] }) =>
    [
      `## ${title}`,
      text,
      ...(chart === undefined ? [] : [`![${chart.alt}](pictures/${chart.file})`]),
      tableOf(table),
      measured([...table.measures, ...drawn]),
    ].join("\n\n"),
  );
  return {
    "docs/performance.md": `${[INTRODUCTION, goals(), ...sections, survived()].join("\n\n")}\n`,
    "docs/pictures/cost-of-a-page.svg": lines(
      "A page of 50 of everybody with access",
      "ms of CPU",
      "members",
      [series("peers", "Rolebook"), series("peers", "SQL", "one SQL query"), series("spicedb", "SpiceDB")],
    ),
    "docs/pictures/cost-of-a-change.svg": lines(
      "A change file on SQLite",
      "ms of CPU",
      "members",
      ["1 record", "10 records", "1000 records"].map((of) => ({
        name: of,
        points: points("changes", `${of} on SQLite`, "CPU ms"),
      })),
    ),
  };
}

const INTRODUCTION = `# Performance

For operators and contributors. After this page you know what pages, changes and imports cost, in organizations of 1,000 (S), 50,000 (M) and 1,000,000 members (L), and what the tests have put the program through. \`npm run generate\` makes this page from \`bench/results\`, which \`npm run bench\` measures ([how](../bench/README.md)).

Figures are medians of CPU time, or of ratios of two measurements taken in turn; the goals also give the least and the greatest. The *limit* is a bare HTTP server that sends the same bytes from memory; a page is *fresh* if nobody asked for it before. \`×\` says how many times as much. Each section ends with date, commit and load average. The machine has two cores: above a load of two, figures are too high.`;

function goals(): string {
  const rows = GOALS.map((goal) => [goal.goal, ...judged(goal)]);
  const met = rows.filter(([, , , result]) => result === "met").length;
  const table = markdown([["what", "measured at its worst", "goal", "result"], ...rows]);
  return `## Goals\n\n${met} of ${rows.length} goals are met. Each is judged by the worst row of its section, at the largest size unless it names another.\n\n${table}`;
}

/** Figure, goal and result of the row that is furthest from the goal. */
function judged({ measure, rows = /./, what, size, at, value, unit = "" }: Goal): string[] {
  const wanted = `at ${at} ${few(value)}${unit}`;
  const far = ([median]: Figure): number => (at === "most" ? median / value : value / median);
  const figures = (size === undefined ? ALL.toReversed() : [size])
    .map((each) => figuresOf(resultOf(measure)[each], rows, what))
    .find((found) => found.length > 0);
  const [worst] = figures?.toSorted((a, b) => far(b) - far(a)) ?? [];
  if (worst === undefined) return ["not measured", wanted, "unknown"];
  const [median, min, max] = worst;
  const missed = Math.ceil((far(worst) - 1) * 100);
  return [`${show({ median, min, max })}${unit}`, wanted, missed <= 0 ? "met" : `missed by ${missed} %`];
}

function figuresOf(measured: Measured | undefined, rows: RegExp, what: string): Figure[] {
  return Object.entries(measured?.figures ?? {}).flatMap(([of, { [what]: figure }]) =>
    figure !== undefined && rows.test(of) ? [figure] : [],
  );
}

function tableOf(table: Table): string {
  const body = table.measures.flatMap((measure) => rowsOf(measure, table));
  return markdown([[table.first, ...table.columns.map(({ head }) => head)], ...body]);
}

function rowsOf(measure: string, { rows = /./, columns, small }: Table): string[][] {
  const names = [
    ...new Set(ALL.flatMap((size) => Object.keys(resultOf(measure)[size]?.figures ?? {}))),
  ].filter((name) => rows.test(name));
  const [largest] = latest(measure) ?? [];
  const median = (name: string, { what, size = largest }: Column): number | undefined =>
    size === undefined ? undefined : resultOf(measure)[size]?.figures[name]?.[what]?.[0];
  const shared =
    small === undefined
      ? []
      : names.filter((name) => (median(name, { head: "", what: small.what }) ?? Infinity) < small.below);
  const row = (title: string, of: readonly string[]): string[] => [
    title,
    ...columns.map((column) => {
      const figures = of.flatMap((name) => median(name, column) ?? []);
      return figures.length === 0 ? "" : few(Math.max(...figures));
    }),
  ];
  return [
    ...names.filter((name) => !shared.includes(name)).map((name) => row(name, [name])),
    ...(shared.length === 0 ? [] : [row(`${shared.length} others, each at most`, shared)]),
  ];
}

/** When, at which commit and under which load the figures of a section were measured. */
function measured(measures: readonly string[]): string {
  const stamps = new Map<string, Set<string>>();
  for (const measure of measures) {
    for (const size of ALL) {
      const result = resultOf(measure)[size];
      if (result === undefined) continue;
      const where = result.recorded === undefined ? "" : ", by an earlier benchmark";
      const stamp = `${result.date}, commit ${result.commit}, load ${result.load}${where}`;
      stamps.set(stamp, (stamps.get(stamp) ?? new Set()).add(size));
    }
  }
  return [...stamps].map(([stamp, sizes]) => `*${[...sizes].join(", ")}: ${stamp}.*`).join("\n");
}

/** What `npm run test:long` has recorded. */
function survived(): string {
  const rows = Object.entries(reliability()).map(([part, { measured: when, figures }]) => {
    const shown = Object.entries(figures).filter(([name]) => SURVIVED.test(name));
    return [part, shown.map(([name, figure]) => `${name}: ${figure}`).join("; "), when];
  });
  return [
    "## What it has survived",
    "`npm run test:long` kills imports and servers, sends random requests whose answers [a second implementation](../CONTRIBUTING.md) predicts, and feeds endless input. Every answer was right. A figure in MiB is the most memory that the program took; of PostgreSQL, the size of the database.",
    markdown([["test", "what", "measured"], ...rows]),
  ].join("\n\n");
}

function entryOf(measure: string, size: Size): [Size, Measured] | undefined {
  const found = resultOf(measure)[size];
  return found === undefined ? undefined : [size, found];
}

/** The figures of the largest measured size. */
function latest(measure: string): [Size, Measured] | undefined {
  return ALL.toReversed()
    .map((size) => entryOf(measure, size))
    .find((entry) => entry !== undefined);
}

function series(measure: string, who: string, name = who): Series {
  return { name, points: points(measure, "an open space", `${who}, CPU ms`) };
}

function points(measure: string, of: string, what: string): (readonly [number, number])[] {
  return ALL.flatMap((size) => {
    const figure = resultOf(measure)[size]?.figures[of]?.[what];
    return figure === undefined ? [] : [[SIZES[size].members, figure[0]] as const];
  });
}
