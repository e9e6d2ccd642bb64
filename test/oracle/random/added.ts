import type { Edit } from "./edit.ts";
import { DEEPEST, deepest } from "../files/nesting.ts";
import { fresh, optional, pick } from "./pick.ts";
import type { SnapshotRecord } from "../records.ts";

/**
 * Adds what the edit adds; returns the records unchanged if that is impossible or already there. A new id is never one
 * of `used`: a record that returns under an old id would have another creation date.
 */
export function added(
  records: readonly SnapshotRecord[],
  edit: Edit,
  used: readonly SnapshotRecord[],
): SnapshotRecord[] {
  const all = <Kind extends SnapshotRecord["object"]>(kind: Kind) =>
    records.filter((record): record is Extract<SnapshotRecord, { object: Kind }> => record.object === kind);
  const newId = (wanted: string) => {
    const named = [...records, ...used].filter(({ object }) => object === edit.kind);
    return fresh(wanted, new Set(named.flatMap((record) => ("id" in record ? record.id : []))));
  };
  const organization = pick(all("organization"), edit.at)?.id;
  if (organization === undefined) return [...records];
  const role = edit.guest ? null : edit.role;
  const id = newId(edit.kind === "user" ? edit.userId : edit.contentId);
  const collections = all("collection").filter((record) => record.organization === organization);
  const above = edit.other === undefined ? undefined : pick(collections, edit.other);
  const content = {
    id,
    organization,
    title: edit.title,
    ...optional("parent", above?.id),
    ...optional("defaultLevel", edit.defaultLevel),
  };

  switch (edit.kind) {
    case "user":
      return [
        ...records,
        { object: "user", id, displayName: edit.title },
        { object: "member", organization, user: id, role },
      ];
    case "team":
      return [...records, { object: "team", id, organization, title: edit.title, createdAt: edit.date }];
    case "site":
      return [...records, { object: "site", id, organization, title: edit.title }];
    case "space":
      return [...records, { object: "space", ...content, createdAt: edit.date, updatedAt: edit.date }];
    case "collection": {
      const result: SnapshotRecord[] = [...records, { object: "collection", ...content }];
      return deepest(result) > DEEPEST ? [...records] : result;
    }
    case "member": {
      const members = new Set(
        all("member").flatMap((member) => (member.organization === organization ? member.user : [])),
      );
      const user = pick(
        all("user").filter((record) => !members.has(record.id)),
        edit.other ?? 0,
      );
      return user === undefined
        ? [...records]
        : [...records, { object: "member", organization, user: user.id, role }];
    }
    case "teamMember": {
      const team = pick(all("team"), edit.at);
      const there = new Set(
        all("teamMember").flatMap((record) => (record.team === team?.id ? record.user : [])),
      );
      const member = pick(
        all("member").filter(
          (record) => record.organization === team?.organization && !there.has(record.user),
        ),
        edit.other ?? 0,
      );
      if (team === undefined || member === undefined) return [...records];
      return [
        ...records,
        {
          object: "teamMember",
          team: team.id,
          user: member.user,
          role: edit.owner ? "owner" : "member",
        },
      ];
    }
    case "siteSpace": {
      const site = pick(all("site"), edit.at);
      const there = new Set(
        all("siteSpace").flatMap((record) => (record.site === site?.id ? record.space : [])),
      );
      const space = pick(
        all("space").filter((record) => record.organization === site?.organization && !there.has(record.id)),
        edit.other ?? 0,
      );
      return site === undefined || space === undefined
        ? [...records]
        : [...records, { object: "siteSpace", site: site.id, space: space.id }];
    }
    case "permission": {
      const target = pick([...all("collection"), ...all("space")], edit.at);
      if (target === undefined) return [...records];
      const on = target.object === "space" ? { space: target.id } : { collection: target.id };
      const given = all("permission").filter(
        (record) => record.space === on.space && record.collection === on.collection,
      );
      const users = all("member").flatMap((member) =>
        member.organization === target.organization && !given.some(({ user }) => user === member.user)
          ? { user: member.user }
          : [],
      );
      const teams = all("team").flatMap((team) =>
        team.organization === target.organization && !given.some((record) => record.team === team.id)
          ? { team: team.id }
          : [],
      );
      const to = edit.toTeam ? pick(teams, edit.other ?? 0) : pick(users, edit.other ?? 0);
      return to === undefined
        ? [...records]
        : [...records, { object: "permission", ...on, ...to, permission: edit.role }];
    }
  }
}
