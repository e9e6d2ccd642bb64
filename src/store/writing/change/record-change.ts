/** The changed records of an organization: the input of {@link writeChange}, from change files and whole files. */
import type { ContentKey } from "../../../domain/content.ts";
import type { Role } from "../../../domain/role.ts";

/** A member with the user's document. Records are equal if all fields are equal. */
export interface MemberRecord {
  /** The organization role; `null` for a guest. */
  readonly role: Role | null;
  /** The user's JSON document without default values. */
  readonly doc: string;
  /** The fields with default values, one bit each. */
  readonly omitted: number;
}

export interface TeamRecord {
  readonly title: string;
  /** The team's JSON document. */
  readonly doc: string;
}

export interface ContentRecord {
  readonly parent: ContentKey | undefined;
  readonly title: string;
  /** The default level as stored: see encoding.ts. */
  readonly level: number;
  /** For a space: its sort key. */
  readonly key: string | undefined;
  /** The record as JSON; for a space, its document without default values. */
  readonly doc: string;
  readonly omitted: number;
  /** For a space: visibility and emoji, for the explorer. */
  readonly look: string;
}

/**
 * A record before and after a change; `undefined` if the record does not exist then. The two differ, so at least one
 * exists.
 */
export interface Versions<Stored> {
  readonly before: Stored | undefined;
  readonly after: Stored | undefined;
}

export type RecordChange =
  | ({ readonly kind: "member"; readonly member: string } & Versions<MemberRecord>)
  | ({ readonly kind: "team"; readonly team: string } & Versions<TeamRecord>)
  | ({ readonly kind: "teamMember"; readonly team: string; readonly member: string } & Versions<string>)
  | ({ readonly kind: "content"; readonly content: ContentKey } & Versions<ContentRecord>)
  | ({ readonly kind: "site"; readonly site: string } & Versions<string>)
  | ({ readonly kind: "siteSpace"; readonly site: string; readonly space: string } & Versions<true>)
  | ({ readonly kind: "userGrant"; readonly content: ContentKey; readonly member: string } & Versions<Role>)
  | ({ readonly kind: "teamGrant"; readonly content: ContentKey; readonly team: string } & Versions<Role>);

type OfKind<Kind extends RecordChange["kind"]> = Extract<RecordChange, { kind: Kind }>;

/** Selects the changes of one kind. */
export type Of = <Kind extends RecordChange["kind"]>(kind: Kind) => readonly OfKind<Kind>[];

export function isOf<Kind extends RecordChange["kind"]>(
  record: RecordChange,
  kind: Kind,
): record is OfKind<Kind> {
  return record.kind === kind;
}

/** A change of one organization, written as one revision. @public */
export interface ChangeSet {
  readonly organization: string;
  /** The revision on which the change is based: the current one. */
  readonly base: number;
  /** The organization's title after the change. */
  readonly title: string;
  /** In any order, without duplicates. Dependents of a removed record must be listed too. */
  readonly records: readonly RecordChange[];
  /** The source of the change, for `rolebook revisions`. */
  readonly source: ChangeSource;
}

/** The command and the input that made a revision. */
export interface ChangeSource {
  readonly command: "import" | "apply" | "verify";
  readonly note: string | undefined;
  /** SHA-256 of the input, hexadecimal. */
  readonly input: string | undefined;
  /** The `id` of a change file, which can be applied only once. */
  readonly id: string | undefined;
}
