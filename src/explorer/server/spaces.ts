/** Lists of spaces: of a site, of a member, and those that a team opens; and the permissions of a team. */
import { type ContentKey, contentKey } from "../../domain/content.ts";
import { compareIds } from "../../domain/id.ts";
import { type MemberRights, decide } from "../../domain/ladder.ts";
import type { Order, PageRequest } from "../../domain/page.ts";
import { reasonOf } from "../../domain/reason.ts";
import { type Content, withAncestors, ladderOf } from "../../store/directory/contents.ts";
import { type Member, memberOf, withDirectOn } from "../../store/directory/members.ts";
import { spacesOfSite } from "../../store/directory/sites.ts";
import { teamNodes } from "../../store/directory/teams.ts";
import type { Access } from "../../store/listings/access.ts";
import { type MemberSpace, memberSpaces } from "../../store/listings/entries.ts";
import { accessOf, accessThrough } from "../../store/listings/subject.ts";
import type { Reading } from "../../store/reading.ts";
import { contentTitleKey } from "../../store/schema/encoding.ts";
import type { GivenRow, HeldRole, OpenedRow, ReachRow, SpaceRow } from "../wire/lists.ts";
import { givenToTeam } from "./catalog.ts";
import { openListed } from "./contents.ts";
import { FilteredAccess, keeps } from "./filtered.ts";
import { type ListOpener, groupByGroup, mapped, openSorted } from "./list.ts";
import { newOf, newRecords } from "./newcomers.ts";
import { spaceRows, titlesFor } from "./nodes.ts";
import { type Filter, isFiltering, rolesOf } from "./query.ts";

export function spacesOf(site: string, filter: Filter): ListOpener<SpaceRow> {
  return async (reading, viewer) => {
    const keys = await spacesOfSite(reading, site);
    if (keys === undefined) return undefined;
    const loaded = await withAncestors(reading, keys);
    const isKept = await keeps(reading, filter);
    const added = await newRecords(reading, filter.since, {
      name: `spaces of ${site}`,
      kind: "siteSpace",
      keyOf: (record) => (record.site === site ? record.content : undefined),
    });
    const sorted = keys
      .map((key) => ({ key, title: loaded.get(key)?.title ?? "" }))
      .filter(({ key, title }) => added?.has(key) !== false && isKept(key, title))
      .map(({ key, title }) => ({ key, position: contentTitleKey(key, title) }))
      .sort((a, b) => compareIds(a.position, b.position));
    return openSorted(sorted, async (some) => {
      const found = some.map(({ key }) => key);
      const rows = await spaceRows(reading, viewer, found);
      return found.flatMap((key) => rows.get(key) ?? []);
    });
  };
}

/** The spaces on which a member has a role, by creation time; with `sort=strongest`, strongest role first. */
export function reachOf(user: string, filter: Filter, order: Order): ListOpener<ReachRow> {
  return async (reading, viewer) => {
    const member = await memberOf(reading, user);
    if (member === undefined) return undefined;
    const { role, sort, ...others } = filter;
    const strongest = sort === "strongest" && role === undefined;
    const whole = await accessOf(reading, member);
    const filtered = new FilteredAccess(reading, `member/${user}`, whole, filter, (time) =>
      newOf(reading, user, time),
    );
    const found = (request: PageRequest<string>) => {
      if (!strongest && sort !== "name" && !isFiltering(others))
        return memberSpaces(reading, whole, order, request, role);
      const key = ({ key: own, role: held }: MemberSpace) => (strongest ? `${held}/${own}` : own);
      const texts = ({ document }: MemberSpace) => [fieldsOf(document.text).title];
      const read = (some: Access, each: PageRequest<string>) =>
        strongest
          ? groupByGroup(
              each,
              rolesOf(filter),
              (space: MemberSpace) => space.key,
              (one, asked) => memberSpaces(reading, some, order, asked, one),
            )
          : memberSpaces(reading, some, order, each, role);
      return filtered.page(request, read, { key, id: ({ id }) => id, texts });
    };
    return {
      async page(request) {
        const page = await found(request);
        const keys = page.entries.map(({ id }) => contentKey("space", id));
        const loaded = await withAncestors(reading, keys);
        const rows = await spaceRows(reading, viewer, keys, loaded);
        const held = await heldOn(reading, member, keys, loaded);
        return mapped(page, ({ id, role: own, document }): ReachRow[] => {
          const key = contentKey("space", id);
          const [row, { reason } = {}] = [rows.get(key), held.get(key)];
          if (row === undefined || reason === undefined) return [];
          const { createdAt, deletedAt } = fieldsOf(document.text);
          return [{ ...row, role: own, createdAt, ...(deletedAt && { deletedAt }), reason }];
        });
      },
      count: async () => ({ total: await filtered.total(), roles: await filtered.counts() }),
      keyOf: (row) => filtered.keyOf(row, order, strongest),
    };
  };
}

