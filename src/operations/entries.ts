/** The entries of the listings as JSON in UTF-8 (interface), with one character for each byte. */
import { idOf } from "../domain/content.ts";
import {
  abilitiesText,
  bytesOf,
  locationText,
  sendCollection,
  sendSpace,
  sendUser,
} from "../domain/document.ts";
import { decide } from "../domain/ladder.ts";
import { type Role, roleOf } from "../domain/role.ts";
import { lengthOf } from "../model/lists.ts";
import type { Hit, SiteHit } from "../model/members.ts";
import {
  INHERIT,
  keyOf,
  levelOfRank,
  memberId,
  type Model,
  NOTHING,
  organizationRole,
} from "../model/model.ts";
import { BY_ORGANIZATION, BY_SITE, ROLE } from "../model/code.ts";
import { type SpaceHit, spacesReached } from "../model/spaces.ts";
import type { MemberOfTeam, TeamOfMember, TeamOnContent } from "../model/teams.ts";
import * as texts from "../model/texts.ts";
import { ladderOn, rightsOn } from "../model/why.ts";

export function userPermission(model: Model, { member, code }: Hit, publicUrl: string): string {
  return `{"permission":"${roleOf(code & ROLE)}","user":${userText(model, member, publicUrl)}}`;
}

export function userText(model: Model, member: number, publicUrl: string): string {
  const { profiles, omitted } = model.members;
  const document = { text: texts.bytesOf(profiles, member), omitted: omitted[member] ?? 0 };
  return sendUser(memberId(model, member), document, publicUrl);
}

export function memberText(model: Model, member: number, publicUrl: string): string {
  const id = bytesOf(JSON.stringify(memberId(model, member)));
  const role = JSON.stringify(organizationRole(model, member));
  return `{"object":"member","id":${id},"role":${role},"user":${userText(model, member, publicUrl)}}`;
}

/** Somebody in the list of `site`. */
export function sitePermission(model: Model, site: number, hit: SiteHit, publicUrl: string): string {
  const role = roleOf(hit.code & ROLE);
  const origin = originOf(model, site, hit);
  return `{"permission":"${role}","user":${userText(model, hit.member, publicUrl)},"origin":${origin}}`;
}

function originOf(model: Model, site: number, { member, code, space: from }: SiteHit): string {
  const space = `"space":"${idOf(keyOf(model, from))}"`;
  if ((code & BY_ORGANIZATION) !== 0)
    return `{"type":"organization",${space},"organization":"${model.organization.id}"}`;
  if ((code & BY_SITE) === 0) return `{"type":"space",${space}}`;
  const decision = decide(ladderOn(model, from, site), rightsOn(model, member, from));
  const reason = decision?.rule === "direct" ? "member" : decision?.rule;
  const team = decision?.team === undefined ? "" : `,"team":"${decision.team}"`;
  return `{"type":"site",${space},"site":"${decision?.site}","reason":"${reason}"${team}}`;
}

export function spacePermission(model: Model, { space, role }: SpaceHit, publicUrl: string): string {
  const held = roleOf(role);
  return `{"permission":"${held}","space":${spaceText(model, space, held, publicUrl)}}`;
}

/** A space, with what a member with `role`, or without one, may do there. */
export function spaceText(model: Model, space: number, role: Role | null, publicUrl: string): string {
  const { texts: all, omitted } = model.contents;
  const document = { text: texts.bytesOf(all, space), omitted: omitted[space] ?? 0 };
  const [begin, end] = sendSpace(idOf(keyOf(model, space)), document, publicUrl);
  return begin + abilitiesText(role) + end;
}

export function collectionText(model: Model, collection: number, publicUrl: string): string {
  const { texts: all, levels } = model.contents;
  const id = idOf(keyOf(model, collection));
  return sendCollection(id, texts.bytesOf(all, collection), levels[collection] === INHERIT, publicUrl);
}

export function teamPermission(model: Model, { team, role }: TeamOnContent): string {
  return `{"permission":"${roleOf(role)}","team":${teamText(model, team)}}`;
}

export function teamMembership(model: Model, { team, isOwner }: TeamOfMember): string {
  return `{"team":${teamText(model, team)},"member":{"role":"${isOwner ? "owner" : "member"}"}}`;
}

export function teamText(model: Model, team: number): string {
  const text = bytesOf(model.teams.texts[team] ?? "");
  const members = lengthOf(model.teams.members, team);
  return `${text.slice(0, -1)},"members":${members},"spaces":${spacesReached(model, team)}}`;
}

export function teamMember(model: Model, { member, isOwner }: MemberOfTeam, publicUrl: string): string {
  const role = isOwner ? "owner" : "member";
  return `{"organization":${memberText(model, member, publicUrl)},"team":{"role":"${role}"}}`;
}

export function organizationText({ organization: { id, title } }: Model, publicUrl: string): string {
  return `{"object":"organization","id":"${id}","title":${bytesOf(JSON.stringify(title))},${locationText(`orgs/${id}`, publicUrl)}}`;
}

export function siteText({ organization, sites }: Model, site: number, publicUrl: string): string {
  const id = sites.ids[site] ?? "";
  const title = bytesOf(JSON.stringify(sites.titles[site] ?? ""));
  const level = JSON.stringify(levelOfRank(sites.levels[site] ?? INHERIT));
  return `{"object":"site","id":"${id}","title":${title},"defaultLevel":${level},${locationText(`orgs/${organization.id}/sites/${id}`, publicUrl)}}`;
}

/** A space in the list of a site, with what an organization admin may do there. */
export function siteSpaceText(model: Model, space: number, publicUrl: string): string {
  return `{"object":"site-space","space":${spaceText(model, space, "admin", publicUrl)}}`;
}

/** A permission on a site, which may be no access. */
export function userOverride(model: Model, { member, code }: Hit, publicUrl: string): string {
  return `{"permission":${roleOrNull(code)},"user":${userText(model, member, publicUrl)}}`;
}

export function teamOverride(model: Model, { team, role }: TeamOnContent): string {
  return `{"permission":${roleOrNull(role)},"team":${teamText(model, team)}}`;
}

function roleOrNull(rank: number): string {
  return JSON.stringify(rank === NOTHING ? null : roleOf(rank));
}
