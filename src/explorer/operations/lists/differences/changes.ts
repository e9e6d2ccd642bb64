import { contentKey } from "../../../../domain/content.ts";
import { plain } from "../../../../domain/explanation/phrase.ts";
import { type PageRequest, pageOf } from "../../../../domain/page.ts";
import type { DiffRow } from "../../../../store/revisions/diff/pairs.ts";
import { type Changed, changedBetween } from "../../../queries/past/changed.ts";
import { rowsOf } from "../../../queries/past/of-member.ts";
import { rowsOn } from "../../../queries/past/on-content.ts";
import { type Between, sidesOf } from "../../../queries/past/sides.ts";
import { wordedRows } from "../../../queries/past/wording.ts";
import type { Viewer } from "../../../queries/tree/viewer.ts";
import type { ChangedRow, HeldThen } from "../../../wire/past.ts";
import { isContent, keyOf, type Subject } from "../../parameters/read.ts";
import { lookingBack } from "../../past/thing.ts";
import { withoutUnseen } from "../../past/unseen.ts";
import type { List } from "../list.ts";
import { counting } from "../sift.ts";

/**
 * The users whose role on a content differs between two revisions, or the contents on which a member's role differs.
 * With `team`, only users whom changed records of this team affect.
 */
export function changedRows(subject: Subject, between: Between, team?: string): List<ChangedRow> {
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
        key === undefined ? rowsOf(changed, subject.id, after) : rowsOn(changed, key, after, team);
      let begun: Walk | undefined;
      return counting(undefined, async (request) => {
        // The pages of a CSV file continue one walk. Any other request starts a new walk.
        if (begun?.at !== request.after || begun === undefined) begun = new Walk(from(request.after));
        const rows = await begun.take(request);
        const page = pageOf(rows, request.limit, place);
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
  readonly #rows: AsyncGenerator<readonly DiffRow[]>;
  #left: DiffRow[] = [];

  constructor(rows: AsyncGenerator<readonly DiffRow[]>) {
    this.#rows = rows;
  }

  /** The rows of the next page, and one more if there is a page after it. */
  async take({ limit }: PageRequest<string>): Promise<DiffRow[]> {
    while (this.#left.length <= limit) {
      const next = await this.#rows.next();
      if (next.done === true) break;
      this.#left.push(...next.value);
    }
    return this.#left.splice(0, limit + 1);
  }

  giveBack(rows: readonly DiffRow[]): void {
    this.#left.unshift(...rows);
  }
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
