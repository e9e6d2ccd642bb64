/** An option that is given several times, or with several files: the files are read as one table. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Ran, rolebook } from "../../command.ts";
import { temporaryFolder } from "../../folder.ts";
import { convert, only, refuses, SMALL, type Sheets } from "./sheets.ts";

/** Each kind of file as one sheet, and the same rows in two files, which differ in headings and delimiters. */
const WHOLE = {
  people:
    "name,e-mail,role,teams\nAna,ana@x.example,Editor,Docs\nBen,ben@x.example,Visitor,\nCy,cy@x.example,Editor,Ops\n",
  teams: "title,created\nDocs,2024-01-01\nOps,\n",
  content: "path,default level\nPlans,closed\nPlans / Notes,inherit\nPlans / Goals,closed\n",
  access:
    "content,user,team,role\nPlans / Notes,,Docs,review\nPlans / Notes,ben@x.example,,read\nPlans / Goals,,Ops,read\n",
  sites: "site,space\nHelp,Plans / Notes\nHelp,Plans / Goals\n",
  roles: "from,to\nEditor,edit\nVisitor,guest\n",
} as const satisfies Sheets;

const PARTS = {
  people: [
    WHOLE.people.split("\n").slice(0, 3).join("\n"),
    "full name;teams;mail;organisation role\nCy;Ops;cy@x.example;Editor\n",
  ],
  teams: ["title,created\nDocs,2024-01-01\n", "team\nOps\n"],
  content: [
    "path,default level\nPlans,closed\n",
    "default,path\ninherit,Plans / Notes\nclosed,Plans / Goals\n",
  ],
  access: [
    "content,team,role\nPlans / Notes,Docs,review\n",
    "user,role,space\nben@x.example,read,Plans / Notes\n",
    "content,team,role\nPlans / Goals,Ops,read\n",
  ],
  sites: ["site,space\nHelp,Plans / Notes\n", "space,site\nPlans / Goals,Help\n"],
  roles: ["from,to\nEditor,edit\n", "to,from\nguest,Visitor\n"],
} as const;

describe("the same rows in several files make the same snapshot", () => {
  test.each(Object.keys(PARTS).map((name) => [name]))("--%s", async (name) => {
    const changed = { ...WHOLE, [name]: Object.entries(PARTS).find(([each]) => each === name)?.[1] };
    expect((await convert(changed)).records).toEqual((await convert(WHOLE)).records);
  });

  test("--effective", async () => {
    const head = "content,user,role";
    const [one, other] = ["Notes,ana@x.example,edit", "Goals,ben@x.example,read"];
    const whole = await convert({ effective: `${head}\n${one}\n${other}\n` });
    const parts = await convert({ effective: [`${head}\n${one}\n`, `${head}\n${other}\n`] });
    expect(parts.records).toEqual(whole.records);
  });

  test("all together", async () => {
    expect((await convert({ ...WHOLE, ...PARTS })).records).toEqual((await convert(WHOLE)).records);
  });
});

describe("a message names the file and its own row", () => {
  refuses(SMALL, {
    'access-2.csv:3: "role" is "none"; accepted: read, comment, edit, review, create, admin, or a role that --roles translates':
      { access: [SMALL.access, "role,content,team\nreview,Notes,Docs\nnone,Plans,Docs\n"] },
    'access-2.csv:2: "role" is "read"; row 2 of access-1.csv says review of the same; accepted: one role for each user or team and content':
      { access: [SMALL.access, "content,team,role\nNotes,Docs,read\n"] },
    'people-2.csv:2: "role" is "read"; row 2 of people-1.csv has "ana@x.example" with "edit"; accepted: the same on every row of a person':
      { people: [SMALL.people, "e-mail,role\nana@x.example,read\n"] },
    'access.csv:2: "content" is "Notes"; accepted: the path or the id of a row of content-1.csv, content-2.csv (and in 1 more line)':
      { content: ["title\nPlans\n", "title\nGoals\n"] },
    'content-2.csv:3: "title" is "Notes"; another row has "Notes"; accepted: one row per content, or ids': {
      content: ["title\nNotes\n", "title\nPlans\nNotes\n"],
    },
    'people-2.csv:2: the row has 1 cells, the first is "cy@x.example"; accepted: 2, one for each heading; are the last ones missing?':
      { people: [SMALL.people, "e-mail,role\ncy@x.example\n"] },
    "access-2.csv is empty; accepted: a row of headings, then rows.": { access: [SMALL.access, ""] },
    'access-2.csv has no column for role, but "content", "user"; name it with --columns role=…': {
      access: [SMALL.access, "content,user\n"],
    },
    '--columns names "Level" for access.role, but access-2.csv has "content", "user", "team", "role".': {
      access: [SMALL.access, SMALL.access],
      columns: ["access.role=Level"],
    },
  });
});

