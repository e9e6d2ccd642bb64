/**
 * What the words of a command name, for commands that only read: an id or, where nothing has that id, an e-mail
 * address, a title, a path or a name. Never the beginning of one: people choose names, and a new name must not change
 * what a command shows. Commands that write accept ids alone.
 */
import { UsageError } from "../domain/error.ts";
import type { ReportScope } from "../domain/scope.ts";
import { oneLine, quote } from "../domain/text.ts";
import { findNamed, findWhole } from "../explorer/server/search.ts";
import type { SearchHit } from "../explorer/wire/lists.ts";
import type { Reading } from "../store/reading.ts";
import { tidy } from "../domain/search.ts";
import type { Kind } from "../model/names.ts";
import { say } from "./terminal.ts";

const GROUP: Readonly<Record<SearchHit["kind"], Kind>> = {
  space: "content",
  collection: "content",
  site: "site",
  member: "member",
  team: "team",
};
/** Between the titles of a path. */
const BELOW = " / ";

/**
 * The one thing of some kinds that `text` names; `undefined` if nothing does. Says which id it is, unless `text` is the
 * id. Throws a UsageError that lists them if there are several.
 */
export async function thingNamed(
  reading: Reading,
  kinds: readonly SearchHit["kind"][],
  text: string,
): Promise<SearchHit | undefined> {
  const exact = await findNamed(reading, kinds, text);
  if (exact.length > 0) return only(exact, false, text);
  const wanted = tidy(text);
  const whole = await wholeOf(reading, kinds, text);
  // By e-mail address, then by title or name; a path ends with a title, and may name what its whole text does not.
  const byAddress = whole.hits.filter((hit) => hit.kind === "member" && tidy(hit.email ?? "") === wanted);
  const hits = byAddress.length > 0 ? byAddress : whole.hits;
  const found = hits.length > 0 || whole.more ? { ...whole, hits } : await byPath(reading, kinds, text);
  const thing = only(found.hits, found.more, text);
  if (thing !== undefined) say(`${quote(text)} is ${thing.kind} ${thing.id}.`);
  return thing;
}

interface NameCandidates {
  readonly hits: readonly SearchHit[];
  /** Whether there may be others. */
  readonly more: boolean;
}

async function wholeOf(
  reading: Reading,
  kinds: readonly SearchHit["kind"][],
  text: string,
): Promise<NameCandidates> {
  const groups = [...new Set(kinds.map((kind) => GROUP[kind]))];
  const { hits, more } = await findWhole(reading, text, groups);
  return { hits: hits.filter(({ kind }) => kinds.includes(kind)), more };
}

/** The contents with a whole path, such as `Engineering / API reference`. A title may contain what separates titles. */
async function byPath(
  reading: Reading,
  kinds: readonly SearchHit["kind"][],
  text: string,
): Promise<NameCandidates> {
  const wanted = tidy(text);
  const contents = kinds.filter((kind) => GROUP[kind] === "content");
  const hits: SearchHit[] = [];
  let more = false;
  for (let at = text.indexOf(BELOW); at >= 0 && contents.length > 0; at = text.indexOf(BELOW, at + 1)) {
    const found = await wholeOf(reading, contents, text.slice(at + BELOW.length));
    more ||= found.more;
    hits.push(...found.hits.filter((hit) => "path" in hit && tidy(pathOf(hit).join(BELOW)) === wanted));
  }
  return { hits, more };
}

function pathOf(hit: Extract<SearchHit, { readonly path: unknown }>): readonly string[] {
  return [...hit.path, hit.title];
}

function only(hits: readonly SearchHit[], more: boolean, text: string): SearchHit | undefined {
  const [first, second] = hits;
  if (second === undefined && !more) return first;
  const each = hits.map((hit) => `  ${hit.kind}/${hit.id}  ${oneLine(describe(hit))}`);
  throw new UsageError(
    [`${quote(text)} may be more than one; choose one by its id:`, ...each, ...(more ? ["  …"] : [])].join(
      "\n",
    ),
  );
}

/** Its title and path, or its name and e-mail address. */
export function describe(hit: SearchHit): string {
  if ("path" in hit) return pathOf(hit).join(BELOW);
  if (hit.kind !== "member") return hit.title;
  return hit.email === undefined ? hit.displayName : `${hit.displayName}, ${hit.email}`;
}

/**
 * A scope with the ids of everything that it names; what none of the readings knows stays as it is. The first reading
 * that knows a name decides.
 */
export async function scopeNamed(readings: readonly Reading[], scope: ReportScope): Promise<ReportScope> {
  const ids = async (kind: SearchHit["kind"], texts: readonly string[] | undefined) =>
    texts && [...new Set(await inTurn(texts, (text) => idNamed(readings, kind, text)))];
  return {
    ...scope,
    spaces: await ids("space", scope.spaces),
    collections: await ids("collection", scope.collections),
    sites: await ids("site", scope.sites),
    users: await ids("member", scope.users),
    team: scope.team && (await idNamed(readings, "team", scope.team)),
  };
}

/** The id of what `text` names in the first reading that knows it; `text` itself if none does. */
export async function idNamed(
  readings: readonly Reading[],
  kind: SearchHit["kind"],
  text: string,
): Promise<string> {
  for (const reading of readings) {
    const thing = await thingNamed(reading, [kind], text);
    if (thing !== undefined) return thing.id;
  }
  return text;
}

async function inTurn<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const done: Out[] = [];
  for (const item of items) done.push(await work(item));
  return done;
}
