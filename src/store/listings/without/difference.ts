/** The difference between the roles on a content with and without one source of access. */
import type { ContentKey } from "../../../domain/content.ts";
import { ladderWithout, type Without, writeWithout } from "../../../domain/without.ts";
import { chunkOf } from "../../../sets/position.ts";
import type { CacheKind } from "../../cache/cache.ts";
import { chainOf, chains } from "../../directory/ancestors.ts";
import { ladderOf } from "../../directory/inheritance.ts";
import { memberOf } from "../../directory/members.ts";
import type { Reading } from "../../reading.ts";
import { type Access, hasChunk } from "../access.ts";
import { AccessDifference, type DifferenceCounts } from "../difference.ts";
import { accessOnContent, accessOnLadders, teamSet } from "../subject.ts";

/** The cached part of a difference: the access without the source, and the counts of the chunks compared so far. */
interface Known {
  readonly access: Access;
  readonly counts: DifferenceCounts;
}

const KIND: CacheKind<Known> = { name: "without", bytes: ({ access }) => 50_000 + access.size };

/** The difference on a content; `undefined` if the content does not exist. */
export async function differenceWithout(
  reading: Reading,
  key: ContentKey,
  without: Without,
): Promise<AccessDifference | undefined> {
  const loaded = await chains(reading, [key]);
  const start = loaded.get(key);
  const access = start && (await accessOnContent(reading, key));
  if (start === undefined || access === undefined) return undefined;
  const position =
    without.of === "user" ? ((await memberOf(reading, without.user))?.position ?? -1) : undefined;
  const known = await reading.cache.once(KIND, reading.at, `${key} ${writeWithout(without)}`, async () => {
    const ladder = ladderWithout(chainOf(start, loaded), without);
    const leftOut =
      without.of === "user" && position !== undefined ? new Map([[without.content, [position]]]) : undefined;
    return { access: await accessOnLadders(reading, [ladder], leftOut), counts: new Map() };
  });
  const within = (isThere: (chunk: number) => boolean) =>
    new AccessDifference(
      { reading, access },
      { reading, access: known.access },
      { within: isThere, counts: known.counts },
    );
  if ("content" in without && !ladderOf(start, loaded).some(({ content }) => content === without.content)) {
    return within(() => false);
  }
  if (position !== undefined) return within((chunk) => chunk === chunkOf(position));
  if (!("team" in without)) return within(() => true);
  const { head } = await teamSet(reading, without.team);
  return within((chunk) => hasChunk(head, chunk));
}
