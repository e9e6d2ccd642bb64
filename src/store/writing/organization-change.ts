/** What an import or a change does to an organization, by its records. */
import { RECORD_KINDS, type RecordChange, type RecordKind } from "../../domain/record-change.ts";
import type { Model } from "../../model/model.ts";
import type { Connection } from "../engine/engine.ts";
import type { Counts } from "../reading.ts";
import { decodeMemberRole } from "../schema/encoding.ts";
import type { ChangeCounts } from "../schema/record-change.ts";

export interface OrganizationChange {
  readonly organization: string;
  readonly title: string;
  /** The current revision; `undefined` for a new organization. */
  readonly current: number | undefined;
  readonly counts: Counts;
  readonly kinds: Readonly<Record<RecordKind, ChangeCounts>>;
}

export function isChange({ kinds }: Pick<OrganizationChange, "kinds">): boolean {
  return RECORD_KINDS.some((kind) => kinds[kind].added + kinds[kind].changed + kinds[kind].removed > 0);
}

/** A record that differs, with titles and display names. */
export interface RecordDifference extends RecordChange {
  readonly organization: string;
  /** The member's document. */
  readonly user: string | undefined;
  readonly teamTitle: string | undefined;
  readonly contentTitle: string | undefined;
  readonly siteTitle: string | undefined;
}

/** What is examined before an organization is published. */
export interface Examined {
  readonly organization: string;
  readonly after: Model;
  /** The current state; `undefined` for a new organization. */
  readonly before: Model | undefined;
  /** Reads what is stored: of the organization itself, the state before. */
  readonly reader: Pick<Connection, "read">;
}

/** Examines the next state of each organization. If `examine` throws, the import stops and nothing is changed. */
export interface Examination {
  readonly examine: (state: Examined) => Promise<void>;
  /** Whether this is a dry run, which stops after the examination and changes nothing. */
  readonly isRehearsal: boolean;
  /** Stores the results for an organization. Called in the transaction that publishes or confirms its revision. */
  readonly record: (connection: Connection, organization: string, revision: number) => Promise<void>;
}

/** The title of an organization after a change. */
export function titleAfter(title: string, records: readonly RecordChange[]): string {
  return records.find(({ kind }) => kind === "organization")?.becomes ?? title;
}

type Changeable = { -readonly [Field in keyof Counts]: Counts[Field] } & {
  roles: Record<keyof Counts["roles"], number>;
};

/** The count of each kind of records. A user counts as a member. */
const COUNTED: Readonly<Partial<Record<RecordKind, Exclude<keyof Counts, "roles">>>> = {
  member: "members",
  team: "teams",
  teamMember: "teamMembers",
  collection: "collections",
  space: "spaces",
  site: "sites",
  siteSpace: "siteSpaces",
  permission: "permissions",
};

export function countsAfter(counts: Counts, records: readonly RecordChange[]): Counts {
  const after: Changeable = { ...counts, roles: { ...counts.roles } };
  for (const { kind, was, becomes } of records) {
    const counted = COUNTED[kind];
    if (counted !== undefined) after[counted] += Number(becomes !== undefined) - Number(was !== undefined);
    if (kind !== "member") continue;
    if (was !== undefined) after.roles[decodeMemberRole(Number(was)) ?? "guest"]--;
    if (becomes !== undefined) after.roles[decodeMemberRole(Number(becomes)) ?? "guest"]++;
  }
  return after;
}
