import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { type Entry, type Peer, type Question, ROLES } from "./peer.ts";

const TABLES = readFileSync(new URL("plain-tables.sql", import.meta.url), "utf8");
const PAGE = readFileSync(new URL("plain.sql", import.meta.url), "utf8");

const INSERTS = {
  member: "INSERT INTO member VALUES (?, ?, ?)",
  content: "INSERT INTO content VALUES (?, ?, ?)",
  userPermission: "INSERT INTO user_permission VALUES (?, ?, ?)",
  teamPermission: "INSERT INTO team_permission VALUES (?, ?, ?)",
  teamMember: "INSERT INTO team_member VALUES (?, ?)",
} as const;

type Value = string | number | null;
type Row = Readonly<Record<string, string | null | undefined>>;

/** Loads a snapshot into the tables of `plain-tables.sql` in memory. Questions run the query of `plain.sql`. */
export async function loadPlain(lines: AsyncIterable<string>): Promise<Peer> {
  const database = new DatabaseSync(":memory:");
  database.exec(TABLES);
  const inserts = Object.fromEntries(
    Object.entries(INSERTS).map(([table, sql]) => [table, database.prepare(sql)]),
  );
  const users = new Map<string, string>();
  let rows = 0;
  database.exec("BEGIN");
  for await (const line of lines) {
    const record: Row = JSON.parse(line);
    if (record["object"] === "user") users.set(text(record, "id"), line);
    for (const [table, ...values] of rowsOf(record, users)) {
      inserts[table]?.run(...values);
      rows += 1;
    }
  }
  database.exec("COMMIT; ANALYZE");
  const page = database.prepare(PAGE);
  const ask = ({ kind, id, offset, limit }: Question): Promise<Entry[]> => {
    const parameters = { $content: `${kind}/${id}`, $limit: limit, $offset: offset };
    return Promise.resolve(page.all(parameters).map(entry));
  };
  return { ask, holds: `${rows} rows` };
}

function* rowsOf(record: Row, users: ReadonlyMap<string, string>): Generator<[string, ...Value[]]> {
  switch (record["object"]) {
    case "member": {
      const user = text(record, "user");
      yield ["member", user, rank(record["role"]), users.get(user) ?? ""];
      break;
    }
    case "teamMember":
      yield ["teamMember", text(record, "team"), text(record, "user")];
      break;
    case "collection":
    case "space": {
      const { parent } = record;
      const above = parent === undefined ? null : `collection/${parent}`;
      yield ["content", `${record["object"]}/${text(record, "id")}`, above, level(record["defaultLevel"])];
      break;
    }
    case "permission": {
      const kind = record["space"] === undefined ? "collection" : "space";
      const content = `${kind}/${text(record, kind)}`;
      const role = rank(record["permission"]);
      if (record["user"] === undefined) yield ["teamPermission", content, text(record, "team"), role];
      else yield ["userPermission", content, text(record, "user"), role];
      break;
    }
  }
}

function rank(role: string | null | undefined): number {
  return ROLES.findIndex((each) => each === role) + 1;
}

function level(given: string | null | undefined): number {
  return given === undefined || given === "inherit" ? -1 : rank(given);
}

function text(record: Row, field: string): string {
  const value = record[field];
  if (typeof value !== "string") throw new TypeError(`no ${field} in ${JSON.stringify(record)}`);
  return value;
}

function entry(row: Record<string, unknown>): Entry {
  return { user: String(row["user"]), role: ROLES[Number(row["rank"]) - 1] ?? "none" };
}
