/**
 * Lists of spaces with roles: two people compared, one person compared with their own role on a whole site or
 * collection, and the spaces to which a team gives access.
 */
import { type ContentKey, contentKey } from "../../domain/content.ts";
import { type Reason, type Titled, plain, reasonOf } from "../../domain/reason.ts";
import { absent } from "../../operations/authorize.ts";
import { contents, ladderOf } from "../../store/directory/inheritance.ts";
import { type Member, memberOf } from "../../store/directory/members.ts";
import { teamNodes } from "../../store/directory/teams.ts";
import { memberSpaces } from "../../store/listings/entries.ts";
import { accessThrough } from "../../store/listings/subject.ts";
import type { Reading } from "../../store/reading.ts";
import type { CompareRow, Held, OpenedRow } from "../wire/lists.ts";
import { type Comparison, compareMembers, compareWithRole, spacesIn } from "./comparison.ts";
import { FilteredAccess } from "./filtered.ts";
import type { List } from "./list.ts";
import { placed } from "./nodes.ts";
import type { Filter } from "./query.ts";
import { heldOn } from "./spaces.ts";
import { roleOn } from "./why.ts";

/** The collection or site whose spaces are compared; `undefined` for all spaces. */
export type Scope = { readonly kind: "collection" | "site"; readonly id: string } | undefined;

/**
 * Compares `one` with `other` on each space. Without `other`, compares the role of `one` on each space with their role
 * on the whole scope.
 */
export function compared(
  one: string,
  other: string | undefined,
  scope: Scope,
  filter: Filter,
): List<CompareRow> {
  const two = other === undefined ? [] : ["otherRole", "otherBecause"];
  return {
    columns: ["id", "title", "path", "differs", "role", "because", ...two],
    cells: (row) => [
      row.space.id,
      row.space.title,
      row.path.join(" / "),
      row.differs ? "yes" : "no",
      ...heldCells(row.one),
      ...(other === undefined ? [] : heldCells(row.other ?? null)),
    ],
    async open(reading, viewer) {
      const comparison = await comparisonOf(reading, one, other, scope, filter);
      const [first, second] = await Promise.all([
        memberOf(reading, one),
        other === undefined ? undefined : memberOf(reading, other),
      ]);
      const { differ, alike, neither } = await comparison.counts();
      const total = differ + alike + neither;
      return {
        total,
        count: async () => ({ total }),
        async page(request) {
          const page = await comparison.page(request);
          const keys = page.entries.map(({ id }) => contentKey("space", id));
          const [nodes, ones, others] = await Promise.all([
            placed(reading, viewer, keys),
            heldBy(reading, first, keys),
            heldBy(reading, second, keys),
          ]);
          const entries = page.entries.flatMap(({ id, group }): CompareRow[] => {
            const key = contentKey("space", id);
            const place = nodes.get(key);
            if (place?.node.kind !== "space") return [];
            return [
              {
                space: place.node,
                path: place.above.map(({ title }) => title),
                differs: group === "differ",
                one: ones.get(key) ?? null,
                ...(other === undefined ? {} : { other: others.get(key) ?? null }),
              },
            ];
          });
          return { ...page, entries };
        },
      };
    },
  };
}

function heldCells(held: Held | null): string[] {
  return held === null ? ["", ""] : [held.role, plain(held.reason.because)];
}

async function heldBy(
  reading: Reading,
  member: Member | undefined,
  keys: readonly ContentKey[],
): Promise<ReadonlyMap<ContentKey, Held>> {
  return member === undefined ? new Map() : heldOn(reading, member, keys);
}

/** Throws 404 for a user who is not a member, and for a missing site. */
async function comparisonOf(
  reading: Reading,
  one: string,
  other: string | undefined,
  scope: Scope,
  filter: Filter,
): Promise<Comparison> {
  const first = await existing(reading, one);
  const spaces = scope && (await spacesIn(reading, scope));
  if (scope !== undefined && spaces === undefined) throw absent(scope.kind, scope.id);
  if (other !== undefined)
    return compareMembers(reading, first, await existing(reading, other), spaces, filter);
  const role = scope === undefined ? null : await roleOn(reading, scope, one);
  return compareWithRole(reading, first, role, spaces ?? new Map(), filter);
}

async function existing(reading: Reading, user: string): Promise<Member> {
  const member = await memberOf(reading, user);
  if (member === undefined) throw absent("member", user);
  return member;
}

/** The spaces to which a team's permissions give access, by creation time. */
export function openedByTeam(team: string, filter: Filter): List<OpenedRow> {
  return {
    columns: ["id", "title", "path", "role", "because"],
    cells: ({ space, path, role, reason }) => [
      space.id,
      space.title,
      path.join(" / "),
      role,
      plain(reason.because),
    ],
    async open(reading, viewer) {
      const node = (await teamNodes(reading, [team])).get(team);
      if (node === undefined) return undefined;
      const opened = await accessThrough(reading, team);
      const narrowed = new FilteredAccess(reading, `opened by team/${team}`, opened, filter);
      const access = await narrowed.access();
      return {
        async count() {
          return { total: await narrowed.total(), roles: await narrowed.counts() };
        },
        async page(request) {
          const page = await memberSpaces(reading, access, "desc", request, filter.role);
          const keys = page.entries.map(({ id }) => contentKey("space", id));
          const [nodes, reasons] = await Promise.all([
            placed(reading, viewer, keys),
            openedReasons(reading, node, keys),
          ]);
          const entries = page.entries.flatMap(({ id, role }): OpenedRow[] => {
            const place = nodes.get(contentKey("space", id));
            const reason = reasons.get(contentKey("space", id));
            if (place?.node.kind !== "space" || reason === undefined) return [];
            return [{ space: place.node, path: place.above.map(({ title }) => title), role, reason }];
          });
          return { ...page, entries };
        },
      };
    },
  };
}

/**
 * For each given content, the team's permission that is nearest on the ladder, as a reason. Contents without one are
 * absent.
 */
async function openedReasons(
  reading: Reading,
  team: Titled,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, Reason>> {
  const loaded = await contents(reading, keys);
  const titles = {
    content: (key: ContentKey) => loaded.get(key)?.title ?? key,
    team: () => team.title,
  };
  const reasons = new Map<ContentKey, Reason>();
  for (const key of keys) {
    const content = loaded.get(key);
    const level = content && ladderOf(content, loaded).find(({ teams }) => teams.has(team.id));
    const role = level?.teams.get(team.id);
    if (level === undefined || role === undefined) continue;
    reasons.set(key, reasonOf(key, { role, rule: "team", level, team: team.id }, titles));
  }
  return reasons;
}
