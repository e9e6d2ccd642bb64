import type { Operation } from "../../operations/operation.ts";

/** A column of a table or a CSV: its name, and where its value stands in an entry. */
export type Column = readonly [name: string, ...path: string[]];

const USER: readonly Column[] = [
  ["id", "user", "id"],
  ["name", "user", "displayName"],
  ["email", "user", "email"],
  ["role", "permission"],
];

/** Team columns around the column `role`. */
function team(...role: string[]): readonly Column[] {
  return [
    ["id", "team", "id"],
    ["title", "team", "title"],
    ["role", ...role],
    ["members", "team", "members"],
    ["spaces", "team", "spaces"],
  ];
}

/** What a person wants to see of each kind of entry; NDJSON has everything. */
const COLUMNS: Readonly<Partial<Record<Operation["entry"], readonly Column[]>>> = {
  UserPermission: USER,
  TeamPermission: team("permission"),
  SpacePermission: [
    ["id", "space", "id"],
    ["title", "space", "title"],
    ["role", "permission"],
    ["parent", "space", "parent"],
    ["visibility", "space", "visibility"],
    ["created", "space", "createdAt"],
  ],
  SitePermission: [...USER, ["origin", "origin", "type"], ["space", "origin", "space"]],
  TeamMembership: team("member", "role"),
};

/** The columns of an operation's entries. Throws for an entry that has none yet. */
export function columnsOf({ entry }: Operation): readonly Column[] {
  const columns = COLUMNS[entry];
  if (columns === undefined) throw new Error(`Entries of kind ${entry} have no columns yet.`);
  return columns;
}

/** The cells of an entry; empty where it has no value. */
export function cellsOf(entry: unknown, columns: readonly Column[]): (string | number)[] {
  return columns.map(([, ...path]) => {
    let value = entry;
    for (const name of path) value = new Map(Object.entries(value ?? {})).get(name);
    return typeof value === "number" ? value : String(value ?? "");
  });
}
