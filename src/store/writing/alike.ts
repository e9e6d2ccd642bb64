/** Finds ids that a change adds and that differ from others, added or stored, only in case. */
import { kindOf } from "../../domain/content.ts";
import { compareIds } from "../../domain/id.ts";
import { type Statement, statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { decodeContent } from "../schema/encoding.ts";
import { keyOfRecord, type RecordChange, type RecordNames } from "../../domain/record-change.ts";
import { storedTexts } from "../rows/look-up.ts";
import { CONTENT, MEMBER, SITE, TEAM } from "../rows/tables.ts";

/** Two ids of one organization that differ only in case. */
export interface AlikeIds {
  readonly organization: string;
  readonly kind: string;
  readonly one: string;
  readonly other: string;
}

/** The maximum number of reported pairs. */
export const MOST_ALIKE = 5;

/** A text, and the first stored id that is equal or greater; `null` if there is none. */
type NextRow = [text: string, id: string | null];

interface AlikeKind {
  readonly kind: string;
  readonly next: Statement<NextRow>;
  /** The id of a changed record; `undefined` if the record is of another kind. */
  readonly idOf: (record: RecordChange) => string | undefined;
  readonly namesOf: (id: string) => RecordNames;
}

function nextIn({ name }: { readonly name: string }): Statement<NextRow> {
  return statement(
    ({ texts }) => `
      SELECT wanted.value, (
          SELECT r.id FROM ${name} r WHERE r.generation = $1 AND r.id >= wanted.value ORDER BY r.id LIMIT 1)
        FROM ${texts("$2", "wanted")}`,
  );
}

const KINDS: readonly AlikeKind[] = [
  {
    kind: "site",
    next: nextIn(SITE),
    idOf: (record) => (record.kind === "site" ? record.site : undefined),
    namesOf: (site) => ({ kind: "site", site }),
  },
  {
    kind: "space or collection",
    next: nextIn(CONTENT),
    idOf: ({ kind, content }) => (kind === "space" || kind === "collection" ? content : undefined),
    namesOf: (id) => {
      const content = decodeContent(id);
      return { kind: kindOf(content), content };
    },
  },
  {
    kind: "team",
    next: nextIn(TEAM),
    idOf: (record) => (record.kind === "team" ? record.team : undefined),
    namesOf: (team) => ({ kind: "team", team }),
  },
  {
    kind: "user",
    next: nextIn(MEMBER),
    idOf: (record) => (record.kind === "member" ? record.member : undefined),
    namesOf: (member) => ({ kind: "member", member }),
  },
];

/**
 * The ids that a change adds, each paired with a stored or added id that people may confuse with it. At most
 * {@link MOST_ALIKE} pairs.
 */
export async function alikeToAdded(reading: Reading, records: readonly RecordChange[]): Promise<AlikeIds[]> {
  const found: AlikeIds[] = [];
  for (const { kind, next, idOf, namesOf } of KINDS) {
    const idsOf = (some: readonly RecordChange[]) => some.flatMap((record) => idOf(record) ?? []);
    const added = idsOf(records.filter(({ was }) => was === undefined));
    if (added.length === 0) continue;
    const groups = Map.groupBy(added, lower);
    const removed = new Set(idsOf(records.filter(({ becomes }) => becomes === undefined)));
    const spelt = await storedSpellings(reading, next, added);
    const stored = await storedTexts(reading, spelt.map(namesOf));
    for (const id of spelt) {
      const isThere = stored.has(keyOfRecord(namesOf(id))) && !removed.has(id);
      if (isThere) groups.get(lower(id))?.push(id);
    }
    for (const ids of groups.values()) {
      const [one = "", ...others] = [...new Set(ids)].sort(compareIds);
      const other = others.at(-1);
      if (other !== undefined) found.push({ organization: reading.at.organization, kind, one, other });
    }
  }
  return found.slice(0, MOST_ALIKE);
}

/**
 * The stored ids that differ from one of the given ids only in case. For each id, alternates between the next stored id
 * and the next spelling of the id, both in key order. So it reads few index entries.
 */
async function storedSpellings(
  reading: Reading,
  next: Statement<NextRow>,
  ids: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  let sought = ids.flatMap((id) => ({ id, from: spellingFrom(id, "") ?? id }));
  while (sought.length > 0) {
    const froms = new Set(sought.map(({ from }) => from));
    const stored = new Map(await reading.read(next, reading.generation, [...froms]));
    sought = sought.flatMap(({ id, from }) => {
      const at = stored.get(from) ?? undefined;
      if (at === undefined) return [];
      if (at === from && at !== id) found.push(at);
      const following = spellingFrom(id, at === from ? `${at}\u0001` : at);
      return following === undefined ? [] : [{ id, from: following }];
    });
  }
  return found;
}

/** Lower case of A to Z only: other letters do not look alike, or depend on the language. */
export function lower(id: string): string {
  return id.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Spellings of an id: texts that equal the id except for the case of A to Z, in the order of their UTF-8 bytes. */
const CASE = 0x20;

/** The first spelling of an id that is equal to `floor` or greater; `undefined` if there is none. */
export function spellingFrom(id: string, floor: string): string | undefined {
  const letters = Buffer.from(id);
  const least = Buffer.from(floor);
  // The last index at which a spelling that equals the floor before it can have a greater byte.
  let exceeding: number | undefined;
  let same = 0;
  for (; same < letters.length; same++) {
    const bound = least[same];
    if (bound === undefined) return spelt(letters, least, same);
    const [upper, lower] = casesOf(letters[same] ?? 0);
    if (lower > bound) exceeding = same;
    if (upper !== bound && lower !== bound) break;
  }
  if (same === letters.length && same === least.length) return floor;
  if (exceeding === undefined) return undefined;
  const [upper, lower] = casesOf(letters[exceeding] ?? 0);
  const found = Buffer.from(spelt(letters, least, exceeding));
  found[exceeding] = upper > (least[exceeding] ?? 0) ? upper : lower;
  return found.toString();
}

/** The lowest spelling of `letters` that begins with the first `same` bytes of `begin`. */
function spelt(letters: Buffer, begin: Buffer, same: number): string {
  return Buffer.concat([
    begin.subarray(0, same),
    letters.subarray(same).map((letter) => casesOf(letter)[0]),
  ]).toString();
}

/** The upper and lower case of a byte; for a byte that is not a letter, the same byte as both. */
function casesOf(letter: number): readonly [upper: number, lower: number] {
  const upper = letter & ~CASE;
  return upper >= 0x41 && upper <= 0x5a ? [upper, upper | CASE] : [letter, letter];
}
