import { decide, type Decision } from "../../domain/access.ts";
import type { ContentKey } from "../../domain/content.ts";
import type { Document } from "../../domain/document.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import type { Role } from "../../domain/role.ts";
import type { Content } from "../content.ts";
import { blockSize } from "../block-size.ts";
import type { Member } from "../candidates.ts";
import { posting } from "../codes.ts";
import { statement } from "../engine.ts";
import { collectionsGivenTo } from "../collections-given.ts";
import { type Heads, headsOf, mergeHeads, type Order, SPACE_LISTS } from "../heads.ts";
import { ladderInCache, ladderOf, loadAbove } from "../levels.ts";
import { subjectOn } from "../members.ts";
import type { PlanName } from "../plan.ts";
import { spaceAt } from "../position.ts";
import type { Reading } from "../reading.ts";
import { headStretch, nextStretch, type Stretch } from "../space-stretch.ts";
import { nextSpaces, type Space, spacesAt } from "../spaces.ts";

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
  /** All that they inherit from, where that came along. */
  readonly above?: Stretch["above"];
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
  member: Member,
  order: Order,
  request: PageRequest<string>,
  role?: Role,
  forced?: PlanName,
): Promise<Page<MemberSpace, string>> {
  const plan = planFor(reading, member, order, forced);
  const entries: MemberSpace[] = [];
  let after = request.after ?? START[order];
  let seen = 0;
  let size = blockSize(request.limit + 1, plan.yield);
  for (;;) {
    const { spaces, upTo, above } = await plan.next(after, size);
    for (const entry of await decideSpaces(reading, member, spaces, above)) {
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
function planFor(reading: Reading, member: Member, order: Order, forced?: PlanName): Plan {
  const { spaces, openSpaces } = reading.at.counts;
  const open = member.role === null ? 0 : openSpaces;
  const dense = member.role === "admin" || open * SPARSE > spaces;
  const driven = forced === undefined ? dense : forced === "drive" || member.role === "admin";
  const part = !driven || member.role === "admin" ? 1 : open / spaces;
  if (reading.distant) {
    const next = driven ? driveAtOnce(reading, order) : mergeAtOnce(reading, member, order);
    return { next, yield: part };
  }
  if (driven) {
    const next = async (after: string, size: number) => {
      const found = await nextSpaces(reading, order, after, size);
      return { spaces: found, upTo: found.length < size ? undefined : found.at(-1)?.position };
    };
    return { next, yield: part };
  }
  const next = async (after: string, size: number) => {
    const lists = listsOf(member, await collectionsGivenTo(reading, member.id));
    const share = shareOf(lists, size);
    const { keys, upTo } = await mergeHeads(reading, HEADS[order], lists, share, after, size);
    return { spaces: await spacesAt(reading, keys), upTo };
  };
  return { next, yield: part };
}

function driveAtOnce(reading: Reading, order: Order): Plan["next"] {
  return async (after, size) => {
    const { spaces, above } = await nextStretch(reading, order, after, size);
    return { spaces, above, upTo: spaces.length < size ? undefined : spaces.at(-1)?.position };
  };
}

function mergeAtOnce(reading: Reading, member: Member, order: Order): Plan["next"] {
  return async (after, size) => {
    const lists = listsOf(member, await collectionsGivenTo(reading, member.id));
    const share = shareOf(lists, size);
    const [{ keys, upTo }, { spaces, above }] = await Promise.all([
      mergeHeads(reading, HEADS[order], lists, share, after, size),
      headStretch(reading, order, lists, after, share, size),
    ]);
    const complete = new Set(keys);
    return { spaces: spaces.filter(({ position }) => complete.has(position)), above, upTo };
  };
}

/** How many to read of each list. Their sizes are not known: as if a quarter of them had all the spaces. */
function shareOf(lists: readonly string[], size: number): number {
  return Math.min(size, Math.ceil((4 * size) / lists.length) + 3);
}

const HEADS: Readonly<Record<Order, Heads>> = {
  asc: { statement: heads("asc"), compare: (a, b) => (a < b ? -1 : Number(a > b)) },
  desc: { statement: heads("desc"), compare: (a, b) => (a > b ? -1 : Number(a < b)) },
};

function heads(order: Order): Heads["statement"] {
  return statement((dialect) => `SELECT list.value, head.value FROM ${headsOf(dialect, SPACE_LISTS, order)}`);
}

/** The lists that together hold every space on which the member can have a role. */
function listsOf(member: Member, collections: readonly string[]): string[] {
  const holders = [posting.user(member.id), ...member.teams.map((team) => posting.team(team))];
  const keys = [...holders, ...collections.map((collection) => posting.under(collection))];
  return member.role === null ? keys : [...keys, posting.open];
}

async function decideSpaces(
  reading: Reading,
  member: Member,
  spaces: readonly Space[],
  above?: Stretch["above"],
): Promise<MemberSpace[]> {
  const ladders = await laddersOf(reading, spaces, above);
  const subject = await subjectOn(reading, member, ladders);
  return spaces.flatMap(({ position, document }, index) => {
    const decision = decide(ladders[index] ?? [], subject);
    return decision === undefined
      ? []
      : [{ id: spaceAt(position), role: decision.role, decision, document, position }];
  });
}

async function laddersOf(
  reading: Reading,
  spaces: readonly Space[],
  above: Stretch["above"] | undefined,
): Promise<(readonly Content[])[]> {
  const contents = spaces.map(({ content }) => content);
  if (above !== undefined) return contents.map((content) => ladderOf(content, above));
  const known = contents.map((content) => ladderInCache(reading, content));
  const loaded = new Map<ContentKey, Content>();
  const unknown = contents.filter((_, index) => known[index] === undefined);
  if (unknown.length > 0) await loadAbove(reading, unknown, loaded);
  return contents.map((content, index) => known[index] ?? ladderOf(content, loaded));
}
