/** `convert csv` with --people and --access: what is derived for Rolebook's ladder, and what never is. */
import { describe, expect, test } from "vitest";
import { convert, only, refusal, SMALL } from "./sheets.ts";

describe("what is derived", () => {
  test("two files make an organization", async () => {
    const { records } = await convert(SMALL);
    expect(records).toEqual([
      { object: "organization", id: "acme", title: "Acme" },
      { object: "user", id: "ana@x.example", displayName: "Ana", email: "ana@x.example" },
      { object: "member", organization: "acme", user: "ana@x.example", role: "edit" },
      { object: "user", id: "ben@x.example", displayName: "Ben", email: "ben@x.example" },
      { object: "member", organization: "acme", user: "ben@x.example", role: null },
      {
        object: "team",
        id: "docs",
        organization: "acme",
        title: "Docs",
        createdAt: "1970-01-01T00:00:00.000Z",
      },
      { object: "teamMember", team: "docs", user: "ana@x.example", role: "member" },
      {
        object: "space",
        id: "notes",
        organization: "acme",
        title: "Notes",
        defaultLevel: null,
        createdAt: "1970-01-01T00:00:00.000Z",
        updatedAt: "1970-01-01T00:00:00.000Z",
      },
      { object: "permission", space: "notes", user: "ben@x.example", permission: "read" },
      { object: "permission", space: "notes", team: "docs", permission: "review" },
    ]);
  });

  test("paths become a tree", async () => {
    const { records } = await convert({
      ...SMALL,
      access:
        "content,user,team,role\nHandbook / Developer docs / SDK guides,,Docs,edit\nHandbook,ben@x.example,,read\n",
    });
    expect(
      [...only(records, "collection"), ...only(records, "space")].map(({ object, id, ...rest }) => [
        object,
        id,
        rest.parent,
      ]),
    ).toEqual([
      ["collection", "handbook", undefined],
      ["collection", "developer-docs", "handbook"],
      ["space", "sdk-guides", "developer-docs"],
    ]);
    expect(only(records, "permission").map(({ collection }) => collection)).toEqual(["handbook", undefined]);
  });

  test.each([
    [
      "a person on several rows",
      "name,e-mail,role,team\nAna,ana@x.example,edit,Docs\nAna,ana@x.example,edit,Ops\n",
    ],
    ["commas", 'name,e-mail,role,team\nAna,ana@x.example,edit,"Docs, Ops"\n'],
    ["semicolons", "name,e-mail,role,team\nAna,ana@x.example,edit,Docs;Ops\n"],
    ["line breaks", 'name,e-mail,role,team\nAna,ana@x.example,edit,"Docs\nOps"\n'],
    ["bars", "name,e-mail,role,team\nAna,ana@x.example,edit,Docs|Ops\n"],
  ])("several teams by %s", async (_, people) => {
    const { records } = await convert({
      ...SMALL,
      people,
      access: "content,user,team,role\nNotes,,Ops,read\n",
    });
    expect(only(records, "member")).toHaveLength(1);
    expect(only(records, "teamMember").map(({ team }) => team)).toEqual(["docs", "ops"]);
  });

  test("a comma in the title of a known team does not separate teams", async () => {
    const { records } = await convert({
      ...SMALL,
      people: 'name,e-mail,role,team\nAna,ana@x.example,edit,"Sales, EMEA"\n',
      teams: 'title,id,created\n"Sales, EMEA",emea,2025-03-01\n',
      access: 'content,user,team,role\nNotes,,"Sales, EMEA",read\nPlans,,emea,edit\n',
    });
    expect(only(records, "team").map(({ id, createdAt }) => [id, createdAt])).toEqual([
      ["emea", "2025-03-01T00:00:00.000Z"],
    ]);
    expect(only(records, "permission").map(({ team }) => team)).toEqual(["emea", "emea"]);
  });

  test("people are found by id or address, ignoring case, and by nothing else", async () => {
    const people = "id,name,e-mail,role\n7,Ana,Ana@x.example,edit\n";
    const { records } = await convert({
      ...SMALL,
      people,
      access: "content,user,role\nNotes,ANA@X.EXAMPLE,read\nPlans,7,edit\n",
    });
    expect(only(records, "permission").map(({ user }) => user)).toEqual(["7", "7"]);
    expect(await refusal({ ...SMALL, people, access: "content,user,role\nNotes,Ana,read\n" })).toEqual([
      'access.csv:2: "user" is "Ana"; accepted: the id or e-mail address of a row of people.csv',
    ]);
  });
});

