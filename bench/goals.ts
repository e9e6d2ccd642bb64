/** The goals, as data. The page of figures judges each by the worst row of its measure. */
import type { Size } from "./data/sizes.ts";

export interface Goal {
  readonly goal: string;
  /** The file of `results`. */
  readonly measure: string;
  readonly what: string;
  /** The rows that the goal is about; all if absent. */
  readonly rows?: RegExp;
  /** The largest measured size if absent. */
  readonly size?: Size;
  readonly unit?: string;
  readonly at: "most" | "least";
  readonly value: number;
}

function atMost(
  value: number,
  goal: string,
  measure: string,
  what: string,
  where: Pick<Goal, "rows" | "size" | "unit"> = {},
): Goal {
  return { goal, measure, what, at: "most", value, ...where };
}

function atLeast(value: number, goal: string, measure: string, what: string): Goal {
  return { ...atMost(value, goal, measure, what), at: "least" };
}

/** The pages that cost the same in every size: not those that are compared with others of their size. */
export const FLAT = /^(?!.*(first page|after 99 %|role=))/;

const AGAIN = "again: CPU";
const FRESH = "fresh: CPU";
const BESIDE = ", × the limit's";
const LOGGED = " with access log, × the limit's";
/** The nine endpoints, and hard cases of them. */
const NINE = /^\d /;
const HARD = /^(site|role=)/;
const ORDINARY = "CPU, × an ordinary one";
const TURN = "longest turn in CPU ms";
const FIRST = "first page, ms";
const VISIBLE = "visible after, ms";
const DIFFERS = "CPU seconds in memory";
const MEANWHILE = "p99 of pages meanwhile";
const AFTER = "memory after them, MB";
const REPLACED = "memory while the model is replaced, MB";
const SCALE = "pages a second of two cores, by one core's";
const [MB, MS, S] = [{ unit: " MB" }, { unit: " ms" }, { unit: " s" }];

export const GOALS: readonly Goal[] = [
  atMost(1.2, "a page asked for again", "endpoints", AGAIN + BESIDE),
  atMost(1.67, "the same, with access log", "endpoints", AGAIN + LOGGED),
  atMost(4.5, "a fresh page, at M", "endpoints", FRESH + BESIDE, { rows: NINE, size: "M" }),
  atMost(5, "a fresh page", "endpoints", FRESH + BESIDE, { rows: NINE }),
  atMost(8, "the same, with access log", "endpoints", FRESH + LOGGED, { rows: NINE }),
  atMost(10, "a fresh page, hard cases", "endpoints", FRESH + BESIDE, { rows: HARD }),
  atMost(1.8, "a page at L beside S", "pages", "CPU, × size S", { rows: FLAT }),
  atMost(1.2, "a page after 99 % beside the first", "pages", "CPU, × the first page"),
  atMost(2, "a space with every team, beside an ordinary one", "pages", ORDINARY, { rows: /every team/ }),
  atMost(10, "other hard cases, beside an ordinary one", "pages", ORDINARY, { rows: /guest|tenth|site of/ }),
  atMost(6, "a rare role, first page", "rare-role", "first page, CPU ms", MS),
  atMost(0.3, "a rare role, later pages", "rare-role", "later pages, CPU ms", MS),
  atMost(2, "a page on PostgreSQL, beside SQLite", "postgres", "CPU, × SQLite"),
  atMost(5.5, "a start, at S", "start", "CPU, × `node -e 0`", { size: "S" }),
  atMost(800, "the first page after a start, at M", "start", FIRST, { size: "M", ...MS }),
  atMost(4500, "the first page after a start", "start", FIRST, MS),
  atMost(3, "the 300 pages after it, by warm ones", "start", "CPU, × warm ones"),
  atMost(4000, "a load from SQLite", "load", "CPU ms", MS),
  atMost(6000, "a load from PostgreSQL", "postgres", "CPU ms", { rows: /load/, ...MS }),
  atMost(3, "a change of one record", "changes", "CPU ms", { rows: /^1 record on SQLite$/, ...MS }),
  atMost(8, "a change of ten records", "changes", "CPU ms", { rows: /^10 records/, ...MS }),
  atMost(450, "a change of a thousand", "changes", "CPU ms", { rows: /^1000 records/, ...MS }),
  atMost(50, "the whole command, more than at S", "changes", "CPU ms more than at S", MS),
  atMost(40, "a change is visible, at M", "follow", VISIBLE, { size: "M", ...MS }),
  atMost(100, "a change is visible", "follow", VISIBLE, MS),
  atMost(50, "a turn beside 100 changed records a second", "follow", TURN, MS),
  atMost(250, "pages beside these and walks, 99th percentile", "follow", `${MEANWHILE}, ms`, {
    rows: /walks/,
    ...MS,
  }),
  atMost(3, "an import, at M", "import", "CPU seconds", { size: "M", ...S }),
  atMost(50, "an import", "import", "CPU seconds", S),
  atMost(2.86, "an import, beside inserting its rows", "import", "CPU, × the bare program's"),
  atMost(25, "an import of the same file", "import", "the same file again, CPU seconds", S),
  atMost(768, "memory of an import", "import", "peak memory, MB", MB),
  atMost(3, "pages beside an import, 99th percentile", "import", `${MEANWHILE}, × usual`),
  atMost(1, "a token revoked beside an import", "import", "a revoked token is refused after, s", S),
  atMost(450, "a database on disk", "tables", "MB", { rows: /whole/, ...MB }),
  atMost(4, "what a permission on half of the spaces changes", "diff", DIFFERS, { rows: /half/, ...S }),
  atMost(0.4, "what ten memberships change", "diff", DIFFERS, { rows: /^ten/, ...S }),
  atMost(1.5, "what 20,000 memberships change", "diff", DIFFERS, { rows: /20,000/, ...S }),
  atMost(60, "what a permission on each second space changes", "diff", DIFFERS, { rows: /second/, ...S }),
  atMost(24, "a turn of these", "diff", TURN, MS),
  atMost(12_000, "a check of fifty rules", "rules", "CPU ms", { rows: /rules/, ...MS }),
  atMost(9_000, "what can be tidied up", "rules", "CPU ms", { rows: /tidied/, ...MS }),
  atMost(24, "a turn of these", "rules", TURN, MS),
  atMost(50, "a turn beside every kind of request", "waits", TURN, MS),
  atMost(512, "memory of a server after every kind of request", "waits", AFTER, MB),
  atMost(900, "the same, while its model is replaced", "waits", REPLACED, MB),
  atMost(250, "one beside 200 connections, 99th percentile", "sharing", "p99 beside, ms more", {
    unit: " ms more",
  }),
  atMost(1.2, "a load, one of 5,000 organizations", "tenants", "a load, CPU ms", MS),
  atMost(1500, "5,000 organizations in turn", "tenants", "CPU µs a page", { rows: /again/, unit: " µs" }),
  atMost(1.5, "the same, by one", "tenants", "CPU, × one organization's", { rows: /again/ }),
  atLeast(0.4, "a walk, documents per CPU", "walk", "documents per CPU, by the bare loop's"),
  atLeast(1.8, "two processes on two cores", "workers", SCALE),
];
