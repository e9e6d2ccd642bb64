/** The normalized names of members, teams, contents and sites, and who has a name with a text in it. */
import { isAddress, matchesTidied, type SearchQuery, tidy } from "../domain/search.ts";
import { titleIn } from "../domain/record-change.ts";
import { Words } from "./lists.ts";
import { derived, derivedInTurns, type Model } from "./model.ts";
import { textOf, type Texts, TextWriter } from "./texts.ts";

export type Kind = "content" | "site" | "member" | "team";

/** The names of everything of one kind, by number. */
export interface Names {
  /**
   * The normalized names of each one, with a line break before, between and after them. They lie one behind the other.
   * Behind the @ of an address stands the number of its domain, so that no search meets what all have in common.
   */
  readonly texts: Texts;
  readonly domains: readonly string[];
}

const LINE = "\n";

/** How many names are normalized until others get a turn: a millisecond or two. */
const NAMES_A_TURN = 500;

function* normalized(count: number, namesOf: (number: number) => readonly string[]): Generator<void, Names> {
  const writer = new TextWriter();
  const domains = new Map<string, number>();
  for (let number = 0; number < count; number++) {
    let text = LINE;
    for (const name of namesOf(number)) {
      const tidied = tidy(name);
      if (tidied !== "") text += shortened(tidied, domains) + LINE;
    }
    writer.add(text);
    if (number % NAMES_A_TURN === NAMES_A_TURN - 1) yield;
  }
  return { texts: writer.texts(), domains: [...domains.keys()] };
}

function shortened(tidied: string, domains: Map<string, number>): string {
  if (!isAddress(tidied)) return tidied;
  const behind = tidied.indexOf("@") + 1;
  const domain = tidied.slice(behind);
  const number = domains.get(domain) ?? domains.size;
  domains.set(domain, number);
  return tidied.slice(0, behind) + number;
}

/** The normalized names of one number; a name without any character that counts is left out. */
export function namesAt({ texts, domains }: Names, number: number): string[] {
  const text = textOf(texts, number);
  const lines = text.split(LINE).slice(1, -1);
  if (!text.includes("@")) return lines;
  return lines.map((line) => {
    if (!isAddress(line)) return line;
    const behind = line.indexOf("@") + 1;
    return line.slice(0, behind) + (domains[Number(line.slice(behind))] ?? "");
  });
}

/** How most profiles begin. They are read so in half the time. */
const NAMED = /^\{"object":"user","id":"[^"\\]*","displayName":"([^"\\]*)","email":"([^"\\]*)"/;

function namesIn(profile: string): string[] {
  const [, name, address] = NAMED.exec(profile) ?? [];
  if (name !== undefined && address !== undefined) return [name, address];
  const { displayName, email }: { displayName: string; email?: string } = JSON.parse(profile);
  return email === undefined ? [displayName] : [displayName, email];
}

/** How names of a kind are found in a model; those of a million members take half a second once. */
export const namesOf: Readonly<Record<Kind, (model: Model) => Generator<void, Names>>> = {
  member: derivedInTurns(["member", "user"], ({ members }) =>
    normalized(members.count, (member) => namesIn(textOf(members.profiles, member))),
  ),
  team: derivedInTurns(["team"], ({ teams }) =>
    normalized(teams.count, (team) => [titleIn(teams.texts[team] ?? "")]),
  ),
  content: derivedInTurns(["collection", "space"], ({ contents }) =>
    normalized(contents.count, (content) => [titleIn(textOf(contents.texts, content))]),
  ),
  site: derivedInTurns(["site"], ({ sites }) =>
    normalized(sites.count, (site) => [sites.titles[site] ?? ""]),
  ),
};

/** How many names are looked at until others get a turn, and how many bytes: some milliseconds. */
const FOUND_A_TURN = 1_000;
const BYTES_A_TURN = 1 << 23;

/** Calls `each` with the numbers, ascending, whose names have `text` anywhere; a line break in it begins a name. */
export function* having(names: Names, text: string, each: (number: number) => void): Generator<void, void> {
  const { bytes, begins, ends } = names.texts;
  const [wanted, end] = [Buffer.from(text), ends.at(-1) ?? 0];
  let [number, turn] = [0, FOUND_A_TURN];
  for (let from = 0, edge = 0; edge < end;) {
    edge = Math.min(end, from + BYTES_A_TURN);
    const part = bytes.subarray(0, edge);
    for (let at = part.indexOf(wanted, from); at >= 0; at = part.indexOf(wanted, from)) {
      number = owner(begins, at, number);
      from = ends[number] ?? end;
      each(number);
      if (--turn > 0) continue;
      turn = FOUND_A_TURN;
      yield;
    }
    // A hit may go beyond the edge.
    from = Math.max(from, edge - wanted.length + 1);
    yield;
  }
}

/** The last number, from `from` on, that begins at or before `at`. Near ones are found soon. */
function owner(begins: Uint32Array, at: number, from: number): number {
  let [low, high] = [from, from + 1];
  while (high < begins.length && (begins[high] ?? 0) <= at) [low, high] = [high, high + 2 * (high - low)];
  high = Math.min(high, begins.length);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((begins[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return low;
}

/** What stands in the names of everything of which a name begins with the query. */
export function beginningOf({ text }: SearchQuery): string {
  return LINE + (isAddress(text) ? text.slice(0, text.indexOf("@") + 1) : text);
}

/** What stands in the names of everything that has all words of the query; `undefined` for a query without words. */
export function rarestOf({ words }: SearchQuery): string | undefined {
  return words.toSorted((a, b) => b.length - a.length)[0];
}

/** What matched queries on a model, for those of which pages are read one after the other. */
const known = derived(
  ["member", "user", "team", "collection", "space", "site"],
  () => new Map<string, Uint32Array>(),
);
/** How many answers are kept, the last used ones. */
const KEPT = 16;

/** The numbers of a kind that match a query, ascending. */
export function* numbersMatching(model: Model, kind: Kind, query: SearchQuery): Generator<void, Uint32Array> {
  const answers = known(model);
  const key = `${kind} ${query.text}`;
  const found = answers.get(key) ?? (yield* matching(yield* namesOf[kind](model), query));
  answers.delete(key);
  answers.set(key, found);
  if (answers.size > KEPT) for (const oldest of answers.keys()) return (answers.delete(oldest), found);
  return found;
}

function* matching(names: Names, query: SearchQuery): Generator<void, Uint32Array> {
  const rarest = rarestOf(query);
  // Of what begins with the query, only an address may lack one of its words.
  const isSpelt = rarest === undefined || isAddress(query.text);
  const beginning = isSpelt ? yield* testing(names, beginningOf(query), query) : new Uint32Array(0);
  if (rarest === undefined) return beginning;
  // Names have no digits that do not count but the numbers of domains.
  const isEnough = rarest === query.text && !/^\d+$/.test(rarest);
  const within = yield* testing(names, rarest, isEnough ? undefined : query);
  return beginning.length === 0 ? within : Uint32Array.from(new Set([...beginning, ...within])).sort();
}

/** The numbers whose names have a text, and match the query if one is given. */
function* testing(names: Names, text: string, query: SearchQuery | undefined): Generator<void, Uint32Array> {
  const found = new Words();
  yield* having(names, text, (number) => {
    if (query === undefined || matchesTidied(namesAt(names, number), query)) found.push(number);
  });
  return found.array();
}
