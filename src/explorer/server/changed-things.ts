import { idOf, kindOf } from "../../domain/content.ts";
import { DIRECTIONS } from "../../domain/difference.ts";
import { compareIds } from "../../domain/id.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import { plain } from "../../domain/reason.ts";
import { contentNames } from "../../store/revisions/diff/names.ts";
import type { PersonDifference } from "../../store/revisions/diff/diff.ts";
import { matches, queryOf } from "../../store/schema/search-terms.ts";
import { inBlocks } from "../../store/turns.ts";
import type { ChangedThing } from "../wire/lists.ts";
import { differencesOf } from "./changed-rows.ts";
import {
  type Between,
  type Changed,
  type ChangedContent,
  changedBetween,
  contentsBetween,
  effectOf,
  peopleApart,
  sidesOf,
  wordedRecords,
} from "./changed.ts";
import { type List, textsOf } from "./list.ts";
import type { Filter } from "./query.ts";
import { setTimeout as wait } from "node:timers/promises";

/**
 * How long (ms) a request waits for the comparison of the contents: `FIRST` for the total and for a page that already
 * has people, `PATIENCE` for other pages. After this time the page has the rows found so far, and the next page
 * continues after them. The server closes a connection after a minute without an answer.
 */
const FIRST = 1_000;
const PATIENCE = 15_000;

/** The number of contents whose titles are read together. */
const BLOCK = 1_000;

/** The first character of a sort key. People come before contents. */
const OF_PERSON = "0";
const OF_CONTENT = "1";

/**
 * All differences between two revisions: users who joined, left or have another organization role, then contents on
 * which the roles of other users differ. With `team`, only contents on which changed records of this team affect
 * anybody.
 */
export function changedThings(
  team: string | undefined,
  between: Between,
  filter: Filter,
): List<ChangedThing> {
  const some = differencesOf(filter);
  const text = queryOf(filter.q);
  const isNamed = (...texts: string[]) => filter.q === "" || matches(texts, text);
  return {
    columns: ["kind", "id", "title", "path", "contents", ...DIRECTIONS, "because"],
    cells: ({ user, contents, content, path = [], effect, what }) => [
      user === undefined ? (content?.kind ?? "") : "user",
      user?.id ?? content?.id ?? "",
      user?.displayName ?? content?.title ?? "",
      path.join(" / "),
      String(contents ?? ""),
      ...DIRECTIONS.map((direction) => String(effect?.[direction] ?? "")),
      what.map(plain).join("; "),
    ],
    async open(reading) {
      const changed = await changedBetween(await sidesOf(reading, between));
      const apart = team === undefined ? await peopleApart(changed, some) : [];
      const people = apart.filter(({ user }) => isNamed(...textsOf(user)));
      const underWay = named(
        contentsBetween(changed, team, some),
        changed,
        filter.q === "" ? undefined : isNamed,
      );
      const ready = await readyWithin(underWay, FIRST);
      return {
        ...(ready === undefined ? {} : { total: people.length + ready.length }),
        count: async () => ({ total: people.length + (await underWay).length }),
        async page(request) {
          const found = await pageOfThings(people, (most) => readyWithin(underWay, most), request, PATIENCE);
          const entries = await things(changed, found.entries);
          await sidesOf(reading, between);
          return { ...found, entries };
        },
      };
    },
  };
}

/** The contents whose title passes a filter. */
async function named(
  found: Promise<readonly ChangedContent[]>,
  { sides }: Changed,
  isNamed: ((title: string) => boolean) | undefined,
): Promise<readonly ChangedContent[]> {
  if (isNamed === undefined) return found;
  const kept: ChangedContent[] = [];
  for await (const block of inBlocks(await found, BLOCK)) {
    const places = await contentNames(
      sides,
      block.map(({ content }) => content),
    );
    kept.push(...block.filter(({ content }) => isNamed(places.get(content)?.title ?? "")));
  }
  return kept;
}

interface Thing {
  readonly position: string;
  readonly person?: PersonDifference;
  readonly content?: ChangedContent;
}

/**
 * A page of the people, then of the contents. If the comparison of the contents takes longer than `patience` (ms), the
 * page has only the rows found so far.
 */
export async function pageOfThings(
  people: readonly PersonDifference[],
  contents: (patience: number) => Promise<readonly ChangedContent[] | undefined>,
  { after = "", limit }: PageRequest<string>,
  patience: number,
): Promise<Page<Thing, string>> {
  const key = ({ position }: Thing) => position;
  const isBehind = (position: string) => compareIds(position, after) > 0;
  const found: Thing[] = [];
  for (const person of people) {
    const position = OF_PERSON + person.user.id;
    if (found.length <= limit && isBehind(position)) found.push({ position, person });
  }
  if (found.length > limit) return pageOf(found, limit, key);
  // A page that already has people waits only briefly for the contents.
  const ready = await contents(found.length > 0 ? FIRST : patience);
  if (ready === undefined) return { entries: found, next: found.at(-1)?.position ?? (after || OF_PERSON) };
  for (const content of ready) {
    if (found.length > limit) break;
    const position = OF_CONTENT + content.content;
    if (isBehind(position)) found.push({ position, content });
  }
  return pageOf(found, limit, key);
}

async function things({ sides }: Changed, found: readonly Thing[]): Promise<ChangedThing[]> {
  const keys = found.flatMap(({ content }) => content?.content ?? []);
  const names = await contentNames(sides, keys);
  const made = found.map(async ({ person, content }): Promise<ChangedThing[]> => {
    if (person !== undefined) {
      const { user, contents, record } = person;
      return [{ user, contents, ...(await wordedRecords(sides, [record])) }];
    }
    if (content === undefined) return [];
    const { content: key, causes, more } = content;
    const { title = key, path = [] } = names.get(key) ?? {};
    const worded = await wordedRecords(sides, causes);
    const shown = { kind: kindOf(key), id: idOf(key), title };
    return [{ content: shown, path, effect: effectOf(content), ...worded, more: worded.more + more }];
  });
  return (await Promise.all(made)).flat();
}

/**
 * The result of `work`, or `undefined` if `work` takes longer than `milliseconds`; `work` then continues. Throws the
 * error of `work`.
 */
async function readyWithin<Result>(work: Promise<Result>, milliseconds: number): Promise<Result | undefined> {
  const stop = new AbortController();
  const late = wait(milliseconds, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    stop.abort();
  }
}
