/**
 * Declares the records of the snapshot file. Their validation, their order of fields and the JSON Schema follow from
 * this (docs/snapshot.md).
 */
import { DATE_TIME_ACCEPTS, normaliseDate } from "../domain/date.ts";
import { ID } from "../domain/id.ts";
import { ROLES } from "../domain/role.ts";
import { type ContentKey, contentKey } from "../domain/content.ts";
import type { RecordNames } from "../domain/record-change.ts";
import { type Static, Type } from "typebox";
import { Format } from "typebox/format";

// What each field accepts (docs/snapshot.md). `accepts` is the end of a message: "accepted: …".

const CONTROL = /\p{Cc}/u;
function isText(value: string): boolean {
  return value.isWellFormed() && !value.includes("\0");
}

function isUserId(value: string): boolean {
  if (value === "" || value === "." || value === ".." || value.length > 510) return false;
  return value.isWellFormed() && !CONTROL.test(value) && (value.length <= 255 || [...value].length <= 255);
}

export function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(value) && value.isWellFormed() && URL.canParse(value);
}

/** The name of the format that dates have in schemas. One date may be spelled in several ways. */
export const DATE_FORMAT = "rolebook-date";

Format.Set("rolebook-text", isText);
Format.Set("rolebook-user-id", isUserId);
Format.Set("rolebook-url", isWebAddress);
Format.Set(DATE_FORMAT, (value) => normaliseDate(value) !== undefined);

export const ID_ACCEPTS = "1 to 128 of the characters A-Z a-z 0-9 _ -";

export const id = Type.String({ pattern: ID.source, accepts: ID_ACCEPTS });

export const USER_ID_ACCEPTS = "1 to 255 characters, none of them a control character, and not . or ..";

export const userId = Type.String({
  format: "rolebook-user-id",
  minLength: 1,
  maxLength: 255,
  accepts: USER_ID_ACCEPTS,
});

export const text = Type.String({ format: "rolebook-text", accepts: "well-formed text without U+0000" });

const url = Type.String({ format: "rolebook-url", accepts: "an absolute http or https URL" });

const date = Type.String({
  format: DATE_FORMAT,
  accepts: DATE_TIME_ACCEPTS,
});

export const COUNT_ACCEPTS = `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`;

const count = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  accepts: COUNT_ACCEPTS,
});

function word<const Words extends string[]>(words: readonly [...Words]) {
  return Type.Enum([...words], { accepts: words.join(", ") });
}

const memberRole = Type.Union([Type.Enum(ROLES), Type.Null()], {
  accepts: `${ROLES.join(", ")}, or null for a guest`,
});

const defaultLevel = Type.Union([Type.Enum(ROLES), Type.Literal("inherit"), Type.Null()], {
  accepts: `${ROLES.join(", ")}, inherit, or null for closed`,
});

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

const site = Type.Object(
  {
    object: Type.Literal("site"),
    id,
    organization: id,
    title: text,
    defaultLevel: Type.Optional(defaultLevel),
  },
  closed,
);

const siteSpace = Type.Object({ object: Type.Literal("siteSpace"), site: id, space: id }, closed);

export const PERMISSION_ACCEPTS = `${ROLES.join(", ")}, or null for no access to a site`;

const permission = Type.Object(
  {
    object: Type.Literal("permission"),
    space: Type.Optional(id),
    collection: Type.Optional(id),
    site: Type.Optional(id),
    user: Type.Optional(userId),
    team: Type.Optional(id),
    permission: Type.Union([Type.Enum(ROLES), Type.Null()], { accepts: PERMISSION_ACCEPTS }),
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

export type ObjectKind = keyof typeof RECORDS;
export type SnapshotRecord = Static<(typeof RECORDS)[ObjectKind]>;
export type RecordOf<K extends ObjectKind> = Static<(typeof RECORDS)[K]>;

export type FileRecord = SnapshotRecord | Static<typeof END>;

export function isEnd(record: { readonly object: string }): record is Static<typeof END> {
  return record.object === "end";
}

export function isKind(value: unknown): value is ObjectKind {
  return typeof value === "string" && Object.hasOwn(RECORDS, value);
}

/** The fields of a record that name it. */
type NamingFields =
  | { readonly object: "organization" }
  | Pick<RecordOf<"user">, "object" | "id">
  | Pick<RecordOf<"member">, "object" | "user">
  | Pick<RecordOf<"team">, "object" | "id">
  | Pick<RecordOf<"teamMember">, "object" | "team" | "user">
  | Pick<RecordOf<"collection">, "object" | "id">
  | Pick<RecordOf<"space">, "object" | "id">
  | Pick<RecordOf<"site">, "object" | "id">
  | Pick<RecordOf<"siteSpace">, "object" | "site" | "space">
  | Pick<RecordOf<"permission">, "object" | "space" | "collection" | "site" | "user" | "team">;

/** The key of a record in its organization, as the log has it. */
export function recordKey(record: NamingFields): RecordNames {
  switch (record.object) {
    case "organization":
      return { kind: record.object };
    case "user":
      return { kind: record.object, member: record.id };
    case "member":
      return { kind: record.object, member: record.user };
    case "team":
      return { kind: record.object, team: record.id };
    case "teamMember":
      return { kind: record.object, team: record.team, member: record.user };
    case "collection":
    case "space":
      return { kind: record.object, content: contentKey(record.object, record.id) };
    case "site":
      return { kind: record.object, site: record.id };
    case "siteSpace":
      return { kind: record.object, site: record.site, content: contentKey("space", record.space) };
    case "permission": {
      const { object: kind, site, user: member, team } = record;
      return site === undefined
        ? { kind, content: contentOf(record), member, team }
        : { kind, site, member, team };
    }
  }
}

/** The content of a permission that is on no site. */
export function contentOf({
  space,
  collection,
}: Pick<RecordOf<"permission">, "space" | "collection">): ContentKey {
  return space === undefined ? contentKey("collection", collection ?? "") : contentKey("space", space);
}
