import { type Decision, decide } from "../domain/access.ts";
import type { ContentKey } from "../domain/content.ts";
import { type Candidate, loneMember, type Member, namedMembers } from "./candidates.ts";
import type { Content } from "./content.ts";
import { contents, ladderOf } from "./levels.ts";
import type { Reading } from "./reading.ts";
import { factsOf } from "./target.ts";

/** A member, looked at alone; `undefined` for who is none. */
export async function memberOf(reading: Reading, id: string): Promise<Member | undefined> {
  const known = reading.cache.member(reading.at, id);
  if (known !== undefined) return known;
  const member = await loneMember(reading, id);
  if (member !== undefined) reading.cache.keepMember(reading.at, member);
  return member;
}

/** The member with their direct permissions on some ladders; off these, some may be missing. */
export async function subjectOn(
  reading: Reading,
  member: Member,
  ladders: readonly (readonly Content[])[],
): Promise<Candidate> {
  if (!member.many) return member;
  const { direct } = factsOf(ladders);
  const [found = member] = await namedMembers(reading, [member.id], { direct, teams: "all" });
  return found;
}

/** The ladder of a content, itself first; `undefined` for one that does not exist. */
export async function ladderFor(reading: Reading, key: ContentKey): Promise<readonly Content[] | undefined> {
  const loaded = await contents(reading, [key]);
  const start = loaded.get(key);
  return start === undefined ? undefined : ladderOf(start, loaded);
}

/**
 * What one user may do on a content, and why; `undefined` for no access, for who is no member, and for a content that
 * does not exist.
 */
export async function decisionFor(
  reading: Reading,
  key: ContentKey,
  user: string,
): Promise<Decision | undefined> {
  // Asked together: where the database is another machine, that is one wait instead of two.
  const [ladder, member] = await Promise.all([ladderFor(reading, key), memberOf(reading, user)]);
  if (ladder === undefined || member === undefined) return undefined;
  return decide(ladder, await subjectOn(reading, member, [ladder]));
}
