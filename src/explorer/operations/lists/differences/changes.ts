/**
 * Lists of differences between two revisions: people who gained or lost access, or whose role became higher or lower.
 */
import { contentKey, idOf, kindOf } from "../../../../domain/content.ts";
import { plain } from "../../../../domain/explanation/phrase.ts";
import { compareIds } from "../../../../domain/order.ts";
import { type PageRequest, pageOf } from "../../../../domain/page.ts";
import { DIRECTIONS } from "../../../../store/listings/access-query/difference-of.ts";
import type { DiffRow } from "../../../../store/revisions/diff/pairs.ts";
import { placesOf } from "../../../../store/revisions/diff/contents/places.ts";
import { type Changed, changedBetween, effectOf } from "../../../queries/past/changed.ts";
import { rowsOf } from "../../../queries/past/of-member.ts";
import { rowsOn } from "../../../queries/past/on-content.ts";
import { type Between, sidesOf } from "../../../queries/past/sides.ts";
import { wordedRecords, wordedRows } from "../../../queries/past/wording.ts";
import { thingsBetween } from "../../../queries/past/whole.ts";
import type { Viewer } from "../../../queries/tree/viewer.ts";
import type { ChangedRow, ChangedThing, HeldThen } from "../../../wire/past.ts";
import { isContent, keyOf, type Subject } from "../../parameters/read.ts";
import { lookingBack } from "../../past/thing.ts";
import { withoutUnseen } from "../../past/unseen.ts";
import type { List } from "../list.ts";
import { counting } from "../sift.ts";

/**
 * The users with a difference on one content, or the contents on which one member has one. With `team`, only users on
 * a content whom the team's changed records affect.
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
        // A file continues the previous walk; a page starts a new one.
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

/** A walk over the rows that can be continued. */
class Walk {
  /** The key of the last row. */
  at: string | undefined;
  readonly #rows: AsyncGenerator<readonly DiffRow[]>;
  #left: DiffRow[] = [];

  constructor(rows: AsyncGenerator<readonly DiffRow[]>) {
    this.#rows = rows;
  }

  /** The rows of a page, and one more if there is a next page. */
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
  // A reason may name a collection that the caller may not see.
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

/**
 * Users who joined, left or have another organization role, and contents on which others differ; with `team`, only
 * those that the team affects.
 */
export function changedThings(team: string | undefined, between: Between): List<ChangedThing> {
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
      const { people, contents } = await thingsBetween(changed, team);
      const total = people.length + contents.length;
      const all = [
        ...people.map((person) => ({ position: `0${person.user.id}`, person, content: undefined })),
        ...contents.map((content) => ({ position: `1${content.content}`, person: undefined, content })),
      ];
      return {
        total,
        count: async () => ({ total }),
        async page({ after, limit }) {
          const behind =
            after === undefined ? all : all.filter(({ position }) => compareIds(position, after) > 0);
          const page = pageOf(behind.slice(0, limit + 1), limit, ({ position }) => position);
          const entries = await Promise.all(
            page.entries.map(({ person, content }) =>
              person === undefined ? contentThing(changed, content) : personThing(changed, person),
            ),
          );
          await sidesOf(reading, between);
          return { ...page, entries: entries.flatMap((each) => each ?? []) };
        },
      };
    },
  };
}

type Things = Awaited<ReturnType<typeof thingsBetween>>;

async function personThing(
  { sides }: Changed,
  { user, contents, record }: Things["people"][number],
): Promise<ChangedThing> {
  return { user, contents, ...(await wordedRecords(sides, [record])) };
}

async function contentThing(
  { sides }: Changed,
  difference: Things["contents"][number] | undefined,
): Promise<ChangedThing | undefined> {
  if (difference === undefined) return undefined;
  const { content: key, causes } = difference;
  const { title = key, path = [] } = (await placesOf(sides, [key])).get(key) ?? {};
  return {
    content: { kind: kindOf(key), id: idOf(key), title },
    path,
    effect: effectOf(difference),
    ...(await wordedRecords(sides, [...causes])),
  };
}
