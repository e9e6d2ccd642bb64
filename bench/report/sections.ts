/** The sections of docs/performance.md, as data: which figures, in which tables. */
import type { Size } from "../data/sizes.ts";

interface Column {
  readonly head: string;
  readonly what: string;
  /** The largest measured size if absent. */
  readonly size?: Size;
}

export interface Table {
  /** The file of `results`. */
  readonly measure: string;
  /** The head of the first column. */
  readonly first: string;
  readonly rows?: RegExp;
  readonly columns: readonly Column[];
}

interface Section {
  readonly title: string;
  readonly text: string;
  readonly chart?: { readonly file: string; readonly alt: string };
  readonly tables: readonly Table[];
  /** Whose date, commit and load the section ends with. */
  readonly measures: readonly string[];
}

const same = (what: string): Column => ({ head: what, what });
const sizes = (what: string): Column[] =>
  (["S", "M", "L"] as const).map((size) => ({ head: `${size}, ${what}`, what, size }));

export const SECTIONS: readonly Section[] = [
  {
    title: "From a thousand to a million members",
    text: "One page of 50 of everybody with access to an open space: Rolebook over HTTP, never asked for before, at a random depth; one SQL query on plain tables in memory, which sorts everybody for each page; and SpiceDB, in memory, with one LookupSubjects per role, whose results its client sorts and cuts. All three gave equal lists, entry by entry. SpiceDB was not tried at L: at M it holds 2.5 GB.",
    chart: {
      file: "cost-of-a-page.svg",
      alt: "CPU of a page by the number of members: Rolebook's line is flat, those of SQL and SpiceDB rise",
    },
    tables: [
      {
        measure: "peers",
        first: "ms of CPU",
        columns: (["S", "M", "L"] as const).flatMap((size) => [
          { head: `${size}, Rolebook`, what: "Rolebook, CPU ms", size },
          { head: `${size}, SQL`, what: "SQL, CPU ms", size },
        ]),
      },
      {
        measure: "spicedb",
        first: "ms of CPU",
        columns: [
          { head: "S, SpiceDB", what: "SpiceDB, CPU ms", size: "S" },
          { head: "M, SpiceDB", what: "SpiceDB, CPU ms", size: "M" },
        ],
      },
    ],
    measures: ["peers", "spicedb"],
  },
  {
    title: "Flat",
    text: "Fresh pages of 50 at a random depth. CPU is that of the whole server process, in µs. Pages are requested one at a time. The last columns compare with other pages of the same run and round.",
    tables: [
      {
        measure: "pages",
        first: "pages",
        columns: [
          ...sizes("CPU µs"),
          { head: "L by S", what: "CPU, × size S", size: "L" },
          { head: "by the first page", what: "CPU, × the first page" },
          { head: "by an ordinary one", what: "CPU, × an ordinary one" },
        ],
      },
      {
        measure: "rare-role",
        first: "hard to find",
        columns: [same("first page, ms"), same("EXCEPT, ms"), same("p99 of others meanwhile, × usual")],
      },
    ],
    measures: ["pages", "rare-role"],
  },
  {
    title: "By endpoint",
    text: "At the largest size, CPU of the server's main thread. Metrics are always on; the access log goes to a file. Fresh pages are of any content, member or site, so many are shorter than 50.",
    chart: {
      file: "layers.svg",
      alt: "The CPU of a fresh page of each endpoint, divided among the layers of the program",
    },
    tables: [
      {
        measure: "endpoints",
        first: "endpoint",
        columns: [
          { head: "again, µs", what: "again: CPU µs" },
          { head: "× limit", what: "again: CPU, × the limit's" },
          { head: "with log", what: "again: CPU with access log, × the limit's" },
          { head: "fresh, µs", what: "fresh: CPU µs" },
          { head: "entries", what: "fresh: entries" },
          { head: "× limit", what: "fresh: CPU, × the limit's" },
          { head: "with log", what: "fresh: CPU with access log, × the limit's" },
        ],
      },
    ],
    measures: ["endpoints", "layers"],
  },
  {
    title: "Changes",
    text: '`rolebook apply` of permissions, memberships, people who join and spaces. At S, many changed rows share a page of the file, so large changes write less. On PostgreSQL, CPU includes the database. "Visible" is the time from sending a batch of ten records to the first page that shows it, while a hundred records arrive per second.',
    chart: {
      file: "cost-of-a-change.svg",
      alt: "CPU of a change of 1, 10 and 1000 records by the number of members",
    },
    tables: [
      {
        measure: "changes",
        first: "change",
        rows: / on /,
        columns: [...sizes("CPU ms"), same("rows"), same("KB written")],
      },
      {
        measure: "changes-postgres",
        first: "change",
        columns: [...sizes("CPU ms").slice(0, 2), same("rows"), same("KB written")],
      },
      {
        measure: "changes",
        first: "meanwhile",
        rows: /second/,
        columns: [same("p99 of pages, ms"), same("p99 of pages meanwhile, ms"), same("visible after, ms")],
      },
    ],
    measures: ["changes", "changes-postgres"],
  },
  {
    title: "Import, start, walk, two processes",
    text: "The bare program inserts the same rows from memory, in key order; an import also reads and checks the file, compares it with what is stored, and derives rows. Meanwhile a server answers a hundred fresh pages per second. A walk reads a whole list in pages of 1000; the bare loop reads the same rows and decides nothing. With two processes, CPU is that of all of them.",
    tables: [
      {
        measure: "import",
        first: "",
        columns: [
          ...sizes("CPU seconds"),
          same("CPU, × the bare program's"),
          same("peak memory, MB"),
          same("p99 of pages meanwhile, × usual"),
          same("a revoked token is refused after, s"),
        ],
      },
      {
        measure: "start",
        first: "",
        columns: [same("CPU until then, ms"), same("CPU, × `node -e 0`"), same("memory after this run, MB")],
      },
      {
        measure: "walk",
        first: "",
        columns: [
          same("CPU µs a document"),
          same("CPU µs a document, bare loop"),
          same("documents per CPU, by the bare loop's"),
        ],
      },
      {
        measure: "workers",
        first: "two processes",
        columns: [
          same("CPU µs, one process"),
          same("CPU µs, two processes"),
          same("pages a second of two cores, by one core's"),
        ],
      },
    ],
    measures: ["import", "start", "walk", "workers"],
  },
  {
    title: "Differences, rules and the past",
    text: "`rolebook diff`, the whole command; a check of fifty rules, beside counting the roles on every content that they name; and the explorer's first rows as of past days, after a year of daily changes.",
    tables: [
      {
        measure: "diff",
        first: "what changed",
        columns: [...sizes("CPU seconds"), same("contents that differ"), same("MB")],
      },
      {
        measure: "rules",
        first: "check",
        columns: [...sizes("CPU seconds"), same("CPU, × counting roles")],
      },
      {
        measure: "past",
        first: "the past",
        columns: [same("CPU µs now"), same("a past day, × now"), same("MB added")],
      },
    ],
    measures: ["diff", "rules", "past"],
  },
  {
    title: "The explorer",
    text: "Each question for the first time in a revision, at the largest size. While the server answers, another client sends a small request every 10 ms; the table gives its longest wait.",
    tables: [
      {
        measure: "explorer",
        first: "question",
        rows: /^(?!file|search|first rows of)/,
        columns: [same("CPU ms"), { head: "another waits, ms", what: "another request waits at most, ms" }],
      },
      {
        measure: "explorer",
        first: "file",
        rows: /^file/,
        columns: [
          same("rows a second of CPU"),
          { head: "another waits, ms", what: "another request waits at most, ms" },
        ],
      },
      {
        measure: "explorer",
        first: "by the clock",
        rows: /^(search|first rows of)/,
        columns: [same("p99, ms"), same("ms")],
      },
    ],
    measures: ["explorer"],
  },
  {
    title: "On PostgreSQL",
    text: "The same fresh pages; CPU is that of the server and of all processes of PostgreSQL.",
    tables: [
      {
        measure: "postgres",
        first: "pages",
        columns: [...sizes("CPU µs"), { head: "largest by S", what: "CPU, × size S" }],
      },
    ],
    measures: ["postgres"],
  },
  {
    title: "On Citus",
    text: "First pages, never asked for before, of random endpoints of organizations of size S, over two servers, with all nodes on one machine: what counts is CPU and statements a page. docs/scale.md says what follows.",
    tables: [
      {
        measure: "citus",
        first: "ms of CPU a page",
        columns: [
          { head: "servers", what: "CPU of the servers, ms a page" },
          { head: "coordinator", what: "CPU of the coordinator, ms a page" },
          { head: "all workers", what: "CPU of all workers, ms a page" },
          { head: "statements a page", what: "statements of the coordinator a page" },
          { head: "import of all, CPU s of the nodes", what: "import, CPU s of the nodes" },
        ],
      },
    ],
    measures: ["citus"],
  },
];
