import { ORGANIZATION, identity } from "./identity.ts";
import { type Layout, width } from "./layout.ts";
import { hash, mulberry32, permutation, share } from "./random.ts";
import type { Role } from "./structure.ts";
import { date, moment, person, teamTitle } from "./words.ts";

const PERSON = 31;
const MEMBER_ROLE = 32;
const TEAM = 33;
const TEAM_SIZE = 34;
const TEAM_MEMBER = 35;
const OWNER = 36;

/** The line of the organization, then a `user` and a `member` line per member. */
export function* memberLines(plan: Layout): Generator<string> {
  const ids = identity(plan.seed);
  yield JSON.stringify({ object: "organization", id: ORGANIZATION, title: "Bench & Sons" });
  for (let i = 0; i < plan.counts.members; i += 1) yield userLine(plan, ids.user(i), i);
  for (let i = 0; i < plan.counts.members; i += 1) {
    const role = memberRole(plan, i);
    yield `{"object":"member","organization":"${ORGANIZATION}","user":"${ids.user(i)}","role":${role === null ? "null" : `"${role}"`}}`;
  }
}

function userLine(plan: Layout, id: string, index: number): string {
  const random = mulberry32(hash(plan.seed, PERSON, index));
  const { displayName, email } = person(random, index);
  const picture = hash(plan.seed, PERSON + 1, index)
    .toString(16)
    .padStart(8, "0");
  const photo =
    random() < 0.8 ? `,"photoURL":"https://avatars.example.com/a/${picture}-${id}/photo.jpg?size=96"` : "";
  return `{"object":"user","id":"${id}","displayName":"${displayName}","email":"${email}"${photo}}`;
}

/** The organization role of the member with an index; `null` for a guest. */
export function memberRole(plan: Layout, index: number): Role | null {
  if (index >= plan.insiders.to) return null;
  if (index >= plan.admins.from && index < plan.admins.to) return "admin";
  const draw = hash(plan.seed, MEMBER_ROLE, index) / 2 ** 32;
  if (draw < 0.6) return "read";
  if (draw < 0.7) return "comment";
  if (draw < 0.9) return "edit";
  return draw < 0.95 ? "review" : "create";
}

/** One `team` line per team, then their `teamMember` lines. */
export function* teamLines(plan: Layout): Generator<string> {
  const ids = identity(plan.seed);
  for (let i = 0; i < plan.counts.teams; i += 1) {
    const random = mulberry32(hash(plan.seed, TEAM, i));
    yield JSON.stringify({
      object: "team",
      id: ids.team(i),
      organization: ORGANIZATION,
      title: i === 0 ? "Everyone in Delivery" : teamTitle(random, i),
      createdAt: date(moment(random)),
    });
  }
  const sizes = teamSizes(plan);
  for (let i = 0; i < sizes.length; i += 1) {
    const id = ids.team(i);
    const member = i === 0 ? everyoneTeamMember(plan) : teamMember(plan, i);
    for (let j = 0; j < (sizes[i] ?? 0); j += 1) {
      const role = hash(plan.seed, OWNER + i, j) % 50 === 0 ? "owner" : "member";
      yield `{"object":"teamMember","team":"${id}","user":"${ids.user(member(j))}","role":"${role}"}`;
    }
  }
}

/**
 * The number of members of each team. Team 0 has 30 % of all; the sizes of the others fall as 1 / rank^0.7, none above
 * 25 %.
 */
export function teamSizes(plan: Layout): Uint32Array {
  const weights = Float64Array.from({ length: plan.counts.teams - 1 }, (_, rank) => (rank + 1) ** -0.7);
  const most = Math.floor(plan.counts.members / 4);
  const others = share(plan.counts.teamMembers - plan.everyoneTeam, weights, most);
  return Uint32Array.of(plan.everyoneTeam, ...others);
}

/**
 * Maps a number to the index of a member of team 0. In this order, the first `sparseKeepers` have no `comment` on the
 * sparse space.
 */
export function everyoneTeamMember(plan: Layout): (index: number) => number {
  const scatter = permutation(width(plan.regulars), hash(plan.seed, TEAM_MEMBER, 0));
  return (index) => plan.regulars.from + scatter(index);
}

function teamMember(plan: Layout, team: number): (index: number) => number {
  return permutation(width(plan.insiders), hash(plan.seed, TEAM_SIZE, team));
}
