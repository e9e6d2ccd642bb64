/** The spaces of a site, and the permissions of a team. */
import type { ContentKey } from "../../domain/content.ts";
import { compareIds } from "../../domain/id.ts";
import { reasonOf } from "../../domain/reason.ts";
import { rank, roleOf } from "../../domain/role.ts";
import { PERMISSION } from "../../model/lists.ts";
import { findContent, findMember, findSite, findTeam, keyOf } from "../../model/model.ts";
import { ROLE } from "../../model/code.ts";
import { titlesIn } from "../../model/records.ts";
import { spacesOfSite } from "../../model/spaces.ts";
import { contentsByTitle } from "../../model/titles.ts";
import { decisionOn } from "../../model/why.ts";
import { modelOf } from "../../store/models.ts";
import type { Reading } from "../../store/reading.ts";
import { workInTurns } from "../../store/turns.ts";
import type { GivenRow, HeldRole, SpaceRow } from "../wire/lists.ts";
import { keptBy } from "./contents.ts";
import { type ListOpener, openOrdered } from "./list.ts";
import { newRecords } from "./newcomers.ts";
import { contentRow, spaceRow } from "./nodes.ts";
import { type Filter, rolesOf } from "./query.ts";
import { viewOf } from "./viewer.ts";

export function spacesOf(site: string, filter: Filter): ListOpener<SpaceRow> {
  return async (reading, viewer) => {
    const view = await viewOf(reading, viewer);
    const { model } = view;
    const found = findSite(model, site);
    if (found === undefined) return undefined;
    const isKept = await keptBy(model, filter);
    const added = await newRecords(reading, filter.since, {
      name: `spaces of ${site}`,
      kind: "siteSpace",
      keyOf: (record) => (record.site === site ? record.content : undefined),
    });
    const { keyOf: titleKey } = await workInTurns(contentsByTitle(model));
    const kept = spacesOfSite(model, found).filter(
      (space) => added?.has(keyOf(model, space)) !== false && isKept(space),
    );
    const sorted = Array.from(kept, (space) => ({ space, key: titleKey(space) })).sort((a, b) =>
      compareIds(a.key, b.key),
    );
    return openOrdered({ entries: sorted, keyOf: ({ key }) => key, isCounted: true }, ({ space }) =>
      spaceRow(view, space),
    );
  };
}

/** One member's effective role on each of the given contents, with its reason. Contents without access are absent. */
export async function heldOn(
  reading: Reading,
  user: string,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, HeldRole>> {
  const model = await modelOf(reading);
  const member = findMember(model, user);
  if (member === undefined) return new Map();
  const titles = titlesIn(model);
  return new Map(
    keys.flatMap((key): [ContentKey, HeldRole][] => {
      const content = findContent(model, key);
      const decision = content === undefined ? undefined : decisionOn(model, member, content);
      return decision === undefined
        ? []
        : [[key, { role: decision.role, reason: reasonOf(key, decision, titles) }]];
    }),
  );
}

/** A team's permissions, strongest role first, then by kind and id. */
export function permissionsOf(team: string, filter: Filter): ListOpener<GivenRow> {
  return async (reading, viewer) => {
    const view = await viewOf(reading, viewer);
    const { model } = view;
    const found = findTeam(model, team);
    if (found === undefined) return undefined;
    const isKept = await keptBy(model, filter);
    const added = await newRecords(reading, filter.since, {
      name: `permissions of ${team}`,
      kind: "permission",
      keyOf: (record) => (record.team === team ? record.content : undefined),
    });
    const ranks = new Set(rolesOf(filter).map(rank));
    const { at, entries } = model.teams.permissions;
    const given = Array.from(entries.subarray(at[found], at[found + 1]), (entry) => ({
      content: entry >>> PERMISSION,
      role: roleOf(entry & ROLE),
    }))
      .map((each) => ({ ...each, key: `${6 - rank(each.role)}/${keyOf(model, each.content)}` }))
      .filter(
        ({ content, role }) =>
          ranks.has(rank(role)) && added?.has(keyOf(model, content)) !== false && isKept(content),
      )
      .sort((a, b) => compareIds(a.key, b.key));
    return openOrdered(
      { entries: given, keyOf: ({ key }) => key, isCounted: false },
      ({ content, role }) => ({
        ...contentRow(view, content),
        role,
      }),
    );
  };
}
