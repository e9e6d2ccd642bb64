/** Selects the changed records that can change an effective role. */
import type { ContentKey } from "../../../../domain/content.ts";
import type { Reader } from "../../../engine/engine.ts";
import type { Revision } from "../../../reading.ts";
import { keyOfRecord, type RecordNames } from "../../../schema/record-change.ts";
import { type ChangedRecord, changedRecords, concernsAccess } from "./log.ts";

export const ACCESS_KINDS = ["member", "teamMember", "collection", "space", "permission"] as const;

/** Changed records that can change an effective role, by kind. */
export class AccessChanges {
  /** The members who joined or left, or whose organization role changed, by user id. */
  readonly people = new Map<string, ChangedRecord>();
  /** The contents that were added, removed or moved, or whose default level changed. */
  readonly contents = new Map<ContentKey, ChangedRecord>();
  /** Permissions, except those of users in `people`. */
  readonly permissions: ChangedRecord[] = [];
  /** Team memberships, except those of users in `people`. */
  readonly memberships: ChangedRecord[] = [];
  readonly #known = new Map<string, ChangedRecord>();
  readonly #records: readonly ChangedRecord[];

  constructor(records: readonly ChangedRecord[]) {
    this.#records = records;
    for (const record of records) if (record.kind === "member") this.#add(record);
    for (const record of records) if (record.kind !== "member" && concernsAccess(record)) this.#add(record);
  }

  #add(record: ChangedRecord): void {
    this.#known.set(keyOfRecord(record), record);
    const { kind, member, content } = record;
    if (kind === "member") this.people.set(member ?? "", record);
    else if (kind === "collection" || kind === "space") {
      if (content !== undefined) this.contents.set(content, record);
    } else if (member === undefined || !this.people.has(member)) {
      (kind === "permission" ? this.permissions : this.memberships).push(record);
    }
  }

  /** These changes, without the permissions and memberships of the given users. */
  without(users: readonly string[]): AccessChanges {
    const without = new Set(users);
    return new AccessChanges(
      this.#records.filter(
        ({ kind, member }) => kind === "member" || member === undefined || !without.has(member),
      ),
    );
  }

  /** The changed record with these key fields; `undefined` if the record did not change. */
  of(names: RecordNames): ChangedRecord | undefined {
    return this.#known.get(keyOfRecord(names));
  }
}

export async function accessChanges(
  reader: Reader,
  earlier: Revision,
  later: Revision,
): Promise<AccessChanges> {
  return new AccessChanges(await changedRecords(reader, earlier, later, ACCESS_KINDS));
}