const folder = temporaryFolder();
const GIVEN = ["--people", "people.csv", "--access", "access.csv"];

/** Writes the files, and runs the command with `args`, in which names of these files become paths. */
async function converted(files: Readonly<Record<string, string>>, args: readonly string[]): Promise<Ran> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const paths = args.map((each) => (Object.hasOwn(files, each) ? join(folder, each) : each));
  const always = ["convert", "csv", "--organization", "a", "--title", "A", "--default-level", "closed"];
  const ran = await rolebook([...always, ...paths]);
  return { ...ran, stderr: ran.stderr.replaceAll(`${folder}/`, "") };
}

test("a heading that is in a file twice is a fault of the file", async () => {
  const run = async (access: string, ...more: string[]) => {
    const files = { "people.csv": SMALL.people, "access.csv": access };
    const ran = await converted(files, [...GIVEN, ...more]);
    return [ran.status, ran.stderr];
  };
  const twice = "content,team,Role,role\nNotes,Docs,read,edit\n";
  for (const more of [[], ["--columns", "access.role=Role"]]) {
    expect(await run(twice, ...more)).toEqual([
      1,
      'access.csv: the headings "Role" and "role" may both be role; rename one of them in the file.\n',
    ]);
  }
  const alike = "content,team,Role,Permission\nNotes,Docs,read,edit\n";
  expect(await run(alike)).toEqual([
    1,
    'access.csv: the headings "Role" and "Permission" may both be role; choose one with --columns access.role=….\n',
  ]);
  expect(await run(alike, "--columns", "access.role=Permission")).toEqual([0, ""]);
  expect(await run(twice.replace(",role", ",old role"))).toEqual([0, ""]);
});

test("an e-mail address that is none is named, without --report too", async () => {
  const people =
    "id,e-mail,role\na,a@x.example,read\nb,none,read\nc,,read\nd,d@ x,read\ne,jürgen@büro.example,read\n";
  const files = { "people.csv": people, "access.csv": "content,user,role\nNotes,a,read\n" };
  const { status, stderr } = await converted(files, GIVEN);
  expect([status, stderr]).toEqual([
    0,
    'E-mail addresses of people.csv that are none: 2 ("none", "d@ x").\n',
  ]);
});

test("a heading of --columns may be in one file of several", async () => {
  const access = [SMALL.access, "content,team,Level\nPlans,Docs,read\n"];
  const { records } = await convert({ ...SMALL, access, columns: ["access.role=Level"] });
  expect(only(records, "permission")).toHaveLength(3);
});

test("the command takes files after one option, and the option again", async () => {
  const access = (title: string) => `content,team,role\n${title},Docs,read\n`;
  const files = { people: SMALL.people, one: access("One"), two: access("Two"), three: access("Three") };
  const args = ["--access", "one", "two", "--people", "people", "--access", "three"];
  const { stdout, stderr } = await converted(files, args);
  expect(stderr).toBe("");
  const titles = [...stdout.matchAll(/"object":"space".*?"title":"(\w+)"/g)].map(([, title]) => title);
  expect(titles).toEqual(["One", "Two", "Three"]);
});
