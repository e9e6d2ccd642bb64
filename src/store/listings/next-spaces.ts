/** A member's spaces by looking at the next ones in turn: where most let the member in, this is all that a page reads. */
import { decide } from "../../domain/ladder.ts";
import { type Role, roleOf } from "../../domain/role.ts";
import { holds } from "../schema/as-of.ts";
import { type Order, type Place, placeBehind } from "../sets/chunks.ts";
import type { Content } from "../directory/content.ts";
import { statement } from "../engine/engine.ts";
import { contents, ladderOf } from "../directory/inheritance.ts";
import { type Member, subjectOn } from "../directory/members.ts";
import type { Reading } from "../reading.ts";
import { SPACES } from "../schema/set-names.ts";
import { occupiedFrom } from "../sets/start.ts";
import { nextSpaces, type SpaceRow, type SpaceWithContent } from "../directory/space-rows.ts";

/** A space with the role that a member has on it. */
export interface MemberSpace extends SpaceRow {
  readonly role: Role;
}

/** How often the next spaces are looked at before sets are. */
const LOOKS = 4;

/** For each entry of a page, so many spaces are looked at first, and at most so many later on: some may be closed. */
const SPARE = 1.25;
const MOST_SPARE = 4;

/** The spaces that the next ones gave, and where to go on with sets; `next` is `undefined` where the page is done. */
interface Looked {
  readonly entries: readonly MemberSpace[];
  readonly next: Place | undefined;
}

/** Looks at the next spaces from a place on until `count` are found, a few times. */
export async function lookAtNext(
  reading: Reading,
  member: Member,
  order: Order,
  first: Place,
  count: number,
): Promise<Looked> {
  const entries: MemberSpace[] = [];
  let spare = SPARE;
  let from = first;
  for (let look = 0; look < LOOKS; look++) {
    const size = Math.ceil(spare * (count - entries.length));
    const { spaces, next } = await nextSpaces(reading, from, order, size);
    let following = next;
    if (spaces.length === 0) following = await occupiedFrom(reading, SPACES, from, order);
    else {
      const found = await decided(reading, member, spaces);
      entries.push(...found);
      if (entries.length >= count) return { entries: entries.slice(0, count), next: undefined };
      spare = Math.min(MOST_SPARE, (SPARE * spaces.length) / Math.max(1, found.length));
      following ??= await placeBehind(reading, SPACES, from.chunk, order);
    }
    if (following === undefined) return { entries, next: undefined };
    from = following;
  }
  return { entries, next: from };
}

const GRANTS = statement<[content: string, team: string, role: number]>(
  ({ texts }) => `
    SELECT g.content, g.team, g.role FROM ${texts("$3", "wanted")} CROSS JOIN team_grant g
      WHERE ${holds("g")} AND g.content = wanted.value AND g.team IN (SELECT team.value FROM ${texts("$4", "team")})`,
);

/** Those of some spaces on which a member has a role. */
async function decided(
  reading: Reading,
  member: Member,
  spaces: readonly SpaceWithContent[],
): Promise<MemberSpace[]> {
  const keys = spaces.map(({ content }) => content.content);
  const parents = spaces.flatMap(({ content }) => parentOf(content) ?? []);
  const [above, grants] = await Promise.all([
    contents(reading, [...new Set(parents)]),
    member.teams.length === 0 ? [] : reading.read(GRANTS, ...reading.asOf, keys, member.teams),
  ]);
  const teams = Map.groupBy(grants, ([content]) => content);
  const ladders = spaces.map(({ content }) => {
    const given = teams.get(content.content) ?? [];
    const level = { ...content, teams: new Map(given.map(([, team, role]) => [team, roleOf(role)])) };
    const parent = above.get(parentOf(content) ?? content.content);
    return parent === undefined ? [level] : [level, ...ladderOf(parent, above)];
  });
  const subject = await subjectOn(reading, member, ladders);
  return spaces.flatMap(({ id, key, document }, place) => {
    const role = decide(ladders[place] ?? [], subject)?.role;
    return role === undefined ? [] : [{ id, key, document, role }];
  });
}

/** The collection that a space inherits from. */
function parentOf({ defaultLevel, parent }: Omit<Content, "teams">): Content["parent"] {
  return defaultLevel === "inherit" ? parent : undefined;
}
