/** Combines recent changes, so that the guard judges many small changes together. */
import type { Connection } from "../../engine/engine.ts";
import { keyOfRecord, type RecordChange } from "../../../domain/record-change.ts";
import { recordOfRow } from "../../schema/record-change.ts";
import type { Reading } from "../../reading.ts";
import { inForce } from "../../revisions/publication.ts";
import { logged } from "../../rows/log.ts";

interface RecentRecord {
  readonly revision: number;
  readonly change: RecordChange;
}

interface RecentRecords {
  /** In the order of revisions. */
  entries: RecentRecord[];
  readonly generation: number;
  revision: number;
}

/** Reads recent changes. Caches what it has read of the log, so that each call reads only new entries. */
export class RecentChanges {
  readonly #window: number;
  readonly #known = new Map<string, RecentRecords>();

  /** `window` is how far the guard looks back, in milliseconds. */
  constructor(window: number) {
    this.#window = window;
  }

  /**
   * The revision at the start of the window, and the changes from there to `now`, combined with `further`. The window
   * begins later if a whole file or a new generation was written within it.
   */
  async until(
    connection: Pick<Connection, "dialect" | "read" | "remote">,
    now: Reading,
    further: readonly RecordChange[],
  ): Promise<{ readonly base: Reading; readonly changes: readonly RecordChange[] }> {
    const { organization, generation, revision } = now.at;
    const time = new Date(Date.now() - this.#window).toISOString();
    const base = await inForce(connection, organization, time);
    if (base === undefined || base.at.generation !== generation) return { base: now, changes: further };
    const kept = this.#known.get(organization);
    const known =
      kept?.generation === generation ? kept : { entries: [], generation, revision: base.at.revision };
    this.#known.set(organization, known);
    for await (const rows of logged(connection, generation, known.revision + 1, revision)) {
      for (const [made, ...record] of rows)
        known.entries.push({ revision: made, change: recordOfRow(record) });
    }
    known.revision = revision;
    known.entries = known.entries.filter((entry) => entry.revision > base.at.revision);
    return { base, changes: together([...known.entries.map(({ change }) => change), ...further]) };
  }
}

/** Combines the changes of each record. Records that have their first value again stay: now they have another one. */
function together(changes: readonly RecordChange[]): RecordChange[] {
  const found = new Map<string, RecordChange>();
  for (const change of changes) {
    const key = keyOfRecord(change);
    const before = found.get(key);
    found.set(key, before === undefined ? change : { ...change, was: before.was });
  }
  return [...found.values()];
}
