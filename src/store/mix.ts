/** How many members hold each effective role on something, and on how many spaces a member holds each. */
import { setImmediate as breath } from "node:timers/promises";
import { sourcesOf, type Subject } from "../domain/access.ts";
import { type Role, ROLES } from "../domain/role.ts";
import type { Member } from "./candidates.ts";
import { posting } from "./codes.ts";
import type { Content } from "./content.ts";
import { drive } from "./drive.ts";
import { statement } from "./engine.ts";
import { total } from "./levels.ts";
import { memberSpaces } from "./listings/member-spaces.ts";
import { merge } from "./merge.ts";
import type { Reading } from "./reading.ts";
import { slices } from "./slices.ts";
import { carrying, type Posting, type Target } from "./target.ts";

export type Mix = Readonly<Record<Role, number>>;

/** Members who were given something, up to so many, are decided upon one by one; of more the lists are counted. */
const FEW = 50_000;
const BLOCK = 2_000;
/** From one entry of their lists in so many members on, all members are gone through. */
const SPARSE = 8;

/**
 * How many members hold each effective role on a target. Those who were given nothing on it are alike by their
 * organization role, so only the others are gone through; where they are many, the lists are counted. Made once a
 * snapshot. `few` lets a test say what is many.
 */
export function membersByRole(
  reading: Reading,
  target: Target<{ role: Role }>,
  few: number = FEW,
): Promise<Mix> {
  return reading.cache.mix(reading.at, target.name, async () => {
    const given = givenPostings(target);
    const [ladder] = target.ladders;
    const many = given.reduce((sum, { size }) => sum + size, 0) > few;
    return many && target.ladders.length === 1 && ladder !== undefined
      ? countLists(reading, ladder)
      : countGiven(reading, target, given);
  });
}

/** On how many spaces a member holds each effective role. Made once a snapshot. */
export function spacesByRole(reading: Reading, member: Member): Promise<Mix> {
  return reading.cache.mix(reading.at, `member/${member.id}`, async () => {
    if (member.role === "admin") return { ...none(), admin: reading.at.counts.spaces };
    const mix = none();
    for (let after: string | undefined; ;) {
      const page = await memberSpaces(reading, member, "asc", { after, limit: 500 });
      for (const { role } of page.entries) mix[role]++;
      if (page.next === undefined) return mix;
      after = page.next;
      await breath();
    }
  });
}

/** The sum of a mix. */
export function sumOf(mix: Mix): number {
  return ROLES.reduce((sum, role) => sum + mix[role], 0);
}

function none(): Record<Role, number> {
  return { read: 0, comment: 0, edit: 0, review: 0, create: 0, admin: 0 };
}

/** The lists of those who were given something on a ladder, directly or through a team. */
function givenPostings({ ladders }: Target<{ role: Role }>): Posting[] {
  const found = new Map<string, Posting>();
  for (const level of ladders.flat()) {
    if (level.hasDirect) {
      const key = posting.direct(level.content);
      found.set(key, { key, size: total(level.direct) });
    }
    if (level.teams.size === 0) continue;
    for (const [team, size] of level.teams.sizes) {
      if (size > 0) found.set(posting.team(team), { key: posting.team(team), size });
    }
  }
  return [...found.values()];
}

const NO_TEAMS: readonly string[] = [];

async function countGiven(
  reading: Reading,
  target: Target<{ role: Role }>,
  given: readonly Posting[],
): Promise<Mix> {
  const mix = none();
  const roleOf = (member: Subject) => target.decide(member)?.role;
  const { roles } = reading.at.counts;
  const alike = new Map<Subject["role"], number>([
    [null, roles.guest],
    ...ROLES.map((role) => [role, roles[role]] as const),
  ]);
  const size = given.reduce((sum, each) => sum + each.size, 0);
  const dense = size * SPARSE > reading.at.counts.members;
  const next = dense ? drive(reading, target.facts) : merge(reading, given, target.facts);
  for (let after: string | undefined = given.length === 0 ? undefined : ""; after !== undefined;) {
    const { candidates, upTo } = await next(after, BLOCK);
    for (const candidate of candidates) {
      alike.set(candidate.role, (alike.get(candidate.role) ?? 0) - 1);
      const found = roleOf(candidate);
      if (found !== undefined) mix[found]++;
    }
    after = upTo;
    await breath();
  }
  for (const [role, members] of alike) {
    const found = roleOf({ role, teams: NO_TEAMS, direct: new Map() });
    if (found !== undefined) mix[found] += members;
  }
  return mix;
}

/** Each member counts for the first list that holds them: `wanted` are lists led by their place in the ladder. */
const FIRST = statement<[list: string, members: number]>(
  ({ texts }) => `
    SELECT list, count(*) FROM (
      SELECT min(wanted.value) AS list FROM ${texts("$2", "wanted")} CROSS JOIN posting p
        WHERE p.snapshot = $1 AND p.source = substr(wanted.value, 7) AND p.member > $3 AND p.member <= $4
        GROUP BY p.member
    ) decided GROUP BY list`,
);

async function countLists(reading: Reading, ladder: readonly Content[]): Promise<Mix> {
  const levels = new Map(ladder.map((level) => [level.content, level]));
  const lists: Posting[] = [];
  const roleOf = new Map<string, Role>();
  for (const [place, source] of sourcesOf(ladder).entries()) {
    for (const role of ROLES) {
      for (const list of carrying(source, levels, reading.at.counts, role)) {
        if (list.size === 0) continue;
        lists.push(list);
        roleOf.set(`${String(place).padStart(6, "0")}${list.key}`, role);
      }
    }
  }
  const names = [...roleOf.keys()];
  const mix = none();
  for await (const { after, upTo } of slices(reading, lists, "")) {
    for (const [list, members] of await reading.read(FIRST, reading.snapshot, names, after, upTo)) {
      const role = roleOf.get(list);
      if (role !== undefined) mix[role] += members;
    }
  }
  return mix;
}
