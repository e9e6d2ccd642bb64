/** `convert csv` with --access: permissions are never guessed, and contradictory rows are refused. */
import { describe, expect, test } from "vitest";
import { convert, only, refusal, refuses, SMALL } from "./sheets.ts";

describe("access is never derived", () => {
  test("contents without a default level stop the conversion", async () => {
    const { defaultLevel, ...rest } = SMALL;
    expect(defaultLevel).toBe("closed");
    const told = await refusal(rest);
    expect(told[0]).toMatch(
      /^Contents without a default level: 1 \("Notes"\)\. Choose .*--default-level closed, --default-level inherit, or a role\.$/,
    );
  });

  test("blank default levels are reported row by row, or get the chosen level", async () => {
    const sheets = { ...SMALL, content: "title,default level\nNotes,\nPlans,inherit\n" };
    const { defaultLevel: _, ...blank } = sheets;
    expect(await refusal(blank)).toEqual([
      'content.csv:2: "default level" is ""; accepted: closed, inherit, or a role; or give --default-level for the blank ones',
    ]);
    const { records } = await convert({ ...sheets, defaultLevel: "read" });
    expect(only(records, "space").map(({ defaultLevel }) => defaultLevel)).toEqual(["read", "inherit"]);
  });

  refuses(SMALL, {
    'people.csv:2: "role" is ""; accepted: read, comment, edit, review, create, admin, guest, or a role that --roles translates':
      { people: "e-mail,role,team\nana@x.example,,Docs\nben@x.example,guest,\n" },
    'access.csv:2: "role" is ""; accepted: read, comment, edit, review, create, admin, or a role that --roles translates':
      { access: "content,user,role\nNotes,ben@x.example,\n" },
    'access.csv:2: "role" is "Editor"; accepted: read, comment, edit, review, create, admin, or a role that --roles translates':
      { access: "content,user,role\nNotes,ben@x.example,Editor\n" },
    'access.csv:2: "role" is "none"; accepted: read, comment, edit, review, create, admin, or a role that --roles translates':
      { access: "content,user,role\nNotes,ben@x.example,none\n" },
    'access.csv:3: "role" is "edit"; row 2 says read of the same; accepted: one role for each user or team and content':
      { access: "content,user,role\nNotes,ben@x.example,read\nNotes,BEN@x.example,edit\n" },
    'access.csv:2: "user" is ""; accepted: a user or a team, not neither': {
      access: "content,user,team,role\nNotes,,,read\n",
    },
    'access.csv:2: "team" is "Docs"; accepted: a user or a team, not both': {
      access: "content,user,team,role\nNotes,ben@x.example,Docs,read\n",
    },
    'access.csv:2: "team" is "Dogs"; accepted: a team that a person is in': {
      access: "content,team,role\nNotes,Dogs,read\n",
    },
    'people.csv:2: "teams" is "Docs"; accepted: a team of teams.csv': { teams: "title\nOps\n" },
    'people.csv:3: "id" is "ANA"; row 2 has "ana"; accepted: ids and addresses that differ in more than case':
      { people: "id,role\nana,edit\nANA,read\nben@x.example,guest\n" },
    'people.csv:3: "e-mail" is "Ana@x.example"; row 2 has "1"; accepted: an address of one person': {
      people: "id,e-mail,role\n1,ana@x.example,edit\n2,Ana@x.example,read\n",
    },
    'people.csv:3: "role" is "read"; row 2 has "ana@x.example" with "edit"; accepted: the same on every row of a person':
      { people: "e-mail,role,team\nana@x.example,edit,Docs\nana@x.example,read,Ops\n" },
    'people.csv:2: "id" is ".."; accepted: 1 to 255 characters, none of them a control character, and not . or ..':
      { people: "id,role\n..,edit\n" },
    'people.csv:2: "e-mail" is ""; accepted: an id or an e-mail address': {
      people: "name,e-mail,role\nAna,,edit\n",
    },
  });
});
