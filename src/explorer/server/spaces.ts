import { type ContentKey, contentKey, idOf } from "../../domain/content.ts";
import { compareIds } from "../../domain/id.ts";
import { decide } from "../../domain/ladder.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import { type Reason, plain, reasonOf } from "../../domain/reason.ts";
import type { Role } from "../../domain/role.ts";
import { chains } from "../../store/directory/ancestors.ts";
import type { Content } from "../../store/directory/content.ts";
import { ladderOf } from "../../store/directory/inheritance.ts";
import { type Member, memberOf, subjectOn } from "../../store/directory/members.ts";
import { spacesOfSite } from "../../store/directory/sites.ts";
import { teamNodes } from "../../store/directory/teams.ts";
import type { Access } from "../../store/listings/access.ts";
import { type MemberSpace, memberSpaces } from "../../store/listings/entries.ts";
import { accessOf } from "../../store/listings/subject.ts";
import type { Reading } from "../../store/reading.ts";
import { contentTitleKey } from "../../store/schema/encoding.ts";
import { matches, queryOf } from "../../store/schema/search-terms.ts";
import type { Order } from "../../store/sets/chunks.ts";
import type { GivenRow, ReachRow, SpaceRow } from "../wire/lists.ts";
import { givenToTeam } from "./catalog.ts";
import { type Filter, isFiltering, rolesOf } from "./query.ts";
import { FilteredAccess, deletedSpaces } from "./filtered.ts";
import { type List, countedByReading, filteredPage, groupByGroup, mapped, within } from "./list.ts";
import { newOf, newRecords } from "./newcomers.ts";
import { type Placed, abovesOf, placed } from "./nodes.ts";
import { teamTitles } from "./people.ts";
import type { Viewer } from "./viewer.ts";

/** Tests whether a content passes the filters `q` and `deleted`. */
export async function keeps(
  reading: Reading,
  { q, deleted }: Filter,
): Promise<(key: ContentKey, title: string) => boolean> {
  const query = queryOf(q);
  const dates = deleted === undefined ? undefined : (await deletedSpaces(reading)).dates;
  return (key, title) =>
    (q === "" || matches([title], query)) &&
    (dates === undefined || (key.startsWith("space/") && dates.has(idOf(key))) === (deleted === "only"));
}

export function spacesOf(site: string, filter: Filter): List<SpaceRow> {
  return {
    columns: ["id", "title", "path", "defaultLevel", "visibility"],
    cells: ({ space, path }) => [
      space.id,
      space.title,
      path.join(" / "),
      space.defaultLevel ?? "null",
      space.visibility,
    ],
    async open(reading, viewer) {
      const keys = await spacesOfSite(reading, site);
      if (keys === undefined) return undefined;
      const loaded = await chains(reading, keys);
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
      return countedByReading(sorted.length, async (request) => {
        const page = within(sorted, request);
        const nodes = await placed(
          reading,
          viewer,
          page.entries.map(({ key }) => key),
        );
        return mapped(page, ({ key }) => {
          const found = nodes.get(key);
          if (found?.node.kind !== "space") return [];
          return [{ space: found.node, path: found.above.map(({ title }) => title) }];
        });
      });
    },
  };
}

/** The spaces on which a member has a role, by creation time; with `sort=strongest`, strongest role first. */
export function reachOf(user: string, filter: Filter, order: Order): List<ReachRow> {
  return {
    columns: ["id", "title", "path", "role", "createdAt", "because"],
    cells: ({ space, path, role, createdAt, reason }) => [
      space.id,
      space.title,
      path.join(" / "),
      role,
      createdAt,
      plain(reason.because),
    ],
    async open(reading, viewer) {
      const member = await memberOf(reading, user);
      if (member === undefined) return undefined;
      const { role, sort, ...others } = filter;
      const strongest = sort === "strongest" && role === undefined;
      const whole = await accessOf(reading, member);
      const narrowed = new FilteredAccess(reading, `member/${user}`, whole, filter, (time) =>
        newOf(reading, user, time),
      );
      const found = (request: PageRequest<string>) => {
        if (!strongest && !isFiltering(others)) return memberSpaces(reading, whole, order, request, role);
        const key = ({ key: own, role: held }: MemberSpace) => (strongest ? `${held}/${own}` : own);
        const texts = ({ document }: MemberSpace) => [titleOf(document.text)];
        const read = (some: Access, each: PageRequest<string>) =>
          strongest
            ? groupByGroup(
                each,
                rolesOf(filter),
                (space: MemberSpace) => space.key,
                (one, asked) => memberSpaces(reading, some, order, asked, one),
              )
            : memberSpaces(reading, some, order, each, role);
        return narrowed.page(request, read, { key, texts });
      };
      return {
        page: async (request, asked) =>
          reachRows(reading, viewer, member, await found(request), asked === "id"),
        count: async () => ({ total: await narrowed.total(), roles: await narrowed.counts() }),
        keyOf: (row) => narrowed.keyOf(row, order, strongest),
      };
    },
  };
}

interface SpaceDocument {
  readonly title: string;
  readonly createdAt: string;
  readonly deletedAt?: string;
}

function titleOf(text: string): string {
  const { title }: SpaceDocument = JSON.parse(text);
  return title;
}

