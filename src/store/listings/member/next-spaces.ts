/**
 * Finds a member's spaces by reading the next spaces and deciding each one. This is enough for a page if the member
 * sees most spaces.
 */
import { contentKey } from "../../../domain/content.ts";
import { decide, type Decision, type Ladder } from "../../../domain/ladder.ts";
import type { Role } from "../../../domain/role.ts";
import { type Order, type Place, placeAfter } from "../../sets/chunks.ts";
import type { Content } from "../../directory/content.ts";
import { ladderOf, laddersOf } from "../../directory/inheritance.ts";
import { grantsOnSpaces, levelsOfSpaces } from "../../directory/next-ladders.ts";
import { isSparse, nextPositions } from "../../directory/rows/position-rows.ts";
import { type Member, subjectOn } from "../../directory/members.ts";
import type { Reading } from "../../reading.ts";
import { SPACES } from "../../schema/set-names.ts";
import { nextSpaces, spacesAt, type SpaceRow, type SpaceWithLevel } from "../../directory/rows/space-rows.ts";
import { teamsOn } from "./teams-on-spaces.ts";

/** A space with the role that a member has on it. */
export interface MemberSpace extends SpaceRow {
  readonly role: Role;
  /** Why, and where the space is; absent if the space was found by sets. */
  readonly explained?: ExplainedSpace;
}

export interface ExplainedSpace {
  readonly level: SpaceWithLevel["level"];
  readonly decision: Decision;
}

/** The number of reads after which the page continues with sets. */
const LOOKS = 4;

/**
 * The number of spaces to read per entry of a page: in the first read, and at most. Above 1, because some spaces may be
 * closed to the member.
 */
const SPARE = 1.4;
const MOST_SPARE = 4;

/** The spaces found so far. `next` is where to continue with sets; `undefined` if the page is complete. */
interface Looked {
  readonly entries: readonly MemberSpace[];
  readonly next: Place | undefined;
}

/** Reads the next spaces from `first` on, in at most {@link LOOKS} reads, until `count` spaces have a role. */
export async function lookAtNext(
  reading: Reading,
  member: Member,
  order: Order,
  first: Place,
  count: number,
  role?: Role,
): Promise<Looked> {
  const entries: MemberSpace[] = [];
  let spare = SPARE;
  let from = first;
  for (let looks = 0; looks < LOOKS; looks++) {
    const size = Math.ceil(spare * (count - entries.length));
    const look = reading.remote ? lookAtOnce : lookInTurn;
    const { seen, found: all, next } = await look(reading, member, from, order, size);
    const found = role === undefined ? all : all.filter((entry) => entry.role === role);
    entries.push(...found);
    if (entries.length >= count) return { entries: entries.slice(0, count), next: undefined };
    if (isSparse(seen, size, next)) return { entries, next };
    spare = Math.min(MOST_SPARE, (SPARE * seen) / Math.max(1, found.length));
    const following = next ?? (await placeAfter(reading, SPACES, from.chunk, order));
    if (following === undefined) return { entries, next: undefined };
    from = following;
    // Stops early if a whole read found nothing. The first read does not count, because it is small.
    if (looks > 0 && found.length === 0) break;
  }
  return { entries, next: from };
}

/** The result of one read of spaces. */
interface Look {
  readonly seen: number;
  /** The spaces on which the member has a role. */
  readonly found: readonly MemberSpace[];
  /** Where the chunk of these spaces continues; `undefined` at the end of the chunk. */
  readonly next: Place | undefined;
}

async function lookInTurn(
  reading: Reading,
  member: Member,
  from: Place,
  order: Order,
  size: number,
): Promise<Look> {
  const { spaces, next } = await nextSpaces(reading, from, order, size);
  const found = spaces.length === 0 ? [] : await decided(reading, member, spaces);
  return { seen: spaces.length, found, next };
}

/** Returns what `lookInTurn` returns, in one round trip: reads the spaces together with their ladders. */
async function lookAtOnce(
  reading: Reading,
  member: Member,
  from: Place,
  order: Order,
  size: number,
): Promise<Look> {
  const { positions, next } = nextPositions(from, order, size);
  const [rows, levels, direct] = await Promise.all([
    spacesAt(reading, positions),
    levelsOfSpaces(reading, positions, member.teams),
    grantsOnSpaces(reading, positions, member),
  ]);
  const spaces = positions.flatMap((position) => rows.get(position) ?? []);
  const found = spaces.flatMap((space) => {
    const level = levels.get(contentKey("space", space.id));
    if (level === undefined) throw new Error(`The space ${space.id} is not among the contents.`);
    const decision = decide(ladderOf(level, levels), { ...member, direct });
    return decision === undefined ? [] : [{ ...space, role: decision.role, explained: { level, decision } }];
  });
  return { seen: spaces.length, found, next };
}

const NO_TEAMS: ReadonlyMap<string, Role> = new Map();

async function decided(
  reading: Reading,
  member: Member,
  spaces: readonly SpaceWithLevel[],
): Promise<MemberSpace[]> {
  const parents = spaces.flatMap(({ level }) => parentOf(level) ?? []);
  const above = await laddersOf(reading, [...new Set(parents)]);
  const given = await teamsOn(reading, member, spaces);
  const ladders = spaces.map(({ level }, index): Ladder => {
    const teams = given[index] ?? NO_TEAMS;
    const higher = above.get(parentOf(level) ?? level.content) ?? [];
    // A level that inherits, and on which the member has no permission, decides nothing.
    const isSilent =
      teams.size === 0 && higher.length > 0 && !member.many && !member.direct.has(level.content);
    return isSilent ? higher : [{ ...level, teams }, ...higher];
  });
  const subject = await subjectOn(reading, member, ladders);
  return spaces.flatMap(({ id, key, document, level }, index) => {
    const decision = decide(ladders[index] ?? [], subject);
    if (decision === undefined) return [];
    return [{ id, key, document, role: decision.role, explained: { level, decision } }];
  });
}

/** The collection from which a space inherits; `undefined` if the space does not inherit. */
function parentOf({ defaultLevel, parent }: SpaceWithLevel["level"]): Content["parent"] {
  return defaultLevel === "inherit" ? parent : undefined;
}
