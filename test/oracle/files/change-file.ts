/** A second, naive implementation of change files (docs/changes.md). */
import * as fc from "fast-check";

import { factsOf } from "../facts.ts";
import { evolution } from "../random/evolve.ts";
import { pick, position, shuffle, title } from "../random/values.ts";
import type { SnapshotRecord } from "../records.ts";

/** Removes a record, which is named by its id or pair of ids. */
export type RemovalRecord = Readonly<Record<string, unknown>> & {
  object: string;
  removed: true;
  with?: "all";
};
export type ChangeRecord = SnapshotRecord | RemovalRecord;

/** A key that is unique for each record, and equal for a record and its removal. */
export function keyOf(record: ChangeRecord): string {
  const { object, id, user, team, space, collection, site } = { ...fieldsOf(record) };
  if (id !== undefined) return JSON.stringify([object, id]);
  return JSON.stringify([object, user, team, space, collection, site]);
}

function fieldsOf(record: ChangeRecord): Readonly<Record<string, unknown>> {
  return { ...record };
}

export function isRemoval(record: ChangeRecord): record is RemovalRecord {
  return "removed" in record;
}

const KEYS: Readonly<Record<string, readonly string[]>> = {
  member: ["organization", "user"],
  team: ["id"],
  teamMember: ["team", "user"],
  collection: ["id"],
  space: ["id"],
  site: ["id"],
  siteSpace: ["site", "space"],
  permission: ["space", "collection", "site", "user", "team"],
};

/** The record that removes a record; `undefined` if its kind cannot be removed. */
export function removalOf(record: SnapshotRecord): RemovalRecord | undefined {
  const fields = fieldsOf(record);
  const keys = KEYS[record.object];
  if (keys === undefined) return undefined;
  const key = keys.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]]));
  return { object: record.object, ...Object.fromEntries(key), removed: true };
}

/** The records of one organization, including the users who are its members; each record once. */
export function ownRecords(records: readonly SnapshotRecord[], organization: string): SnapshotRecord[] {
  const { members, users, teams, collections, spaces, sites } = factsOf(records, organization);
  const isOwn = (record: SnapshotRecord): boolean => {
    switch (record.object) {
      case "organization":
        return record.id === organization;
      case "user":
        return false;
      case "teamMember":
        return teams.has(record.team);
      case "siteSpace":
        return sites.has(record.site);
      case "permission":
        if (record.site !== undefined) return sites.has(record.site);
        return record.space === undefined ? collections.has(record.collection) : spaces.has(record.space);
      default:
        return record.organization === organization;
    }
  };
  const described = [...users.values()].filter(({ id }) => members.has(id));
  return [...described, ...records.filter(isOwn)];
}

/** The change file from one state to the other. */
export function differenceOf(
  before: readonly SnapshotRecord[],
  after: readonly SnapshotRecord[],
): ChangeRecord[] {
  const was = new Map(before.map((record) => [keyOf(record), record]));
  const is = new Map(after.map((record) => [keyOf(record), record]));
  return [
    ...[...was].flatMap(([key, record]) => (is.has(key) ? [] : (removalOf(record) ?? []))),
    ...[...is].flatMap(([key, record]) =>
      JSON.stringify(was.get(key)) === JSON.stringify(record) ? [] : record,
    ),
  ];
}

/** The keys of the records that a record refers to. */
function namedBy(record: SnapshotRecord): string[] {
  const fields = fieldsOf(record);
  const key = (object: string, id: unknown) => (id === undefined ? [] : [JSON.stringify([object, id])]);
  const member = fields.user === undefined ? [] : [memberKey(fields.user)];
  switch (record.object) {
    case "teamMember":
      return [...key("team", record.team), ...member];
    case "siteSpace":
      return [...key("site", record.site), ...key("space", record.space)];
    case "permission":
      return [
        ...key("space", record.space),
        ...key("collection", record.collection),
        ...key("site", record.site),
        ...key("team", record.team),
        ...member,
      ];
    default:
      return [];
  }
}

function memberKey(user: unknown): string {
  return JSON.stringify(["member", user, undefined, undefined, undefined, undefined]);
}

/**
 * Applies a change file to the records of an organization. The result may be no valid import; the change must then be
 * refused. `undefined` if the file itself is invalid.
 */
export function applied(
  records: readonly SnapshotRecord[],
  changes: readonly ChangeRecord[],
): SnapshotRecord[] | undefined {
  const outcome = new Map(records.map((record) => [keyOf(record), record]));
  if (new Set(changes.map(keyOf)).size < changes.length) return undefined;
  const said = new Set(changes.map(keyOf));
  for (const change of changes) {
    if (!isRemoval(change)) {
      outcome.set(keyOf(change), change);
      continue;
    }
    if (!outcome.delete(keyOf(change))) return undefined;
    if (change.with !== "all") continue;
    for (const [key, record] of outcome) {
      if (!said.has(key) && namedBy(record).includes(keyOf(change))) outcome.delete(key);
    }
  }
  const isMember = (user: string) => outcome.has(memberKey(user));
  if (changes.some((change) => change.object === "user" && !isMember(String(fieldsOf(change).id)))) {
    return undefined;
  }
  // The user's record is removed with the member.
  return [...outcome.values()].filter((record) => record.object !== "user" || isMember(record.id));
}

