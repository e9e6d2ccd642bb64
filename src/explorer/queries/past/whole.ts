/** All differences between two revisions of an organization. */
import type { Effect } from "../../../domain/difference.ts";
import type { CacheKind } from "../../../store/cache/cache.ts";
import type { ContentDifference, PersonDifference } from "../../../store/revisions/diff/diff.ts";
import type { DifferenceFilter } from "../../../store/revisions/diff/filter.ts";
import type { ChangedRecord } from "../../../store/revisions/diff/log.ts";
import { type Changed, diffOf, effectOf } from "./changed.ts";
import { MOST_WORDED } from "./wording.ts";

const PEOPLE: CacheKind<readonly PersonDifference[]> = {
  name: "changed-people",
  bytes: (people) => 100 + 400 * people.length,
};
/** A content on which roles differ, with up to {@link MOST_WORDED} of the causes; `more` counts the others. */
export interface ChangedContent extends Pick<ContentDifference, "content" | "counts"> {
  readonly causes: readonly ChangedRecord[];
  readonly more: number;
}

/** In bytes. The cache counts a longer list as this size and so keeps it, because the list takes long to compute. */
const MOST_BYTES = 16 << 20;
const CONTENTS: CacheKind<readonly ChangedContent[]> = {
  name: "changed-contents",
  bytes: (contents) => Math.min(MOST_BYTES, 100 + 250 * contents.length),
};

/** The people who joined, left or have another organization role, and who pass a filter. */
export function peopleApart(
  changed: Changed,
  filter: DifferenceFilter,
): Promise<readonly PersonDifference[]> {
  const { before, after } = changed.sides;
  return after.cache.once(PEOPLE, after.at, `${before.at.revision} ${keyOf(filter)}`, async () => {
    const people: PersonDifference[] = [];
    for await (const some of diffOf(changed, filter).people()) people.push(...some);
    return people;
  });
}

/**
 * The contents on which roles differ of people other than {@link peopleApart}. With `team`, only contents on which
 * changed records of this team affect anybody.
 */
export function contentsBetween(
  changed: Changed,
  team: string | undefined,
  filter: DifferenceFilter,
): Promise<readonly ChangedContent[]> {
  const { before, after } = changed.sides;
  return after.cache.once(
    CONTENTS,
    after.at,
    `${before.at.revision} ${keyOf(filter)} ${team ?? ""}`,
    async () => {
      // Without this filter, everybody who differs on such a content would count, whatever the cause.
      const causedBy = team === undefined ? undefined : (record: ChangedRecord) => record.team === team;
      return (await diffOf(changed, { ...filter, causedBy }).contents()).map(
        ({ content, counts, causes }) => ({
          content,
          counts,
          causes: causes.all.slice(0, MOST_WORDED),
          more: Math.max(0, causes.size - MOST_WORDED),
        }),
      );
    },
  );
}

function keyOf({ role, directions, guests }: DifferenceFilter): string {
  return JSON.stringify([role, directions && [...directions].sort(), guests]);
}

/**
 * The number of people per direction; a person counts once per direction, on however many contents. Stops after
 * `milliseconds`; `cut` says whether people are missing.
 */
export async function peopleBetween(
  changed: Changed,
  milliseconds: number,
): Promise<{ readonly effect: Effect; readonly cut: boolean }> {
  const { counts, isWhole } = await diffOf(changed).users(performance.now() + milliseconds);
  return { effect: effectOf({ counts }), cut: !isWhole };
}
