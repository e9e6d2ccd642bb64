/**
 * Declares the records of the snapshot file. Their validation, their order of fields and the JSON Schema follow from
 * this (contract, section 8).
 */
import { type Static, Type } from "typebox";
import { count, date, defaultLevel, id, memberRole, role, text, url, userId, word } from "./fields.ts";

const closed = { additionalProperties: false };

const organization = Type.Object({ object: Type.Literal("organization"), id, title: text }, closed);

const user = Type.Object(
  {
    object: Type.Literal("user"),
    id: userId,
    displayName: text,
    email: Type.Optional(text),
    photoURL: Type.Optional(url),
    urls: Type.Optional(Type.Object({ location: Type.Optional(url) }, closed)),
  },
  closed,
);

const member = Type.Object(
  { object: Type.Literal("member"), organization: id, user: userId, role: memberRole },
  closed,
);

const team = Type.Object(
  { object: Type.Literal("team"), id, organization: id, title: text, createdAt: date },
  closed,
);

const teamMember = Type.Object(
  { object: Type.Literal("teamMember"), team: id, user: userId, role: word(["owner", "member"]) },
  closed,
);

const collection = Type.Object(
  {
    object: Type.Literal("collection"),
    id,
    organization: id,
    title: text,
    parent: Type.Optional(id),
    defaultLevel: Type.Optional(defaultLevel),
  },
  closed,
);

const space = Type.Object(
  {
    object: Type.Literal("space"),
    id,
    organization: id,
    title: text,
    emoji: Type.Optional(text),
    visibility: Type.Optional(
      word(["public", "unlisted", "share-link", "visitor-auth", "in-collection", "private"]),
    ),
    createdAt: date,
    updatedAt: date,
    deletedAt: Type.Optional(date),
    editMode: Type.Optional(word(["live", "locked"])),
    parent: Type.Optional(id),
    gitSync: Type.Optional(
      Type.Object(
        {
          repoName: Type.Optional(text),
          installationProvider: Type.Optional(word(["github", "gitlab", "github-legacy"])),
          integration: Type.Optional(text),
          url: Type.Optional(url),
          updatedAt: Type.Optional(date),
        },
        closed,
      ),
    ),
    visitorAuth: Type.Optional(
      Type.Object({ backend: Type.Optional(word(["custom", "integration"])) }, closed),
    ),
    revision: Type.Optional(text),
    defaultLevel: Type.Optional(defaultLevel),
    comments: Type.Optional(count),
    changeRequests: Type.Optional(count),
    changeRequestsOpen: Type.Optional(count),
    changeRequestsDraft: Type.Optional(count),
    // Last, because defaults are inserted at the end of a document when it is sent.
    urls: Type.Optional(
      Type.Object(
        {
          location: Type.Optional(url),
          app: Type.Optional(url),
          published: Type.Optional(url),
          public: Type.Optional(url),
          icon: Type.Optional(url),
        },
        closed,
      ),
    ),
  },
  closed,
);

const site = Type.Object({ object: Type.Literal("site"), id, organization: id, title: text }, closed);

const siteSpace = Type.Object({ object: Type.Literal("siteSpace"), site: id, space: id }, closed);

const permission = Type.Object(
  {
    object: Type.Literal("permission"),
    space: Type.Optional(id),
    collection: Type.Optional(id),
    user: Type.Optional(userId),
    team: Type.Optional(id),
    permission: role,
  },
  closed,
);

/** In the order of an export. */
export const RECORDS = {
  organization,
  user,
  member,
  team,
  teamMember,
  collection,
  space,
  site,
  siteSpace,
  permission,
} as const;

/** The end record, which may be the last line of a file. It belongs to no organization. */
export const END = Type.Object({ object: Type.Literal("end"), records: count }, closed);

export type Kind = keyof typeof RECORDS;
export type SnapshotRecord = Static<(typeof RECORDS)[Kind]>;
export type RecordOf<K extends Kind> = Static<(typeof RECORDS)[K]>;

export type FileRecord = SnapshotRecord | Static<typeof END>;

export function isEnd(record: { readonly object: string }): record is Static<typeof END> {
  return record.object === "end";
}

export function isKind(value: unknown): value is Kind {
  return typeof value === "string" && Object.hasOwn(RECORDS, value);
}
