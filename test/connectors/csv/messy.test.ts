/** Directories as they are: a sheet of members, a column of people and teams, unknown people, people who have left. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { convert, only, refusal, refuses, SMALL } from "./sheets.ts";

const pairs = (records: Parameters<typeof only>[0]) =>
  only(records, "permission").map((each) => [each.user ?? `team ${each.team}`, each.permission]);

describe("a row for each team and member", () => {
  const members =
    "Team,Member\nOps,ana@x.example\nOps,BEN@x.example\nDocs,ben@x.example\nOps,ana@x.example\n";

  test("adds to the teams of people, and repeats nobody", async () => {
    const { records } = await convert({ ...SMALL, members });
    expect(only(records, "teamMember").map(({ team, user }) => `${team} ${user}`)).toEqual([
      "docs ana@x.example",
      "ops ana@x.example",
      "ops ben@x.example",
      "docs ben@x.example",
    ]);
    expect(only(records, "team").map(({ title }) => title)).toEqual(["Docs", "Ops"]);
  });

  refuses(SMALL, {
    'members.csv:2: "user" is "cy@x.example"; accepted: the id or e-mail address of a row of people.csv': {
      members: "team,user\nOps,cy@x.example\n",
    },
    'members.csv:2: "team" is ""; accepted: the title of a team': { members: "team,user\n,ana@x.example\n" },
    'members.csv:2: "Team" is "Ops"; accepted: a team of teams.csv (and in 2 more lines)': {
      members,
      teams: "title\nDocs\n",
    },
    'members.csv:2: "team" is "株式会社"; no id can be made from it; accepted: a column with ids, or --ids FILE, which keeps assigned ids':
      { members: "team,user\n株式会社,ana@x.example\n" },
    'members.csv has no column for user, but "team", "role"; name it with --columns user=…': {
      members: "team,role\nOps,owner\n",
    },
  });
});

describe("one column of people and teams", () => {
  test("has both, each found as in a column of its own", async () => {
    const access =
      "content,who,role\nNotes,Docs,review\nNotes,ben@x.example,read\nPlans,Ana@x.example,edit\n";
    expect(pairs((await convert({ ...SMALL, access })).records)).toEqual([
      ["ben@x.example", "read"],
      ["ana@x.example", "edit"],
      ["team docs", "review"],
    ]);
  });

  refuses(SMALL, {
    'access.csv:2: "who" is "docs"; it may be the person "Docs" or the team "docs"; accepted: one of them, in a column for users or teams':
      {
        people: "id,role,teams\nDocs,edit,docs\nben@x.example,guest,\n",
        access: "content,who,role\nNotes,docs,read\n",
      },
    'access.csv:2: "who" is "Dogs"; accepted: a team that a person is in, or the id or e-mail address of a row of people.csv':
      { access: "content,who,role\nNotes,Dogs,read\n" },
    'access.csv:2: "who" is ""; accepted: a user or a team, not neither': {
      access: "content,who,role\nNotes,,read\n",
    },
    'access.csv:2: "who" is "Docs"; accepted: a user or a team, not both': {
      access: "content,who,user,role\nNotes,Docs,ben@x.example,read\n",
    },
  });
});

describe("--skip-unknown", () => {
  const skipUnknown = true;

  test("leaves out rows of unknown people, and lists each of them", async () => {
    const access =
      "content,user,team,role\nNotes,,Docs,review\nNotes,cy@x.example,,edit\nPlans,cy@x.example,,read\nNotes,old-7,,read\n";
    const members = "team,user\nDocs,cy@x.example\nDocs,ben@x.example\n";
    const { records, leftOut } = await convert({ ...SMALL, access, members, skipUnknown });
    expect(pairs(records)).toEqual([["team docs", "review"]]);
    expect(only(records, "teamMember").length).toBe(2);
    expect(leftOut).toEqual([
      'Left out, because nobody has this id or address: "cy@x.example" (members.csv row 2, access.csv row 3, access.csv row 4)',
      'Left out, because nobody has this id or address: "old-7" (access.csv row 5)',
    ]);
  });

  test("with effective roles, they do not become guests", async () => {
    const effective = "content,user,role\nNotes,ana@x.example,edit\nNotes,cy@x.example,edit\n";
    const { records, leftOut } = await convert({ people: SMALL.people, effective, skipUnknown });
    expect([pairs(records), leftOut.length]).toEqual([[["ana@x.example", "edit"]], 1]);
  });

  refuses(
    { ...SMALL, skipUnknown },
    {
      'access.csv:2: "user" is "Docs"; this is a team, and rows of teams are never left out': {
        access: "content,user,role\nNotes,Docs,read\n",
      },
      'access.csv:2: "who" is "Dogs"; accepted: a team that a person is in, or the id or e-mail address of a row of people.csv':
        {
          access: "content,who,role\nNotes,Dogs,read\n",
        },
      'access.csv:2: "team" is "Dogs"; accepted: a team that a person is in': {
        access: "content,team,role\nNotes,Dogs,read\n",
      },
      'access.csv:2: "role" is "chief"; accepted: read, comment, edit, review, create, admin, or a role that --roles translates':
        { access: "content,user,role\nNotes,ana@x.example,chief\n" },
      'access.csv:2: "user" is ""; accepted: a user or a team, not neither': {
        access: "content,user,team,role\nNotes,,,read\n",
      },
    },
  );

  test("leaves out an unknown address among people and teams", async () => {
    const access = "content,who,role\nNotes,cy@x.example,read\nNotes,Docs,review\n";
    const { records, leftOut } = await convert({ ...SMALL, access, skipUnknown });
    expect([pairs(records), leftOut.length]).toEqual([[["team docs", "review"]], 1]);
  });
});

describe("--left", () => {
  const DAY = 86_400_000;
  const NOW = Date.parse("2026-03-01T12:00:00Z");
  const day = (days: number) => new Date(NOW + days * DAY).toISOString().slice(0, 10);
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOW }));
  afterEach(() => void vi.useRealTimers());
  const sheets = (cell: string, more = "") => ({
    ...SMALL,
    people: `name,e-mail,role,teams,Left on\nAna,ana@x.example,edit,Docs,${cell}\nBen,ben@x.example,guest,Docs,\n${more}`,
    access:
      "content,user,team,role\nNotes,,Docs,review\nNotes,ana@x.example,,read\nNotes,ben@x.example,,read\n",
    left: "left on",
  });
  const people = (records: Parameters<typeof only>[0]) => only(records, "member").map(({ user }) => user);

  test.each([["yes"], ["YES"], [day(-1)], [day(-1000)], [new Date(NOW - 1).toISOString()]])(
    "%j: neither a member, nor in a team, nor with a permission",
    async (cell) => {
      const { records, report, leftOut } = await convert(sheets(cell));
      expect(people(records)).toEqual(["ben@x.example"]);
      expect(JSON.stringify(records)).not.toContain("ana@x.example");
      expect(only(records, "teamMember").length).toBe(1);
      expect(report).toContain('People of people.csv who have left, left out: 1 ("ana@x.example").');
      expect(leftOut).toEqual([]);
    },
  );

  test.each([["no"], [""], [day(0)], [day(1)], [new Date(NOW + 1).toISOString()]])(
    "%j: stays",
    async (cell) => {
      expect(people((await convert(sheets(cell))).records)).toEqual(["ana@x.example", "ben@x.example"]);
    },
  );

  test.each([["maybe"], ["x"], ["2026-13-01"], ["31.12.2025"], ["1"]])("%j is refused", async (cell) => {
    expect(await refusal(sheets(cell))).toEqual([
      `people.csv:2: "Left on" is ${JSON.stringify(cell)}; accepted: yes, no, a date such as 2025-03-01 or 2025-03-01T09:30:00Z, or nothing`,
    ]);
  });

  test("the rows of a person agree, and the column must be there", async () => {
    expect((await refusal(sheets("", "Ana,ana@x.example,edit,Docs,yes\n")))[0]).toContain(
      'people.csv:4: "Left on" is "yes"; row 2 has "ana@x.example" with another; accepted: the same on every row of a person',
    );
    expect(people((await convert(sheets("yes", "Ana,ana@x.example,guest,Ops,\n"))).records)).toEqual([
      "ben@x.example",
    ]);
    expect(await refusal({ ...SMALL, left: "Gone" })).toEqual([
      '--left names "Gone" for people.left, but people.csv has "name", "e-mail", "role", "teams".',
    ]);
  });

  test("a role of somebody who has left does not matter", async () => {
    const { people: text } = sheets("yes");
    const records = (await convert({ ...sheets("yes"), people: text.replace(",edit,", ",former,") })).records;
    expect(people(records)).toEqual(["ben@x.example"]);
  });
});

test.each([["left"], ["members"], ["skipUnknown"]])("%s needs people", async (option) => {
  const effective = "content,user,role\nNotes,ana@x.example,edit\n";
  const given = { left: "x", members: "team,user\n", skipUnknown: true };
  const name = option === "skipUnknown" ? "skip-unknown" : option;
  expect(await refusal({ effective, [option]: given[option as keyof typeof given] })).toEqual([
    `--${name} is given without --people; accepted: both.`,
  ]);
});
