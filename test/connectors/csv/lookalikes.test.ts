/** Texts that a person cannot tell apart, and cells that can be read in two ways. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../folder.ts";
import { convert, convertIn, only, refusal, refuses, SMALL, type Sheets } from "./sheets.ts";

const [NFC, NFD] = ["B\u00fcro", "Bu\u0308ro"];
const place = temporaryFolder();
const FORM = "texts are compared in Unicode form NFC";

describe("texts are compared in NFC", () => {
  test.each([
    [NFC, NFD],
    [NFD, NFC],
  ])("contents made from access: %j and %j are one, spelt as in the first row", async (one, other) => {
    const access = `content,user,team,role\n${one},,Docs,edit\n${other},ben@x.example,,read\n`;
    const { records, report } = await convert({ ...SMALL, access });
    expect(only(records, "space").map(({ id, title }) => [id, title])).toEqual([["buro", one]]);
    expect(only(records, "permission")).toHaveLength(2);
    expect(report).toContainEqual(
      `Texts of access.csv in another Unicode form than NFC, compared in NFC: 1 ("${NFD}").`,
    );
  });

  test("teams, sites, people and references are one", async () => {
    const { records } = await convert({
      ...SMALL,
      people: `e-mail,name,role,teams\nu\u0308@x.example,${NFC},edit,${NFC}\n\u00fc@x.example,${NFD},edit,${NFD};Docs\n`,
      content: `path\n${NFC}\n${NFC} / A\n${NFD} / B\n`,
      access: `content,user,team,role\n${NFD} / A,,${NFD},read\n${NFC} / B,\u00fc@x.example,,edit\n`,
      sites: `site,id,space\n${NFC},s,${NFD} / A\n${NFD},s,${NFC} / B\n`,
    });
    expect(only(records, "user").map(({ id, displayName }) => [id, displayName])).toEqual([
      ["u\u0308@x.example", NFC],
    ]);
    expect(only(records, "team").map(({ id }) => id)).toEqual(["buro", "docs"]);
    expect(only(records, "collection")).toHaveLength(1);
    expect(only(records, "site")).toHaveLength(1);
    expect(only(records, "siteSpace")).toHaveLength(2);
    expect(only(records, "permission")).toHaveLength(2);
  });

  test("effective roles of one user in two spellings are those of one", async () => {
    const effective = `content,user,role\n${NFC},u\u0308,edit\nPlans,\u00fc,edit\n`;
    const { records } = await convert({ effective });
    expect(only(records, "permission").map((record) => record.user)).toEqual(["u\u0308", "u\u0308"]);
  });

  refuses(SMALL, {
    [`content.csv:4: "title" is "${NFC}"; another row has "${NFD}"; accepted: one row per content, or ids; ${FORM}`]:
      { content: `title\nNotes\n${NFD}\n${NFC}\n` },
    [`teams.csv:4: "title" is "${NFD}"; another row has "${NFC}"; accepted: one row per team, or ids; ${FORM}`]:
      { teams: `title\nDocs\n${NFC}\n${NFD}\n` },
    'ids.csv:3: "title" is "B\u00fcro"; it has an id already': {
      ids: `kind,title,id\ncontent,${NFC},a\ncontent,${NFD},b\n`,
    },
    'access.csv:3: "role" is "read"; row 2 says edit of the same; accepted: one role for each user or team and content':
      { access: `content,user,role\n${NFC},ben@x.example,edit\n${NFD},ben@x.example,read\n` },
  });

  test("--ids keeps the id of a title in both spellings", async () => {
    const access = (title: string) => `content,user,role\n${title} / ${title},ben@x.example,edit\n`;
    const kept = `kind,title,id\ncontent,${NFC} / ${NFC},kept\n`;
    const first = await convertIn(place, { ...SMALL, access: access(NFD), ids: kept });
    const ids = readFileSync(join(place, "ids.csv"), "utf8");
    const again = await convertIn(place, { ...SMALL, access: access(NFC), ids });
    for (const { records } of [first, again])
      expect(only(records, "space").map(({ id }) => id)).toEqual(["kept"]);
    expect(readFileSync(join(place, "ids.csv"), "utf8")).toBe(ids);
  });
});

describe("paths that differ in blanks around the separator", () => {
  const accepts = "accepted: one spelling, or ids for both in the file of --content";
  const rows = (...paths: string[]) =>
    `content,user,role\n${paths.map((path) => `${path},ben@x.example,read\n`).join("")}`;

  test.each([
    ["A / B", "A/B", undefined, 'access.csv:3: "content" is "A/B"; there is "A / B" too'],
    ["A/B", "A / B", undefined, 'access.csv:2: "content" is "A/B"; there is "A / B" too'],
    ["A/ B", "A/B", undefined, 'access.csv:3: "content" is "A/B"; there is "A/ B" too'],
    ["P / A / B", "P / A /B", undefined, 'access.csv:3: "content" is "P / A /B"; there is "P / A / B" too'],
    ["P / A / B / C", "P / A/B", undefined, 'access.csv:3: "content" is "P / A/B"; there is "P / A / B" too'],
    ["A > B", "A>B", " > ", 'access.csv:3: "content" is "A>B"; there is "A > B" too'],
  ])("%s and %s are refused", async (one, other, pathSeparator, message) => {
    const separator = pathSeparator === undefined ? {} : { pathSeparator };
    for (const ids of [{}, { ids: "kind,title,id\n" }]) {
      const told = await refusal({ ...SMALL, ...separator, ...ids, access: rows(one, other) });
      expect(told).toEqual([`${message}; ${accepts}`]);
    }
  });

  test("are refused in the file of --content, but not if both have ids", async () => {
    const access = rows("A / B", "A/B");
    expect(await refusal({ ...SMALL, access, content: "path,id\nA,\nA / B,\nA/B,x\n" })).toEqual([
      `content.csv:4: "title" is "A/B"; there is "A / B" too; ${accepts}`,
    ]);
    const { records } = await convert({ ...SMALL, access, content: "path,id\nA,\nA / B,y\nA/B,x\n" });
    expect(only(records, "permission").map((record) => record.space)).toEqual(["y", "x"]);
  });

  test("a title with the separator's sign is accepted alone", async () => {
    const { records } = await convert({ ...SMALL, access: rows("CI/CD", "Plans / A/B tests", "Plans / A") });
    expect(only(records, "space").map(({ title }) => title)).toEqual(["CI/CD", "A/B tests", "A"]);
  });
});

describe("commas in titles of teams", () => {
  /** The teams of each person, by the cells of their rows, with or without a file of teams. */
  async function read(cells: readonly string[], teams?: readonly string[]): Promise<string[][]> {
    const { records } = await convert(sheets(cells, teams));
    const titles = new Map(only(records, "team").map(({ id, title }) => [id, title]));
    return cells.map((_, index) =>
      only(records, "teamMember")
        .filter(({ user }) => user === `u${index}`)
        .map(({ team }) => titles.get(team) ?? ""),
    );
  }

  function sheets(cells: readonly string[], teams?: readonly string[]): Sheets {
    const rows = cells.map((cell, index) => `u${index},guest,"${cell}"\n`);
    const listed = teams?.map((title, index) => `"${title}",t${index}\n`);
    return {
      people: `id,role,teams\n${rows.join("")}`,
      access: "content,user,role\nNotes,u0,read\n",
      defaultLevel: "closed",
      ...(listed === undefined ? {} : { teams: `title,id\n${listed.join("")}` }),
    };
  }

  test.each([
    ["A, B, C", ["A, B", "C"], ["A, B", "C"]],
    ["C, A, B", ["A, B", "C"], ["C", "A, B"]],
    ["A, B", ["A, B"], ["A, B"]],
    ["A, B, C, D", ["A, B", "C, D", "C"], ["A, B", "C, D"]],
    ["A, B, C", ["A, B, C"], ["A, B, C"]],
    ["A, B, C", ["A, B", "B", "C"], ["A, B", "C"]],
    ["A, B, C", ["A", "A, B", "B, C"], ["A", "B, C"]],
    ["A, B; C", ["A, B", "C"], ["A, B", "C"]],
    ["A, B;", ["A, B", "A", "B"], ["A, B"]],
    ["A; B", ["A, B", "A", "B"], ["A", "B"]],
    ["A,, C,", ["A", "C", "X, Y"], ["A", "C"]],
    ["t0, C", ["A, B", "C"], ["A, B", "C"]],
  ])("%j with the teams %j is %j", async (cell, teams, expected) => {
    expect(await read([cell], teams)).toEqual([expected]);
  });

  test.each([
    ["A, B", ["A, B", "A", "B"], '"A, B", or "A" and "B"', "A, B;"],
    ["A, B, C", ["A, B", "C", "A", "B"], '"A, B" and "C", or "A" and "B" and "C"', "A, B; C;"],
    ["A, B, C", ["A, B", "C", "A", "B, C"], '"A, B" and "C", or "A" and "B, C"', "A, B; C;"],
  ])("%j with the teams %j is refused, and the advice works", async (cell, teams, readings, advice) => {
    expect(await refusal(sheets([cell], teams))).toEqual([
      `people.csv:2: "teams" is "${cell}"; it may be ${readings}; accepted: a semicolon after each team, as "${advice}"`,
    ]);
    expect((await read([advice], teams))[0]?.join("; ")).toBe(advice.slice(0, -1));
  });

  test("only the part that is in no title is reported", async () => {
    expect(await refusal(sheets(["A, B, X"], ["A, B", "C"]))).toEqual([
      'people.csv:2: "teams" is "X"; accepted: a team of teams.csv',
    ]);
  });

  test("without a file of teams, the order of rows makes no difference", async () => {
    expect(await refusal(sheets(["A, B; C", "A, B"]))).toEqual([
      'people.csv:3: "teams" is "A, B"; it may be "A, B", or "A" and "B"; accepted: a semicolon after each team, as "A, B;"',
    ]);
    expect(await refusal(sheets(["A, B", "A, B; C"]))).toEqual([
      'people.csv:3: "teams" is "A, B"; other rows have "A" and "B"; accepted: a file of --teams, or semicolons between all teams',
    ]);
    expect(await read(["A, B; C", "A, B;", "C, D"])).toEqual([["A, B", "C"], ["A, B"], ["C", "D"]]);
    expect(await read(["A, B", "C, A"])).toEqual([
      ["A", "B"],
      ["C", "A"],
    ]);
  });
});
