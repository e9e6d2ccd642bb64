import type { ContentKey } from "../../../domain/content.ts";
import { type Reason, reasonOf, type Titled } from "../../../domain/reason.ts";
import { contents, ladderOf } from "../../../store/directory/inheritance.ts";
import type { Reading } from "../../../store/reading.ts";

/**
 * For each given content, the team's permission that is nearest on the ladder, as a reason. Contents without one are
 * absent.
 */
export async function openedReasons(
  reading: Reading,
  team: Titled,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, Reason>> {
  const loaded = await contents(reading, keys);
  const titles = {
    content: (key: ContentKey) => loaded.get(key)?.title ?? key,
    team: () => team.title,
  };
  const reasons = new Map<ContentKey, Reason>();
  for (const key of keys) {
    const content = loaded.get(key);
    const level = content && ladderOf(content, loaded).find(({ teams }) => teams.has(team.id));
    const role = level?.teams.get(team.id);
    if (level === undefined || role === undefined) continue;
    reasons.set(key, reasonOf(key, { role, rule: "team", level, team: team.id }, titles));
  }
  return reasons;
}
