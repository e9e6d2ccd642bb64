import { abilitiesText } from "../domain/document.ts";
import { type ContentKey, idOf } from "../domain/content.ts";
import type { Rule } from "../domain/ladder.ts";
import { bytesOf } from "../store/memory/documents.ts";
import type { SentHit } from "../store/listings/walk.ts";
import type { Membership, TeamPermission } from "../store/listings/teams.ts";
import type { Team } from "../store/directory/teams.ts";

/** The entries of the listings as JSON in UTF-8 (interface), with one character for each byte. */

export function userPermission({ role, document }: SentHit): string {
  return `{"permission":"${role}","user":${document.begin}}`;
}

export function teamPermission({ role, team }: TeamPermission): string {
  return bytesOf(`{"permission":"${role}","team":${sendTeam(team)}}`);
}

export function spacePermission({ role, document: { begin, end } }: SentHit): string {
  return `{"permission":"${role}","space":${begin}${abilitiesText(role)}${end}}`;
}

/** `origin.type` by deciding rule (contract, section 4, endpoint 8). */
const ORIGINS = {
  admin: "organization",
  direct: "space",
  team: "space",
  default: "space",
  organization: "organization",
} as const satisfies Record<Rule, string>;

/** `rule` gives the role on the content `subject`. */
export function sitePermission(
  { role, document }: SentHit,
  rule: Rule,
  subject: ContentKey,
  organization: string,
): string {
  const type = ORIGINS[rule];
  const organizationField = type === "organization" ? `,"organization":"${organization}"` : "";
  return `{"permission":"${role}","user":${document.begin},"origin":{"type":"${type}","space":"${idOf(subject)}"${organizationField}}}`;
}

export function teamMembership({ role, team }: Membership): string {
  return bytesOf(`{"team":${sendTeam(team)},"member":{"role":"${role}"}}`);
}

function sendTeam({ text, members, spaces }: Team): string {
  return `${text.slice(0, -1)},"members":${members},"spaces":${spaces}}`;
}
