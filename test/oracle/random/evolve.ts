import * as fc from "fast-check";
import { DEEPEST, deepest } from "../files/nesting.ts";
import { byBytes } from "../order.ts";
import type { CollectionRecord, DefaultLevel, Role, SnapshotRecord, SpaceRecord } from "../records.ts";
import {
  contentId,
  date,
  defaultLevel,
  fresh,
  optional,
  pick,
  position,
  role,
  shuffle,
  title,
  userId,
} from "./values.ts";

const KINDS = [
  "member",
  "user",
  "team",
  "teamMember",
  "permission",
  "collection",
  "space",
  "site",
  "siteSpace",
] as const;

/**
 * One edit of a snapshot. Each kind of record uses some of the fields. A position is taken modulo the length of the
 * list that it indexes.
 */
interface Edit {
  action: "change" | "add" | "remove";
  kind: (typeof KINDS)[number];
  /** The position of the record among those of its kind; for an addition, that of its parent. */
  at: number;
  /** The position of a second record, such as a grantee or a parent; `undefined` for no parent. */
  other: number | undefined;
  toTeam: boolean;
  contentId: string;
  userId: string;
  title: string;
  role: Role;
  guest: boolean;
  owner: boolean;
  date: string;
  defaultLevel: DefaultLevel | undefined;
}

/** A random edit. It shrinks to an edit that changes a record. */
const edit: fc.Arbitrary<Edit> = fc.record(
  {
    action: fc.constantFrom("change", "add", "remove"),
    kind: fc.constantFrom(...KINDS),
    at: position,
    other: fc.option(position, { nil: undefined, freq: 4 }),
    toTeam: fc.boolean(),
    contentId,
    userId,
    title,
    role,
    guest: fc.boolean(),
    owner: fc.boolean(),
    date,
    defaultLevel,
  },
  { noNullPrototype: true },
);

/**
 * Adds what the edit adds; returns the records unchanged if that is impossible or already there. A new id is never one
 * of `used`: a record that returns under an old id would have another creation date.
 */
function added(
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
      return [...records, { object: "site", id, organization, title: edit.title, ...siteLevel(edit) }];
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
      const target = pick([...all("collection"), ...all("space"), ...all("site")], edit.at);
      if (target === undefined) return [...records];
      const given = all("permission").filter((record) => record[target.object] === target.id);
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
      if (to === undefined) return [...records];
      const { id } = target;
      if (target.object === "site")
        return [...records, { object: "permission", site: id, ...to, permission: role }];
      const on = target.object === "space" ? { space: id } : { collection: id };
      return [...records, { object: "permission", ...on, ...to, permission: edit.role }];
    }
  }
}

/** Changes one record; returns the records unchanged if there is none of the kind. */
function changed(records: readonly SnapshotRecord[], edit: Edit): SnapshotRecord[] {
  const target = pick(
    records.filter(({ object }) => object === edit.kind),
    edit.at,
  );
  if (target === undefined) return [...records];
  const result = records.map((record) => (isSame(record, target) ? change(record, edit, records) : record));
  // A change of parent that would make a cycle, or too deep a chain, is left out.
  return deepest(result) > DEEPEST ? [...records] : result;
}

/** A user may occur several times in an import, but all occurrences must be identical. */
function isSame(record: SnapshotRecord, target: SnapshotRecord): boolean {
  return (
    record === target || (record.object === "user" && target.object === "user" && record.id === target.id)
  );
}

/** Never changes an id or a creation date, because walks depend on these. */
function change(record: SnapshotRecord, edit: Edit, records: readonly SnapshotRecord[]): SnapshotRecord {
  switch (record.object) {
    case "member":
      return { ...record, role: edit.guest ? null : edit.role };
    case "user":
      return { ...record, displayName: edit.title };
    case "teamMember":
      return { ...record, role: edit.owner ? "owner" : "member" };
    case "permission":
      if (record.site !== undefined) return { ...record, permission: edit.guest ? null : edit.role };
      return { ...record, permission: edit.role };
    case "collection":
      return moved(record, edit, records);
    case "space":
      return { ...moved(record, edit, records), updatedAt: edit.date };
    case "organization":
    case "team":
      return { ...record, title: edit.title };
    case "site": {
      const { defaultLevel: _, ...silent } = record;
      return { ...silent, title: edit.title, ...siteLevel(edit) };
    }
    case "siteSpace":
      return record;
  }
}

function siteLevel({ defaultLevel }: Edit): { defaultLevel?: DefaultLevel } {
  return optional("defaultLevel", defaultLevel);
}

