import { sendSpace, sendUser } from "../domain/document.ts";
import { idOf } from "../domain/content.ts";
import type { Rule } from "../domain/ladder.ts";
import type { EffectiveEntry, ExplainedEntry } from "../store/listings/effective.ts";
import type { MemberSpace } from "../store/listings/member/next-spaces.ts";
import type { Membership } from "../store/listings/member/member-teams.ts";
import type { TeamPermission } from "../store/listings/direct.ts";
import type { Team } from "../store/directory/teams.ts";

/** The entries of the listings as JSON text (interface). */

export function userPermission(
  { id, role, document }: Pick<EffectiveEntry, "id" | "role" | "document">,
  publicUrl: string,
): string {
  return `{"permission":"${role}","user":${sendUser(id, document, publicUrl)}}`;
}

export function teamPermission({ role, team }: TeamPermission): string {
  return `{"permission":"${role}","team":${sendTeam(team)}}`;
}

export function spacePermission({ id, role, document }: MemberSpace, publicUrl: string): string {
  return `{"permission":"${role}","space":${sendSpace(id, document, role, publicUrl)}}`;
}

/** `origin.type` by deciding rule (contract, section 4, endpoint 8). */
const ORIGINS = {
  admin: "organization",
  direct: "space",
  team: "space",
  default: "space",
  organization: "organization",
} as const satisfies Record<Rule, string>;

export function sitePermission(
  { id, role, document, subject, decision }: ExplainedEntry,
  organization: string,
  publicUrl: string,
): string {
  const type = ORIGINS[decision.rule];
  const space = idOf(subject);
  const origin = type === "organization" ? { type, space, organization } : { type, space };
  return `{"permission":"${role}","user":${sendUser(id, document, publicUrl)},"origin":${JSON.stringify(origin)}}`;
}

export function teamMembership({ role, team }: Membership): string {
  return `{"team":${sendTeam(team)},"member":{"role":"${role}"}}`;
}

function sendTeam({ text, members, spaces }: Team): string {
  return `${text.slice(0, -1)},"members":${members},"spaces":${spaces}}`;
}
