/** The goals, as data. The page of figures judges each by the worst row of its measure, at the largest measured size. */
export interface Goal {
  readonly goal: string;
  /** The file of `results`. */
  readonly measure: string;
  readonly what: string;
  /** The rows that the goal is about. */
  readonly rows: RegExp;
  readonly at: "most" | "least";
  readonly value: number;
  readonly unit: string;
}

function atMost(
  value: number,
  goal: string,
  measure: string,
  what: string,
  rows: RegExp = /./,
  unit = "",
): Goal {
  return { goal, measure, what, rows, at: "most", value, unit };
}

function atLeast(value: number, goal: string, measure: string, what: string): Goal {
  return { ...atMost(value, goal, measure, what), at: "least" };
}

/** The endpoints whose lists have many pages, 3, 6, 7 and 8; the lists of the others are mostly short. */
const FULL = /^[3678] /;
const SHORT = /^[12459] /;
const FRESH = "fresh: CPU, × the limit's";
const LOGGED = "CPU with access log, × the limit's";
const DENSE = /^(open space|open collection|site|spaces of a member)$/;
const SPARSE = /^(users on|role=)/;
const ORDINARY = "CPU, × an ordinary one";
const MEANWHILE = "p99 of pages meanwhile, × usual";
const FIRST_PAGES = /^the first/;
const SCALE = "pages a second of two cores, by one core's";

export const GOALS: readonly Goal[] = [
  atMost(1.43, "a page asked for again", "endpoints", "again: CPU, × the limit's"),
  atMost(1.67, "the same, with access log", "endpoints", `again: ${LOGGED}`),
  atMost(4, "a fresh page, short lists", "endpoints", FRESH, SHORT),
  atMost(4, "the same, with access log", "endpoints", `fresh: ${LOGGED}`, SHORT),
  atMost(8, "a fresh page, full pages", "endpoints", FRESH, FULL),
  atMost(8, "the same, with access log", "endpoints", `fresh: ${LOGGED}`, FULL),
  atMost(1.5, "a page at L beside S, lists of most members", "pages", "CPU, × size S", DENSE),
  atMost(4, "a page at L beside S, sparse lists", "pages", "CPU, × size S", SPARSE),
  atMost(1.2, "a page after 99 % beside the first", "pages", "CPU, × the first page"),
  atMost(2, "a space with every team, beside an ordinary one", "pages", ORDINARY, /every team/),
  atMost(10, "other hard cases, beside an ordinary one", "pages", ORDINARY, /guest|tenth|site of/),
  atMost(3, "a rare role, first page", "rare-role", "first page, × EXCEPT"),
  atMost(2, "others beside it, 99th percentile", "rare-role", "p99 of others meanwhile, × usual"),
  atMost(50, "a turn beside every kind of request, CPU", "waits", "longest turn in CPU ms", /./, " ms"),
  atMost(
    250,
    "another caller beside one with 200 connections, 99th percentile",
    "sharing",
    "p99 beside, ms more",
    /./,
    " ms more",
  ),
  atMost(3, "the first 300 pages after a start, by warm ones", "cold", "CPU, × warm ones", FIRST_PAGES),
  atMost(1.5, "5,000 organizations in turn, by one", "tenants", "CPU, × one organization's", /again/),
  atLeast(0.4, "a walk, documents per CPU", "walk", "documents per CPU, by the bare loop's"),
  atMost(2.86, "an import", "import", "CPU, × the bare program's"),
  atMost(512, "memory of an import", "import", "peak memory, MB", /./, " MB"),
  atMost(1000, "a database on disk", "tables", "MB", /whole/, " MB"),
  atMost(3, "pages beside an import, 99th percentile", "import", MEANWHILE),
  atMost(1, "a token revoked beside an import", "import", "a revoked token is refused after, s", /./, " s"),
  atMost(5, "a start", "start", "CPU, × `node -e 0`"),
  atMost(250, "memory of a server", "start", "memory after this run, MB", /./, " MB"),
  atLeast(1.8, "two processes on two cores", "workers", SCALE),
  atMost(2, "on PostgreSQL, a page at L beside S", "postgres", "CPU, × size S", DENSE),
];
