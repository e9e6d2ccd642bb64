/** Valid change files, and the messages for invalid ones (docs/changes.md). */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyChange, type ApplyResult } from "../../../src/snapshot/changes/apply.ts";
import { readChange } from "../../../src/snapshot/changes/read.ts";
import { RECORD_KINDS } from "../../../src/domain/record-change.ts";
import { acme } from "../../examples/acme.ts";
import { removalOf } from "../../oracle/files/change-file.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { nameOf } from "../../../src/store/writing/guard.ts";
import { sqlitePlace, World } from "../../world.ts";

let world: World;
beforeAll(async () => {
  world = await World.open(sqlitePlace);
  await world.import([...acme, ...SPEAKING]);
});
afterAll(() => world.close());

const HEADER = { object: "changes", organization: "acme" };

function lines(...records: readonly object[]): string {
  const isOfSites = records[0] === OF_SITES;
  return [...(isOfSites ? [] : [HEADER]), ...records].map((record) => `${JSON.stringify(record)}\n`).join("");
}

async function dry(text: string | Buffer, complete = false): Promise<ApplyResult> {
  const change = await readChange(world.file(text, "c.ndjson"), complete, () => {});
  return applyChange(world.store.engine, change, { dryRun: true, allowRemovals: true });
}

/** The messages for an invalid file, one per line. They name the file `f`. */
async function said(text: string | Buffer, complete = false): Promise<string[]> {
  const file = world.file(text, "c.ndjson");
  try {
    await dry(text, complete);
    return [];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const told = error.message.replaceAll(file, "f").split("\n");
    expect(told.pop()).toBe("Nothing was changed.");
    return told;
  }
}

/**
 * For each kind of record that the file has: the numbers of added, changed, removed and unchanged records, such as "+0
 * ~1 -0 =0".
 */
async function does(...records: readonly object[]): Promise<Record<string, string>> {
  const { kinds } = await dry(lines(...records));
  return Object.fromEntries(
    RECORD_KINDS.flatMap((kind) => {
      const { added, changed, removed, unchanged } = kinds[kind];
      const counts = `+${added} ~${changed} -${removed} =${unchanged}`;
      return counts === "+0 ~0 -0 =0" ? [] : [[kind, counts]];
    }),
  );
}

const OF_SITES = { object: "changes", organization: "speaking" };
const HELP = {
  object: "site",
  id: "help",
  organization: "speaking",
  title: "Help center",
  defaultLevel: null,
} as const;
const TO_BEA = { object: "permission", site: "help", user: "bea", permission: null } as const;
const TO_TEAM = { object: "permission", site: "help", team: "crew", permission: null } as const;
const TO_CY = { object: "permission", site: "help", user: "cy", permission: null } as const;
const DATE = "2026-01-01T00:00:00.000Z";
/** An organization whose site says something. */
const SPEAKING: SnapshotRecord[] = [
  { object: "organization", id: "speaking", title: "Speaking" },
  { object: "user", id: "bea", displayName: "Bea" },
  { object: "user", id: "cy", displayName: "Cy" },
  { object: "member", organization: "speaking", user: "bea", role: "read" },
  { object: "member", organization: "speaking", user: "cy", role: "read" },
  { object: "team", id: "crew", organization: "speaking", title: "Crew", createdAt: DATE },
  {
    object: "space",
    id: "guide",
    organization: "speaking",
    title: "Guide",
    createdAt: DATE,
    updatedAt: DATE,
  },
  HELP,
  { object: "siteSpace", site: "help", space: "guide" },
  TO_BEA,
  TO_TEAM,
];

const NEW = { object: "user", id: "zoe", displayName: "Zoe" };
const MEMBER = { object: "member", organization: "acme", user: "zoe", role: "edit" };
const ANA = { object: "member", organization: "acme", user: "ana" };
const find = (object: string, id: string) =>
  acme.find((record) => record.object === object && "id" in record && record.id === id) ?? {};

