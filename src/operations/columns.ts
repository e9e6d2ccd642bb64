/** A column of a table or CSV file: its name, and the path to its value in an entry. */
export type Column = readonly [name: string, ...path: string[]];

/** Tables and CSV files show these fields of a user; NDJSON has every field. */
export const USER_COLUMNS: readonly Column[] = [
  ["id", "user", "id"],
  ["name", "user", "displayName"],
  ["email", "user", "email"],
  ["role", "permission"],
];

export const SITE_COLUMNS: readonly Column[] = [
  ...USER_COLUMNS,
  ["origin", "origin", "type"],
  ["space", "origin", "space"],
];

export const SPACE_COLUMNS: readonly Column[] = [
  ["id", "space", "id"],
  ["title", "space", "title"],
  ["role", "permission"],
  ["parent", "space", "parent"],
  ["visibility", "space", "visibility"],
  ["created", "space", "createdAt"],
];

/** `role` is the path of the column "role". */
export function teamColumns(...role: string[]): readonly Column[] {
  return [
    ["id", "team", "id"],
    ["title", "team", "title"],
    ["role", ...role],
    ["members", "team", "members"],
    ["spaces", "team", "spaces"],
  ];
}

/** The cells of an entry. A cell without a value is empty. */
export function cellsOf(entry: unknown, columns: readonly Column[]): (string | number)[] {
  return columns.map(([, ...path]) => {
    let value = entry;
    for (const name of path) value = new Map(Object.entries(value ?? {})).get(name);
    return typeof value === "number" ? value : String(value ?? "");
  });
}
