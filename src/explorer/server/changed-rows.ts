import { contentKey } from "../../domain/content.ts";
import { plain } from "../../domain/reason.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import type { DifferenceFilter } from "../../store/revisions/diff/filter.ts";
import type { DiffRow } from "../../store/revisions/diff/pairs.ts";
import { matches, queryOf } from "../../store/schema/search-terms.ts";
import { type Filter, type Subject, groupOf, isContent, keyOf } from "./query.ts";
import {
  type Between,
  type Changed,
  changedBetween,
  rowsOf,
  rowsOn,
  sidesOf,
  wordedRows,
} from "./changed.ts";
import { type Viewer, withoutUnseen } from "./viewer.ts";
import type { ChangedRow, HeldThen } from "../wire/lists.ts";
import { lookingBack } from "./past.ts";
import { type List, countedByReading, textsOf } from "./list.ts";

/** The time after which a page ends early if a filter leaves few rows, in milliseconds. */
const PATIENCE = 2_000;

/**
 * The users whose role on a content differs between two revisions, or the contents on which a member's role differs.
 * With `team`, only users whom changed records of this team affect.
 */
export function changedRows(subject: Subject, between: Between, filter: Filter): List<ChangedRow> {
  const isWanted = wantedBy(filter, subject);
  const some = differencesOf(filter);
  const key = isContent(subject) ? keyOf(subject) : undefined;
  const place = ({ content, user }: Pick<DiffRow, "content" | "user">) =>
    key === undefined ? contentKey(content.kind, content.id) : user.id;
  return {
    columns: [
      ["kind", "content", "title", "path", "user", "name", "email", "change"],
      ["before", "because", "after", "becauseAfter", "sentence"],
    ].flat(),
    cells: ({ content, path, user, direction, before, after, sentence }) => [
      content.kind,
      content.id,
      content.title,
      path.join(" / "),
      user.id,
      user.displayName,
      user.email ?? "",
      direction,
      ...heldCells(before),
      ...heldCells(after),
      plain(sentence),
    ],
    async open(reading, viewer) {
      const changed = await changedBetween(await sidesOf(reading, between));
      const from = (after: string | undefined) =>
        key === undefined
          ? rowsOf(changed, subject.id, after, some)
          : rowsOn(changed, key, after, { ...some, team: filter.through });
      let begun: Walk | undefined;
      return countedByReading(undefined, async (request) => {
        // The pages of a CSV file continue one walk. Any other request starts a new walk.
        if (begun?.at !== request.after || begun === undefined)
          begun = new Walk(from(request.after), isWanted);
        const rows = await begun.take(request);
        const { last } = begun;
        const page: Page<DiffRow, string> =
          rows.length > request.limit || last === undefined
            ? pageOf(rows, request.limit, place)
            : { entries: rows, next: place(last) };
        begun.at = page.next;
        if (page.next !== undefined) begun.giveBack(rows.slice(page.entries.length));
        const entries = await shown(changed, viewer, page.entries);
        await sidesOf(reading, between);
        return { ...page, entries: await withoutUnseen(lookingBack(viewer, reading), entries) };
      });
    },
  };
}

function heldCells(held: HeldThen | null): string[] {
  return held === null ? ["", ""] : [held.role, held.because ?? ""];
}

/** Reads rows in order, and continues after the last row that it returned. */
class Walk {
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

/** The filters that the comparison itself applies. */
export function differencesOf({ role, changes, guests }: Filter): DifferenceFilter {
  return {
    role,
    directions: changes && new Set(changes),
    guests: guests === "only",
  };
}

/** Whether a row passes the filters by text and by reason. Role and reason must be those of the same side. */
function wantedBy({ q, role, reasons }: Filter, { kind }: Subject): (row: DiffRow) => boolean {
  const text = queryOf(q);
  return ({ user, content, before, after }) =>
    (q === "" || matches(kind === "member" ? [content.title] : textsOf(user), text)) &&
    (reasons.length === 0 ||
      [before, after].some(
        (held) =>
          held !== undefined &&
          (role === undefined || held.role === role) &&
          reasons.includes(groupOf(held.rule)),
      ));
}

async function shown({ sides }: Changed, viewer: Viewer, rows: readonly DiffRow[]): Promise<ChangedRow[]> {
  // Only callers who see everything get reasons, because a reason may name a collection that others may not see.
  const held = (each: DiffRow["before"]): HeldThen | null =>
    each === undefined ? null : viewer.all ? { role: each.role, because: each.reason } : { role: each.role };
  return (await wordedRows(sides, rows)).map(
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
