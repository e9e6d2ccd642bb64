/** The records of a change file for one organization, in the stored form. */
import type { ContentKey } from "../../../domain/content.ts";
import type { Document } from "../../../domain/document.ts";
import type { Role } from "../../../domain/role.ts";
import type { ContentRecord, TeamRecord } from "../change/record-change.ts";
import type { Pair } from "./pair.ts";

/** A file's entry for one key. */
export interface Said<Stored> {
  readonly line: number;
  /** The new record; `undefined` for a removal. */
  readonly becomes: Stored | undefined;
  /** Whether the dependents of a removed record are removed with it. */
  readonly withAll: boolean;
}

/** By id, or by {@link Pair}. */
export type SaidOf<Stored, Key extends string = Pair> = Map<Key, Said<Stored>>;

/** A member's role, as an object because the role `null` means a guest. */
export interface Membership {
  readonly role: Role | null;
}

export class Edits {
  readonly organization: string;
  title: { readonly line: number; readonly title: string } | undefined;
  readonly users = new Map<string, Document & { readonly line: number }>();
  readonly members: SaidOf<Membership> = new Map();
  readonly teams: SaidOf<TeamRecord> = new Map();
  /** By team and member. */
  readonly teamMembers: SaidOf<string> = new Map();
  readonly contents: SaidOf<ContentRecord, ContentKey> = new Map();
  readonly sites: SaidOf<string> = new Map();
  /** By site and space. */
  readonly siteSpaces: SaidOf<true> = new Map();
  /** By content and member. */
  readonly userGrants: SaidOf<Role> = new Map();
  /** By content and team. */
  readonly teamGrants: SaidOf<Role> = new Map();

  constructor(organization: string) {
    this.organization = organization;
  }
}
