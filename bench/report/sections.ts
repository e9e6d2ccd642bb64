/** The sections of docs/performance.md, as data: which figures, in which tables. */
import type { Size } from "../data/sizes.ts";
import { FLAT } from "../goals.ts";

export interface Column {
  readonly head: string;
  readonly what: string;
  /** The largest measured size if absent. */
  readonly size?: Size;
}

export interface Table {
  /** The files of `results`, whose rows follow one another. */
  readonly measures: readonly string[];
  /** The head of the first column. */
  readonly first: string;
  readonly rows?: RegExp;
  readonly columns: readonly Column[];
  /** Rows with less in this column share one row, which has the greatest figure of each column. */
  readonly small?: { readonly what: string; readonly below: number };
}

interface Section {
  readonly title: string;
  readonly text: string;
  readonly chart?: { readonly file: string; readonly alt: string };
  readonly table: Table;
  /** Whose date, commit and load the section names beside those of its table: the measures of its chart. */
  readonly drawn?: readonly string[];
}

const same = (what: string): Column => ({ head: what, what });
const sizes = (what: string): Column[] =>
  (["S", "M", "L"] as const).map((size) => ({ head: `${size}, ${what}`, what, size }));

/** Requests that use less CPU at once, in ms, are not listed one by one; the goal is 50 ms. */
const SMALL_TURN = 30;

