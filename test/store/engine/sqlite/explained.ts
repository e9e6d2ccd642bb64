import type { DatabaseSync } from "node:sqlite";

/** How a statement finds rows of a table. */
export interface Search {
  readonly table: string;
  /** SQLite's description of the search. */
  readonly step: string;
  /** The index columns that the search uses. */
  readonly columns: readonly string[];
  /** The number of used index columns, and the largest number that the statement's conditions allow for one index. */
  readonly used: number;
  readonly possible: number;
  readonly sql: string;
}

/** The columns of an index, in order. */
type Index = readonly string[];

/** A table in a statement: its alias, and the columns with conditions. */
interface Mention {
  readonly table: string;
  readonly alias: string;
  readonly equal: ReadonlySet<string>;
  readonly between: ReadonlySet<string>;
}

const STEP = /^(SCAN|SEARCH) (\w+)(?: USING (?:COVERING )?(PRIMARY KEY|INDEX|AUTOMATIC)[^(]*(?:\((.*)\))?)?/;
/** A condition on a column, or on several together: (revision,number)>(?,?). */
const CONDITION = /(\w+)(?:,\w+\))?[=<>]/g;

/** The searches of a statement in the given tables. A scan uses no column. */
export function searchesIn(database: DatabaseSync, text: string, tables: readonly string[]): Search[] {
  const sql = text.replaceAll(/\s+/g, " ").trim();
  const mentions = mentionsIn(sql, tables);
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
  return plan.flatMap(({ detail }) => {
    const step = String(detail);
    const [, , alias, how, conditions = ""] = STEP.exec(step) ?? [];
    const alike = mentions.filter((mention) => mention.alias === alias);
    // An automatic index does not count: SQLite builds it from the whole table, for one run.
    const named =
      how === "AUTOMATIC" ? [] : [...conditions.matchAll(CONDITION)].map(([, column = ""]) => column);
    const columns = [...new Set(named)];
    const searches = alike.map((mention) => {
      const possible = possibleFor(mention, indexesOf(database, mention.table));
      return { table: mention.table, step, columns, used: columns.length, possible, sql };
    });
    // If an alias stands for several tables in different places, one of them is meant here.
    const meant = searches.find(({ used, possible }) => used === possible) ?? searches[0];
    return meant === undefined ? [] : [meant];
  });
}

function possibleFor({ equal, between }: Mention, indexes: readonly Index[]): number {
  return Math.max(
    ...indexes.map((index) => {
      const end = index.findIndex((column) => !equal.has(column));
      if (end < 0) return index.length;
      return between.has(index[end] ?? "") ? end + 1 : end;
    }),
  );
}

/** The indexes of a table that are not partial. */
function indexesOf(database: DatabaseSync, table: string): Index[] {
  const indexes = database.prepare("SELECT name FROM pragma_index_list(?) WHERE NOT partial").all(table);
  const columns = database.prepare("SELECT name FROM pragma_index_info(?)");
  return indexes.map(({ name }) => columns.all(String(name)).map((row) => String(row["name"])));
}

/** A table with its alias. If it has none, a keyword follows. */
const NAMED =
  /\b(?:FROM|JOIN|UPDATE|INTO) (\w+)(?: (?!(?:WHERE|SET|INDEXED|CROSS|LEFT|ORDER|JOIN|VALUES|SELECT)\b)(\w+))?/g;

function mentionsIn(sql: string, tables: readonly string[]): Mention[] {
  return selectsIn(sql).flatMap((select) =>
    [...select.matchAll(NAMED)].flatMap(([, table = "", alias]) => {
      if (!tables.includes(table)) return [];
      const column = alias === undefined ? String.raw`(?<![.$\w])(\w+)` : String.raw`\b${alias}\.(\w+)`;
      const conditions = [...select.matchAll(new RegExp(`${column} (=|IN|[<>]=?) `, "g"))];
      const of = (isWanted: (operator: string) => boolean) =>
        new Set(conditions.flatMap(([, name = "", operator = ""]) => (isWanted(operator) ? [name] : [])));
      const isEqual = (operator: string) => operator === "=" || operator === "IN";
      const equal = of(isEqual);
      return [{ table, alias: alias ?? table, equal, between: of((operator) => !isEqual(operator)) }];
    }),
  );
}

/** The selects of a statement, each without the selects within it. */
function selectsIn(sql: string): string[] {
  const inner: string[] = [];
  let outer = sql;
  for (let found = true; found;) {
    found = false;
    outer = outer.replaceAll(/\(([^()]*)\)/g, (_, text: string) => {
      found = true;
      if (!/\bSELECT\b/.test(text)) return `\u27e8${text}\u27e9`;
      inner.push(text);
      return "\u27e8\u27e9";
    });
  }
  return [...inner, outer].flatMap((text) => text.split(/\bUNION(?: ALL)?\b/));
}
