/** The spaces on which a member has a role, and those that the permissions of a team open. */
import { decide, type MemberRights } from "../../domain/ladder.ts";
import type { Order, Page } from "../../domain/page.ts";
import { reasonOf } from "../../domain/reason.ts";
import { findMember, findTeam, keyOf, type Model } from "../../model/model.ts";
import { contentDocument, titlesIn } from "../../model/records.ts";
import { byCreation } from "../../model/spaces.ts";
import { ladderOn, rightsOn } from "../../model/why.ts";
import { modelOf } from "../../store/models.ts";
import type { Reading } from "../../store/reading.ts";
import type { HeldRole, OpenedRow, ReachRow, SpaceRow } from "../wire/lists.ts";
import { type ListOpener, mapped } from "./list.ts";
import { FilteredList, type Listed } from "./listed.ts";
import { newSpaces } from "./newcomers.ts";
import { spaceRows } from "./nodes.ts";
import type { Filter } from "./query.ts";
import type { Viewer } from "./viewer.ts";

/** The spaces on which a member has a role, by creation time; with `sort=strongest`, strongest role first. */
export function reachOf(user: string, filter: Filter, order: Order): ListOpener<ReachRow> {
  return async (reading, viewer) => {
    const model = await modelOf(reading);
    const member = findMember(model, user);
    if (member === undefined) return undefined;
    const newSince = (time: string) => newSpaces(reading, time, model, member);
    const list = new FilteredList(model, { of: "spaces", member }, filter, { order, newSince });
    const isByRole = filter.sort === "strongest" && filter.role === undefined;
    const rows = rowsOf(reading, viewer, model, (space) => rightsOn(model, member, space));
    return {
      page: async (request) =>
        mapped(
          await rows(await list.page(request, isByRole)),
          ({ content, row, role, reason }): ReachRow[] => {
            const { createdAt, deletedAt }: { createdAt: string; deletedAt?: string } = JSON.parse(
              contentDocument(model, content).text,
            );
            return [{ ...row, role, createdAt, ...(deletedAt && { deletedAt }), reason }];
          },
        ),
      count: async () => ({ total: await list.total(), roles: await list.counts() }),
      keyOf: (row) => list.keyOf(row, isByRole),
    };
  };
}

/** The spaces to which a team's permissions give access, by creation time. */
export function openedByTeam(id: string, filter: Filter): ListOpener<OpenedRow> {
  return async (reading, viewer) => {
    const model = await modelOf(reading);
    const team = findTeam(model, id);
    if (team === undefined) return undefined;
    const list = new FilteredList(model, { of: "opened", team }, filter, { order: "desc" });
    // What a guest has who is in this team alone.
    const rights: MemberRights = { role: null, teams: [id], direct: new Map() };
    const rows = rowsOf(reading, viewer, model, () => rights);
    return {
      page: async (request) =>
        mapped(await rows(await list.page(request, false)), ({ row, role, reason }): OpenedRow[] => [
          { ...row, role, reason },
        ]),
      count: async () => ({ total: await list.total(), roles: await list.counts() }),
    };
  };
}

interface HeldSpace extends HeldRole {
  readonly content: number;
  readonly row: SpaceRow;
}

/** Reads listed spaces, and what gives the role there to whoever has these rights. */
function rowsOf(
  reading: Reading,
  viewer: Viewer,
  model: Model,
  rightsOf: (content: number) => MemberRights,
): (page: Page<Listed, string>) => Promise<Page<HeldSpace, string>> {
  const { order } = byCreation(model);
  const titles = titlesIn(model);
  return async (page) => {
    const listed = page.entries.map(({ at, role }) => {
      const content = order[at] ?? 0;
      return { content, role, key: keyOf(model, content) };
    });
    const keys = listed.map(({ key }) => key);
    const rows = await spaceRows(reading, viewer, keys);
    return mapped({ ...page, entries: listed }, ({ content, role, key }): HeldSpace[] => {
      const row = rows.get(key);
      const decision = decide(ladderOn(model, content), rightsOf(content));
      if (row === undefined || decision === undefined) return [];
      return [{ content, row, role, reason: reasonOf(key, decision, titles) }];
    });
  };
}
