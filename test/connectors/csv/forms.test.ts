/** The file formats of spreadsheets, and the messages for files that are not spreadsheets. */
import { describe, expect, test } from "vitest";
import { convert, only, refusal, refuses, SMALL } from "./sheets.ts";

const people = 'name,e-mail,role\nAna Łoś,ana@x.example,edit\n"Ben ""B"" Øst",ben@x.example,guest\n';
const access = "content,user,role\nNotes,ana@x.example,review\n";
const plain = { people, access, defaultLevel: "closed" };
const NAMES = ["Ana Łoś", 'Ben "B" Øst'];

async function names(sheets: Parameters<typeof convert>[0]): Promise<string[]> {
  const { records } = await convert({ ...plain, ...sheets });
  return only(records, "user").map(({ displayName }) => displayName);
}

describe("delimiters and lines", () => {
  test.each([
    ["commas", people],
    ["semicolons", people.replaceAll(",", ";")],
    ["tabs", people.replaceAll(",", "\t")],
    ["what Excel was told", `sep=|\r\n${people.replaceAll(",", "|").replaceAll("\n", "\r\n")}`],
    ["lines as Windows ends them", people.replaceAll("\n", "\r\n")],
    ["lines as old Macs ended them", people.replaceAll("\n", "\r")],
    ["lines of both kinds", people.replace("\n", "\r\n")],
    ["no end of the last line", people.trimEnd()],
    ["blank rows and cells", `${people.replace("\n", "\n\n,,\n")}\n\n , ,\n`],
    ["spaces around cells", people.replaceAll(",", " , ").replace('"Ben', ' "Ben').replace(' "Ben', '"Ben')],
    [
      "headings that hold the other delimiter",
      people
        .replaceAll(",", ";")
        .replace("name;", '"name, first; last";')
        .replace('"name, first; last"', "Name"),
    ],
  ])("%s", async (_, text) => {
    expect(await names({ people: text })).toEqual(NAMES);
  });

  test("a line break in a field, and a field across pieces of the file", async () => {
    const filler = Array.from({ length: 20_000 }, (_, n) => `Person ${n},p${n}@x.example,read\n`).join("");
    const made = await names({ people: `name,e-mail,role\n${filler}"Ana\r\nŁoś",ana@x.example,edit\n` });
    expect(made).toHaveLength(20_001);
    expect(made.at(-1)).toBe("Ana\nŁoś");
  });
});

