import { type ContentKey, contentKey, type ContentKind, kindOf } from "../domain/content.ts";
import { explainSite, explainStrangerOnSite } from "../domain/why-site.ts";
import { type Explanation, explain, type Person } from "../domain/why.ts";
import { holds } from "./as-of.ts";
import { chainOf, chains } from "./chain.ts";
import type { Content } from "./content.ts";
import { statement } from "./engine.ts";
import { contents } from "./levels.ts";
import { type Member, memberOf, subjectOn } from "./members.ts";
import { personOf } from "./person.ts";
import type { Reading } from "./reading.ts";
import { siteDecision, siteLadders } from "./site-ladders.ts";
import { titlesFor } from "./titles.ts";

/** What can be asked about: a content or a site, by kind and id. */
export interface Thing {
  readonly kind: ContentKind | "site";
  readonly id: string;
}

/**
 * Why a user has a role on a thing, or none; `undefined` where there is no such thing. A user who is not a member
 * is no error but the first answer of the ladder.
 */
export async function explanationFor(
  reading: Reading,
  user: string,
  { kind, id }: Thing,
): Promise<Explanation | undefined> {
  if (kind === "site") return onSite(reading, user, id);
  return onContent(reading, user, contentKey(kind, id));
}

async function onContent(reading: Reading, user: string, key: ContentKey): Promise<Explanation | undefined> {
  const loaded = await chains(reading, [key]);
  const start = loaded.get(key);
  if (start === undefined) return undefined;
  const chain = chainOf(start, loaded);
  const member = await memberOn(reading, user, [chain]);
  const titles = await titlesFor(reading, loaded);
  return explain({
    organization: organizationOf(reading),
    user: shown(user, member),
    member,
    chain,
    titles,
  });
}

const SITE = statement<[title: string]>(() => `SELECT s.title FROM site s WHERE ${holds("s")} AND s.id = $3`);

async function onSite(reading: Reading, user: string, id: string): Promise<Explanation | undefined> {
  const [row] = await reading.read(SITE, ...reading.asOf, id);
  const ladders = await siteLadders(reading, id);
  if (row === undefined || ladders === undefined) return undefined;
  const site = { id, title: row[0] };
  const member = await memberOn(reading, user, ladders);
  const person = shown(user, member);
  if (member === undefined) return explainStrangerOnSite(site, organizationOf(reading), person);
  const found = siteDecision(ladders, member);
  const inner = found === undefined ? undefined : await onContent(reading, user, found.space);
  return explainSite(site, ladders.length, person, inner);
}

async function memberOn(
  reading: Reading,
  user: string,
  ladders: readonly (readonly Content[])[],
): Promise<Member | undefined> {
  const member = await memberOf(reading, user);
  return member === undefined ? undefined : subjectOn(reading, member, ladders);
}

function organizationOf({ at }: Reading): { id: string; title: string } {
  return { id: at.organization, title: at.title };
}

function shown(id: string, member: Member | undefined): Person {
  return member === undefined ? { id, displayName: id } : personOf(member);
}

/** The things of an organization that have this id: a space, a collection and a site may share one. */
export async function thingsNamed(reading: Reading, id: string): Promise<Thing[]> {
  const keys = [contentKey("space", id), contentKey("collection", id)];
  const loaded = await contents(reading, keys);
  const things: Thing[] = keys.filter((key) => loaded.has(key)).map((key) => ({ kind: kindOf(key), id }));
  const [site] = await reading.read(SITE, ...reading.asOf, id);
  return site === undefined ? things : [...things, { kind: "site", id }];
}
