/** A relationship of SpiceDB. */
export interface Tuple {
  readonly resource: readonly [type: string, id: string];
  readonly relation: string;
  readonly subject: readonly [type: string, id: string, relation?: string];
}

type Row = Readonly<Record<string, string | null | undefined>>;

/** Converts one line of a snapshot (docs/snapshot.md) to relationships of `schema.zed`. */
export function* relationships(line: string): Generator<Tuple> {
  const row: Row = JSON.parse(line);
  switch (row["object"]) {
    case "member":
      if (row["role"] !== null) {
        yield {
          resource: ["organization", text(row, "organization")],
          relation: text(row, "role"),
          subject: ["user", text(row, "user")],
        };
      }
      break;
    case "teamMember":
      yield {
        resource: ["team", text(row, "team")],
        relation: "member",
        subject: ["user", text(row, "user")],
      };
      break;
    case "collection":
    case "space":
      yield* content(row, `${row["object"]}/${text(row, "id")}`);
      break;
    case "permission":
      yield permission(row);
      break;
  }
}

function* content(row: Row, id: string): Generator<Tuple> {
  const resource = ["content", id] as const;
  const organization = ["organization", text(row, "organization")] as const;
  yield { resource, relation: "organization", subject: organization };
  const level = row["defaultLevel"];
  if (level === undefined || level === "inherit") {
    const parent = row["parent"];
    const above = parent === undefined ? organization : (["content", `collection/${parent}`] as const);
    yield { resource, relation: "parent", subject: above };
  } else if (level !== null) {
    yield { resource, relation: `default_${level}`, subject: organization };
  }
}

function permission(row: Row): Tuple {
  const kind = row["space"] === undefined ? "collection" : "space";
  const resource = ["content", `${kind}/${text(row, kind)}`] as const;
  const role = text(row, "permission");
  return row["user"] === undefined
    ? { resource, relation: `team_${role}`, subject: ["team", text(row, "team"), "member"] }
    : { resource, relation: `user_${role}`, subject: ["user", text(row, "user")] };
}

function text(row: Row, field: string): string {
  const value = row[field];
  if (typeof value !== "string") throw new TypeError(`no ${field} in ${JSON.stringify(row)}`);
  return value;
}
