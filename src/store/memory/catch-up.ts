/** Holds what is in memory against the changes of later revisions. */
import { limit } from "../../sets/limit.ts";
import { compareIds } from "../../domain/id.ts";
import { GRACE } from "../writing/generation/sweep.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS } from "../schema/set-names.ts";

/** A longer read of changes may miss some that were deleted meanwhile, in milliseconds. */
const LONGEST_READ = GRACE / 2;

/** With more changed records than this, everything of the organization is loaded again. */
const MOST_RECORDS = limit("memory.changed-records", 10_000);

const CHANGED = statement<[member: string | null, content: string | null]>(
  () => `
    SELECT c.member, c.content FROM record_change c
      WHERE c.generation = $1 AND c.revision > $2 AND c.revision <= $3 LIMIT $4`,
);
/** A chunk that was opened, or that other keys moved to or from. */
const MOVED = statement<[chunk: number]>(
  () => `
    SELECT c.chunk FROM chunk c
      WHERE c.generation = $1 AND c.universe = ${MEMBERS} AND c.since > $2 AND c.since <= $3 LIMIT 1`,
);
const EARLIEST = statement<[earliest: number]>(() => "SELECT earliest FROM organization WHERE id = $1");

/** Call it before anything in memory is used that may be older than the revision of `reading`. */
export async function catchUp(reading: Reading): Promise<void> {
  const { cache, at } = reading;
  const known = cache.seenUpTo(at);
  if (known === undefined || known >= at.revision) return;
  const began = performance.now();
  const [changed, moved, [row]] = await Promise.all([
    reading.read(CHANGED, at.generation, known, at.revision, MOST_RECORDS + 1),
    reading.read(MOVED, at.generation, known, at.revision),
    reading.read(EARLIEST, at.organization),
  ]);
  // Pruning raises the earliest revision long before it deletes changes of revisions up to that one.
  const isInTime = performance.now() - began < LONGEST_READ;
  const isWhole = isInTime && changed.length <= MOST_RECORDS && row !== undefined && row[0] <= known;
  if (!isWhole) {
    cache.extend(known, at, undefined);
    return;
  }
  const members = new Set<string>();
  const contents = new Set<string>();
  const given = new Set<string>();
  for (const [member, content] of changed) {
    if (content === null) {
      if (member !== null) members.add(member);
    } else if (member === null) contents.add(content);
    else given.add(content);
  }
  const sorted = [...members].sort(compareIds);
  cache.extend(known, at, { members: sorted, haveMoved: moved.length > 0, contents, given });
}