describe("a change file", () => {
  test.each([
    [
      "CRLF, blank lines and a mark at its beginning",
      `\uFEFF${lines(NEW, MEMBER).replaceAll("\n", "\r\n\r\n")}`,
    ],
    ["gzip", gzipSync(lines(NEW, MEMBER))],
    ["no line end", lines(NEW, MEMBER).trimEnd()],
    ["an end that counts the header", lines(NEW, MEMBER, { object: "end", records: 3 })],
  ])("may have %s", async (_, text) => {
    expect((await dry(text)).kinds.member).toEqual({ added: 1, changed: 0, removed: 0, unchanged: 0 });
  });

  test("with nothing in it changes nothing", async () => {
    expect(await dry(lines())).toMatchObject({ changed: false, revision: undefined });
  });

  test("adds and replaces whole records, and counts unchanged ones", async () => {
    expect(await does(NEW, MEMBER)).toEqual({ user: "+1 ~0 -0 =0", member: "+1 ~0 -0 =0" });
    expect(await does({ ...NEW, id: "ana" }, { ...ANA, role: "read" })).toEqual({
      user: "+0 ~1 -0 =0",
      member: "+0 ~1 -0 =0",
    });
    expect(await does({ object: "organization", id: "acme", title: "Acme 2" })).toEqual({
      organization: "+0 ~1 -0 =0",
    });
    expect(await does(find("collection", "people"), find("space", "hiring"), find("team", "docs"))).toEqual({
      team: "+0 ~0 -0 =1",
      collection: "+0 ~0 -0 =1",
      space: "+0 ~0 -0 =1",
    });
    // An omitted default level is `inherit`.
    const { defaultLevel: _, ...people } = { defaultLevel: null, ...find("collection", "people") };
    expect(await does(people)).toEqual({ collection: "+0 ~1 -0 =0" });
  });

  test("removes one record, or a record with its dependents", async () => {
    expect(await does({ object: "teamMember", team: "docs", user: "ana", removed: true })).toEqual({
      teamMember: "+0 ~0 -1 =0",
    });
    expect(await does({ object: "team", id: "docs", removed: true, with: "all" })).toEqual({
      team: "+0 ~0 -1 =0",
      teamMember: "+0 ~0 -5 =0",
      permission: "+0 ~0 -1 =0",
    });
    const own = acme.filter((record) => record.object === "teamMember" && record.team === "docs");
    const grants = acme.filter((record) => record.object === "permission" && record.team === "docs");
    const alone = [...own, ...grants].flatMap((record) => removalOf(record) ?? []);
    expect(await does({ object: "team", id: "docs", removed: true }, ...alone)).toEqual({
      team: "+0 ~0 -1 =0",
      teamMember: "+0 ~0 -5 =0",
      permission: "+0 ~0 -1 =0",
    });
  });

  test("removes a space with all permissions of teams and users on it, and its places in sites", async () => {
    const spaces = acme.filter((record) => record.object === "space");
    const on = (kind: string, id: string) =>
      acme.filter((record) => record.object === kind && "space" in record && record.space === id).length;
    expect(
      acme.some((record) => record.object === "permission" && "space" in record && "team" in record),
    ).toBe(true);
    for (const { id } of spaces) {
      const { kinds } = await dry(lines({ object: "space", id, removed: true, with: "all" }));
      const removed = [kinds.space.removed, kinds.permission.removed, kinds.siteSpace.removed];
      expect(removed, id).toEqual([1, on("permission", id), on("siteSpace", id)]);
    }
  });

  test("deletes the tokens of members who leave", async () => {
    await world.token("acme", "ana");
    const { endingTokens } = await dry(lines({ ...ANA, removed: true, with: "all" }));
    expect(endingTokens.map(({ member }) => member)).toEqual(["ana"]);
  });
});

