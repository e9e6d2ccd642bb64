import { type Decision, decide } from "../domain/access.ts";
import type { ContentKey } from "../domain/content.ts";
import { type Candidate, namedMembers } from "./candidates.ts";
import type { Content } from "./content.ts";
import { contents, ladderOf } from "./levels.ts";
import type { Reading } from "./reading.ts";
import { factsOf } from "./target.ts";

/** A member with all of their teams; `undefined` for who is none. */
export async function memberOf(reading: Reading, id: string): Promise<Candidate | undefined> {
  const known = reading.cache.member(reading.at, id);
  if (known !== undefined) return known;
  const [member] = await namedMembers(reading, [id], { direct: [], teams: true });
  if (member !== undefined) reading.cache.keepMember(reading.at, member);
  return member;
}

/** The ladder of a content, itself first; `undefined` for one that does not exist. */
export async function ladderFor(reading: Reading, key: ContentKey): Promise<Content[] | undefined> {
  const loaded = await contents(reading, [key]);
  const start = loaded.get(key);
  return start === undefined ? undefined : ladderOf(start, loaded);
}

/** What one user may do on a content, and why; `undefined` for no access and for who is no member. */
export async function decisionFor(
  reading: Reading,
  ladder: readonly Content[],
  user: string,
): Promise<Decision | undefined> {
  const content = ladder[0]?.content;
  if (content === undefined) return undefined;
  const known = reading.cache.decision(reading.at, content, user);
  if (known !== undefined) return known;
  const [member] = await namedMembers(reading, [user], factsOf([ladder]));
  const decision = member === undefined ? undefined : decide(ladder, member);
  if (decision !== undefined) reading.cache.keepDecision(reading.at, content, user, decision);
  return decision;
}
