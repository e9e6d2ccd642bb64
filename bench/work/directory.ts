import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { CLOSED, INHERIT, posting } from "../../src/store/codes.ts";
import type { World } from "./world.ts";
import { look } from "./world.ts";

/** How long the lists of a content are that lie on it itself. */
export interface Holding {
  readonly id: string;
  readonly users: number;
  readonly teams: number;
  /** Whether members who were given nothing have a role on it, by its `defaultLevel` or one that it inherits. */
  readonly open: boolean;
  /** Whether it lies in no collection. */
  readonly alone: boolean;
}

/** What there is to ask for in an organization, read once; ids sorted as the service sorts them. */
export interface Directory {
  readonly members: readonly string[];
  readonly guests: ReadonlySet<string>;
  /** Spaces by position (creation, then id), ascending. */
  readonly positions: readonly string[];
  readonly spaces: readonly Holding[];
  readonly collections: readonly Holding[];
  readonly sites: readonly string[];
  /** How many spaces a site has. */
  readonly spacesOf: (site: string) => number;
  /** The member with the most teams. */
  readonly busiest: string;
  /** The entry at `index` of the list of users, or teams, on a content. */
  readonly userAt: (content: `${"space" | "collection"}/${string}`, index: number) => string;
  readonly teamAt: (content: `${"space" | "collection"}/${string}`, index: number) => string;
  readonly close: () => void;
}

/** Reads the directory of a world from its database. */
export function openDirectory({ path, snapshot }: World): Directory {
  const database = look(path);
  const texts = (sql: string): string[] => column(database, sql, snapshot);
  const contents = database
    .prepare("SELECT id, parent, direct, teams, default_level AS level FROM content WHERE snapshot = ?")
    .all(snapshot);
  const levels = new Map(
    contents.map(({ id, parent, level }) => [String(id), { parent, level: Number(level) }]),
  );
  const isOpen = (id: SQLOutputValue | undefined): boolean => {
    const found = levels.get(String(id));
    // Above the topmost collection the organization role decides.
    return found === undefined || (found.level === INHERIT ? isOpen(found.parent) : found.level !== CLOSED);
  };
  const holdings = (kind: string): Holding[] =>
    contents
      .filter(({ id }) => String(id).startsWith(`${kind}/`))
      .map((row) => holdingOf(row, kind, isOpen(row["id"])));
  const at = (sql: string, ...keys: (string | number)[]): string => {
    const [first] = column(database, sql, snapshot, ...keys);
    if (first === undefined) throw new RangeError(`there is no entry at ${keys.join(", ")}`);
    return first;
  };
  // Whole lists, kept: counting up to an entry in a long one for each page would take longer than the pages.
  const lists = new Map<string, string[]>();
  const entry = (list: string, sql: string, key: string, index: number): string => {
    const known = lists.get(list) ?? column(database, sql, snapshot, key);
    lists.set(list, known);
    const found = known[index];
    if (found === undefined) throw new RangeError(`${list} has no entry ${index}`);
    return found;
  };
  const busiest = at(
    "SELECT member FROM member_team WHERE snapshot = ? GROUP BY member ORDER BY count(*) DESC, member LIMIT 1",
  );
  return {
    members: texts("SELECT id FROM member WHERE snapshot = ? ORDER BY id"),
    guests: new Set(texts("SELECT id FROM member WHERE snapshot = ? AND role = 0")),
    positions: texts("SELECT position FROM space WHERE snapshot = ? ORDER BY position"),
    spaces: holdings("space"),
    collections: holdings("collection"),
    sites: texts("SELECT id FROM site WHERE snapshot = ? ORDER BY id"),
    spacesOf: (site) => Number(at("SELECT count(*) FROM site_space WHERE snapshot = ? AND site = ?", site)),
    busiest,
    userAt: (content, index) =>
      entry(
        `users ${content}`,
        "SELECT member FROM posting WHERE snapshot = ? AND source = ? ORDER BY member",
        posting.direct(content),
        index,
      ),
    teamAt: (content, index) =>
      entry(
        `teams ${content}`,
        "SELECT team FROM team_permission WHERE snapshot = ? AND content = ? ORDER BY team",
        content,
        index,
      ),
    close: () => database.close(),
  };
}

function holdingOf(row: Record<string, SQLOutputValue>, kind: string, open: boolean): Holding {
  const direct = String(row["direct"]).split(" ");
  const teams = String(row["teams"]);
  return {
    id: String(row["id"]).slice(kind.length + 1),
    users: direct.reduce((sum, count) => sum + Number(count), 0),
    teams: teams === "" ? 0 : teams.split(",").length,
    open,
    alone: row["parent"] === null,
  };
}

function column(database: DatabaseSync, sql: string, ...parameters: (string | number)[]): string[] {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const rows: unknown[] = statement.all(...parameters);
  return rows.map((row) => (Array.isArray(row) ? String(row[0]) : ""));
}
