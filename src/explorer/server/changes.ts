/**
 * The lists of differences between two revisions: users whose role on a content differs, contents on which a member's
 * role differs, and everything that differs in the organization or because of a team's changes.
 */
import { setTimeout as wait } from "node:timers/promises";
import { type ContentKey, contentKey, idOf, kindOf } from "../../domain/content.ts";
import { compareIds } from "../../domain/id.ts";
import { atLeast } from "../../domain/role.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import type { DifferenceFilter } from "../../domain/difference-filter.ts";
import type { ContentName } from "../../model/difference-names.ts";
import type { DiffRow } from "../../model/pairs.ts";
import type { PersonDifference } from "../../model/summary.ts";
import { inBlocks } from "../../store/turns.ts";
import type { ChangedRow, ChangedNode, HeldThen } from "../wire/lists.ts";
import {
  type Changed,
  type ChangedContent,
  changedBetween,
  contentNamesOf,
  contentsBetween,
  effectOf,
  peopleBetween,
  rowsOf,
  rowsOn,
  readingsOf,
  wordedRecords,
  wordedRows,
} from "./changed.ts";
import { type ListOpener, countedByReading, matching, textsOf } from "./list.ts";
import { type Filter, groupOf } from "./query.ts";
import type { States } from "./states.ts";
import { type Viewer, lookingBack, withoutUnseen } from "./viewer.ts";

/** The time after which a page ends early if a filter leaves few rows, in milliseconds. */
const PATIENCE = 2_000;

/** The filters that the comparison itself applies. */
function differencesOf({ role, least, changes, guests }: Filter): DifferenceFilter {
  return { role, least, directions: changes && new Set(changes), guests: guests === "only" };
}

/**
 * The users whose role on a content differs, or the contents on which a user's role differs. With the filter `through`,
 * only users whom changed records of this team affect.
 */
export function changedRows(
  of: { readonly key: ContentKey } | { readonly user: string },
  states: States,
  filter: Filter,
): ListOpener<ChangedRow> {
  const isWanted = wantedBy(filter, "user" in of);
  const some = differencesOf(filter);
  const position = ({ content, user }: Pick<DiffRow, "content" | "user">) =>
    "user" in of ? contentKey(content.kind, content.id) : user.id;
  return async (reading, viewer) => {
    const changed = await changedBetween(await readingsOf(reading, states));
    const from = (after: string | undefined) =>
      "user" in of
        ? rowsOf(changed, of.user, after, some)
        : rowsOn(changed, of.key, after, { ...some, team: filter.through });
    let begun: RowWalk | undefined;
    return countedByReading(undefined, async (request) => {
      // The pages of a CSV file continue one walk. Any other request starts a new walk.
      if (begun?.at !== request.after || begun === undefined)
        begun = new RowWalk(from(request.after), isWanted);
      const rows = await begun.take(request);
      const { last } = begun;
      const page: Page<DiffRow, string> =
        rows.length > request.limit || last === undefined
          ? pageOf(rows, request.limit, position)
          : { entries: rows, next: position(last) };
      begun.at = page.next;
      if (page.next !== undefined) begun.giveBack(rows.slice(page.entries.length));
      const entries = await shown(changed, viewer, page.entries);
      await readingsOf(reading, states);
      return { ...page, entries: await withoutUnseen(lookingBack(viewer, reading), entries) };
    });
  };
}

/** Reads rows in order, and continues after the last row that it returned. */
class RowWalk {
  at: string | undefined;
  /** The last row that was read; `undefined` if all are read. */
  last: DiffRow | undefined;
  readonly #rows: AsyncGenerator<readonly DiffRow[]>;
  readonly #isWanted: (row: DiffRow) => boolean;
  #left: DiffRow[] = [];

  constructor(rows: AsyncGenerator<readonly DiffRow[]>, isWanted: (row: DiffRow) => boolean) {
    this.#rows = rows;
    this.#isWanted = isWanted;
  }

  /** The rows of the next page, and one more if there is a page after it. */
  async take({ limit }: PageRequest<string>): Promise<DiffRow[]> {
    const until = performance.now() + PATIENCE;
    while (this.#left.length <= limit && (this.last === undefined || performance.now() < until)) {
      const next = await this.#rows.next();
      if (next.done === true) {
        this.last = undefined;
        break;
      }
      this.last = next.value.at(-1) ?? this.last;
      this.#left.push(...next.value.filter(this.#isWanted));
    }
    return this.#left.splice(0, limit + 1);
  }

  giveBack(rows: readonly DiffRow[]): void {
    this.#left.unshift(...rows);
  }
}

/** Whether a row passes the filters by text and by reason. Role and reason must be those of the same side. */
function wantedBy({ q, role, least, reasons }: Filter, isOfMember: boolean): (row: DiffRow) => boolean {
  const isNamed = matching(q);
  return ({ user, content, before, after }) =>
    isNamed(...(isOfMember ? [content.title] : textsOf(user))) &&
    (reasons.length === 0 ||
      [before, after].some(
        (held) =>
          held !== undefined &&
          (role === undefined || held.role === role) &&
          (least === undefined || atLeast(held.role, least)) &&
          reasons.includes(groupOf(held.rule)),
      ));
}

