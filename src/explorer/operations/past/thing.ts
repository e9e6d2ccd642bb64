import { absent } from "../../../operations/authorize.ts";
import type { Changed, Difference } from "../../queries/past/changed.ts";
import { differenceOf } from "../../queries/past/of-member.ts";
import { differenceOfTeam } from "../../queries/past/of-team.ts";
import { differenceOn } from "../../queries/past/on-content.ts";
import type { Between } from "../../queries/past/sides.ts";
import type { Viewer } from "../../queries/tree/viewer.ts";
import { ApiError } from "../../../domain/error.ts";
import type { Reading } from "../../../store/reading.ts";
import type { Query } from "../operation.ts";
import { countOf, isContent, keyOf, type Subject } from "../parameters/read.ts";

export const THINGS = ["space", "collection", "member", "team"] as const;

/** What changed for a subject between two revisions; `undefined` if nothing did. */
export async function differenceFor(changed: Changed, subject: Subject): Promise<Difference | undefined> {
  if (isContent(subject)) return differenceOn(changed, keyOf(subject));
  if (subject.kind === "member") return differenceOf(changed, subject.id);
  if (subject.kind === "team") return differenceOfTeam(changed, subject.id);
  throw absent(subject.kind, subject.id);
}

/** The parameters `earlier` and `later`. Throws 400 unless `earlier` is less. */
export function betweenIn(query: Query): Between {
  const between = { earlier: countOf(query, "earlier"), later: countOf(query, "later") };
  if (between.earlier < between.later) return between;
  throw new ApiError(
    "badRequest",
    `The parameters earlier and later are ${between.earlier} and ${between.later}; accepted: two revisions, the earlier one first.`,
  );
}

/**
 * The viewer for answers that may name contents of the past: {@link withoutUnseen} hides the names of contents that
 * this viewer does not see now.
 */
export function lookingBack(viewer: Viewer, current: Reading): Viewer {
  return viewer.all ? viewer : { ...viewer, now: viewer.now ?? current };
}
