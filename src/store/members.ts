import { type Decision, decide } from "../domain/access.ts";
import type { ContentKey } from "../domain/content.ts";
import type { Role } from "../domain/role.ts";
import { type Candidate, namedMembers } from "./candidates.ts";
import type { Content } from "./content.ts";
import { statement } from "./engine.ts";
import { held, takeHeld } from "./held.ts";
import { climbing, type ContentRow, contents, keep, ladderOf } from "./levels.ts";
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

/** A content as one user meets it. */
export interface Met {
  readonly ladder: readonly Content[];
  /** What the user may do on it, and why; `undefined` for no access and for who is no member. */
  readonly decision: Decision | undefined;
}

/** A content and what one user may do on it; `undefined` for a content that does not exist. */
export async function meet(reading: Reading, key: ContentKey, user: string): Promise<Met | undefined> {
  const known = reading.cache.decision(reading.at, key, user);
  if (known === undefined && reading.distant) return meetAtOnce(reading, key, user);
  const ladder = await ladderFor(reading, key);
  if (ladder === undefined) return undefined;
  if (known !== undefined) return { ladder, decision: known };
  const [member] = await namedMembers(reading, [user], factsOf([ladder]));
  return { ladder, decision: decided(reading, ladder, user, member) };
}

const CLIMB_HELD = statement<[held: number | null, ...ContentRow]>(() =>
  climbing("(SELECT $2 AS value)", held("$3", "c.id")),
);

/** With what the user holds on the way up, so that neither waits for the other. */
async function meetAtOnce(reading: Reading, key: ContentKey, user: string): Promise<Met | undefined> {
  const [rows, member] = await Promise.all([
    reading.read(CLIMB_HELD, reading.snapshot, key, user),
    memberOf(reading, user),
  ]);
  const loaded = new Map<ContentKey, Content>();
  const direct = new Map<ContentKey, Role>();
  keep(reading, takeHeld(rows, direct), loaded);
  const start = loaded.get(key);
  if (start === undefined) return undefined;
  const ladder = ladderOf(start, loaded);
  const subject = member === undefined ? undefined : { ...member, direct };
  return { ladder, decision: decided(reading, ladder, user, subject) };
}

function decided(
  reading: Reading,
  ladder: readonly Content[],
  user: string,
  member: Candidate | undefined,
): Decision | undefined {
  const decision = member === undefined ? undefined : decide(ladder, member);
  const content = ladder[0]?.content;
  if (decision !== undefined && content !== undefined) {
    reading.cache.keepDecision(reading.at, content, user, decision);
  }
  return decision;
}
