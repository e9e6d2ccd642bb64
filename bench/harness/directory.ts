import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { CLOSED, INHERIT } from "../../src/store/schema/encoding.ts";
import { type World, look } from "./world.ts";

/** A content, and the number of its direct permissions and team grants. */
export interface Holding {
  readonly id: string;
  readonly users: number;
  readonly teams: number;
  /** Whether members without a permission have access, by its own or an inherited default level. */
  readonly open: boolean;
  /** Whether the content is in no collection. */
  readonly alone: boolean;
}

/** The subjects of an organization, read once. Ids are in the order of listings. */
export interface Directory {
  readonly members: readonly string[];
  readonly guests: ReadonlySet<string>;
  /** Spaces by creation time, then id, ascending. */
  readonly positions: readonly string[];
  readonly spaces: readonly Holding[];
  readonly collections: readonly Holding[];
  readonly sites: readonly string[];
  /** The number of spaces of a site. */
  readonly spacesOf: (site: string) => number;
  /** The member with the most teams. */
  readonly busiest: string;
  /** The user (or team) at `index` in the list of permissions on a content. */
  readonly userAt: (content: `${"space" | "collection"}/${string}`, index: number) => string;
  readonly teamAt: (content: `${"space" | "collection"}/${string}`, index: number) => string;
  readonly close: () => void;
}

export function openDirectory({ path, revision: generation }: World): Directory {
  const database = look(path);
  const texts = (sql: string): string[] => column(database, sql, generation);
  const contents = database
    .prepare(
      "SELECT id, parent, level, (SELECT count(*) FROM team_grant g WHERE g.generation = c.generation AND g.content = c.id) AS teams FROM content c WHERE generation = ?",
    )
    .all(generation);
  const users = directSizes(database, generation);
  const levels = new Map(
    contents.map(({ id, parent, level }) => [String(id), { parent, level: Number(level) }]),
  );
  const isOpen = (id: SQLOutputValue | undefined): boolean => {
    const found = levels.get(String(id));
    // If the topmost collection inherits too, the organization role decides.
    return found === undefined || (found.level === INHERIT ? isOpen(found.parent) : found.level !== CLOSED);
  };
  const holdings = (kind: string): Holding[] =>
    contents
      .filter(({ id }) => String(id).startsWith(`${kind}/`))
      .map((row) => holdingOf(row, kind, isOpen(row["id"]), users.get(String(row["id"])) ?? 0));
  const at = (sql: string, ...keys: (string | number)[]): string => {
    const [first] = column(database, sql, generation, ...keys);
    if (first === undefined) throw new RangeError(`there is no entry at ${keys.join(", ")}`);
    return first;
  };
  // Lists are read whole and cached: finding an entry by its index in the database takes longer than a page.
  const lists = new Map<string, string[]>();
  const entry = (list: string, sql: string, key: string, index: number): string => {
    const known = lists.get(list) ?? column(database, sql, generation, key);
    lists.set(list, known);
    const found = known[index];
    if (found === undefined) throw new RangeError(`${list} has no entry ${index}`);
    return found;
  };
  const busiest = at(
    "SELECT m.id FROM team_member t JOIN member m ON m.generation = t.generation AND m.position = t.position WHERE t.generation = ? GROUP BY t.position ORDER BY count(*) DESC, t.position LIMIT 1",
  );
  return {
    members: texts("SELECT id FROM member WHERE generation = ? ORDER BY position"),
    guests: new Set(texts("SELECT id FROM member WHERE generation = ? AND role = 0")),
    positions: texts("SELECT key FROM space WHERE generation = ? ORDER BY position"),
    spaces: holdings("space"),
    collections: holdings("collection"),
    sites: texts("SELECT id FROM site WHERE generation = ? ORDER BY id"),
    spacesOf: (site) => Number(at("SELECT count(*) FROM site_space WHERE generation = ? AND site = ?", site)),
    busiest,
    userAt: (content, index) =>
      entry(
        `users ${content}`,
        "SELECT m.id FROM user_grant g JOIN member m ON m.generation = g.generation AND m.position = g.position WHERE g.generation = ? AND g.content = ? ORDER BY g.position",
        content,
        index,
      ),
    teamAt: (content, index) =>
      entry(
        `teams ${content}`,
        "SELECT team FROM team_grant WHERE generation = ? AND content = ? ORDER BY team",
        content,
        index,
      ),
    close: () => database.close(),
  };
}

/** The number of direct permissions on each content. */
function directSizes(database: DatabaseSync, generation: number): Map<string, number> {
  const rows = database
    .prepare("SELECT content, count(*) AS users FROM user_grant WHERE generation = ? GROUP BY content")
    .all(generation);
  return new Map(rows.map(({ content, users }) => [String(content), Number(users)]));
}

function holdingOf(row: Record<string, SQLOutputValue>, kind: string, open: boolean, users: number): Holding {
  return {
    id: String(row["id"]).slice(kind.length + 1),
    users,
    teams: Number(row["teams"]),
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
