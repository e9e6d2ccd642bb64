/**
 * Resolves a change file against one revision (docs/changes.md): which records it adds, changes and removes, or what
 * is wrong with it. The order of events: read the stored records that it names, find the dependents of those that it
 * removes, check what it refers to, compare.
 */
import type { Reading } from "../../reading.ts";
import { storedTexts, type StoredTexts } from "../../rows/look-up.ts";
import {
  accessFieldsOf,
  keyOfRecord,
  RECORD_KINDS,
  type RecordChange,
  type RecordKind,
  type RecordNames,
} from "../../../domain/record-change.ts";
import { type ChangeCounts, ofEachKind } from "../../schema/record-change.ts";
import { nestingFaults, referenceFaults } from "./checks.ts";
import { type Edit, type Edits, type Fault, referencesOf } from "./edits.ts";
import { resolveRemovals } from "./removals.ts";

export interface ResolvedChange {
  readonly faults?: undefined;
  /** The organization's title after the change. */
  readonly title: string;
  readonly records: readonly RecordChange[];
  readonly counts: CountsByKind;
}

/** Resolves edits against the revision that is read. */
export async function resolve(
  reading: Reading,
  edits: Edits,
): Promise<{ readonly faults: readonly Fault[] } | ResolvedChange> {
  const stored = await storedTexts(reading, namedIn(edits));
  const { title } = reading.at;
  stored.set(keyOfRecord({ kind: "organization" }), title);
  const { along, faults: kept } = await resolveRemovals(reading, edits, stored);
  const faults = [...referenceFaults(edits, stored), ...kept];
  // Nesting can only be checked if all parents exist.
  const found = faults.length > 0 ? faults : await nestingFaults(reading, edits, stored);
  if (found.length > 0) return { faults: found.toSorted((one, other) => one.line - other.line) };
  return { title: titleAfter(edits, title), ...changed(edits, stored, along) };
}

function titleAfter(edits: Edits, title: string): string {
  return edits.get({ kind: "organization" })?.becomes ?? title;
}

/** The records that a file names, those to which they refer, and the contents into which it moves others. */
function namedIn(edits: Edits): RecordNames[] {
  return [...edits.all].flatMap((edit) => {
    const { kind, becomes } = edit;
    const isContent = kind === "collection" || kind === "space";
    const content = isContent && becomes !== undefined ? accessFieldsOf(becomes).parent : undefined;
    const parent = content === undefined ? [] : [{ kind: "collection", content } as const];
    return [edit, ...parent, ...referencesOf(edit).map(({ names }) => names)];
  });
}

/** The changes of a valid file. A user record is removed with its member. */
function changed(
  edits: Edits,
  stored: StoredTexts,
  along: readonly RecordChange[],
): Pick<ResolvedChange, "records" | "counts"> {
  const leaving = edits.of("member").filter(({ becomes }) => becomes === undefined);
  const users = leaving.map((edit): Edit => ({ ...edit, kind: "user" }));
  const records: RecordChange[] = [];
  const counts = noCounts();
  for (const edit of [...edits.all, ...users]) {
    const { kind, member, team, content, site, becomes } = edit;
    const was = stored.get(keyOfRecord(edit));
    if (was === undefined) counts[kind].added++;
    else if (becomes === undefined) counts[kind].removed++;
    else counts[kind][was === becomes ? "unchanged" : "changed"]++;
    if (was !== becomes) records.push({ kind, member, team, content, site, was, becomes });
  }
  for (const { kind } of along) counts[kind].removed++;
  return { records: [...records, ...along], counts };
}

/** The number of records of one kind: entries of the file, and dependents removed with a record. */
export interface RecordCounts extends ChangeCounts {
  unchanged: number;
}

export type CountsByKind = Record<RecordKind, RecordCounts>;

export function noCounts(): CountsByKind {
  return ofEachKind(() => ({ added: 0, changed: 0, removed: 0, unchanged: 0 }));
}

export function isChanged(counts: CountsByKind): boolean {
  return RECORD_KINDS.some((kind) => counts[kind].added + counts[kind].changed + counts[kind].removed > 0);
}
