import { decide } from "../../../domain/ladder.ts";
import type { ContentKey } from "../../../domain/content.ts";
import type { Role } from "../../../domain/role.ts";
import { contents, ladderOf } from "../../../store/directory/inheritance.ts";
import { type Member, subjectOn } from "../../../store/directory/members.ts";
import type { Reading } from "../../../store/reading.ts";

/**
 * The user for whom contents are read. `all` is true for an organization token and for an organization admin, who see
 * everything.
 */
export type Viewer =
  | { readonly all: true; readonly member?: Member }
  /**
   * `now` reads the current revision if a past one is shown: the viewer's current roles decide what the viewer sees.
   */
  | { readonly all: false; readonly member: Member; readonly now?: Reading };

/**
 * The contents of `keys` that the viewer sees, each with the viewer's effective role; `admin` for viewers who see
 * everything. At a past revision, the viewer's current roles decide.
 */
export async function visible(
  looked: Reading,
  viewer: Viewer,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, Role>> {
  const reading = decidesAt(looked, viewer);
  const loaded = await contents(reading, keys);
  const ladders = keys.flatMap((key) => {
    const content = loaded.get(key);
    return content === undefined ? [] : [{ key, ladder: ladderOf(content, loaded) }];
  });
  if (viewer.all) return new Map(ladders.map(({ key }) => [key, "admin"]));
  const subject = await subjectOn(
    reading,
    viewer.member,
    ladders.map(({ ladder }) => ladder),
  );
  const found = new Map<ContentKey, Role>();
  for (const { key, ladder } of ladders) {
    const decision = decide(ladder, subject);
    if (decision !== undefined) found.set(key, decision.role);
  }
  return found;
}

/** The reading whose roles decide what a viewer sees. */
export function decidesAt(looked: Reading, viewer: Viewer): Reading {
  return viewer.all ? looked : (viewer.now ?? looked);
}