describe("the table of contents", () => {
  const content =
    "title,parent,id,default level,kind,created\nGuides,Handbook,,inherit,,2025-01-02\nHandbook,,hb,closed,,\nPlans,hb,,read,collection,\n";

  test("has levels, parents by path or id in any order, kinds and dates", async () => {
    const { records } = await convert({
      ...SMALL,
      content,
      access: "content,team,role\nHandbook / Guides,Docs,edit\nhb,Docs,read\n".replace("", ""),
    });
    expect(
      only(records, "collection").map(({ id, parent, defaultLevel }) => [id, parent, defaultLevel]),
    ).toEqual([
      ["hb", undefined, null],
      ["plans", "hb", "read"],
    ]);
    expect(only(records, "space")).toEqual([
      {
        object: "space",
        id: "guides",
        organization: "acme",
        title: "Guides",
        parent: "hb",
        defaultLevel: "inherit",
        createdAt: "2025-01-02T00:00:00.000Z",
        updatedAt: "2025-01-02T00:00:00.000Z",
      },
    ]);
  });

  test.each([
    ["Notes", '"content" is "Notes"; accepted: the path or the id of a row of content.csv'],
    ["Guides", '"content" is "Guides"; accepted: the path or the id of a row of content.csv'],
    ["handbook", '"content" is "handbook"; accepted: the path or the id of a row of content.csv'],
  ])("has all contents: %s", async (reference, message) => {
    expect(
      await refusal({ ...SMALL, content, access: `content,team,role\n${reference},Docs,edit\n` }),
    ).toEqual([`access.csv:2: ${message}`]);
  });

  test.each([
    [
      "a parent that is not there",
      "title,parent,default level\nA,B,closed\n",
      'content.csv:2: "parent" is "B"; accepted: the path or the id of a row of content.csv',
    ],
    [
      "a circle",
      "title,parent,id,default level\nA,b,a,closed\nB,a,b,closed\n",
      'content.csv:2: "title" is "A"; accepted: a parent that is not inside it, and at most 32 levels',
    ],
    [
      "a space with something inside",
      "title,parent,kind,default level\nA,,space,closed\nB,A,,closed\n",
      'content.csv:3: "title" is "B"; its parent is a space; accepted: a parent that is a collection',
    ],
    [
      "one path twice",
      "title,default level\nA,closed\nA,closed\n",
      'content.csv:3: "title" is "A"; another row has "A"; accepted: one row per content, or ids',
    ],
    [
      "an id twice",
      "title,id,kind,default level\nA,a,space,closed\nB,a,space,closed\n",
      'content.csv:3: "id" is "a"; "A" has this id already',
    ],
    [
      "another kind",
      "title,kind,default level\nA,page,closed\n",
      'content.csv:2: "kind" is "page"; accepted: space, collection, or nothing',
    ],
    [
      "another level",
      "title,default level\nA,open\n",
      'content.csv:2: "default level" is "open"; accepted: closed, inherit, or a role',
    ],
    [
      "another date",
      "title,default level,created\nA,closed,01.03.2025\n",
      'content.csv:2: "created" is "01.03.2025"; accepted: a date such as 2025-03-01 or 2025-03-01T09:30:00Z, or nothing',
    ],
  ])("is refused for %s", async (_, content, message) => {
    const told = await refusal({ people: SMALL.people, content, access: "content,team,role\nA,Docs,edit\n" });
    expect(told).toContain(message);
  });
});

describe("sites", () => {
  const content = "title,kind,default level\nNotes,space,closed\nShelf,collection,closed\n";

  test("have a row for each space", async () => {
    const { records } = await convert({
      ...SMALL,
      access: "content,team,role\nNotes,Docs,edit\nPlans,Docs,edit\n",
      sites: "site,space\nOur Docs,Notes\nOur Docs,Plans\nEmpty,\n",
    });
    expect(only(records, "site").map(({ id, title }) => [id, title])).toEqual([
      ["our-docs", "Our Docs"],
      ["empty", "Empty"],
    ]);
    expect(only(records, "siteSpace").map(({ site, space }) => [site, space])).toEqual([
      ["our-docs", "notes"],
      ["our-docs", "plans"],
    ]);
  });

  test.each([
    ["Shelf", '"space" is "Shelf"; it is a collection; accepted: a space'],
    ["Nowhere", '"space" is "Nowhere"; accepted: the path or the id of a row of content.csv'],
  ])("have only existing spaces: %s", async (space, message) => {
    expect(await refusal({ ...SMALL, content, sites: `site,space\nOur Docs,${space}\n` })).toEqual([
      `sites.csv:2: ${message}`,
    ]);
  });
});

describe("the report", () => {
  test("says what was derived or assumed", async () => {
    const { report } = await convert({
      ...SMALL,
      people: "e-mail,role,teams,phone\nana@x.example,edit,Docs,1\nben@x.example,guest,,2\n",
      access: `${SMALL.access}Notes,,Docs,review\n`,
    });
    expect(report).toEqual([
      'people.csv is utf-8 with commas: email is "e-mail", role is "role", teams is "teams".',
      'Columns of people.csv that are not used: 1 ("phone").',
      'Teams that only people.csv names: 1 ("Docs").',
      'access.csv is utf-8 with commas: content is "content", user is "user", team is "team", role is "role".',
      'Contents made from paths: 1 ("Notes").',
      'Rows of access.csv that repeat an earlier row: 1 ("row 4").',
      'Spaces, because nothing lies in them: 1 ("Notes").',
      'Contents without a default level, given closed: 1 ("Notes").',
      'People without a name, shown as their address or id: 2 ("ana@x.example", "ben@x.example").',
      'Teams without a date of creation, given 1970-01-01: 1 ("Docs").',
      "Everybody is a member of their teams, nobody an owner.",
      'Spaces without a date of creation, given 1970-01-01: 1 ("Notes").',
    ]);
  });
});
