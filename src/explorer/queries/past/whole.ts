/** All differences between two revisions: people who joined and left, and the contents with differences. */
import type { Effect } from "../../../domain/explanation/effect.ts";
import type { CacheKind } from "../../../store/cache/cache.ts";
import type { ContentDifference, PersonDifference } from "../../../store/revisions/diff/diff.ts";
import type { ChangedRecord } from "../../../store/revisions/diff/log/log.ts";
import { type Changed, diffOf, effectOf } from "./changed.ts";

/** The people and contents with differences. */
export interface Things {
  readonly people: readonly PersonDifference[];
  readonly contents: readonly ContentDifference[];
}

const KIND: CacheKind<Things> = {
  name: "changed-things",
  bytes: ({ people, contents }) => 400 * people.length + 200 * contents.length,
};

/** All differences; with `team`, the contents on which the team's changes affect anybody. */
export async function thingsBetween(changed: Changed, team: string | undefined): Promise<Things> {
  const { sides } = changed;
  const { cache, at } = sides.after;
  return cache.once(KIND, at, `${sides.before.at.revision} ${team ?? ""}`, async () => {
    // With a team, only people whom its own changes affect count, not everybody who differs on the same content.
    const causedBy = team === undefined ? undefined : (record: ChangedRecord) => record.team === team;
    const diff = diffOf(changed, { causedBy });
    const people: PersonDifference[] = [];
    if (team === undefined) for await (const some of diff.people()) people.push(...some);
    return { people, contents: await diff.contents() };
  });
}

/**
 * The number of people per direction, on any content; a person counts once per direction. Stops at a time limit, in
 * milliseconds.
 */
export async function peopleBetween(
  changed: Changed,
  milliseconds: number,
): Promise<{ readonly effect: Effect; readonly cut: boolean }> {
  const { counts, isWhole } = await diffOf(changed).users(performance.now() + milliseconds);
  return { effect: effectOf({ counts }), cut: !isWhole };
}
