import { type Decision, decide, type Subject } from "../../domain/ladder.ts";
import type { ContentKey } from "../../domain/content.ts";
import { rank } from "../../domain/role.ts";
import type { Content } from "./content.ts";
import { contents, contentsOfSite, ladderOf } from "./inheritance.ts";
import type { Reading } from "../reading.ts";
import { spacesOfSite } from "./sites.ts";

/** The ladders of a site's spaces, sorted by space id; `undefined` if the site does not exist. */
export async function siteLadders(
  reading: Reading,
  site: string,
): Promise<readonly (readonly Content[])[] | undefined> {
  // Starts both reads at once, because each read of a remote database costs a round trip.
  const [spaces, inherited] = await Promise.all([
    spacesOfSite(reading, site),
    reading.remote ? contentsOfSite(reading, site) : undefined,
  ]);
  if (spaces === undefined) return undefined;
  const loaded = inherited ?? (await contents(reading, spaces));
  return spaces.flatMap((space) => {
    const content = loaded.get(space);
    return content === undefined ? [] : [ladderOf(content, loaded)];
  });
}

/**
 * The space that gives a member their role on a site, and the decision there: the first space with the highest role
 * (contract, section 4).
 */
export function siteDecision(
  ladders: readonly (readonly Content[])[],
  member: Subject,
): { readonly space: ContentKey; readonly decision: Decision } | undefined {
  let best: { space: ContentKey; decision: Decision } | undefined;
  for (const ladder of ladders) {
    const decision = decide(ladder, member);
    const space = ladder[0]?.content;
    if (decision === undefined || space === undefined) continue;
    if (best === undefined || rank(decision.role) > rank(best.decision.role)) best = { space, decision };
  }
  return best;
}
