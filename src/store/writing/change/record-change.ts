/** What one change does to the records of an organization: input of {@link writeChange}, whatever file it came from. */
import type { ContentKey } from "../../../domain/content.ts";
import type { Role } from "../../../domain/role.ts";

/** A member with what is said of the user. Equal records have equal fields, so that a change of nothing is seen. */
export interface MemberRecord {
  /** The organization role; `null` for a guest. */
  readonly role: Role | null;
  /** The user as sent, as JSON text without what is filled in. */
  readonly doc: string;
  /** Which fields are filled in, a bit each. */
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
  /** Of a space: creation and id as one text that sorts by both. */
  readonly key: string | undefined;
  /** The record as JSON text; of a space as sent, without what is filled in. */
  readonly doc: string;
  readonly omitted: number;
  /** Of a space: visibility and emoji, for the explorer. */
  readonly look: string;
}

/** A record before and after; `undefined` where there is none. One of the two is there, and they differ. */
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
 * One change of one organization: what is written as one revision.
 * @public
 */
export interface ChangeSet {
  readonly organization: string;
  /** The revision that the change was worked out against: the current one. */
  readonly base: number;
  /** The organization's title from now on. */
  readonly title: string;
  /** In any order; each record at most once. What hangs on a removed record is in the list itself. */
  readonly records: readonly RecordChange[];
  /** What `rolebook revisions` tells of it. */
  readonly source: ChangeSource;
}

/** Where a revision came from. */
export interface ChangeSource {
  readonly command: "import" | "apply" | "verify";
  readonly note: string | undefined;
  /** SHA-256 of the input, hexadecimal. */
  readonly input: string | undefined;
  /** The `id` of a change file: it is applied once. */
  readonly id: string | undefined;
}
