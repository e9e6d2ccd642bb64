/**
 * Finds the direct permissions that a decided report can remove without affecting anybody else, and the effect of
 * removing them.
 */
import { type ContentKey, kindOf } from "../../domain/content.ts";
import { decide } from "../../domain/ladder.ts";
import { rank, type Role, roleOf } from "../../domain/role.ts";
import { ladderFor } from "../../store/directory/inheritance.ts";
import type { Member } from "../../store/directory/members.ts";
import type { Reading } from "../../store/reading.ts";
import type { ContentTree } from "../../store/revisions/diff/users/content-tree.ts";
import { subjectsOf } from "../../store/revisions/diff/users/subjects.ts";
import { titledLadderOf, reasonAt } from "./titled-ladder.ts";
import { type DecidedRow, decidedBy } from "./row.ts";

export interface ChangedRole {
  readonly content: ContentKey;
  readonly user: string;
  readonly before: Role;
  /** Absent if no role is left. */
  readonly after: Role | undefined;
  /** Whether the report has a row for this user and content that was decided `remove`. */
  readonly isDecided: boolean;
}

/** A row that was decided `remove` and whose user keeps a role on the content. */
export interface LeftRow {
  readonly row: DecidedRow;
  /** The role that is left, and what gives it. */
  readonly role: Role;
  readonly reason: string;
  /** Why the direct permission on the content stays; absent if there is none or it is removed. */
  readonly stays?: string;
}

export interface UserRemovals {
  /** With all direct permissions: before the removals. */
  readonly member: Member;
  /** All rows of the user, whatever their decision. */
  readonly rows: readonly DecidedRow[];
  /** The contents on which the direct permission is removed. */
  readonly removed: ReadonlySet<ContentKey>;
  readonly changed: readonly ChangedRole[];
  readonly left: readonly LeftRow[];
}

/**
 * The removals, user by user. A direct permission is removed if the row of its content was decided `remove`, if the
 * user then has a lower role or none there, and if no row with another decision would change.
 */
export async function* removalsOf(
  reading: Reading,
  rows: readonly DecidedRow[],
  tree: ContentTree,
): AsyncGenerator<UserRemovals> {
  const byUser = Map.groupBy(rows, ({ user }) => user);
  for (const [user, own] of byUser) {
    const wanted = own.filter(({ decision }) => decidedBy(decision) === "remove");
    if (wanted.length === 0) continue;
    const member = (await subjectsOf(reading, [user])).get(user);
    if (member === undefined) continue;
    await tree.learn([member]);
    yield { rows: own, ...(await removalsOfUser(reading, tree, member, wanted, decidedOtherwise(own))) };
  }
}

/** The decisions other than `remove`, by content. Rows without a decision are left out. */
function decidedOtherwise(rows: readonly DecidedRow[]): Map<ContentKey, string> {
  const others = rows.filter(({ decision }) => !["remove", "open"].includes(decidedBy(decision)));
  return new Map(others.map(({ content, decision }) => [content, decision.trim()]));
}

async function removalsOfUser(
  reading: Reading,
  tree: ContentTree,
  member: Member,
  wanted: readonly DecidedRow[],
  others: ReadonlyMap<ContentKey, string>,
): Promise<Omit<UserRemovals, "rows">> {
  const decided = new Set(wanted.map(({ content }) => content));
  const isAdmin = member.role === "admin";
  const removed = new Set(isAdmin ? [] : [...decided].filter((content) => member.direct.has(content)));
  // Only from a collection can contents inherit.
  const isBelow = [...removed].some((content) => kindOf(content) === "collection");
  const concerned = isBelow ? tree.keys : [...decided];
  const rankOn = (subject: Member) =>
    isBelow ? byTree(tree, subject) : byLadders(reading, concerned, subject);
  const had = await rankOn(member);
  const stays = new Map<ContentKey, string>();
  // Repeated, because a permission that stays may be why another one must stay.
  for (;;) {
    const has = await rankOn(without(member, removed));
    const changed = changedRoles(concerned, had, has, member.id, decided);
    const kept = [...notLowered(had, has, removed), ...(await inTheWayOf(reading, member, changed, others))];
    if (kept.length === 0) {
      const then = without(member, removed);
      const left: LeftRow[] = [];
      for (const row of wanted) {
        const reason = has(row.content) === 0 ? undefined : await reasonFor(reading, then, row.content);
        if (reason === undefined) continue;
        const why = stays.get(row.content);
        left.push({
          row,
          role: roleOf(has(row.content)),
          reason,
          ...(why === undefined ? {} : { stays: why }),
        });
      }
      return { member, removed, changed, left };
    }
    for (const [content, why] of kept) {
      removed.delete(content);
      stays.set(content, why);
    }
  }
}

/** The rank of a role; 0 for no role. */
type RankOn = (content: ContentKey) => number;

function byTree(tree: ContentTree, member: Member): RankOn {
  const ranks = tree.ranksOf(member);
  return (content) => ranks[tree.numberOf(content) ?? -1] ?? 0;
}

async function byLadders(reading: Reading, contents: readonly ContentKey[], member: Member): Promise<RankOn> {
  const ranks = new Map<ContentKey, number>();
  for (const content of contents) {
    const ladder = await ladderFor(reading, content);
    const decision = ladder === undefined ? undefined : decide(ladder, member);
    if (decision !== undefined) ranks.set(content, rank(decision.role));
  }
  return (content) => ranks.get(content) ?? 0;
}

/** What gives a member's role, in words; `undefined` if there is no role. */
async function reasonFor(reading: Reading, member: Member, content: ContentKey): Promise<string | undefined> {
  const titled = await titledLadderOf(reading, content);
  const decision = titled && decide(titled.ladder, member);
  return titled && decision && reasonAt(titled, decision);
}

export function without(member: Member, removed: ReadonlySet<ContentKey>): Member {
  return { ...member, direct: new Map([...member.direct].filter(([content]) => !removed.has(content))) };
}

function changedRoles(
  concerned: readonly ContentKey[],
  had: RankOn,
  has: RankOn,
  user: string,
  decided: ReadonlySet<ContentKey>,
): ChangedRole[] {
  return concerned.flatMap((content): ChangedRole[] => {
    const [before, after] = [had(content), has(content)];
    if (before === after) return [];
    const role = after === 0 ? undefined : roleOf(after);
    return [{ content, user, before: roleOf(before), after: role, isDecided: decided.has(content) }];
  });
}

/** Permissions whose removal would not lower the user's role on their own content. */
function notLowered(
  had: RankOn,
  has: RankOn,
  removed: ReadonlySet<ContentKey>,
): (readonly [ContentKey, string])[] {
  return [...removed].flatMap((content) =>
    has(content) < had(content) ? [] : [[content, `without it the role is ${roleOf(has(content))}`] as const],
  );
}

/** Permissions whose removal would change a row with another decision. */
async function inTheWayOf(
  reading: Reading,
  member: Member,
  changed: readonly ChangedRole[],
  others: ReadonlyMap<ContentKey, string>,
): Promise<(readonly [ContentKey, string])[]> {
  const found: (readonly [ContentKey, string])[] = [];
  for (const { content } of changed) {
    const decision = others.get(content);
    const ladder = decision === undefined ? undefined : await ladderFor(reading, content);
    const source = ladder === undefined ? undefined : decide(ladder, member)?.level?.content;
    if (source !== undefined) found.push([source, `it gives the role on ${content} too: ${decision}`]);
  }
  return found;
}
