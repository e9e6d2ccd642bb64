import type { Decision } from "../../../domain/ladder.ts";
import type { ContentKey } from "../../../domain/content.ts";
import { type Page, type PageRequest, pageOf } from "../../../domain/page.ts";
import { type Reason, reasonOf, type Titles } from "../../../domain/reason.ts";
import type { Role } from "../../../domain/role.ts";
import type { Person } from "../../../domain/why.ts";
import { decodeMemberRole } from "../../../store/schema/encoding.ts";
import { contents } from "../../../store/directory/inheritance.ts";
import { type Direction, DIRECTIONS } from "../../../domain/difference.ts";
import { type AccessDifference, type DifferenceHit } from "../../../store/listings/difference.ts";
import { teamTitles } from "../lists/access.ts";
import { groupByGroup } from "../lists/group-by-group.ts";
import { membersAt } from "../../../store/directory/rows/member-rows.ts";
import { personOf } from "../../../store/directory/person.ts";
import type { Reading } from "../../../store/reading.ts";

export interface Held {
  readonly role: Role;
  readonly reason: Reason;
}

/** A user whose role differs; `null` is no access. */
export interface DifferenceRow {
  readonly user: Person;
  readonly direction: Direction;
  readonly before: Held | null;
  readonly after: Held | null;
}

/**
 * The users whose role on a content differs: losses of access first, then lower roles, higher roles and gains, each
 * sorted by user id.
 */
export async function differenceRows(
  reading: Reading,
  key: ContentKey,
  difference: AccessDifference,
  request: PageRequest<string>,
  directions: readonly Direction[] = DIRECTIONS,
): Promise<Page<DifferenceRow, string>> {
  return groupByGroup(
    request,
    directions,
    ({ user }) => user.id,
    async (direction, { after, limit }) => {
      const hits = await difference.find(direction, after, limit + 1);
      return pageOf(await rowsOf(reading, key, direction, hits), limit, ({ user }) => user.id);
    },
  );
}

async function rowsOf(
  reading: Reading,
  key: ContentKey,
  direction: Direction,
  hits: readonly DifferenceHit[],
): Promise<DifferenceRow[]> {
  const members = await membersAt(
    reading,
    hits.map(({ position }) => position),
  );
  const decisions = hits.flatMap(({ before, after }) =>
    [before?.decision ?? [], after?.decision ?? []].flat(),
  );
  const titles = await titlesOf(reading, key, decisions);
  const held = (side: DifferenceHit["before"]): Held | null => {
    if (side === undefined) return null;
    const { role, decision } = side;
    if (decision === undefined) throw new Error(`No source gives ${role} on ${key}.`);
    return { role, reason: reasonOf(key, decision, titles) };
  };
  return hits.map(({ position, before, after }) => {
    const row = members.get(position);
    if (row === undefined) throw new Error(`No member has position ${position}, which a set holds.`);
    const [, id, own, text, omitted] = row;
    return {
      user: personOf({ id, role: decodeMemberRole(own), document: { text, omitted } }),
      direction,
      before: held(before),
      after: held(after),
    };
  });
}

async function titlesOf(reading: Reading, key: ContentKey, decisions: readonly Decision[]): Promise<Titles> {
  const keys = decisions.flatMap(({ level }) => level?.content ?? []);
  const [teams, loaded] = await Promise.all([
    teamTitles(reading, decisions),
    contents(reading, [...new Set([key, ...keys])]),
  ]);
  return {
    content: (content) => loaded.get(content)?.title ?? content,
    team: (id) => teams.get(id) ?? id,
  };
}
