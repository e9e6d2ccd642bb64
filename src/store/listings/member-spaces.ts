import { decide, type Decision } from "../../domain/access.ts";
import { contentKey, type ContentKey } from "../../domain/content.ts";
import type { Document } from "../../domain/document.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import type { Role } from "../../domain/role.ts";
import { blockSize } from "../block-size.ts";
import { type Candidate, namedMembers } from "../candidates.ts";
import { posting } from "../codes.ts";
import { type Statement, statement } from "../engine.ts";
import { ladderOf, loadAbove } from "../levels.ts";
import { type Heads, mergeHeads } from "../merge.ts";
import type { PlanName } from "../plan.ts";
import { spaceAt } from "../position.ts";
import type { Reading } from "../reading.ts";
import { nextSpaces, type Order, type Space, spacesAt } from "../spaces.ts";
import { factsOf, type Posting } from "../target.ts";

export type { Order };

export interface MemberSpace {
  readonly id: string;
  readonly role: Role;
  readonly decision: Decision;
  readonly document: Document;
  readonly position: string;
}

/** Some spaces in order. Every space up to `upTo` that can be listed is among them; it is absent at the end. */
interface Block {
  readonly spaces: readonly Space[];
  readonly upTo: string | undefined;
}

interface Plan {
  readonly next: (after: string, size: number) => Promise<Block>;
  /** Which part of the spaces can be expected to be listed. */
  readonly yield: number;
}

/** Below one open space in so many, merging a member's own lists reads less than going through all spaces. */
const SPARSE = 8;

const START: Readonly<Record<Order, string>> = { asc: "", desc: "~" };

/**
 * Every space on which a member has an effective role, by creation, then id (endpoint 7); with `role`, those on which
 * it is that one. `member` comes with all of their teams.
 */
export async function memberSpaces(
  reading: Reading,
  member: Candidate,
  order: Order,
  request: PageRequest<string>,
  role?: Role,
  forced?: PlanName,
): Promise<Page<MemberSpace, string>> {
  const plan = await planFor(reading, member, order, forced);
  const held = await heldBy(reading, member);
  const entries: MemberSpace[] = [];
  let after = request.after ?? START[order];
  let seen = 0;
  let size = blockSize(request.limit + 1, plan.yield);
  for (;;) {
    const { spaces, upTo } = await plan.next(after, size);
    for (const entry of await decideSpaces(reading, member, held, spaces)) {
      if (role === undefined || entry.role === role) entries.push(entry);
    }
    if (upTo === undefined || entries.length > request.limit) break;
    after = upTo;
    seen += spaces.length;
    size = Math.min(2 * size, blockSize(request.limit + 1 - entries.length, entries.length / seen));
  }
  return pageOf(entries, request.limit, ({ position }) => position);
}

/** Drives through all spaces where most are open to the member; otherwise merges what the member was given. */
async function planFor(reading: Reading, member: Candidate, order: Order, forced?: PlanName): Promise<Plan> {
  const { spaces, openSpaces } = reading.at.counts;
  const open = member.role === null ? 0 : openSpaces;
  const dense = member.role === "admin" || open * SPARSE > spaces;
  if (forced === undefined ? dense : forced === "drive" || member.role === "admin") {
    const next = async (after: string, size: number) => {
      const found = await nextSpaces(reading, order, after, size);
      return { spaces: found, upTo: found.length < size ? undefined : found.at(-1)?.position };
    };
    return { next, yield: member.role === "admin" ? 1 : open / spaces };
  }
  const postings = await postingsOf(reading, member);
  const next = async (after: string, size: number) => {
    const { keys, upTo } = await mergeHeads(reading, HEADS[order], postings, after, size);
    return { spaces: await spacesAt(reading, keys), upTo };
  };
  return { next, yield: 1 };
}

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

/** The lists that together hold every space on which the member can have a role. Their sizes are not known. */
async function postingsOf(reading: Reading, member: Candidate): Promise<Posting[]> {
  const holders = [posting.user(member.id), ...member.teams.map((team) => posting.team(team))];
  const collections = await reading.read(COLLECTIONS, reading.snapshot, holders);
  const keys = [...holders, ...collections.map(([collection]) => posting.under(collection))];
  if (member.role !== null) keys.push(posting.open);
  return keys.map((key) => ({ key, size: 1 }));
}

const COLLECTIONS = statement<[collection: string]>(
  ({ texts }) => `
    SELECT DISTINCT c.collection FROM ${texts("$2", "holder")} CROSS JOIN collection_posting c
      WHERE c.snapshot = $1 AND c.source = holder.value`,
);

/** Members who hold more are asked about the contents of the page instead. */
const FEW = 100;

const HELD = statement<[kind: "space" | "collection", entry: string]>(
  () => `
    SELECT 'collection', collection FROM (
      SELECT collection FROM collection_posting WHERE snapshot = $1 AND source = $2 ORDER BY collection LIMIT ${FEW}) c
    UNION ALL
    SELECT 'space', position FROM (
      SELECT position FROM space_posting WHERE snapshot = $1 AND source = $2 ORDER BY position LIMIT ${FEW}) s`,
);

/** The contents on which a member holds a direct permission; `undefined` where they are many. */
async function heldBy(reading: Reading, member: Candidate): Promise<Set<ContentKey> | undefined> {
  const rows = await reading.read(HELD, reading.snapshot, posting.user(member.id));
  if (rows.length >= FEW) return undefined;
  return new Set(rows.map(([kind, entry]) => contentKey(kind, kind === "space" ? spaceAt(entry) : entry)));
}

async function decideSpaces(
  reading: Reading,
  member: Candidate,
  held: ReadonlySet<ContentKey> | undefined,
  spaces: readonly Space[],
): Promise<MemberSpace[]> {
  const loaded = new Map(spaces.map(({ content }) => [content.content, content]));
  await loadAbove(reading, [...loaded.values()], loaded);
  const ladders = spaces.map(({ content }) => ladderOf(content, loaded));
  const direct = factsOf(ladders).direct.filter((key) => held === undefined || held.has(key));
  const [subject = member] =
    direct.length === 0 ? [] : await namedMembers(reading, [member.id], { direct, teams: true });
  return spaces.flatMap(({ position, document }, index) => {
    const decision = decide(ladders[index] ?? [], subject);
    return decision === undefined
      ? []
      : [{ id: spaceAt(position), role: decision.role, decision, document, position }];
  });
}