describe("what sites say", () => {
  test("is added, changed and removed", async () => {
    expect(await does(OF_SITES, HELP, { ...TO_TEAM, permission: "edit" }, TO_CY, TO_BEA)).toEqual({
      site: "+0 ~0 -0 =1",
      permission: "+1 ~1 -0 =1",
    });
    const { defaultLevel: _, ...inheriting } = HELP;
    const { permission: _role, ...key } = TO_BEA;
    expect(await does(OF_SITES, inheriting, { ...key, removed: true })).toEqual({
      site: "+0 ~1 -0 =0",
      permission: "+0 ~0 -1 =0",
    });
  });

  test("goes with the site, the team and the member", async () => {
    const goes = { removed: true, with: "all" };
    expect(await does(OF_SITES, { object: "site", id: "help", ...goes })).toEqual({
      site: "+0 ~0 -1 =0",
      siteSpace: "+0 ~0 -1 =0",
      permission: "+0 ~0 -2 =0",
    });
    expect(await does(OF_SITES, { object: "team", id: "crew", ...goes })).toEqual({
      team: "+0 ~0 -1 =0",
      permission: "+0 ~0 -1 =0",
    });
    const bea = { object: "member", organization: "speaking", user: "bea" };
    expect(await does(OF_SITES, { ...bea, ...goes })).toEqual({
      user: "+0 ~0 -1 =0",
      member: "+0 ~0 -1 =0",
      permission: "+0 ~0 -1 =0",
    });
  });

  test.each<[string, readonly object[], string]>([
    [
      "a site on which records depend",
      [{ object: "site", id: "help", removed: true }],
      'f:2: site.id is "help", on which 1 site link and 2 permissions depend; accepted: "with":"all" beside removed, or a removal of each of them',
    ],
    [
      "a permission that is not there",
      [{ object: "permission", site: "help", user: "cy", removed: true }],
      'f:2: permission.user is "cy"; accepted: a pair of site and user of organization speaking (here with help), since the record removes one',
    ],
    [
      "a permission twice",
      [TO_CY, TO_CY],
      'f:3: permission.user is "cy" a second time, first at f:2; accepted: each pair of site and user once in a change file',
    ],
    [
      "a site that is not there",
      [{ ...TO_CY, site: "none" }],
      'f:2: permission.site is "none"; accepted: a site of organization speaking',
    ],
  ])("is refused for %s", async (_, records, message) => {
    expect(await said(lines(OF_SITES, ...records))).toEqual([message]);
  });

  test("is named with titles", async () => {
    const details: string[] = [];
    const change = await readChange(world.file(lines(OF_SITES, TO_CY), "c.ndjson"), false, () => {});
    await applyChange(world.store.engine, change, {
      dryRun: true,
      details: (page) => void details.push(...page.map(nameOf)),
    });
    expect(details).toEqual(["no access for cy (Cy) on site/help (Help center)"]);
  });
});

const ACCEPTED_HEADER =
  'accepted: {"object":"changes","organization":ID} as the first record, and only there';

