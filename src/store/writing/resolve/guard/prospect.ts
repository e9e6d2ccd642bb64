/** Counts what the guard compares for a change (contract, section 8). */
import type { Reading } from "../../../reading.ts";
import { isRefused, judge, type Portion, type Prospect } from "../../../../domain/guard.ts";
import type { ContentKey } from "../../../../domain/content.ts";
import { rank } from "../../../../domain/role.ts";
import { type RecordKind, type RecordChange } from "../../../schema/record-change.ts";
import { closedContents, openedBy } from "./openings.ts";

const GUEST = "0";
const ADMIN = String(rank("admin"));

export const rises = {
  admin: ({ kind, was, becomes }: RecordChange) =>
    kind === "member" && was !== undefined && was !== ADMIN && becomes === ADMIN,
  formerGuest: ({ kind, was, becomes }: RecordChange) =>
    kind === "member" && was === GUEST && becomes !== undefined && becomes !== GUEST,
} as const;

export function goes(kind: RecordKind): (change: RecordChange) => boolean {
  return (change) => change.kind === kind && change.was !== undefined && change.becomes === undefined;
}

/** What the guard compares for an organization. `at` reads the state before the changes. */
export async function prospectOf(
  at: Reading,
  title: string,
  changes: readonly RecordChange[],
): Promise<{ readonly prospect: Prospect; readonly opened: readonly ContentKey[] }> {
  const { organization, counts } = at.at;
  const portion = (is: (change: RecordChange) => boolean, of: number): Portion => ({
    affected: changes.filter(is).length,
    of,
  });
  const opened = await openedBy(at, changes);
  const portions = {
    member: portion(goes("member"), counts.members),
    team: portion(goes("team"), counts.teams),
    teamMember: portion(goes("teamMember"), counts.teamMembers),
    permission: portion(goes("permission"), counts.permissions),
    admin: portion(rises.admin, counts.members),
    formerGuest: portion(rises.formerGuest, counts.members),
    openedContent: { affected: opened.length, of: opened.length },
  };
  const added = changes.filter(({ kind, was }) => kind === "member" && was === undefined).length;
  const members = counts.members + added - portions.member.affected;
  const prospect: Prospect = { organization, title, first: false, members, portions };
  // Closed contents are counted only if several would open, or if the refusal prints their number: counting reads all
  // collections.
  if (opened.length === 0 || (opened.length === 1 && !isRefused(judge(prospect, {})))) {
    return { prospect, opened };
  }
  const openedContent = { affected: opened.length, of: await closedContents(at) };
  return { prospect: { ...prospect, portions: { ...portions, openedContent } }, opened };
}
