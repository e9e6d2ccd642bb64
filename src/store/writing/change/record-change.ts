/** The changed records of an organization: the input of {@link writeChange}, from change files and whole files. */
import type { ContentKey } from "../../../domain/content.ts";
import type { Role } from "../../../domain/role.ts";

/** A member with the user's document. Two of them are equal if all fields are equal. */
export interface MemberRecord {
  /** The organization role; `null` for a guest. */
  readonly role: Role | null;
  /** The user's JSON document without default values. `omitted` has one bit for each field with a default value. */
  readonly doc: string;
  readonly omitted: number;
}

export interface TeamRecord {
  readonly title: string;
  readonly doc: string;
}

export interface ContentRecord {
  readonly parent: ContentKey | undefined;
  readonly title: string;
  /** The default level, as `encodeDefaultLevel` encodes it. */
  readonly level: number;
  /** The sort key of a space; `undefined` for a collection. */
  readonly key: string | undefined;
  /** For a space, its JSON document without default values. For a collection, the record as JSON. */
  readonly doc: string;
  readonly omitted: number;
  /** The visibility and emoji of a space, for the explorer. */
  readonly look: string;
}

/**
 * A record before and after a change; `undefined` where the record does not exist. The two differ, so at least one
 * exists.
 */
export interface Versions<Stored> {
  readonly before: Stored | undefined;
  readonly after: Stored | undefined;
}

export type StoredChange =
  | ({ readonly kind: "member"; readonly member: string } & Versions<MemberRecord>)
  | ({ readonly kind: "team"; readonly team: string } & Versions<TeamRecord>)
  | ({ readonly kind: "teamMember"; readonly team: string; readonly member: string } & Versions<string>)
  | ({ readonly kind: "content"; readonly content: ContentKey } & Versions<ContentRecord>)
  | ({ readonly kind: "site"; readonly site: string } & Versions<string>)
  | ({ readonly kind: "siteSpace"; readonly site: string; readonly space: string } & Versions<true>)
  | ({ readonly kind: "userGrant"; readonly content: ContentKey; readonly member: string } & Versions<Role>)
  | ({ readonly kind: "teamGrant"; readonly content: ContentKey; readonly team: string } & Versions<Role>);

type OfKind<Kind extends StoredChange["kind"]> = Extract<StoredChange, { kind: Kind }>;

export type Of = <Kind extends StoredChange["kind"]>(kind: Kind) => readonly OfKind<Kind>[];

export function isOf<Kind extends StoredChange["kind"]>(
  record: StoredChange,
  kind: Kind,
): record is OfKind<Kind> {
  return record.kind === kind;
}

/** A change of one organization, which becomes one revision. @public */
export interface ChangeSet {
  readonly organization: string;
  /** The number of the revision on which the change is based. It must be the current one. */
  readonly base: number;
  /** The organization's title after the change. */
  readonly title: string;
  /** In any order, without duplicates. Must include the dependents of removed records. */
  readonly records: readonly StoredChange[];
  readonly source: ChangeSource;
}

/** The command and input of a revision, as `rolebook revisions` shows them. */
export interface ChangeSource {
  readonly command: "import" | "apply" | "verify";
  readonly note: string | undefined;
  /** SHA-256 of the input, hexadecimal. */
  readonly input: string | undefined;
  /** The `id` of a change file. A change file with an id can be applied only once. */
  readonly id: string | undefined;
}