const SMALL = ["drop", "all", "remove", "removeAll", "repeat", "again", "title", "cross"] as const;
export const NOISES = [...SMALL, "renamed", "opened", "admins", "ungranted"] as const;

/** A modification of a change file that may make it invalid. */
interface Noise {
  readonly action: (typeof NOISES)[number];
  readonly at: number;
  readonly other: number;
  readonly title: string;
}

const noise: fc.Arbitrary<Noise> = fc.record({
  action: fc.constantFrom(...NOISES),
  at: position,
  other: position,
  title,
});

/**
 * A random function that makes a valid or invalid change file from the records of an organization. The caller chooses
 * the noise.
 */
export const changeFile: fc.Arbitrary<
  (own: readonly SnapshotRecord[], action: (typeof NOISES)[number]) => ChangeRecord[]
> = fc
  .record({ evolve: evolution, first: noise, others: fc.array(noise, { maxLength: 2 }), seed: fc.nat() })
  .map(({ evolve, first, others, seed }) => (own, action) => {
    const organization =
      own.flatMap((record) => (record.object === "organization" ? record.id : []))[0] ?? "";
    const things = own.filter((record) => record.object !== "user");
    const changes: ChangeRecord[] = differenceOf(own, ownRecords(evolve(own), organization));
    const noises = [...others, { ...first, action }];
    return shuffle(
      noises.reduce((now, each) => disturbed(now, each, things), changes),
      seed,
    );
  });

function disturbed(
  changes: ChangeRecord[],
  { action, at, other, title: text }: Noise,
  own: readonly SnapshotRecord[],
): ChangeRecord[] {
  const chosen = pick(changes, at);
  const there = pick(own, at);
  const removal = there && removalOf(there);
  const without = (key: string) => changes.filter((each) => keyOf(each) !== key);
  switch (action) {
    case "drop":
      return changes.filter((each) => each !== chosen);
    // The file does not remove the dependents of a removed record.
    case "all":
      return changes.flatMap((each): ChangeRecord[] => {
        if (!isRemoval(each)) return [each];
        const kind = each.object;
        if (kind === "teamMember" || kind === "siteSpace" || kind === "permission")
          return other % 2 ? [each] : [];
        return [{ ...each, with: "all" }];
      });
    case "remove":
      return removal === undefined ? changes : [...without(keyOf(removal)), removal];
    case "removeAll":
      return removal === undefined || !("id" in removal || removal.object === "member")
        ? changes
        : [...without(keyOf(removal)), { ...removal, with: "all" }];
    case "repeat":
      return chosen === undefined ? changes : [...changes, chosen];
    case "again":
      return there === undefined ? changes : [...without(keyOf(there)), there];
    case "title":
      return changes.map((each) =>
        !isRemoval(each) && "title" in each && each === chosen ? { ...each, title: text } : each,
      );
    case "renamed":
      return put(changes, own, (record) =>
        record.object === "organization" ? { ...record, title: text } : undefined,
      );
    case "opened":
      return put(changes, own, (record) =>
        "defaultLevel" in record && record.defaultLevel === null
          ? { ...record, defaultLevel: "inherit" }
          : undefined,
      );
    case "admins":
      return put(changes, own, (record) =>
        record.object === "member" ? { ...record, role: "admin" } : undefined,
      );
    case "ungranted":
      return put(changes, own, (record) => (record.object === "permission" ? removalOf(record) : undefined));
    case "cross": {
      const collections = own.filter((record) => record.object === "collection");
      const [below, above] = [pick(collections, at), pick(collections, other)];
      if (below === undefined || above === undefined) return changes;
      return [...without(keyOf(below)), { ...below, parent: above.id }];
    }
  }
}

/** Replaces some records of a change file. */
function put(
  changes: readonly ChangeRecord[],
  own: readonly SnapshotRecord[],
  change: (record: SnapshotRecord) => ChangeRecord | undefined,
): ChangeRecord[] {
  const removed = new Set(changes.filter(isRemoval).map(keyOf));
  const more = own.flatMap((record) => (removed.has(keyOf(record)) ? [] : (change(record) ?? [])));
  const keys = new Set(more.map(keyOf));
  return [...changes.filter((each) => !keys.has(keyOf(each))), ...more];
}

/** A change file with its header, one record per line. */
export function toChangeLines(
  organization: string,
  changes: readonly ChangeRecord[],
  header: object = {},
): string {
  const lines = [{ object: "changes", organization, ...header }, ...changes];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