/** Adds reasons and paths to a member's spaces. For a CSV file, reads only the fields that the file has. */
async function reachRows(
  reading: Reading,
  viewer: Viewer,
  member: Member,
  found: Page<MemberSpace, string>,
  isFile: boolean,
): Promise<Page<ReachRow, string>> {
  const spaces = found.entries.map((entry) => {
    const document: SpaceDocument = JSON.parse(entry.document.text);
    return { key: contentKey("space", entry.id), document };
  });
  const keys = spaces.map(({ key }) => key);
  const loaded = await chains(reading, keys);
  const places = isFile
    ? await withTitlesOnly(reading, viewer, keys, loaded)
    : await placed(reading, viewer, keys, loaded);
  const ladders = keys.flatMap((key) => loaded.get(key) ?? []).map((each) => ladderOf(each, loaded));
  const subject = await subjectOn(reading, member, ladders);
  const decided = new Map(ladders.map((ladder) => [ladder[0]?.content, decide(ladder, subject)]));
  const decisions = keys.map((key) => decided.get(key));
  const teams = await teamTitles(
    reading,
    decisions.filter((decision) => decision !== undefined),
  );
  const titles = {
    content: (key: ContentKey) => loaded.get(key)?.title ?? key,
    team: (id: string) => teams.get(id) ?? id,
  };
  const entries = found.entries.flatMap(({ role }, index): ReachRow[] => {
    const { key, document } = spaces[index] ?? {};
    const place = key && places.get(key);
    const decision = decisions[index];
    if (key === undefined || document === undefined || place?.node.kind !== "space") return [];
    if (decision === undefined) return [];
    const { createdAt, deletedAt } = document;
    return [
      {
        space: place.node,
        path: place.above.map(({ title }) => title),
        role,
        createdAt,
        ...(deletedAt === undefined ? {} : { deletedAt }),
        reason: reasonOf(key, decision, titles),
      },
    ];
  });
  return { ...found, entries };
}

/** Spaces with titles and paths only, for a CSV file: the other fields, such as counts, take longest to read. */
async function withTitlesOnly(
  reading: Reading,
  viewer: Viewer,
  keys: readonly ContentKey[],
  loaded: ReadonlyMap<ContentKey, Content>,
): Promise<ReadonlyMap<ContentKey, Placed>> {
  const aboves = await abovesOf(reading, viewer, keys, loaded);
  return new Map(
    [...aboves].map(([{ content, title, defaultLevel }, above]) => [
      content,
      {
        node: { kind: "space", id: idOf(content), title, defaultLevel, visibility: "", given: 0 },
        above,
      },
    ]),
  );
}

export function permissionsOf(team: string, filter: Filter): List<GivenRow> {
  return {
    columns: ["kind", "id", "title", "path", "role"],
    cells: ({ content, path, role }) => [content.kind, content.id, content.title, path.join(" / "), role],
    async open(reading, viewer) {
      if (!(await teamNodes(reading, [team])).has(team)) return undefined;
      const isKept = await keeps(reading, filter);
      const added = await newRecords(reading, filter.since, {
        name: `permissions of ${team}`,
        kind: "permission",
        keyOf: (record) => (record.team === team ? record.content : undefined),
      });
      const roles = new Set(rolesOf(filter));
      const rows = async (request: PageRequest<string>) => {
        const given = await givenToTeam(reading, team, request);
        const nodes = await placed(
          reading,
          viewer,
          given.entries.map(({ thing }) => thing),
        );
        return mapped(given, ({ thing, role, position }) => {
          const place = nodes.get(thing);
          if (place === undefined) return [];
          const row = { content: place.node, path: place.above.map(({ title }) => title), role };
          return [{ thing, position, row }];
        });
      };
      return countedByReading(undefined, async (request) => {
        const page = isFiltering(filter)
          ? await filteredPage(
              rows,
              ({ thing, row }) =>
                roles.has(row.role) && added?.has(thing) !== false && isKept(thing, row.content.title),
              ({ position }) => position,
              request,
            )
          : await rows(request);
        return mapped(page, ({ row }) => [row]);
      });
    },
  };
}

/** One member's effective role on each of the given contents, with its reason. Contents without access are absent. */
export async function heldOn(
  reading: Reading,
  member: Member,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, { readonly role: Role; readonly reason: Reason }>> {
  const loaded = await chains(reading, keys);
  const ladders = keys.flatMap((key) => loaded.get(key) ?? []).map((each) => ladderOf(each, loaded));
  const subject = await subjectOn(reading, member, ladders);
  const decisions = ladders.flatMap((ladder) => {
    const decision = decide(ladder, subject);
    const key = ladder[0]?.content;
    return decision === undefined || key === undefined ? [] : [{ key, decision }];
  });
  const teams = await teamTitles(
    reading,
    decisions.map(({ decision }) => decision),
  );
  const titles = {
    content: (key: ContentKey) => loaded.get(key)?.title ?? key,
    team: (id: string) => teams.get(id) ?? id,
  };
  return new Map(
    decisions.map(({ key, decision }) => [
      key,
      { role: decision.role, reason: reasonOf(key, decision, titles) },
    ]),
  );
}
