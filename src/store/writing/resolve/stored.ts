/** Reads stored records at a revision: what they say, and who is in a set. */
import { idOf, kindOf } from "../../../domain/content.ts";
import { addContainer } from "../../../sets/container.ts";
import type { Head } from "../../../sets/head.ts";
import { positionAt } from "../../../sets/position.ts";
import { noSlots, slotsFrom } from "../../../sets/words.ts";
import { type SqlValue, type Statement, statement } from "../../engine/engine.ts";
import { holds } from "../../schema/as-of.ts";
import type { Reading } from "../../reading.ts";
import { decodeContent, encodeMemberRole } from "../../schema/encoding.ts";
import { contentIn, keyOfRecord, type RecordKind, type RecordNames } from "../../../domain/record-change.ts";
import { MEMBERS } from "../../schema/set-names.ts";
import { OF_SET } from "../../sets/containers.ts";
import { membersById } from "../../directory/members.ts";
import { teamsById } from "../../directory/teams.ts";
import { inBlocks } from "../../turns.ts";

/** What records say, by their keys. A record that does not exist is absent. */
export type StoredTexts = ReadonlyMap<string, string>;

/** What the records with the given names say. */
export async function storedTexts(
  reading: Reading,
  names: Iterable<RecordNames>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const wanted = Map.groupBy(names, ({ kind }) => kind);
  const of = (...kinds: RecordKind[]) => kinds.flatMap((kind) => wanted.get(kind) ?? []);
  const read = async <Row extends SqlValue[]>(
    rows: Statement<Row>,
    keys: readonly string[],
    take: (...row: Row) => void,
  ): Promise<void> => {
    for await (const block of inBlocks([...new Set(keys)], KEYS_A_STATEMENT)) {
      for (const row of await reading.read(rows, ...reading.asOf, block)) take(...row);
    }
  };
  const put = (each: RecordNames, text: string) => found.set(keyOfRecord(each), text);

  const members = new Set(of("member", "user").map(({ member = "" }) => member));
  for await (const ids of inBlocks([...members], KEYS_A_STATEMENT)) {
    for (const [member, { role, document }] of await membersById(reading, ids)) {
      put({ kind: "member", member }, String(encodeMemberRole(role)));
      put({ kind: "user", member }, document.text);
    }
  }
  const teams = new Set(of("team").map(({ team = "" }) => team));
  for await (const ids of inBlocks([...teams], KEYS_A_STATEMENT)) {
    for (const [team, { text }] of await teamsById(reading, ids)) put({ kind: "team", team }, text);
  }
  await read(CONTENT, of("collection", "space").map(contentIn), (id, doc) => {
    const content = decodeContent(id);
    put({ kind: kindOf(content), content }, doc);
  });
  const sites = of("site").map(({ site = "" }) => site);
  await read(SITE, sites, (site, title) => put({ kind: "site", site }, title));

  const byPair = async (
    rows: Statement<[pair: NamePair, text: string]>,
    pairs: readonly RecordNames[],
    first: (each: RecordNames) => string,
    second: (each: RecordNames) => string,
  ): Promise<void> => {
    const named = new Map(pairs.map((each) => [pairOf(first(each), second(each)), each]));
    await read(rows, [...named.keys()], (pair, text) => {
      const each = named.get(pair);
      if (each !== undefined) put(each, text);
    });
  };
  const [member, team, site] = [
    (each: RecordNames) => each.member ?? "",
    (each: RecordNames) => each.team ?? "",
    (each: RecordNames) => each.site ?? "",
  ];
  const [toTeams = [], toUsers = []] = [true, false].map((isTeam) =>
    of("permission").filter((each) => (each.team !== undefined) === isTeam),
  );
  await byPair(TEAM_MEMBER, of("teamMember"), team, member);
  await byPair(SITE_SPACE, of("siteSpace"), site, (each) => idOf(contentIn(each)));
  await byPair(USER_GRANT, toUsers, contentIn, member);
  await byPair(TEAM_GRANT, toTeams, contentIn, team);
  return found;
}

