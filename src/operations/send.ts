import { sendSpace, sendUser } from "../domain/document.ts";
import { idOf } from "../domain/content.ts";
import type { EffectiveEntry } from "../store/listings/effective.ts";
import type { MemberSpace } from "../store/listings/member-spaces.ts";
import type { Membership } from "../store/listings/member-teams.ts";
import type { TeamPermission, UserPermission } from "../store/listings/permissions.ts";
import type { SiteDecision } from "../store/site-target.ts";
import type { Team } from "../store/teams.ts";

/** Entries as JSON text: the entry shapes of the interface. */

export function userPermission({ id, role, document }: UserPermission, publicUrl: string): string {
  return `{"permission":"${role}","user":${sendUser(id, document, publicUrl)}}`;
}

export function teamPermission({ role, team }: TeamPermission): string {
  return `{"permission":"${role}","team":${sendTeam(team)}}`;
}

export function spacePermission({ id, role, document }: MemberSpace, publicUrl: string): string {
  return `{"permission":"${role}","space":${sendSpace(id, document, role, publicUrl)}}`;
}

/** Contract, section 4, endpoint 8: which decisions count as the organization's. */
export function sitePermission(
  { id, document, found }: EffectiveEntry<SiteDecision>,
  organization: string,
  publicUrl: string,
): string {
  const { rule } = found.decision;
  const space = idOf(found.space);
  const origin =
    rule === "admin" || rule === "organization"
      ? { type: "organization", space, organization }
      : { type: "space", space };
  return `{"permission":"${found.role}","user":${sendUser(id, document, publicUrl)},"origin":${JSON.stringify(origin)}}`;
}

export function teamMembership({ role, team }: Membership): string {
  return `{"team":${sendTeam(team)},"member":{"role":"${role}"}}`;
}

function sendTeam({ text, members, spaces }: Team): string {
  return `${text.slice(0, -1)},"members":${members},"spaces":${spaces}}`;
}
