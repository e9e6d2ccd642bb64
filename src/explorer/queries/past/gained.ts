/** Finds the people who are in a list only at the later of two revisions, by folding both. */
import { rank, ROLES } from "../../../domain/role.ts";
import { EMPTY } from "../../../sets/head.ts";
import { chunkOf, positionAt } from "../../../sets/position.ts";
import { addAll, noSlots, removeAll, slotsFrom, type Words } from "../../../sets/words.ts";
import { Turns } from "../../../store/turns.ts";
import type { AccessQuery, Found } from "../../../store/listings/access-query/query.ts";
import type { Reading } from "../../../store/reading.ts";
import type { Sides } from "../../../store/revisions/diff/contents/forest.ts";
import type { ChangedRecord } from "../../../store/revisions/diff/log/log.ts";
import { Alignment } from "../../../store/revisions/diff/walk/alignment.ts";
import { positionsOf } from "../../../store/revisions/diff/walk/plan.ts";
import { SideSets } from "../../../store/revisions/diff/walk/side-sets.ts";
import { MEMBERS } from "../../../store/schema/set-names.ts";
import { headsOf } from "../../../store/sets/set-store.ts";
import type { Audience } from "./audience.ts";

/** With more changed members than this, all chunks are folded: to look up the members' positions would cost more. */
const MANY = 10_000;

/**
 * The positions of people who are in a list now and were not before. `records` are the changes that can add somebody.
 */
export async function gainedIn(
  { before, after }: Sides,
  { query }: Audience,
  records: readonly ChangedRecord[],
): Promise<number[]> {
  const now = await query(after);
  if (now === undefined || records.length === 0) return [];
  const then = await query(before);
  const sets = then && (await setsOf(before, then));
  const chunks = await chunksOf(after, records);
  const opened = await now.sets.open(after);
  const alignment = await Alignment.of({ before, after });
  const found: number[] = [];
  const turns = new Turns(1);
  for (const aligned of alignment.chunks) {
    const { number } = aligned.chunk;
    if (chunks?.has(number) === false || !now.has(opened, number)) continue;
    const [slots = []] = await now.read(after, opened, [number]);
    const has = everyoneIn(now.fold(slots));
    const had = then && sets && everyoneIn(then.fold(await alignment.read(sets, aligned)));
    for (const slot of slotsFrom(removeAll(has, had))) found.push(positionAt(number, slot));
    await turns.give();
  }
  return found;
}

async function setsOf(reading: Reading, { sets: { names } }: AccessQuery): Promise<SideSets> {
  const heads = await headsOf(reading, MEMBERS, names);
  return new SideSets(names, new Map(names.map((name, place) => [name, heads[place] ?? EMPTY])));
}

/** The chunks in which the records can add somebody; `undefined` for all chunks. */
async function chunksOf(
  reading: Reading,
  records: readonly ChangedRecord[],
): Promise<ReadonlySet<number> | undefined> {
  const users = new Set<string>();
  for (const { member } of records) {
    if (member === undefined) return undefined;
    users.add(member);
  }
  if (users.size > MANY) return undefined;
  return new Set([...(await positionsOf(reading, [...users])).values()].map(chunkOf));
}

/** All slots with a role. */
function everyoneIn({ results }: Found): Words {
  const words = noSlots();
  for (const role of ROLES) addAll(words, results[rank(role)]);
  return words;
}
