/** What is staged from the bytes of a line is what its record says, as JSON.parse and the schemas read it. */
import { isUtf8 } from "node:buffer";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { PlainLines } from "../../src/snapshot/plain-lines.ts";
import { isEnd, type SnapshotRecord } from "../../src/snapshot/records.ts";
import { addRecord } from "../../src/snapshot/staging.ts";
import { inexactCount, repeatedKey, validate } from "../../src/snapshot/validate.ts";
import { type Pairs, Staged } from "../../src/store/writing/file/staged.ts";
import { acme } from "../examples/acme.ts";
import { holds } from "../setup/property.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 10);

const LINES = [
  ...acme,
  { object: "permission", site: "docs", user: "ana", permission: null },
  { object: "permission", site: "docs", team: "docs", permission: "read" },
  // Only a site may be denied.
  { object: "permission", space: "faq", user: "ana", permission: null },
  { object: "permission", collection: "handbook", team: "docs", permission: null },
].map((record) => JSON.stringify(record));
/** What faulty and unusual lines have. */
const PARTS =
  `" \\ , : { } [ 1 . .. null "" - owner member admin é 😀 "role":"read", "permission":"admin", "team":"x",
  "user":"..", ,"space":"a-b" "id":"z", ,"email":"e" ,"photoURL":"http://x" ,"photoURL":"nope" ,"urls":{} ,"role":null
  ,"site":"w" "permission":null
  __proto__ \\u0041`
    .split(/\s+/)
    .concat(["", " ", "\t", "\r", "\0", "\u007f", "\u0085", "\u2028", "a".repeat(130)]);

type Edit = (line: string) => string;

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc
    .tuple(fc.nat(300), fc.constantFrom(0, 0, 1, 5, 12), fc.constantFrom(...PARTS))
    .map(([at, cut, part]) => (line: string) => {
      const place = at % (line.length + 1);
      return line.slice(0, place) + part + line.slice(place + cut);
    }),
  fc.tuple(fc.nat(300), fc.nat(300), fc.constantFrom(...LINES)).map(
    ([at, from, other]) =>
      (line: string) =>
        line.slice(0, at) + other.slice(from),
  ),
  fc.nat(6).map((at) => (line: string) => {
    try {
      const fields = Object.entries(JSON.parse(line));
      return JSON.stringify(
        Object.fromEntries([...fields.slice(0, 1), ...fields.slice(at), ...fields.slice(1, at)]),
      );
    } catch {
      return line;
    }
  }),
);

const line = fc
  .tuple(
    fc.constantFrom(...LINES),
    fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 6, arbitrary: fc.array(edit, { maxLength: 3 }) },
    ),
  )
  .map(([drawn, edits]) => edits.reduce((text, change) => change(text), drawn))
  .filter((text) => !text.includes("\n") && isUtf8(Buffer.from(text)));

test("lines that are plain, nearly plain and faulty", () => {
  let [taken, others] = [0, 0];
  holds(
    fc.property(fc.array(line, { minLength: 100, maxLength: 300 }), (lines) => {
      const [staged, expected] = [new Staged(), new Staged()];
      const plain = new PlainLines(staged);
      for (const [number, text] of lines.entries()) {
        const bytes = Buffer.from(`x${text}\n`);
        const isTaken = plain.take(bytes, 1, bytes.length - 1, number);
        const record = recordOf(text);
        if (record === undefined) expect({ text, isTaken }).toEqual({ text, isTaken: false });
        else addRecord(expected, record, number);
        if (isTaken) taken++;
        else if (record !== undefined) {
          others++;
          addRecord(staged, record, number);
        }
      }
      expect(said(staged)).toEqual(said(expected));
    }),
    { numRuns: 5 * RUNS },
  );
  expect(taken).toBeGreaterThan(100 * RUNS);
  expect(others).toBeGreaterThan(10 * RUNS);
});

/** The record of a line; `undefined` if the line is refused. */
function recordOf(text: string): SnapshotRecord | undefined {
  try {
    const record = validate(JSON.parse(text));
    if (typeof record === "string" || isEnd(record)) return undefined;
    const isRefused = repeatedKey(text, record) ?? inexactCount(text, record);
    return isRefused === undefined ? record : undefined;
  } catch {
    return undefined;
  }
}

/** All that is staged. */
function said(staged: Staged): object {
  const { organizations, teams, contents, sites, users } = staged;
  const names = [organizations.names, teams.names, contents.names, sites.names, users].map((each) =>
    Array.from({ length: each.length }, (_, number) => each.name(number)),
  );
  const profiles = Array.from({ length: users.length }, (_, user) =>
    staged.hasUser(user) ? [staged.profile(user), staged.omittedOf(user), staged.lineOf(user)] : [],
  );
  const { members, memberships, toUsers, toTeams, toUsersOnSites, toTeamsOnSites, siteSpaces } = staged;
  const pairs = [members, memberships, toUsers, toTeams, toUsersOnSites, toTeamsOnSites, siteSpaces];
  return { names, profiles, pairs: pairs.map(allOf) };
}

function allOf({ of, with: others, lines }: Pairs): number[][] {
  return Array.from({ length: of.length }, (_, at) => [of.at(at), others.at(at), lines.at(at)]);
}
