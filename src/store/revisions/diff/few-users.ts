/** Compares roles for a few users one by one, if only their memberships and permissions changed. */
import type { ContentKey } from "../../../domain/content.ts";
import { rank } from "../../../domain/role.ts";
import type { Content } from "../../directory/content.ts";
import { DIRECTIONS, type Direction } from "../../listings/difference-of.ts";
import type { Member } from "../../directory/members.ts";
import type { AccessChanges } from "./access-changes.ts";
import { causesOf, climb, type Climbed } from "./causes.ts";
import { type DifferenceFilter, keptDirection } from "./filter.ts";
import type { Forest, Sides } from "./forest.ts";
import type { ChangedRecord } from "./log.ts";
import { subjectsOf } from "./subjects.ts";
import { type BranchDifference, MOST_CAUSES } from "./walk/walk.ts";

/** The changed users, if every change concerns a single user and there are few of them. */
export function fewUsers(
  { contents, permissions, memberships }: AccessChanges,
  most: number,
): readonly string[] | undefined {
  if (contents.size > 0 || permissions.some(({ member }) => member === undefined)) return undefined;
  const users = new Set([...permissions, ...memberships].flatMap(({ member }) => member ?? []));
  return users.size > most ? undefined : [...users];
}

/** The difference of each content for some users, in the form of {@link Walk}. */
export async function compareFew(
  sides: Sides,
  changes: AccessChanges,
  forest: Forest,
  users: readonly string[],
  filter: DifferenceFilter,
): Promise<ReadonlyMap<ContentKey, BranchDifference>> {
  const [before, after] = [await subjectsOf(sides.before, users), await subjectsOf(sides.after, users)];
  const found = new Map<ContentKey, BranchDifference>();
  for (const user of users) {
    const [had, has] = [before.get(user), after.get(user)];
    if (had === undefined || has === undefined) continue;
    const differing = new Map<ContentKey, Differing>();
    for (const [content, root] of forest.roots) {
      const [old, now] = [climb(root.before, had), climb(root.after, has)];
      const direction = keptDirection(filter, rankOf(old), rankOf(now), has.role === null);
      if (direction === undefined) continue;
      const causes = causesOf(changes, user, content, old, now);
      if (filter.causedBy !== undefined && !causes.some(filter.causedBy)) continue;
      differing.set(content, { direction, causes });
    }
    for (const [key, { content, parent }] of forest.heirs) {
      const above = differing.get(parent);
      if (above !== undefined && !decides(content, has)) differing.set(key, above);
    }
    for (const [content, each] of differing) add(found, content, each);
  }
  return found;
}

interface Differing {
  readonly direction: Direction;
  readonly causes: readonly ChangedRecord[];
}

function rankOf(climbed: Climbed | undefined): number {
  return climbed?.decision === undefined ? 0 : rank(climbed.decision.role);
}

/** Whether a permission on the content itself decides for a member. */
function decides({ content, teams }: Content, { teams: own, direct }: Member): boolean {
  return direct.has(content) || own.some((team) => teams.has(team));
}

function add(
  found: Map<ContentKey, BranchDifference>,
  content: ContentKey,
  { direction, causes }: Differing,
): void {
  const known = found.get(content) ?? { counts: DIRECTIONS.map(() => 0), causes: new Set() };
  found.set(content, known);
  const place = DIRECTIONS.indexOf(direction);
  known.counts[place] = (known.counts[place] ?? 0) + 1;
  for (const cause of causes) if (known.causes.size < MOST_CAUSES) known.causes.add(cause);
}
