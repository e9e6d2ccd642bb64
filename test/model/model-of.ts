/** A model of an organization, from the records of an import. */
import { contentKey } from "../../src/domain/content.ts";
import { type Document, spaceDocument, userDocument } from "../../src/domain/document.ts";
import { keyOfRecord, type RecordChange, type RecordNames } from "../../src/domain/record-change.ts";
import { rank } from "../../src/domain/role.ts";
import { build, type ContentRow, type MemberRow } from "../../src/model/builder.ts";
import type { Model } from "../../src/model/model.ts";
import { utc } from "../oracle/date.ts";
import { levelOf } from "../oracle/effective.ts";
import type { Content, Facts } from "../oracle/facts.ts";
import { byBytes } from "../oracle/order.ts";
import type { CollectionRecord, Role, SpaceRecord, TeamRecord } from "../oracle/records.ts";

/** `reversed` gives teams and contents other stored numbers, which no answer may show. */
export function modelOf(facts: Facts, reversed = false): Model {
  const teams = [...facts.teams.values()].sort((a, b) => byBytes(a.id, b.id));
  const contents = [...facts.collections.values(), ...facts.spaces.values()].sort((a, b) =>
    byBytes(keyOf(a), keyOf(b)),
  );
  const number = <Row>(rows: readonly Row[], row: Row) => {
    const at = rows.indexOf(row);
    return reversed ? 3 * (rows.length - at) : at;
  };
  const teamNumber = (id: string) =>
    number(
      teams.map((team) => team.id),
      id,
    );
  const contentNumber = ({ kind, id }: Content) => number(contents.map(keyOf), contentKey(kind, id));
  const sites = [...facts.siteRecords.values()].sort((a, b) => byBytes(a.id, b.id));
  // No site has the number of a content.
  const siteNumber = (at: number) => 4 * contents.length + 4 + (reversed ? sites.length - at : at);
  const rows = {
    teams: teams.map((team) => ({ number: number(teams, team), id: team.id, text: textOf(team) })),
    contents: contents.map((record): ContentRow => {
      const parent = record.parent;
      return {
        number: number(contents, record),
        key: keyOf(record),
        parent: parent === undefined ? undefined : contentNumber({ kind: "collection", id: parent }),
        level: levelOf(record),
        created: record.object === "space" ? Date.parse(utc(record.createdAt)) : 0,
        document: documentOf(record),
        teams: facts
          .permissionsOn({ kind: record.object, id: record.id })
          .flatMap(({ team, permission }) =>
            team === undefined ? [] : [{ team: teamNumber(team), role: permission }],
          ),
      };
    }),
    members: [...facts.members]
      .sort(([a], [b]) => byBytes(a, b))
      .map(([id, role]): MemberRow => ({
        id,
        role,
        document: profileOf(facts, id),
        teams: facts.teamMembers.flatMap(({ team, user, role: membership }) =>
          user === id ? [{ team: teamNumber(team), isOwner: membership === "owner" }] : [],
        ),
        permissions: [
          ...contents.map((record) => ({
            on: number(contents, record),
            given: facts.permissionsOn({ kind: record.object, id: record.id }),
          })),
          ...sites.map(({ id: site }, at) => ({ on: siteNumber(at), given: facts.permissionsOnSite(site) })),
        ].flatMap(({ on, given }) =>
          given.flatMap(({ user, permission }) => (user === id ? [{ on, role: permission }] : [])),
        ),
      })),
    sites: sites.map((record, at) => ({
      number: siteNumber(at),
      id: record.id,
      title: record.title,
      level: levelOf(record),
      teams: facts
        .permissionsOnSite(record.id)
        .flatMap(({ team, permission }) =>
          team === undefined ? [] : [{ team: teamNumber(team), role: permission }],
        ),
      spaces: (facts.sites.get(record.id) ?? [])
        .toSorted(byBytes)
        .map((space) => contentNumber({ kind: "space", id: space })),
    })),
  };
  const building = build({ id: facts.organization, title: facts.organization }, rows);
  for (;;) {
    const step = building.next();
    if (step.done === true) return step.value;
  }
}

/** What two sets of records about an organization differ in, as the log says it. */
export function changesBetween(before: Facts, after: Facts): RecordChange[] {
  const [was, is] = [recordsOf(before), recordsOf(after)];
  const changes: RecordChange[] = [];
  for (const [key, { names, says }] of was) {
    const becomes = is.get(key)?.says;
    if (becomes !== says) changes.push({ ...names, was: says, becomes });
  }
  for (const [key, { names, says }] of is)
    if (!was.has(key)) changes.push({ ...names, was: undefined, becomes: says });
  return changes;
}

/** The changes that go back. */
export function undone(changes: readonly RecordChange[]): RecordChange[] {
  return changes.map((change) => ({ ...change, was: change.becomes, becomes: change.was }));
}

/** Records by their keys. */
export type Records = Map<string, { readonly names: RecordNames; readonly says: string }>;

export function recordsOf(facts: Facts): Records {
  const records: Records = new Map();
  const add = (names: RecordNames, says: string) => void records.set(keyOfRecord(names), { names, says });
  for (const [member, role] of facts.members) {
    add({ kind: "user", member }, profileOf(facts, member).text);
    add({ kind: "member", member }, rankOf(role));
  }
  for (const team of facts.teams.values()) add({ kind: "team", team: team.id }, textOf(team));
  for (const { team, user, role } of facts.teamMembers)
    if (facts.members.has(user)) add({ kind: "teamMember", team, member: user }, role);
  for (const record of [...facts.collections.values(), ...facts.spaces.values()]) {
    const content = keyOf(record);
    add({ kind: record.object, content }, documentOf(record).text);
    for (const { user, team, permission } of facts.permissionsOn({ kind: record.object, id: record.id }))
      add({ kind: "permission", member: user, team, content }, rankOf(permission));
  }
  for (const record of facts.siteRecords.values()) {
    const { id: site, title } = record;
    const defaultLevel = levelOf(record);
    const level = defaultLevel === "inherit" ? {} : { defaultLevel };
    add({ kind: "site", site }, JSON.stringify({ title, ...level }));
    for (const { user, team, permission } of facts.permissionsOnSite(site))
      add({ kind: "permission", member: user, team, site }, rankOf(permission));
    for (const space of facts.sites.get(site) ?? [])
      add({ kind: "siteSpace", site, content: contentKey("space", space) }, "");
  }
  return records;
}

function rankOf(role: Role | null): string {
  return String(role === null ? 0 : rank(role));
}

function textOf({ object, id, title, createdAt }: TeamRecord): string {
  return JSON.stringify({ object, id, title, createdAt: utc(createdAt) });
}

function profileOf(facts: Facts, id: string): Document {
  return userDocument({ ...facts.users.get(id) });
}

function documentOf(record: SpaceRecord | CollectionRecord): Document {
  return record.object === "space"
    ? spaceDocument({ ...record, createdAt: utc(record.createdAt) })
    : { text: JSON.stringify(record), omitted: 0 };
}

function keyOf({ object, id }: { readonly object: "space" | "collection"; readonly id: string }) {
  return contentKey(object, id);
}
