import { decide } from "../../../domain/ladder.ts";
import { idOf } from "../../../domain/content.ts";
import { type Role, rank } from "../../../domain/role.ts";
import { decisionFor, memberOf, subjectOn } from "../../../store/directory/members.ts";
import type { Reading } from "../../../store/reading.ts";
import { siteDecision, siteLadders } from "../../../store/directory/site-ladders.ts";
import type { SpaceRole } from "../../wire/answers.ts";
import { isContent, keyOf, type Subject } from "../parameters/read.ts";

/** The effective role of one user on a content or site; `null` for no access, no such user and no such site. */
export async function roleOn(reading: Reading, subject: Subject, user: string): Promise<Role | null> {
  if (isContent(subject)) return (await decisionFor(reading, keyOf(subject), user))?.role ?? null;
  const [ladders, member] = await Promise.all([siteLadders(reading, subject.id), memberOf(reading, user)]);
  if (ladders === undefined || member === undefined) return null;
  return siteDecision(ladders, await subjectOn(reading, member, ladders))?.decision.role ?? null;
}

/**
 * The effective role of one user on each space of a site, strongest first, then by title; `null` for no access comes
 * last.
 */
export async function rolesOnSpaces(reading: Reading, site: string, user: string): Promise<SpaceRole[]> {
  const [ladders, member] = await Promise.all([siteLadders(reading, site), memberOf(reading, user)]);
  if (ladders === undefined || member === undefined) return [];
  const subject = await subjectOn(reading, member, ladders);
  const roles = ladders.flatMap((ladder): SpaceRole[] => {
    const [space] = ladder;
    if (space === undefined) return [];
    return [{ id: idOf(space.content), title: space.title, role: decide(ladder, subject)?.role ?? null }];
  });
  const strength = ({ role }: SpaceRole) => (role === null ? 0 : rank(role));
  return roles.sort((a, b) => strength(b) - strength(a) || (a.title < b.title ? -1 : 1));
}