function moved<Content extends CollectionRecord | SpaceRecord>(
  content: Content,
  edit: Edit,
  records: readonly SnapshotRecord[],
): Content {
  const parents = records.filter(
    (record): record is CollectionRecord =>
      record.object === "collection" && record.organization === content.organization && record !== content,
  );
  const above = edit.other === undefined ? undefined : pick(parents, edit.other);
  const result = {
    ...content,
    title: edit.title,
    ...optional("parent", above?.id),
    ...optional("defaultLevel", edit.defaultLevel),
  };
  if (above === undefined) delete result.parent;
  if (edit.defaultLevel === undefined) delete result.defaultLevel;
  return result;
}

/** Removes records that refer to missing ones. A content whose parent is missing moves to the top level. */
export function prune(records: readonly SnapshotRecord[]): SnapshotRecord[] {
  const users = new Set(records.flatMap((record) => (record.object === "user" ? record.id : [])));
  const kept = records.filter((record) => record.object !== "member" || users.has(record.user));

  const members = new Set(
    kept.flatMap((record) => (record.object === "member" ? pair(record.organization, record.user) : [])),
  );
  const owners = (kind: "team" | "collection" | "space" | "site") =>
    new Map(kept.flatMap((record) => (record.object === kind ? [[record.id, record.organization]] : [])));
  const teams = owners("team");
  const collections = owners("collection");
  const spaces = owners("space");
  const sites = owners("site");

  return kept.flatMap((record): SnapshotRecord[] => {
    switch (record.object) {
      case "collection":
      case "space": {
        if (record.parent === undefined || collections.has(record.parent)) return [record];
        const { parent: _, ...top } = record;
        return [top];
      }
      case "teamMember": {
        const organization = teams.get(record.team);
        return organization !== undefined && members.has(pair(organization, record.user)) ? [record] : [];
      }
      case "siteSpace":
        return sites.has(record.site) && spaces.has(record.space) ? [record] : [];
      case "permission": {
        const organization =
          record.site !== undefined
            ? sites.get(record.site)
            : record.space === undefined
              ? collections.get(record.collection)
              : spaces.get(record.space);
        if (organization === undefined) return [];
        const there =
          record.user === undefined ? teams.has(record.team) : members.has(pair(organization, record.user));
        return there ? [record] : [];
      }
      default:
        return [record];
    }
  });
}

function pair(organization: string, user: string): string {
  return JSON.stringify([organization, user]);
}

/** Makes a later valid snapshot from a valid one. */
export type Evolution = (records: readonly SnapshotRecord[]) => SnapshotRecord[];

/**
 * Random evolutions. They do not depend on the records, so that both shrink. Records that stay keep their ids and
 * `createdAt`, and every organization stays. More than a fifth of the records may be removed, so import with
 * `--allow-removals`.
 */
export const evolution: fc.Arbitrary<Evolution> = fc
  .record({ edits: fc.array(edit, { minLength: 1, maxLength: 16 }), seed: fc.nat() })
  .map(
    ({ edits, seed }): Evolution =>
      (records) =>
        shuffle(
          edits.reduce<readonly SnapshotRecord[]>((now, next) => apply(now, next, records), sorted(records)),
          seed,
        ),
  );

/**
 * The same records in organizations with other ids; each user has another name and no e-mail address. They can be
 * imported into the same database.
 */
export function renamed(records: readonly SnapshotRecord[]): SnapshotRecord[] {
  const ids = records.flatMap((record) => (record.object === "organization" ? record.id : []));
  const taken = new Set(ids);
  const names = new Map(ids.map((id) => [id, fresh(id, taken)]));
  const nameOf = (id: string) => names.get(id) ?? id;
  return records.map((record): SnapshotRecord => {
    if (record.object === "organization") return { ...record, id: nameOf(record.id) };
    if (record.object === "user") {
      return { object: "user", id: record.id, displayName: `${record.displayName} elsewhere` };
    }
    return "organization" in record ? { ...record, organization: nameOf(record.organization) } : record;
  });
}

/**
 * Sorts records in an order that depends only on the records, so that an edit changes the same record in a shuffled
 * file.
 */
function sorted(records: readonly SnapshotRecord[]): SnapshotRecord[] {
  const lines = new Map(records.map((record) => [record, JSON.stringify(record)]));
  const lineOf = (record: SnapshotRecord) => lines.get(record) ?? "";
  return [...records].sort((left, right) => byBytes(lineOf(left), lineOf(right)));
}

function apply(
  records: readonly SnapshotRecord[],
  edit: Edit,
  first: readonly SnapshotRecord[],
): SnapshotRecord[] {
  if (edit.action === "change") return changed(records, edit);
  if (edit.action === "add") return added(records, edit, first);
  const gone = pick(
    records.filter(({ object }) => object === edit.kind),
    edit.at,
  );
  const isGone = (record: SnapshotRecord) =>
    record === gone || (record.object === "user" && gone?.object === "user" && record.id === gone.id);
  return prune(records.filter((record) => !isGone(record)));
}