async function shown({ readings }: Changed, viewer: Viewer, rows: readonly DiffRow[]): Promise<ChangedRow[]> {
  // Only callers who see everything get reasons, because a reason may name a collection that others may not see.
  const held = (each: DiffRow["before"]): HeldThen | null =>
    each === undefined ? null : viewer.all ? { role: each.role, because: each.reason } : { role: each.role };
  return (await wordedRows(readings, rows)).map(
    ({ content, path, user, direction, before, after, sentence }) => ({
      content,
      path: viewer.all ? path : [],
      user,
      direction,
      before: held(before),
      after: held(after),
      sentence,
    }),
  );
}

/**
 * How long (ms) a request waits for the comparison of the contents: `FIRST_WAIT` for the total and for a page that
 * already has people, `LONGEST_WAIT` for other pages. After this time the page has the rows found so far, and the next
 * page continues after them. The server closes a connection after a minute without an answer.
 */
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 15_000;

/** The number of titles that are looked at until others get a turn. */
const TITLES_A_TURN = 1_000;

/** The first character of a sort key. People come before contents. */
const OF_PERSON = "0";
const OF_CONTENT = "1";

/**
 * All differences: users who joined, left or have another organization role, then contents on which the roles of other
 * users differ, or of newcomers from what their organization role and default levels give. With `team`, only contents on
 * which changed records of this team affect anybody.
 */
export function changedNodes(
  team: string | undefined,
  states: States,
  filter: Filter,
): ListOpener<ChangedNode> {
  const some = differencesOf(filter);
  const isNamed = matching(filter.q);
  return async (reading) => {
    const changed = await changedBetween(await readingsOf(reading, states));
    const apart = team === undefined ? await peopleBetween(changed, some) : [];
    const people = apart.filter(({ user }) => isNamed(...textsOf(user)));
    const all = contentsBetween(changed, team, some);
    const contents = filter.q === "" ? all : titled(all, changed, isNamed);
    const found = await resultWithin(contents, FIRST_WAIT);
    return {
      ...(found === undefined ? {} : { total: people.length + found.length }),
      count: async () => ({ total: people.length + (await contents).length }),
      async page(request) {
        const page = await pageOfNodes(people, (most) => resultWithin(contents, most), request, LONGEST_WAIT);
        const entries = await things(changed, page.entries);
        await readingsOf(reading, states);
        return { ...page, entries };
      },
    };
  };
}

/** The contents whose title passes a filter. */
async function titled(
  found: Promise<readonly ChangedContent[]>,
  { readings }: Changed,
  isNamed: (title: string) => boolean,
): Promise<readonly ChangedContent[]> {
  const kept: ChangedContent[] = [];
  const nameOf = await contentNamesOf(readings);
  for await (const block of inBlocks(await found, TITLES_A_TURN))
    kept.push(...block.filter(({ content }) => isNamed(nameOf(content)?.title ?? "")));
  return kept;
}

/**
 * The result of `work`, or `undefined` if `work` takes longer than `milliseconds`; `work` then continues. Throws the
 * error of `work`.
 */
async function resultWithin<Result>(
  work: Promise<Result>,
  milliseconds: number,
): Promise<Result | undefined> {
  const stop = new AbortController();
  const late = wait(milliseconds, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    stop.abort();
  }
}

interface ChangedThing {
  readonly position: string;
  readonly person?: PersonDifference;
  readonly content?: ChangedContent;
}

/**
 * A page of the people, then of the contents. If the comparison of the contents takes longer than `patience` (ms), the
 * page has only the rows found so far.
 */
export async function pageOfNodes(
  people: readonly PersonDifference[],
  contents: (patience: number) => Promise<readonly ChangedContent[] | undefined>,
  { after = "", limit }: PageRequest<string>,
  patience: number,
): Promise<Page<ChangedThing, string>> {
  const key = ({ position }: ChangedThing) => position;
  const isBehind = (position: string) => compareIds(position, after) > 0;
  const found: ChangedThing[] = [];
  for (const person of people) {
    const position = OF_PERSON + person.user.id;
    if (found.length <= limit && isBehind(position)) found.push({ position, person });
  }
  if (found.length > limit) return pageOf(found, limit, key);
  // A page that already has people waits only briefly for the contents.
  const ready = await contents(found.length > 0 ? FIRST_WAIT : patience);
  if (ready === undefined) return { entries: found, next: found.at(-1)?.position ?? (after || OF_PERSON) };
  for (const content of ready) {
    if (found.length > limit) break;
    const position = OF_CONTENT + content.content;
    if (isBehind(position)) found.push({ position, content });
  }
  return pageOf(found, limit, key);
}

async function things({ readings }: Changed, found: readonly ChangedThing[]): Promise<ChangedNode[]> {
  const nameOf: (key: ContentKey) => ContentName | undefined = found.some(
    ({ content }) => content !== undefined,
  )
    ? await contentNamesOf(readings)
    : () => undefined;
  const made = found.map(async ({ person, content }): Promise<ChangedNode[]> => {
    if (person !== undefined) {
      const { user, contents, record, before, after, had, has } = person;
      const sides = {
        ...(before === undefined ? {} : { had: { role: before, contents: had } }),
        ...(after === undefined ? {} : { has: { role: after, contents: has } }),
      };
      return [{ user, contents, ...sides, ...(await wordedRecords(readings, [record])) }];
    }
    if (content === undefined) return [];
    const { content: key, causes, more } = content;
    const { title = key, path = [] } = nameOf(key) ?? {};
    const worded = await wordedRecords(readings, causes);
    const node = { kind: kindOf(key), id: idOf(key), title };
    return [{ content: node, path, effect: effectOf(content), ...worded, more: worded.more + more }];
  });
  return (await Promise.all(made)).flat();
}
