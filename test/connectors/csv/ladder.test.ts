/** `convert csv` with --people and --access: what is derived for Rolebook's ladder, and what never is. */
import { describe, expect, test } from "vitest";
import { convert, only, refusal, refuses, SMALL } from "./sheets.ts";

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
      access: "content,team,role\nHandbook / Guides,Docs,edit\nhb,Docs,read\n",
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

  test.each(["Notes", "Guides", "handbook"])("has all contents: %s", async (reference) => {
    const access = `content,team,role\n${reference},Docs,edit\n`;
    expect(await refusal({ ...SMALL, content, access })).toEqual([
      `access.csv:2: "content" is "${reference}"; accepted: the path or the id of a row of content.csv`,
    ]);
  });

  refuses(
    { people: SMALL.people, access: "content,team,role\nA,Docs,edit\n" },
    {
      'content.csv:2: "parent" is "B"; accepted: the path or the id of a row of content.csv': {
        content: "title,parent,default level\nA,B,closed\n",
      },
      'content.csv:2: "title" is "A"; accepted: a parent that is not inside it, and at most 32 levels\ncontent.csv:3: "title" is "B"; accepted: a parent that is not inside it, and at most 32 levels':
        {
          content: "title,parent,id,default level\nA,b,a,closed\nB,a,b,closed\n",
        },
      'content.csv:3: "title" is "B"; its parent is a space; accepted: a parent that is a collection': {
        content: "title,parent,kind,default level\nA,,space,closed\nB,A,,closed\n",
      },
      'content.csv:3: "title" is "A"; another row has "A"; accepted: one row per content, or ids': {
        content: "title,default level\nA,closed\nA,closed\n",
      },
      'content.csv:3: "id" is "a"; "A" has this id already': {
        content: "title,id,kind,default level\nA,a,space,closed\nB,a,space,closed\n",
      },
      'content.csv:2: "kind" is "page"; accepted: space, collection, or nothing': {
        content: "title,kind,default level\nA,page,closed\n",
      },
      'content.csv:2: "default level" is "open"; accepted: closed, inherit, or a role': {
        content: "title,default level\nA,open\n",
      },
      'content.csv:2: "created" is "01.03.2025"; accepted: a date such as 2025-03-01 or 2025-03-01T09:30:00Z, or nothing':
        { content: "title,default level,created\nA,closed,01.03.2025\n" },
    },
  );
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

  test("say what they give: a default level on one of their rows, and permissions", async () => {
    const { records, report } = await convert({
      ...SMALL,
      roles: "from,to\nNo access,none\n",
      access:
        "content,site,user,team,role\nNotes,,,Docs,edit\n,Help,ben@x.example,,No access\n,help-2,,Docs,none\n,Help,,Docs,review\n",
      sites:
        "site,id,space,default level\nHelp,,,closed\nHelp,,Notes,\nSecond,help-2,Notes,\nThird,,,inherit\nFourth,,Notes,Read\n",
    });
    expect(only(records, "site").map(({ id, title, defaultLevel }) => [id, title, defaultLevel])).toEqual([
      ["help", "Help", null],
      ["help-2", "Second", undefined],
      ["third", "Third", "inherit"],
      ["fourth", "Fourth", "read"],
    ]);
    expect(only(records, "siteSpace").map(({ site, space }) => [site, space])).toEqual([
      ["help", "notes"],
      ["help-2", "notes"],
      ["fourth", "notes"],
    ]);
    expect(only(records, "permission")).toEqual([
      { object: "permission", space: "notes", team: "docs", permission: "edit" },
      { object: "permission", site: "help", user: "ben@x.example", permission: null },
      { object: "permission", site: "help-2", team: "docs", permission: null },
      { object: "permission", site: "help", team: "docs", permission: "review" },
    ]);
    expect(report.join()).not.toContain("not used");
  });

  test("may alone have permissions", async () => {
    const { records } = await convert({
      ...SMALL,
      access: ["content,team,role\nNotes,Docs,edit\n", "site,who,role\nHelp,Docs,none\n"],
      sites: "site,space\nHelp,Notes\n",
    });
    expect(only(records, "permission").map(({ site, space }) => site ?? space)).toEqual(["notes", "help"]);
  });

  test("say nothing about effective roles", async () => {
    const { records, report } = await convert({
      effective: "content,user,role\nNotes,ana@x.example,read\n",
      sites: "site,space,level\nHelp,Notes,read\n",
    });
    expect(only(records, "site").map(({ defaultLevel }) => defaultLevel)).toEqual([undefined]);
    expect(report).toContain(
      'Default levels that are not used, because --effective closes every content: 1 ("Help").',
    );
  });

  const given = (row: string) => ({ access: `content,site,user,team,role\n${row}\n` });
  const sites = "site,id,space,level\nHelp,,Notes,closed\nTwice,t1,,\nTwice,t2,,\n";

  test.each([
    [
      "two things",
      given("Notes,Help,,Docs,read"),
      '"site" is "Help"; accepted: a content or a site, not both',
    ],
    [
      "a site that is not there",
      given(",Shelf,,Docs,read"),
      '"site" is "Shelf"; accepted: the title or the id of a row of sites.csv',
    ],
    [
      "a title of two sites",
      given(",Twice,,Docs,read"),
      '"site" is "Twice"; several sites have this title; accepted: an id',
    ],
    [
      "no role",
      given(",Help,,Docs,guest"),
      '"role" is "guest"; accepted: read, comment, edit, review, create, admin, none, or a role that --roles translates',
    ],
    [
      "no access to a content",
      given("Notes,,,Docs,none"),
      '"role" is "none"; accepted: read, comment, edit, review, create, admin, or a role that --roles translates',
    ],
    [
      "two roles for one",
      given(",Help,,Docs,none\n,Help,,Docs,read"),
      'access.csv:3: "role" is "read"; row 2 says none of the same; accepted: one role for each user or team and site',
    ],
    [
      "neither content nor site",
      given(",,,Docs,read"),
      '"content" is ""; accepted: a path of titles, none of them blank',
    ],
    [
      "no site",
      { access: "site,team,role\n,Docs,read\n" },
      '"site" is ""; accepted: the title or the id of a row of sites.csv',
    ],
    [
      "two levels of one site",
      { sites: "site,space,level\nHelp,Notes,read\nHelp,,\nHelp,,closed\n" },
      'sites.csv:4: "level" is "closed"; an earlier row of this site says read; accepted: one default level for each site',
    ],
    [
      "another word than a level",
      { sites: "site,space,level\nHelp,Notes,none\n" },
      'sites.csv:2: "level" is "none"; accepted: closed, inherit, or a role',
    ],
  ])("are refused for %s", async (_, sheets, message) => {
    const told = await refusal({ ...SMALL, sites, ...sheets });
    expect(told).toEqual([expect.stringContaining(message)]);
  });

  test("have no permissions without a file of sites", async () => {
    expect(await refusal({ ...SMALL, ...given(",Help,,Docs,read") })).toEqual([
      'access.csv:2: "site" is "Help"; accepted: a site of a row of --sites, which is not given',
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
