/** The spaces of a site, and the permissions of a team. */
import type { ContentKey } from "../../domain/content.ts";
import { compareIds } from "../../domain/id.ts";
import { type MemberRights, decide } from "../../domain/ladder.ts";
import { reasonOf } from "../../domain/reason.ts";
import { type Content, withAncestors, ladderOf } from "../../store/directory/contents.ts";
import { type Member, withDirectOn } from "../../store/directory/members.ts";
import { spacesOfSite } from "../../store/directory/sites.ts";
import { teamNodes } from "../../store/directory/teams.ts";
import type { Reading } from "../../store/reading.ts";
import { contentTitleKey } from "../../store/schema/encoding.ts";
import type { GivenRow, HeldRole, SpaceRow } from "../wire/lists.ts";
import { givenToTeam } from "./catalog.ts";
import { openListed } from "./contents.ts";
import { keeps } from "./filtered.ts";
import { type ListOpener, openSorted } from "./list.ts";
import { newRecords } from "./newcomers.ts";
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
