import { decide } from "../../domain/access.ts";
import { contentKey } from "../../domain/content.ts";
import type { Document } from "../../domain/document.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import type { Role } from "../../domain/role.ts";
import { type Candidate, namedMembers } from "../candidates.ts";
import { posting } from "../codes.ts";
import { type Statement, statement } from "../engine.ts";
import { contents, ladderOf } from "../levels.ts";
import { type Heads, mergeHeads } from "../merge.ts";
import type { PlanName } from "../plan.ts";
import { spaceAt } from "../position.ts";
import type { Reading } from "../reading.ts";
import { factsOf, type Posting } from "../target.ts";

export type Order = "asc" | "desc";

export interface MemberSpace {
  readonly id: string;
  readonly role: Role;
  readonly document: Document;
  readonly position: string;
}

/** A guest goes through their own sources; others go through all spaces while one in so many is open to them. */
const SPARSE = 8;
const LARGEST_BLOCK = 4096;

const START: Readonly<Record<Order, string>> = { asc: "", desc: "~" };

const HEADS: Readonly<Record<Order, Heads>> = {
  asc: { statement: heads(">", "ASC"), compare: (a, b) => (a < b ? -1 : Number(a > b)) },
  desc: { statement: heads("<", "DESC"), compare: (a, b) => (a > b ? -1 : Number(a < b)) },
};

function heads(behind: string, order: string): Statement<[list: string, position: string]> {
  return statement(
    ({ texts, each }) => `
      SELECT wanted.value, head.value FROM ${texts("$2", "wanted")} ${each(
        `SELECT position FROM space_posting
          WHERE snapshot = $1 AND source = wanted.value AND position ${behind} $3
          ORDER BY position ${order} LIMIT $4`,
        "position",
        "head",
      )}`,
  );
}

/**
 * Every space on which a member has an effective role, by creation, then id (endpoint 7). `member` comes with all
 * of their teams.
 */
export async function memberSpaces(
  reading: Reading,
  member: Candidate,
  order: Order,
  request: PageRequest<string>,
  role?: Role,
  forced?: PlanName,
): Promise<Page<MemberSpace, string>> {
  const postings = await postingsFor(reading, member, forced);
  const entries: MemberSpace[] = [];
  let after = request.after ?? START[order];
  for (let size = request.limit + 1; ; size = Math.min(2 * size, LARGEST_BLOCK)) {
    const { keys, upTo } = await mergeHeads(reading, HEADS[order], postings, after, size);
    for (const entry of await decideSpaces(reading, member, keys)) {
      if (role === undefined || entry.role === role) entries.push(entry);
    }
    if (upTo === undefined || entries.length > request.limit) break;
    after = upTo;
  }
  return pageOf(entries, request.limit, ({ position }) => position);
}

async function postingsFor(reading: Reading, member: Candidate, forced?: PlanName): Promise<Posting[]> {
  const { spaces, openSpaces } = reading.at.counts;
  if (spaces === 0) return [];
  const open = member.role === null ? 0 : openSpaces;
  const dense = member.role === "admin" || open * SPARSE > spaces;
  if (forced === undefined ? dense : forced === "drive" || member.role === "admin") {
    return [{ key: posting.all, size: spaces }];
  }
  const holders = [posting.user(member.id), ...member.teams.map((team) => posting.team(team))];
  const collections = await reading.read(COLLECTIONS, reading.snapshot, holders);
  const keys = [...holders, ...collections.map(([collection]) => posting.under(collection))];
  const own = keys.map((key) => ({ key, size: 1 }));
  return member.role === null ? own : [...own, { key: posting.open, size: 1 }];
}

const COLLECTIONS = statement<[collection: string]>(
  ({ texts }) => `
    SELECT DISTINCT c.collection FROM ${texts("$2", "holder")} CROSS JOIN collection_posting c
      WHERE c.snapshot = $1 AND c.source = holder.value`,
);

async function decideSpaces(
  reading: Reading,
  member: Candidate,
  positions: readonly string[],
): Promise<MemberSpace[]> {
  const keys = positions.map((position) => contentKey("space", spaceAt(position)));
  const loaded = await contents(reading, keys);
  const ladders = keys.flatMap((key) => {
    const space = loaded.get(key);
    return space === undefined ? [] : [ladderOf(space, loaded)];
  });
  const { direct } = factsOf(ladders);
  const held =
    direct.length === 0 ? member : (await namedMembers(reading, [member.id], { direct, teams: true }))[0];
  const entries: MemberSpace[] = [];
  for (const ladder of ladders) {
    const space = ladder[0];
    const decision = decide(ladder, held ?? member);
    if (space?.position === undefined || decision === undefined) continue;
    entries.push({
      id: spaceAt(space.position),
      role: decision.role,
      document: space.document,
      position: space.position,
    });
  }
  return entries;
}