describe("is refused with the reason:", () => {
  test.each<[string, readonly object[], readonly string[]]>([
    [
      "a header after other records",
      [NEW, HEADER],
      [`f:3: there is a header after other records; ${ACCEPTED_HEADER}`],
    ],
    [
      "a key that occurs twice, also once removed",
      [
        { ...ANA, role: "read" },
        { ...ANA, removed: true },
      ],
      ['f:3: member.user is "ana" a second time, first at f:2; accepted: each member once in a change file'],
    ],
    [
      "a repeated user, identical or not",
      [NEW, MEMBER, NEW],
      ['f:4: user.id is "zoe" a second time, first at f:2; accepted: each user id once in a change file'],
    ],
    [
      "another organization",
      [{ object: "team", id: "x", organization: "globex", title: "X", createdAt: "2026-01-01T00:00:00Z" }],
      ['f:2: team.organization is "globex"; accepted: acme, whose changes these are'],
    ],
    [
      "a new member without a user",
      [MEMBER],
      ['f:2: member.user is "zoe"; accepted: a user with a record in this file, or who is a member'],
    ],
    ["a user who is no member", [NEW], ['f:2: user.id is "zoe"; accepted: a member of organization acme']],
    [
      "a user who is removed",
      [{ object: "user", id: "ana", removed: true }],
      ["f:2: user.removed is true, but no user is ever removed; remove the member instead"],
    ],
    [
      "an organization that is removed",
      [{ object: "organization", id: "acme", removed: true }],
      ["f:2: organization.removed is true, but no organization is ever removed"],
    ],
    [
      "more than the key of what is removed",
      [{ object: "team", id: "docs", title: "Docs", removed: true }],
      ['f:2: team.title is "Docs"; accepted fields of team: object, id, with, removed'],
    ],
    [
      "all of a record without dependents",
      [{ object: "teamMember", team: "docs", user: "ana", removed: true, with: "all" }],
      ['f:2: teamMember.with is "all"; accepted fields of teamMember: object, team, user, removed'],
    ],
    [
      "a removal that is none",
      [{ object: "team", id: "docs", removed: false }],
      ["f:2: team.removed is false; accepted: true"],
    ],
    [
      "what is not there to be removed",
      [
        { object: "team", id: "x", removed: true },
        { object: "permission", space: "hiring", team: "writers", removed: true },
      ],
      [
        'f:2: team.id is "x"; accepted: a team of organization acme, since the record removes one',
        'f:3: permission.team is "writers"; accepted: a pair of content and team of organization acme (here with space/hiring), since the record removes one',
      ],
    ],
    [
      "dependents of a removed record",
      [{ object: "team", id: "docs", removed: true }],
      [
        'f:2: team.id is "docs", on which 5 team memberships and 1 permission depend; accepted: "with":"all" beside removed, or a removal of each of them',
      ],
    ],
    [
      "a collection that is not empty, with all or without",
      [{ object: "collection", id: "people", removed: true, with: "all" }],
      [
        'f:2: collection.id is "people", in which 3 contents lie; accepted: a collection whose contents this file moves or removes as well; "with":"all" takes none of them',
      ],
    ],
    [
      "a cycle",
      [{ object: "collection", id: "handbook", organization: "acme", title: "H", parent: "beta" }],
      ['f:2: collection.parent is "beta"; accepted: collections without a cycle'],
    ],
    [
      "a permission for what the same file removes",
      [
        { object: "team", id: "docs", removed: true, with: "all" },
        { object: "permission", space: "hiring", team: "docs", permission: "read" },
      ],
      ['f:3: permission.team is "docs"; accepted: a team of organization acme'],
    ],
    [
      "an unknown kind",
      [{ object: "folder" }],
      [
        'f:2: object is "folder"; accepted: changes, organization, user, member, team, teamMember, collection, space, site, siteSpace, permission, end',
      ],
    ],
  ])("%s", async (_, records, messages) => expect(await said(lines(...records))).toEqual(messages));

  test("no header", async () => {
    expect(await said(`${JSON.stringify(NEW)}\n${JSON.stringify(MEMBER)}\n`)).toEqual([
      `f:1: the first record is "user"; ${ACCEPTED_HEADER}`,
    ]);
    expect(await said("")).toEqual([
      'f: there is no record; accepted: {"object":"changes","organization":ID} and the changes',
    ]);
  });

  test("an end that does not count the header, or is missing", async () => {
    expect((await said(lines(NEW, MEMBER, { object: "end", records: 2 })))[0]).toMatch(
      /^f:4: end\.records is 2, but there are 3 records before it/,
    );
    expect((await said(lines(NEW, MEMBER), true))[0]).toMatch(
      /^f:3: the end record is missing after 3 records/,
    );
  });

  test("a missing organization", async () => {
    expect(await said('{"object":"changes","organization":"nowhere"}\n')).toEqual([
      'f:1: changes.organization is "nowhere"; accepted: an organization that was imported',
    ]);
  });

  test("a base that is not the current revision", async () => {
    const revision = (await world.store.registry.organization("acme"))?.current.revision ?? 0;
    expect(await said(lines(NEW, MEMBER).replace('"acme"', `"acme","base":${revision}`))).toEqual([]);
    expect(await said(lines(NEW, MEMBER).replace('"acme"', `"acme","base":${revision + 1}`))).toEqual([
      `f:1: changes.base is "${revision + 1}"; accepted: ${revision}, the current revision of organization acme`,
    ]);
  });

  test("the first twenty errors, and the number of further ones", async () => {
    const removals = Array.from({ length: 30 }, (_, index) => ({
      object: "site",
      id: `s${index}`,
      removed: true,
    }));
    const told = await said(lines(...removals));
    expect(told).toHaveLength(21);
    expect(told[20]).toBe("… and 10 more.");
  });

  test("a moved collection whose contents would be too deep", async () => {
    const chain = (name: string, length: number, top?: string) =>
      Array.from({ length }, (_, index) => {
        const parent = index === 0 ? top : `${name}${index - 1}`;
        return {
          object: "collection",
          id: `${name}${index}`,
          organization: "acme",
          title: "C",
          ...(parent && { parent }),
        };
      });
    expect(await said(lines(...chain("a", 32)))).toEqual([]);
    expect((await said(lines(...chain("a", 33)))).length).toBeGreaterThan(0);
    // developer-docs and beta below it are two levels; they move below 31 levels.
    const moved = { ...find("collection", "developer-docs"), parent: "a30" };
    expect(await said(lines(...chain("a", 31), moved))).toEqual([
      'f:33: collection.parent is "a30"; accepted: collections nested at most 32 deep',
    ]);
    expect(await said(lines(...chain("a", 30), { ...moved, parent: "a29" }))).toEqual([]);
  });
});
