/** The changed records of an organization: the input of {@link writeChange}, for change files and whole files alike. */
import type { ContentKey } from "../../../domain/content.ts";
import type { Role } from "../../../domain/role.ts";

/** A member with the user's document. Equal records have equal fields, which shows that a record does not change. */
export interface MemberRecord {
  /** The organization role; `null` for a guest. */
  readonly role: Role | null;
  /** The user as sent, as JSON text without the fields that are filled in. */
  readonly doc: string;
  /** The fields that are filled in, one bit each. */
  readonly omitted: number;
}

export interface TeamRecord {
  readonly title: string;
  /** The team as sent, as JSON text. */
  readonly doc: string;
}

export interface ContentRecord {
  readonly parent: ContentKey | undefined;
  readonly title: string;
  /** The default level as stored: see codes.ts. */
  readonly level: number;
  /** For a space: creation time and id as one sortable text. */
  readonly key: string | undefined;
  /** The record as JSON text; for a space as sent, without the fields that are filled in. */
  readonly doc: string;
  readonly omitted: number;
  /** For a space: visibility and emoji, for the explorer. */
  readonly look: string;
}

/** A record before and after a change; `undefined` if it does not exist. At least one exists, and they differ. */
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

/**
 * A change of one organization, written as one revision.
 * @public
 */
export interface ChangeSet {
  readonly organization: string;
  /** The revision on which the change is based: the current one. */
  readonly base: number;
  /** The organization's title after the change. */
  readonly title: string;
  /** In any order, each record at most once. Dependents of a removed record are in the list themselves. */
  readonly records: readonly RecordChange[];
  /** The source of the change, as `rolebook revisions` shows it. */
  readonly source: ChangeSource;
}

/** The command and the input that made a revision. */
export interface ChangeSource {
  readonly command: "import" | "apply" | "verify";
  readonly note: string | undefined;
  /** SHA-256 of the input, hexadecimal. */
  readonly input: string | undefined;
  /** The `id` of a change file, which is applied only once. */
  readonly id: string | undefined;
}
