import { decide } from "../../../domain/ladder.ts";
import type { ContentKey } from "../../../domain/content.ts";
import { type Reason, reasonOf } from "../../../domain/reason.ts";
import type { Role } from "../../../domain/role.ts";
import { chains } from "../../../store/directory/ancestors.ts";
import { ladderOf } from "../../../store/directory/inheritance.ts";
import { teamTitles } from "../lists/access.ts";
import { type Member, subjectOn } from "../../../store/directory/members.ts";
import type { Reading } from "../../../store/reading.ts";

/** One member's effective role on each of the given contents, with its reason. Contents without access are absent. */
export async function heldOn(
  reading: Reading,
  member: Member,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, { readonly role: Role; readonly reason: Reason }>> {
  const loaded = await chains(reading, keys);
  const ladders = keys.flatMap((key) => loaded.get(key) ?? []).map((each) => ladderOf(each, loaded));
  const subject = await subjectOn(reading, member, ladders);
  const decisions = ladders.flatMap((ladder) => {
    const decision = decide(ladder, subject);
    const key = ladder[0]?.content;
    return decision === undefined || key === undefined ? [] : [{ key, decision }];
  });
  const teams = await teamTitles(
    reading,
    decisions.map(({ decision }) => decision),
  );
  const titles = {
    content: (key: ContentKey) => loaded.get(key)?.title ?? key,
    team: (id: string) => teams.get(id) ?? id,
  };
  return new Map(
    decisions.map(({ key, decision }) => [
      key,
      { role: decision.role, reason: reasonOf(key, decision, titles) },
    ]),
  );
}
