/** The records of a change file for one organization, in the form in which they are stored. */
import type { ContentKey } from "../../../domain/content.ts";
import type { Document } from "../../../domain/document.ts";
import type { Role } from "../../../domain/role.ts";
import type { ContentRecord, TeamRecord } from "../change/record-change.ts";
import type { Pair } from "./pair.ts";

/** The entry of a file for one key. */
export interface FileEntry<Stored> {
  readonly line: number;
  /** The new record; `undefined` if the entry removes the record. */
  readonly becomes: Stored | undefined;
  /** Whether the dependents of a removed record are removed with it. */
  readonly withAll: boolean;
}

/** The entries of a file by key: an id or a {@link Pair}. */
export type FileEntries<Stored, Key extends string = Pair> = Map<Key, FileEntry<Stored>>;

/** The role of a member. An object, so that a guest's role `null` differs from an absent member. */
export interface Membership {
  readonly role: Role | null;
}

export class Edits {
  readonly organization: string;
  title: { readonly line: number; readonly title: string } | undefined;
  readonly users = new Map<string, Document & { readonly line: number }>();
  readonly members: FileEntries<Membership> = new Map();
  readonly teams: FileEntries<TeamRecord> = new Map();
  /** By pair of team and member. */
  readonly teamMembers: FileEntries<string> = new Map();
  readonly contents: FileEntries<ContentRecord, ContentKey> = new Map();
  readonly sites: FileEntries<string> = new Map();
  /** By pair of site and space. */
  readonly siteSpaces: FileEntries<true> = new Map();
  /** By pair of content and member. */
  readonly userGrants: FileEntries<Role> = new Map();
  /** By pair of content and team. */
  readonly teamGrants: FileEntries<Role> = new Map();

  constructor(organization: string) {
    this.organization = organization;
  }
}