/** The number of keys that a statement looks up. */
const KEYS_A_STATEMENT = 10_000;

/**
 * SQL: rows `r` of a table keyed by a member's position. `from` is a FROM item with the column `wanted.value`; `member` is
 * SQL for the member's id.
 */
export function ofMember(
  columns: string,
  from: string,
  table: string,
  member = "wanted.value",
  key = "true",
): string {
  return `
    SELECT ${columns} FROM ${from} CROSS JOIN place p CROSS JOIN ${table} r
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = ${member}
        AND ${holds("r")} AND r.position = p.position AND ${key}`;
}

const CONTENT = statement<[id: string, doc: string]>(
  ({ texts }) => `
    SELECT c.id, coalesce(s.doc, c.doc, '')
      FROM ${texts("$3", "wanted")} CROSS JOIN content c
        LEFT JOIN space s ON ${holds("s")} AND s.position = c.position
      WHERE ${holds("c")} AND c.id = wanted.value`,
);
const SITE = statement<[id: string, title: string]>(
  ({ texts, lookUp }) => `
    SELECT s.id, s.title FROM ${lookUp(texts("$3", "wanted"), "site", "s", `${holds("s")} AND s.id = wanted.value`)}`,
);

/**
 * Two names as one text that SQL can split again, so that a list of pairs is one parameter. The first name is an id or
 * a content key, in ASCII only.
 */
type NamePair = string;

/** The number of digits for the length of the first name. */
const DIGITS = 3;

function pairOf(first: string, second: string): NamePair {
  return `${String(first.length).padStart(DIGITS, "0")}${first}${second}`;
}

const LENGTH = `CAST(substr(wanted.value, 1, ${DIGITS}) AS integer)`;
/** SQL: the first and the second name of the pair in `wanted.value`. */
const FIRST = `substr(wanted.value, ${DIGITS + 1}, ${LENGTH})`;
const SECOND = `substr(wanted.value, ${DIGITS + 1} + ${LENGTH})`;

const TEAM_MEMBER = statement<[pair: NamePair, role: string]>(({ texts }) =>
  ofMember("wanted.value, r.role", texts("$3", "wanted"), "team_member", SECOND, `r.team = ${FIRST}`),
);
const SITE_SPACE = statement<[pair: NamePair, nothing: string]>(
  ({ texts, lookUp }) => `
    SELECT wanted.value, '' FROM ${lookUp(
      texts("$3", "wanted"),
      "site_space",
      "s",
      `${holds("s")} AND s.site = ${FIRST} AND s.space = ${SECOND}`,
    )}`,
);
const USER_GRANT = statement<[pair: NamePair, role: string]>(({ texts }) =>
  ofMember(
    "wanted.value, CAST(r.role AS text)",
    texts("$3", "wanted"),
    "user_grant",
    SECOND,
    `r.content = ${FIRST}`,
  ),
);
const TEAM_GRANT = statement<[pair: NamePair, role: string]>(
  ({ texts, lookUp }) => `
    SELECT wanted.value, CAST(g.role AS text) FROM ${lookUp(
      texts("$3", "wanted"),
      "team_grant",
      "g",
      `${holds("g")} AND g.content = ${FIRST} AND g.team = ${SECOND}`,
    )}`,
);

/** The positions of the members of a set. */
export async function positionsIn(reading: Reading, name: string, head: Head): Promise<number[]> {
  if ("positions" in head) return [...head.positions];
  const positions: number[] = [];
  for (const [chunk, bits] of await reading.read(OF_SET, ...reading.asOf, MEMBERS, name, [...head.chunks])) {
    const words = noSlots();
    addContainer(words, bits);
    for (const slot of slotsFrom(words)) positions.push(positionAt(chunk, slot));
  }
  return positions;
}
