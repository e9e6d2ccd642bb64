import { sourcesOf } from "../domain/access.ts";
import { compareIds } from "../domain/order.ts";
import type { Role } from "../domain/role.ts";
import type { KeptMembers } from "./cache.ts";
import { namedMembers } from "./candidates.ts";
import { statement } from "./engine.ts";
import type { Content } from "./content.ts";
import type { Chosen } from "./plan.ts";
import type { Reading } from "./reading.ts";
import { slices } from "./slices.ts";
import { carrying, type Posting, type Target } from "./target.ts";

/** How many members are kept of one listing, so that what is remembered stays small. */
const KEEP = 100_000;

/** The members of some lists who are in none of some others. */
const DIFFERENCE = statement<[member: string]>(
  ({ texts }) => `
    SELECT member FROM (
      SELECT p.member FROM ${texts("$2", "wanted")} CROSS JOIN posting p
        WHERE p.snapshot = $1 AND p.source = wanted.value AND p.member > $4 AND p.member <= $5
      EXCEPT
      SELECT p.member FROM ${texts("$3", "nearer")} CROSS JOIN posting p
        WHERE p.snapshot = $1 AND p.source = nearer.value AND p.member > $4 AND p.member <= $5
    ) kept ORDER BY member LIMIT $6`,
);

/**
 * The plan for a role filter that nearly every candidate fails because a nearer source outranks it: subtracts the
 * lists from each other once, slice by slice, and remembers who is left. The cost is one of the first page only, once
 * per snapshot (contract, section 5).
 */
export function keepers(reading: Reading, target: Target<{ role: Role }>, role: Role): Chosen {
  const listing = `${role}/${target.name}`;
  const keep = (after: string) =>
    reading.cache.keepMembers(reading.at, listing, after, () =>
      subtract(reading, target.ladders[0] ?? [], role, after),
    );
  const next = async (after: string, size: number) => {
    let kept = reading.cache.keptMembers(reading.at, listing);
    if (kept === undefined || !covers(kept, after)) {
      // From the start where that may reach this page, so that every page of the listing is served by it.
      const cut = kept?.after === "" && kept.upTo !== undefined && compareIds(after, kept.upTo) >= 0;
      kept = await keep(cut ? after : "");
      if (!covers(kept, after)) kept = await keep(after);
    }
    const start = firstBehind(kept.ids, after);
    const ids = kept.ids.slice(start, start + size);
    const upTo = start + size < kept.ids.length ? ids.at(-1) : kept.upTo;
    return { candidates: await namedMembers(reading, ids, target.facts), upTo };
  };
  return { next, yield: 1 };
}

/** Whether the members behind `after` are already known. */
export function isKept(reading: Reading, target: Target<{ role: Role }>, role: Role, after: string): boolean {
  const kept = reading.cache.keptMembers(reading.at, `${role}/${target.name}`);
  return kept !== undefined && covers(kept, after);
}

function covers({ after: from, upTo }: KeptMembers, after: string): boolean {
  return compareIds(from, after) <= 0 && (upTo === undefined || compareIds(after, upTo) < 0);
}

/** How many of the sorted `ids` do not lie behind `after`. */
function firstBehind(ids: readonly string[], after: string): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareIds(ids[middle] ?? "", after) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function subtract(
  reading: Reading,
  ladder: readonly Content[],
  role: Role,
  after: string,
): Promise<KeptMembers> {
  const levels = new Map(ladder.map((level) => [level.content, level]));
  const nearer: Posting[] = [];
  const asked: Promise<string[]>[] = [];
  for (const source of sourcesOf(ladder)) {
    const wanted = carrying(source, levels, reading.at.counts, role).filter(({ size }) => size > 0);
    if (wanted.length > 0) asked.push(difference(reading, wanted, [...nearer], after));
    nearer.push(...carrying(source, levels, reading.at.counts));
  }
  const parts = await Promise.all(asked);
  const bounds = parts.filter((part) => part.length === KEEP).map((part) => part.at(-1) ?? "");
  const upTo = bounds.sort(compareIds)[0];
  const ids = [...new Set(parts.flat())]
    .filter((id) => upTo === undefined || compareIds(id, upTo) <= 0)
    .sort(compareIds);
  return { after, ids, upTo };
}

/** The members of some lists who are in none of some others, in order; the first of them where they are very many. */
async function difference(
  reading: Reading,
  wanted: readonly Posting[],
  nearer: readonly Posting[],
  from: string,
): Promise<string[]> {
  const these = wanted.map(({ key }) => key);
  const others = nearer.map(({ key }) => key);
  const kept: string[] = [];
  for await (const { after, upTo } of slices(reading, [...wanted, ...nearer], from)) {
    const room = KEEP - kept.length;
    const rows = await reading.read(DIFFERENCE, reading.snapshot, these, others, after, upTo, room);
    for (const [member] of rows) kept.push(member);
    if (kept.length === KEEP) break;
  }
  return kept;
}
