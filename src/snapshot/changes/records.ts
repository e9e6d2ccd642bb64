/** Records that only a change file has (docs/changes.md). */
import { isObject } from "../../domain/json.ts";
import { show } from "../problem.ts";
import { type END, type SnapshotRecord, id, isKind, text, userId } from "../records.ts";
import { KINDS_ACCEPTED, checked, validate } from "../validate.ts";
import { type Static, type TProperties, Type } from "typebox";

const closed = { additionalProperties: false };

export const HEADER = Type.Object(
  {
    object: Type.Literal("changes"),
    organization: id,
    /** The file can be applied only to this revision. */
    base: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        accepts: "the number of a revision, as rolebook status shows it",
      }),
    ),
    /** A file with an id is applied only once. */
    id: Type.Optional(text),
  },
  closed,
);

/** Removes a record by its key. */
function removal<const Kind extends string, Key extends TProperties>(kind: Kind, key: Key) {
  return Type.Object(
    { object: Type.Literal(kind), ...key, removed: Type.Literal(true, { accepts: "true" }) },
    closed,
  );
}

/** Removes a record by its key. `with: "all"` also removes the records that refer to it. */
function removalWith<const Kind extends string, Key extends TProperties>(kind: Kind, key: Key) {
  return removal(kind, { ...key, with: Type.Optional(Type.Literal("all", { accepts: "all" })) });
}

export const REMOVALS = {
  member: removalWith("member", { organization: id, user: userId }),
  team: removalWith("team", { id }),
  teamMember: removal("teamMember", { team: id, user: userId }),
  collection: removalWith("collection", { id }),
  space: removalWith("space", { id }),
  site: removalWith("site", { id }),
  siteSpace: removal("siteSpace", { site: id, space: id }),
  permission: removal("permission", {
    space: Type.Optional(id),
    collection: Type.Optional(id),
    site: Type.Optional(id),
    user: Type.Optional(userId),
    team: Type.Optional(id),
  }),
} as const;

type RemovableKind = keyof typeof REMOVALS;
export type Header = Static<typeof HEADER>;
type RemovalRecord = Static<(typeof REMOVALS)[RemovableKind]>;

export type ChangeFileRecord = Header | RemovalRecord | SnapshotRecord | Static<typeof END>;

export function isHeader(record: ChangeFileRecord): record is Header {
  return record.object === "changes";
}

export function isRemoval(record: RemovalRecord | SnapshotRecord): record is RemovalRecord {
  return "removed" in record;
}

export function isRemovable(value: unknown): value is RemovableKind {
  return typeof value === "string" && Object.hasOwn(REMOVALS, value);
}

/** The record of a parsed line, or a message of one sentence that says what is wrong. */
export function validateChange(value: unknown): ChangeFileRecord | string {
  if (!isObject(value)) return validate(value);
  const kind = value.object;
  if (kind === "changes") return checked(kind, HEADER, value);
  if (!Object.hasOwn(value, "removed")) return validate(value, `changes, ${KINDS_ACCEPTED}`);
  if (isRemovable(kind)) return checked(kind, REMOVALS[kind], value);
  if (!isKind(kind)) return validate(value, `changes, ${KINDS_ACCEPTED}`);
  const instead = kind === "user" ? "; remove the member instead" : "";
  return `${kind}.removed is ${show(value.removed)}, but no ${kind} is ever removed${instead}`;
}
