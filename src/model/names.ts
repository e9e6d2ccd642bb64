/** The normalized names of members, teams, contents and sites, and who has a name with a text in it. */
import { isAddress, matchesTidied, type SearchQuery, tidy } from "../domain/search.ts";
import { titleIn } from "../domain/record-change.ts";
import { Words } from "./lists.ts";
import { derived, derivedInTurns, type Members, type Model } from "./model.ts";
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

/** Writes the names of everything of one kind, one after the other. */
class NamesWriter {
  readonly #writer = new TextWriter();
  readonly #domains: Map<string, number>;

  constructor(domains: readonly string[] = []) {
    this.#domains = new Map(domains.map((domain, number) => [domain, number]));
  }

  add(names: readonly string[]): void {
    let text = LINE;
    for (const name of names) {
      const tidied = tidy(name);
      if (tidied !== "") text += this.#shortened(tidied) + LINE;
    }
    this.#writer.add(text);
  }

  /** Adds names that were written with the same domains. */
  copy(texts: Texts, from: number, to: number): void {
    this.#writer.copy(texts, from, to);
  }

  names(): Names {
    return { texts: this.#writer.texts(), domains: [...this.#domains.keys()] };
  }

  #shortened(tidied: string): string {
    if (!isAddress(tidied)) return tidied;
    const behind = tidied.indexOf("@") + 1;
    const domain = tidied.slice(behind);
    const number = this.#domains.get(domain) ?? this.#domains.size;
    this.#domains.set(domain, number);
    return tidied.slice(0, behind) + number;
  }
}

/** How many names are normalized, or copied, until others get a turn: a millisecond or two. */
const NAMES_A_TURN = 500;
const COPIES_A_TURN = 50_000;

function* normalized(
  count: number,
  namesOfOne: (number: number) => readonly string[],
): Generator<void, Names> {
  const writer = new NamesWriter();
  for (let number = 0; number < count; number++) {
    writer.add(namesOfOne(number));
    if (number % NAMES_A_TURN === NAMES_A_TURN - 1) yield;
  }
  return writer.names();
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

/** The display name and the e-mail address in a profile. */
export function namesIn(profile: string): string[] {
  const [, name, address] = NAMED.exec(profile) ?? [];
  if (name !== undefined && address !== undefined) return [name, address];
  const { displayName, email }: { displayName: string; email?: string } = JSON.parse(profile);
  return email === undefined ? [displayName] : [displayName, email];
}

/** The names of the members of an earlier state. */
interface LastNames {
  readonly members: Pick<Members, "count" | "ids" | "profiles">;
  readonly names: Names;
}

/** The names of members of whom most were there before, with the same profile: the same bytes. */
function* renamed({ count, ids, profiles }: Members, { members, names }: LastNames): Generator<void, Names> {
  const writer = new NamesWriter(names.domains);
  const isSame = (was: number, member: number) =>
    profiles.bytes === members.profiles.bytes &&
    was < members.count &&
    profiles.begins[member] === members.profiles.begins[was];
  const orderOf = (was: number, member: number) =>
    members.ids.bytes.compare(
      ids.bytes,
      ids.begins[member],
      ids.ends[member],
      members.ids.begins[was],
      members.ids.ends[was],
    );
  // The names from `copied` up to `was` are still to be copied.
  let [copied, was, turn] = [0, 0, COPIES_A_TURN];
  for (let member = 0; member < count; member++) {
    if (isSame(was, member)) was++;
    else {
      writer.copy(names.texts, copied, was);
      while (was < members.count && orderOf(was, member) < 0) was++;
      copied = was;
      if (isSame(was, member)) was++;
      else {
        writer.add(namesIn(textOf(profiles, member)));
        turn -= COPIES_A_TURN / NAMES_A_TURN;
      }
    }
    if (--turn > 0) continue;
    writer.copy(names.texts, copied, was);
    copied = was;
    turn = COPIES_A_TURN;
    yield;
  }
  writer.copy(names.texts, copied, was);
  return writer.names();
}

/** How names of a kind are found in a model; those of a million members take half a second once. */
export const namesOf: Readonly<Record<Kind, (model: Model) => Generator<void, Names>>> = {
  member: derivedInTurns(
    ["member", "user"],
    ({ members }, last: LastNames | undefined) =>
      last === undefined
        ? normalized(members.count, (member) => namesIn(textOf(members.profiles, member)))
        : renamed(members, last),
    ({ members: { count, ids, profiles } }, names): LastNames => ({
      members: { count, ids, profiles },
      names,
    }),
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

/** The members of whom a name or the address is a text, both normalized; ascending. */
export function* membersCalled(model: Model, text: string): Generator<void, number[]> {
  const names = yield* namesOf.member(model);
  const tidied = tidy(text);
  const behind = tidied.indexOf("@") + 1;
  const domain = names.domains.indexOf(tidied.slice(behind));
  const found: number[] = [];
  if (tidied === "" || (isAddress(tidied) && domain < 0)) return found;
  const line = isAddress(tidied) ? tidied.slice(0, behind) + domain : tidied;
  yield* having(names, LINE + line + LINE, (number) => found.push(number));
  return found;
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
