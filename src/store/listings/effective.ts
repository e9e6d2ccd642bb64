import { setImmediate as breath } from "node:timers/promises";
import type { Document } from "../../domain/document.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import type { Role } from "../../domain/role.ts";
import { blockSize } from "../block-size.ts";
import { isKept, keepers } from "../outranked.ts";
import { type PlanName, planFor } from "../plan.ts";
import type { Reading } from "../reading.ts";
import type { Target } from "../target.ts";

/** One member with an effective role, and what decided it. */
export interface EffectiveEntry<Found> {
  readonly id: string;
  readonly document: Document;
  readonly found: Found;
}

/**
 * After a block of so many candidates, most of whom a role filter rejects, others get their turn. Other pages are made
 * in one: many who ask for the same one at once get what the first of them left.
 */
const MANY = 256;
/** After so many rejections, and so many for each that came out, a role filter is answered by subtraction. */
const PATIENCE = 2048;
const PATIENCE_EACH = 8;

/**
 * Everyone with an effective role on a target, by id; with `role`, those whose effective role it is (endpoints 3, 6
 * and 8). Blocks of candidates are decided upon until the page is full or the list has ended; an empty block is
 * not the end.
 */
export async function effectiveMembers<Found extends { role: Role }>(
  reading: Reading,
  target: Target<Found>,
  request: PageRequest<string>,
  role?: Role,
  forced?: PlanName,
): Promise<Page<EffectiveEntry<Found>, string>> {
  const subtractable = role !== undefined && target.ladders.length === 1 && forced === undefined;
  let after = request.after ?? "";
  let { next, yield: expected } =
    subtractable && isKept(reading, target, role, after)
      ? keepers(reading, target, role)
      : planFor(reading, target, role, forced);
  const entries: EffectiveEntry<Found>[] = [];
  let seen = 0;
  let size = blockSize(request.limit + 1, expected);
  for (;;) {
    const { candidates, upTo } = await next(after, size);
    for (const candidate of candidates) {
      const found = target.decide(candidate);
      if (found === undefined || (role !== undefined && found.role !== role)) continue;
      entries.push({ id: candidate.id, document: candidate.document, found });
    }
    if (upTo === undefined || entries.length > request.limit) break;
    after = upTo;
    seen += candidates.length;
    if (role !== undefined && candidates.length >= MANY) await breath();
    if (subtractable && seen - entries.length > PATIENCE + PATIENCE_EACH * entries.length)
      ({ next } = keepers(reading, target, role));
    size = Math.min(2 * size, blockSize(request.limit + 1 - entries.length, entries.length / seen));
  }
  return pageOf(entries, request.limit, ({ id }) => id);
}