export const SECTIONS: readonly Section[] = [
  {
    title: "From a thousand to a million members",
    text: "One page of 50 of everybody with access: Rolebook over HTTP, fresh, at a random depth; one SQL query on plain tables in memory, which sorts everybody for each page; and SpiceDB, in memory, with one LookupSubjects per role, whose results its client sorts and cuts. All three gave equal lists, entry by entry. The chart is of the open space. SpiceDB was not tried at L: at M it holds 2.5 GB.",
    chart: {
      file: "cost-of-a-page.svg",
      alt: "CPU of a page by the number of members: Rolebook's line is flat, those of SQL and SpiceDB rise",
    },
    table: {
      measures: ["peers"],
      first: "ms of CPU",
      columns: (["S", "M", "L"] as const).flatMap((size) => [
        { head: `${size}, Rolebook`, what: "Rolebook, CPU ms", size },
        { head: `${size}, SQL`, what: "SQL, CPU ms", size },
      ]),
    },
    drawn: ["spicedb"],
  },
  {
    title: "Flat",
    text: "Fresh pages of 50 at a random depth, requested one at a time. CPU is that of the whole server process. The last column compares L with S in the same round.",
    table: {
      measures: ["pages"],
      first: "pages",
      rows: FLAT,
      columns: [...sizes("CPU µs"), { head: "L by S", what: "CPU, × size S", size: "L" }],
    },
  },
  {
    title: "By endpoint",
    text: "CPU of the server's main thread, at the largest size unless a column names another. Metrics are always on; the access log goes to a file. Fresh pages are of any content, member or site, so many are shorter than 50; the last rows are hard cases.",
    table: {
      measures: ["endpoints"],
      first: "endpoint",
      columns: [
        { head: "again, µs", what: "again: CPU µs" },
        { head: "× limit", what: "again: CPU, × the limit's" },
        { head: "fresh, µs", what: "fresh: CPU µs" },
        { head: "entries", what: "fresh: entries" },
        { head: "× limit", what: "fresh: CPU, × the limit's" },
        { head: "× limit, M", what: "fresh: CPU, × the limit's", size: "M" },
      ],
    },
  },
  {
    title: "A rare role",
    text: "Pages of a closed space with two lists of 300,000 members at L, filtered by a role that ten of these have, or nobody: the first page looks at everybody once, which later pages use.",
    table: {
      measures: ["rare-role"],
      first: "",
      columns: [same("first page, CPU ms"), same("later pages, CPU ms")],
    },
  },
  {
    title: "A start",
    text: "`rolebook serve` until it is ready: the organization is loaded. CPU is that of the process until it has answered its first page, loading included.",
    table: {
      measures: ["start"],
      first: "",
      columns: [
        ...sizes("first page, ms"),
        same("CPU until then, ms"),
        { head: "S, × `node -e 0`", what: "CPU, × `node -e 0`", size: "S" },
        { head: "CPU of a page, × a warm one's", what: "CPU, × warm ones" },
      ],
    },
  },
  {
    title: "A load",
    text: "An organization is loaded into memory, by a process that waits for nothing else. CPU is that of this process alone.",
    table: {
      measures: ["load", "postgres"],
      first: "",
      rows: /load/,
      columns: [
        ...sizes("CPU ms"),
        same("CPU ms, with the database's"),
        { head: "CPU ms at once", what: "longest turn in CPU ms" },
      ],
    },
  },
  {
    title: "Changes",
    text: "`rolebook apply` of permissions, memberships, people who join and spaces. At S, many changed rows share a page of the file, so large changes write less. On PostgreSQL, CPU includes the database.",
    chart: {
      file: "cost-of-a-change.svg",
      alt: "CPU of a change of 1, 10 and 1000 records by the number of members",
    },
    table: {
      measures: ["changes", "changes-postgres"],
      first: "change",
      rows: / on /,
      columns: [...sizes("CPU ms"), same("rows"), same("KB written")],
    },
  },
  {
    title: "Beside changes",
    text: "`rolebook apply --follow` applies ten batches of ten records a second; a client asks for a first page after the other. With walks, 200 other clients ask for the next page of a walk each second, and another for one of the past every three seconds; *refused* are requests that had to ask again, because too many waited. All times are by the clock but the last one.",
    table: {
      measures: ["follow"],
      first: "",
      columns: [
        same("p99 of pages, ms"),
        same("p99 of pages meanwhile, ms"),
        { head: "M, visible after, ms", what: "visible after, ms", size: "M" },
        same("visible after, ms"),
        same("refused"),
        same("memory, MB"),
        { head: "CPU ms at once", what: "longest turn in CPU ms" },
      ],
    },
  },
  {
    title: "An import",
    text: "The bare program inserts the same rows from memory, in key order; an import also reads and checks the file, and makes these rows of it.",
    table: {
      measures: ["import"],
      first: "",
      columns: [
        ...sizes("CPU seconds"),
        same("CPU, × the bare program's"),
        same("peak memory, MB"),
        same("the same file again, CPU seconds"),
      ],
    },
  },
  {
    title: "The database on disk",
    text: "Each table with its indexes, after the first import. [Architecture](architecture.md#tables) says what a row is.",
    table: {
      measures: ["tables"],
      first: "table",
      columns: [same("MB")],
      small: { what: "MB", below: 100 },
    },
  },
  {
    title: "Differences between two revisions",
    text: "In a process that has both revisions in memory, and by `rolebook diff`, the whole command.",
    table: {
      measures: ["diff"],
      first: "what changed",
      columns: [
        ...sizes("CPU seconds in memory"),
        { head: "CPU ms at once", what: "longest turn in CPU ms" },
        same("contents that differ"),
        { head: "`rolebook diff`, CPU seconds", what: "CPU seconds" },
        same("MB"),
      ],
    },
  },
  {
    title: "Rules",
    text: "A check of fifty rules, and a search for what can be tidied up, in a process that has the organization in memory.",
    table: {
      measures: ["rules"],
      first: "rules",
      columns: [...sizes("CPU ms"), { head: "CPU ms at once", what: "longest turn in CPU ms" }],
    },
  },
  {
    title: "The past",
    text: "After a year of daily changes at L.",
    table: {
      measures: ["past"],
      first: "the past",
      columns: [
        same("CPU µs now"),
        same("first of a past day, CPU ms"),
        same("others of that day, × now"),
        same("MB added"),
      ],
    },
  },
  {
    title: "What holds others up",
    text: `Every kind of request of the API and the explorer, for the first time in a revision, at L. While the server answers, another client asks \`/healthz\` every 5 ms. The table gives the longest wait of that client, and the most CPU that the server used at once, between two of these requests, which does not depend on what else the machine did. Requests with less than ${SMALL_TURN} ms at once share the last row. Each answer is read for ten seconds at most. Memory is that of the server at the end, and while a person is forgotten, so that the organization is loaded anew.`,
    table: {
      measures: ["waits"],
      first: "request",
      columns: [
        same("CPU ms"),
        same("another waits, ms"),
        { head: "CPU ms at once", what: "longest turn in CPU ms" },
        { head: "memory, MB", what: "memory after them, MB" },
        { head: "while replaced, MB", what: "memory while the model is replaced, MB" },
      ],
      small: { what: "longest turn in CPU ms", below: SMALL_TURN },
    },
  },
  {
    title: "One caller beside another",
    text: "One caller has 200 connections: on each it asks for a long list of the explorer as soon as it has the last one, or for 40 long pages, of which it reads nothing. Another caller asks for the explorer's tree, a page of 50 and the overview in turn, every 10 ms. The table has the 99th percentile of how long the other caller waits, by the clock, and in CPU that the server's main thread uses meanwhile: on a quiet machine, both are about the same.",
    table: {
      measures: ["sharing"],
      first: "200 connections with",
      columns: [
        same("p99 alone, ms"),
        same("p99 beside, ms"),
        same("p99 beside, ms more"),
        same("p99 beside, CPU ms"),
        same("p99 beside, CPU ms more"),
      ],
    },
  },
  {
    title: "Many organizations",
    text: "Pages of 5,000 organizations of 200 members and 200 spaces in turn, beside as many pages of one of them.",
    table: {
      measures: ["tenants"],
      first: "",
      columns: [
        { head: "CPU µs", what: "CPU µs a page" },
        { head: "× one organization's", what: "CPU, × one organization's" },
        same("a load, CPU ms"),
        same("memory, MB"),
      ],
    },
  },
  {
    title: "On PostgreSQL",
    text: "Fresh pages over 50 connections; CPU is that of the server and of all processes of PostgreSQL.",
    table: {
      measures: ["postgres"],
      first: "pages",
      rows: /^(?!.*load)/,
      columns: [...sizes("CPU µs"), { head: "× SQLite", what: "CPU, × SQLite" }],
    },
  },
  {
    title: "On Citus",
    text: "First pages, fresh, of random endpoints of 100 organizations of size S and one of size M, over two servers, with all nodes on one machine. [More than one machine](scale.md#how-far-it-carries) says what follows.",
    table: {
      measures: ["citus"],
      first: "ms of CPU a page",
      columns: [
        { head: "servers", what: "CPU of the servers, ms a page" },
        { head: "coordinator", what: "CPU of the coordinator, ms a page" },
        { head: "all workers", what: "CPU of all workers, ms a page" },
        { head: "statements a page", what: "statements of the coordinator a page" },
        { head: "import of all, CPU s of the nodes", what: "import, CPU s of the nodes" },
        { head: "an import, s", what: "imports one after the other, s each" },
        { head: "of two at once, s", what: "two imports at once, s each" },
      ],
    },
  },
];

/** Which figures of `results/reliability.json` the page shows: the others are steps on the way to these. */
export const SURVIVED =
  /^(imports killed|servers killed|random requests|answers judged|a line of 10|[\d,]+ records of|content|.*server's memory$|silent|largest|after 20)/;