describe("encodings", () => {
  test.each([
    ["UTF-8", Buffer.from(people)],
    ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${people}`)],
    ["UTF-16, little end first", Buffer.from(`\uFEFF${people}`, "utf16le")],
    ["UTF-16, big end first", Buffer.from(`\uFEFF${people}`, "utf16le").swap16()],
    ["UTF-16 without a mark", Buffer.from(people, "utf16le")],
    ["UTF-16, big end first, without a mark", Buffer.from(people, "utf16le").swap16()],
  ])("%s is recognised", async (_, bytes) => {
    expect(await names({ people: bytes })).toEqual(NAMES);
  });

  test("a character that is split between two chunks of the file is read correctly", async () => {
    const filler = Array.from({ length: 30_000 }, (_, n) => `Łoś,p${n}@x.example,read\n`).join("");
    const made = await names({ people: `name,e-mail,role\n${filler}ana,ana@x.example,edit\n` });
    expect(new Set(made)).toEqual(new Set(["Łoś", "ana"]));
  });

  test("invalid bytes are reported once, with advice on --encoding", async () => {
    const latin = Buffer.from(
      "name,e-mail,role\nZoé,zoe@x.example,edit\nAna,ana@x.example,read\nJosé,jose@x.example,read\n",
      "latin1",
    );
    const accepted =
      "accepted: utf-8 without U+0000, or the encoding of the file with --encoding, such as windows-1252";
    expect(await refusal({ ...plain, people: latin })).toEqual([
      `people.csv:2: "name" is "Zo\uFFFD"; ${accepted}`,
      "… and 1 more.",
    ]);
    expect(await names({ people: latin, encoding: "windows-1252" })).toEqual(["Zoé", "Ana", "José"]);
  });

  test("a byte order mark takes precedence over --encoding", async () => {
    expect(await names({ people: Buffer.from(`\uFEFF${people}`), encoding: "windows-1252" })).toEqual(NAMES);
  });

  refuses(plain, {
    'people.csv:2: "name" is "A\\u0000na"; accepted: utf-8 without U+0000, or the encoding of the file with --encoding, such as windows-1252':
      { people: "name,e-mail,role\nA\0na,ana@x.example,edit\n" },
    'people.csv:2: "name" is "A\uFFFD"; accepted: utf-16le without U+0000, or the encoding of the file with --encoding, such as windows-1252':
      {
        people: Buffer.concat([
          Buffer.from("\uFEFFname,e-mail,role\nA", "utf16le"),
          Buffer.from([0x00, 0xd8]),
          Buffer.from(",ana@x.example,edit\n", "utf16le"),
        ]),
      },
    '--encoding is "klingon"; accepted: an encoding such as windows-1252, iso-8859-15 or shift_jis.': {
      encoding: "klingon",
    },
    "people.csv is a workbook or a zip file; accepted: CSV, as a spreadsheet saves it.": {
      people: Buffer.from("PK\u0003\u0004 and so on"),
    },
    "people.csv is empty; accepted: a row of headings, then rows.": { people: "" },
  });
});

describe("headings", () => {
  test.each([
    ["in any order and case", "ROLE,Full Name,E-Mail Address\nedit,Ana,ana@x.example\n", undefined],
    [
      "as they were named",
      "Berechtigung,Wer,Adresse\nedit,Ana,ana@x.example\n",
      ["name=Wer,email=Adresse,people.role=Berechtigung"],
    ],
    ["named rather than known", "name,nickname,e-mail,role\nx,Ana,ana@x.example,edit\n", ["name=nickname"]],
    ["with a comma", '"Last, First",e-mail,role\nAna,ana@x.example,edit\n', ['"name=Last, First"']],
  ])("%s", async (_, text, columns) => {
    expect(await names({ people: text, ...(columns === undefined ? {} : { columns }) })).toEqual(["Ana"]);
  });

  refuses(plain, {
    'people.csv has no column for role, but "name", "mail"; name it with --columns role=…': {
      people: "name,mail\nAna,ana@x.example\n",
    },
    'people.csv: the headings "e-mail" and "mail" may both be email; choose one with --columns people.email=….':
      { people: "name,e-mail,mail,role\nAna,a,b,edit\n" },
    '--columns names "Full Name", which is a heading of no file.': { columns: ["name=Full Name"] },
    '--columns names "Level" for access.role, but access.csv has "content", "user", "role".': {
      columns: ["access.role=Level"],
    },
    '--columns has "colour=Blue"; accepted: a name and a heading, such as name=Full Name or access.role=Level; names: id, email, name, role, teams, left, title, created, team, user, path, parent, level, kind, updated, content, site, who, from, to.':
      { columns: ["colour=Blue"] },
  });
});

describe("rows", () => {
  refuses(plain, {
    'people.csv:2: the row has 2 cells, the first is "Ana"; accepted: 3, one for each heading; are the last ones missing?':
      { people: "name,e-mail,role\nAna,ana@x.example\n" },
    'people.csv:2: the row has 4 cells, the first is "Lima"; accepted: 3, one for each heading; is there a delimiter in a text without quotes?':
      { people: "name,e-mail,role\nLima, Ana,ana@x.example,edit\n" },
    'people.csv:2: the row begins with "Ana,ana@x.example,edit\\n"; its quotes are wrong: Quoted field unterminated':
      { people: 'name,e-mail,role\n"Ana,ana@x.example,edit\n' },
    'people.csv:2: the row begins with "Ana\\" L,ana@x.example,edit\\n\\"x"; its quotes are wrong: Trailing quote on quoted field is malformed':
      { people: 'name,e-mail,role\n"Ana" L,ana@x.example,edit\n"x",y@x.example,read\n' },
  });

  test("are numbered as a spreadsheet numbers them, line breaks or not", async () => {
    const text = 'name,e-mail,role\n"Ana\n\nLima",ana@x.example,edit\n\nBen,ben@x.example,boss\n';
    expect(await refusal({ ...plain, people: text })).toEqual([
      'people.csv:4: "role" is "boss"; accepted: read, comment, edit, review, create, admin, guest, or a role that --roles translates',
    ]);
  });

  test("of invalid ones, the first twenty are reported and the others counted", async () => {
    const rows = Array.from({ length: 30_000 }, (_, n) => `Person ${n},p${n}@x.example,boss ${n}\n`).join("");
    const told = await refusal({ ...plain, people: `name,e-mail,role\n${rows}`, access: SMALL.access });
    expect(told).toHaveLength(21);
    expect(
      told
        .slice(0, 20)
        .every((line, index) => line.startsWith(`people.csv:${index + 2}: "role" is "boss ${index}"`)),
    ).toBe(true);
    expect(told.at(-1)).toBe("… and 29980 more.");
  });

  test("of endless length are not kept in memory", async () => {
    const endless = `name,e-mail,role\n"${"x,".repeat(2 << 20)}`;
    expect(await refusal({ ...plain, people: endless })).toEqual([
      "people.csv:2: the row is longer than 1048576 characters; is there a quote that is not closed?",
    ]);
  });
});