function fieldsOf(document: string): {
  readonly title: string;
  readonly createdAt: string;
  readonly deletedAt?: string;
} {
  return JSON.parse(document);
}

/**
 * One member's effective role on each of the given contents, with its reason. Contents without access are absent.
 * `known`, from {@link withAncestors}, saves loading them again.
 */
export async function heldOn(
  reading: Reading,
  member: Member | MemberRights,
  keys: readonly ContentKey[],
  known?: ReadonlyMap<ContentKey, Content>,
): Promise<Map<ContentKey, HeldRole>> {
  const loaded = known ?? (await withAncestors(reading, keys));
  const ladders = keys.flatMap((key) => loaded.get(key) ?? []).map((each) => ladderOf(each, loaded));
  const holder = "many" in member ? await withDirectOn(reading, member, ladders) : member;
  const decisions = ladders.flatMap((ladder) => {
    const decision = decide(ladder, holder);
    const key = ladder[0]?.content;
    return decision === undefined || key === undefined ? [] : [{ key, decision }];
  });
  const titles = await titlesFor(
    reading,
    decisions.map(({ decision }) => decision),
    loaded,
  );
  return new Map(
    decisions.map(({ key, decision }) => [
      key,
      { role: decision.role, reason: reasonOf(key, decision, titles) },
    ]),
  );
}

/** The spaces to which a team's permissions give access, by creation time. */
export function openedByTeam(team: string, filter: Filter): ListOpener<OpenedRow> {
  return async (reading, viewer) => {
    if (!(await teamNodes(reading, [team])).has(team)) return undefined;
    const opened = await accessThrough(reading, team);
    const filtered = new FilteredAccess(reading, `opened by team/${team}`, opened, filter);
    const access = await filtered.access();
    return {
      count: async () => ({ total: await filtered.total(), roles: await filtered.counts() }),
      async page(request) {
        const page = await memberSpaces(reading, access, "desc", request, filter.role);
        const keys = page.entries.map(({ id }) => contentKey("space", id));
        const [rows, reasons] = await Promise.all([
          spaceRows(reading, viewer, keys),
          // What a guest has who is in this team alone.
          heldOn(reading, { role: null, teams: [team], direct: new Map() }, keys),
        ]);
        return mapped(page, ({ id, role }): OpenedRow[] => {
          const key = contentKey("space", id);
          const [row, { reason } = {}] = [rows.get(key), reasons.get(key)];
          return row === undefined || reason === undefined ? [] : [{ ...row, role, reason }];
        });
      },
    };
  };
}

export function permissionsOf(team: string, filter: Filter): ListOpener<GivenRow> {
  return async (reading, viewer) => {
    if (!(await teamNodes(reading, [team])).has(team)) return undefined;
    const isKept = await keeps(reading, filter);
    const added = await newRecords(reading, filter.since, {
      name: `permissions of ${team}`,
      kind: "permission",
      keyOf: (record) => (record.team === team ? record.content : undefined),
    });
    const roles = new Set(rolesOf(filter));
    return openListed(
      reading,
      viewer,
      (request) => givenToTeam(reading, team, request),
      ({ role }, row): GivenRow => ({ ...row, role }),
      isFiltering(filter)
        ? ({ thing, role }, { content }) =>
            roles.has(role) && added?.has(thing) !== false && isKept(thing, content.title)
        : undefined,
    );
  };
}
