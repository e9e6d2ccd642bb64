/** Finds the keys of stored records by their hashes. */
import { contentKey, kindOf } from "../../../domain/content.ts";
import { type Staging, type Statement, statement } from "../../engine/engine.ts";
import type { Reading } from "../../reading.ts";
import { holds } from "../../schema/as-of.ts";
import { decodeContent } from "../../schema/encoding.ts";
import type { RecordNames } from "../../schema/record-change.ts";
import { hashOfKey } from "./known-lines.ts";

/** One id, or the two ids of a pair. The second column is null for one id. */
type IdRow = [first: string, second: string | null];

function ids(table: string): Statement<IdRow> {
  return statement(() => `SELECT t.id, NULL FROM ${table} t WHERE ${holds("t")}`);
}

/** Statements that read all ids of a kind at a revision. */
const STORED_IDS = {
  site: ids("site"),
  team: ids("team"),
  content: ids("content"),
  member: ids("member"),
} as const;

/** A statement, and the keys of the records in one of its rows. */
interface KeySource {
  readonly rows: Statement<IdRow>;
  readonly keysOf: (first: string, second: string) => readonly RecordNames[];
}

function pairs(table: string, first: string, second: string): Statement<IdRow> {
  return statement(() => `SELECT t.${first}, t.${second} FROM ${table} t WHERE ${holds("t")}`);
}

/** Pairs of ids from a table keyed by a member's position. */
function withMembers(table: string, first: string): Statement<IdRow> {
  return statement(
    () => `
      SELECT t.${first}, m.id FROM ${table} t CROSS JOIN member m
        WHERE ${holds("t")} AND ${holds("m")} AND m.position = t.position`,
  );
}

/** Small tables come first, because the search stops when all keys are found. */
const SOURCES: readonly KeySource[] = [
  { rows: STORED_IDS.site, keysOf: (site) => [{ kind: "site", site }] },
  { rows: STORED_IDS.team, keysOf: (team) => [{ kind: "team", team }] },
  {
    rows: pairs("site_space", "site", "space"),
    keysOf: (site, space) => [{ kind: "siteSpace", site, content: contentKey("space", space) }],
  },
  {
    rows: STORED_IDS.content,
    keysOf: (id) => {
      const content = decodeContent(id);
      return [{ kind: kindOf(content), content }];
    },
  },
  {
    rows: pairs("team_grant", "content", "team"),
    keysOf: (content, team) => [{ kind: "permission", content: decodeContent(content), team }],
  },
  {
    rows: STORED_IDS.member,
    keysOf: (member) => [
      { kind: "user", member },
      { kind: "member", member },
    ],
  },
  {
    rows: withMembers("user_grant", "content"),
    keysOf: (content, member) => [{ kind: "permission", content: decodeContent(content), member }],
  },
  {
    rows: withMembers("team_member", "team"),
    keysOf: (team, member) => [{ kind: "teamMember", team, member }],
  },
];

/** The keys of a revision's records with the given hashes. Each hash must identify exactly one record. */
export async function storedKeys(
  staging: Pick<Staging, "stream">,
  { asOf }: Pick<Reading, "asOf">,
  hashes: ReadonlySet<number>,
): Promise<RecordNames[]> {
  const found: RecordNames[] = [];
  for (const { rows, keysOf } of SOURCES) {
    if (found.length >= hashes.size) break;
    for await (const [first, second] of staging.stream(rows, ...asOf)) {
      for (const key of keysOf(first, second ?? "")) if (hashes.has(hashOfKey(key))) found.push(key);
    }
  }
  return found;
}
