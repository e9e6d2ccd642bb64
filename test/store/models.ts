import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Model } from "../../src/model/model.ts";
import { textOf } from "../../src/model/texts.ts";
import { modelOf as storedModel } from "../../src/store/models.ts";
import { expectEqual } from "../model/expect-equal.ts";
import { modelOf } from "../model/model-of.ts";
import { factsOf, organizationIds } from "../oracle/facts.ts";
import { organizations } from "../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { type OpenPlace, World } from "../world.ts";
import { holds } from "../setup/property.ts";

/** A model in memory has what the records say, as of each revision. */
export function exerciseModels(open: OpenPlace, runs: number): void {
  test("the models of random organizations are what their records say", async () => {
    const sizes = { maxOrganizations: 2, minMembers: 1, maxMembers: 30, maxContents: 30 };
    await holds(
      fc.asyncProperty(organizations(sizes), organizations(sizes), (records, later) =>
        compareModels(open, [records, later]),
      ),
      { numRuns: runs },
    );
  });

  test("lists of a member and a content that are too long for their rows are loaded", async () => {
    const records = manyOf(300);
    await compareModels(open, [records, records.slice(0, -1)]);
  });
}

async function compareModels(open: OpenPlace, files: readonly (readonly SnapshotRecord[])[]): Promise<void> {
  const world = await World.open(open);
  try {
    for (const records of files) {
      await world.import(records, { allowRemovals: true, allowEmpty: true });
      for (const id of organizationIds(records)) {
        const organization = await world.store.registry.organization(id);
        if (organization === undefined) throw new Error(`There is no organization ${id}.`);
        const stored = await storedModel(world.store.reading(organization.current));
        const expected = titled(records, id);
        expect(documentsOf(stored)).toEqual(documentsOf(expected));
        expectEqual(withTextsOf(expected, stored), expected);
      }
    }
  } finally {
    await world.close();
  }
}

/** What the records say, with the titles that the oracle's facts leave out. */
function titled(records: readonly SnapshotRecord[], id: string): Model {
  const model = modelOf(factsOf(records, id));
  const title = (object: "organization" | "site", wanted: string) =>
    records.flatMap((record) => (record.object === object && record.id === wanted ? record.title : []))[0] ??
    "";
  const sites = { ...model.sites, titles: model.sites.ids.map((site) => title("site", site)) };
  return { ...model, organization: { id, title: title("organization", id) }, sites };
}

/** Whose document each one is. */
function documentsOf({ members, contents }: Model): unknown[] {
  return [members.profiles, contents.texts].map((texts) =>
    Array.from(texts.begins.keys(), (at) => {
      const { id, title, displayName } = Object(JSON.parse(textOf(texts, at)));
      return [id, title, displayName];
    }),
  );
}

/** A record may spell a date otherwise than it is stored, or give a field its default value, which is not. */
function withTextsOf({ members, contents }: Model, model: Model): Model {
  return {
    ...model,
    members: { ...model.members, profiles: members.profiles, omitted: members.omitted },
    contents: { ...model.contents, texts: contents.texts, omitted: contents.omitted },
  };
}

const DATE = "2025-03-01T09:30:00.000Z";

/** One member of many teams, with permissions on many spaces, one of which has the permissions of all teams. */
function manyOf(count: number): SnapshotRecord[] {
  const names = Array.from({ length: count }, (_, at) => `n-${at}`);
  return [
    { object: "organization", id: "o", title: "o" },
    { object: "user", id: "ana", displayName: "Ana" },
    { object: "member", organization: "o", user: "ana", role: null },
    ...names.flatMap((id): SnapshotRecord[] => [
      { object: "team", id, organization: "o", title: id, createdAt: DATE },
      { object: "teamMember", team: id, user: "ana", role: id.endsWith("7") ? "owner" : "member" },
      { object: "space", id, organization: "o", title: id, createdAt: DATE, updatedAt: DATE },
      { object: "permission", space: id, user: "ana", permission: "edit" },
      { object: "permission", space: "n-1", team: id, permission: "comment" },
    ]),
  ];
}
