/** `convert csv` with --effective: effective roles, regardless of the rules of the other system. */
import { describe, expect, test } from "vitest";
import { oracle } from "../../oracle/oracle.ts";
import { convert, only, refuses } from "./sheets.ts";

const effective =
  "content,user,role\nWiki / Notes,ana,edit\nWiki / Notes,ben,read\nWiki / Plans,ana,comment\n";

test("content is closed, and users have the roles in the rows", async () => {
  const { records } = await convert({ effective });
  expect(records.map(({ object }) => object)).toEqual([
    "organization",
    "user",
    "member",
    "user",
    "member",
    "collection",
    "space",
    "space",
    "permission",
    "permission",
    "permission",
  ]);
  expect(
    [...only(records, "collection"), ...only(records, "space")].map(({ id, defaultLevel }) => [
      id,
      defaultLevel,
    ]),
  ).toEqual([
    ["wiki", null],
    ["notes", null],
    ["plans", null],
  ]);
  expect(only(records, "member").map(({ user, role }) => [user, role])).toEqual([
    ["ana", null],
    ["ben", null],
  ]);
});

test("members keep the role in the table of people, except admins", async () => {
  const people = "id,e-mail,name,role,teams\nana,ana@x.example,Ana,admin,Docs\neve,,Eve,read,\n";
  const { records, report } = await convert({
    people,
    effective: effective.replace("Plans,ana", "Plans,ANA@x.example"),
  });
  expect(only(records, "member").map(({ user, role }) => [user, role])).toEqual([
    ["ana", "create"],
    ["eve", "read"],
    ["ben", null],
  ]);
  expect(only(records, "teamMember")).toHaveLength(1);
  expect(report).toContain(
    'Members with role admin, made create: an admin would have every content: 1 ("ana").',
  );
  expect(report).toContain('Users who are only in effective.csv, made guests: 1 ("ben").');
  const answers = oracle(records, { publicUrl: "https://docs.example" });
  expect(
    ["ana", "ben", "eve"].map((user) => answers.effective("acme", user, { kind: "space", id: "plans" })),
  ).toEqual(["comment", null, null]);
});

test("without a column of roles, people are guests", async () => {
  const { records, report } = await convert({ people: "id,name\nana,Ana\nben,Ben\n", effective });
  expect(only(records, "member").map(({ role }) => role)).toEqual([null, null]);
  expect(report).toContain('People of people.csv, which has no roles, made guests: 2 ("ana", "ben").');
});

test("roles of another system are translated, and rows without access are ignored", async () => {
  const { records, report } = await convert({
    effective: "content,user,role\nNotes,ana,Can Edit\nNotes,ben,No access\n",
    roles: "from,to\nCan edit,edit\nNo access,none\n",
  });
  expect(only(records, "permission")).toEqual([
    { object: "permission", space: "notes", user: "ana", permission: "edit" },
  ]);
  expect(report).toContain('Rows of effective.csv that give nothing: 1 ("ben").');
});

describe("refuses", () => {
  refuses(
    {},
    {
      'effective.csv:5: "role" is "review"; row 2 says edit of the same; accepted: one effective role for each user and content':
        { effective: `${effective}Wiki / Notes,ana,review\n` },
      'effective.csv:5: "user" is "Ben"; another row has "ben"; accepted: one spelling': {
        effective: `${effective}Wiki / Notes,Ben,read\n`,
      },
      'effective.csv:2: "role" is ""; accepted: read, comment, edit, review, create, admin, none, or a role that --roles translates':
        { effective: "content,user,role\nNotes,ana,\n" },
      'effective.csv:2: "content" is "Wiki /"; accepted: a path of titles, none of them blank': {
        effective: "content,user,role\nWiki / ,ana,read\n",
      },
      'effective.csv:2: "content" is "Wiki / Notes"; accepted: the path or the id of a row of content.csv (and in 1 more line)\neffective.csv:4: "content" is "Wiki / Plans"; accepted: the path or the id of a row of content.csv':
        { effective, content: "title\nWiki\n" },
      "--access and --effective are both given; accepted: one of them, see docs/csv.md.": {
        effective,
        access: effective,
      },
      "--default-level is given with --effective, which closes every content; accepted: one of them.": {
        effective,
        defaultLevel: "read",
      },
      'roles.csv:2: "to" is "editor"; accepted: read, comment, edit, review, create, admin, guest, none': {
        effective,
        roles: "from,to\nCan edit,editor\n",
      },
      'roles.csv:3: "from" is "can EDIT"; another row translates it to edit; accepted: one translation': {
        effective,
        roles: "from,to\nCan edit,edit\ncan EDIT,read\n",
      },
    },
  );
});
