import { type ContentKey, contentKey, type ContentKind } from "../domain/content.ts";
import { ladderWithout, levelWithout, memberWithout, type Without } from "../domain/without.ts";
import { type Explanation, type Person, explain, explainSite, explainStrangerOnSite } from "../domain/why.ts";
import { holds } from "./schema/as-of.ts";
import { type Content, ancestryOf, withAncestors } from "./directory/contents.ts";
import { statement } from "./engine/engine.ts";
import { type Member, memberOf, withDirectOn } from "./directory/members.ts";
import { personOf } from "./directory/person.ts";
import type { Reading } from "./reading.ts";
import { siteDecision, siteLadders } from "./directory/sites.ts";
import { titlesFor } from "./directory/titles.ts";

export interface ContentOrSite {
  readonly kind: ContentKind | "site";
  readonly id: string;
}

/**
 * Explains why a user has a role on a content or site, or has none. Returns `undefined` if the content or site does not
 * exist. For a user who is not a member, the explanation says so. With `without`, explains the role that the user would
 * have without that source.
 */
export async function explanationFor(
  reading: Reading,
  user: string,
  { kind, id }: ContentOrSite,
  without?: Without,
): Promise<Explanation | undefined> {
  if (kind === "site") return onSite(reading, user, id, without);
  return onContent(reading, user, contentKey(kind, id), without);
}

async function onContent(
  reading: Reading,
  user: string,
  key: ContentKey,
  without: Without | undefined,
): Promise<Explanation | undefined> {
  const loaded = await withAncestors(reading, [key]);
  const start = loaded.get(key);
  if (start === undefined) return undefined;
  const [here, ...above] = ancestryOf(start, loaded);
  const cut = (level: Content) => (without === undefined ? level : levelWithout(level, [without]));
  const ancestry: [Content, ...Content[]] = [cut(here), ...above.map(cut)];
  const member = await memberOn(reading, user, [ancestry], without);
  const titles = await titlesFor(reading, loaded);
  return explain({
    organization: organizationOf(reading),
    user: shown(user, member),
    member,
    ancestry,
    titles,
  });
}

const SITE = statement<[title: string]>(() => `SELECT s.title FROM site s WHERE ${holds("s")} AND s.id = $3`);

async function onSite(
  reading: Reading,
  user: string,
  id: string,
  without: Without | undefined,
): Promise<Explanation | undefined> {
  const [row] = await reading.read(SITE, ...reading.asOf, id);
  const ladders = await laddersOf(reading, id, without);
  if (row === undefined || ladders === undefined) return undefined;
  const site = { id, title: row[0] };
  const member = await memberOn(reading, user, ladders, without);
  const person = shown(user, member);
  if (member === undefined) return explainStrangerOnSite(site, organizationOf(reading), person);
  const found = siteDecision(ladders, member);
  const inner = found === undefined ? undefined : await onContent(reading, user, found.space, without);
  return explainSite(site, ladders.length, person, inner);
}

async function laddersOf(
  reading: Reading,
  site: string,
  without: Without | undefined,
): Promise<readonly (readonly Content[])[] | undefined> {
  const ladders = await siteLadders(reading, site);
  if (ladders === undefined || without === undefined) return ladders;
  const spaces = ladders.flatMap(([space]) => space ?? []);
  const loaded = await withAncestors(
    reading,
    spaces.map(({ content }) => content),
  );
  return spaces.map((space) => ladderWithout(ancestryOf(space, loaded), [without]));
}

async function memberOn(
  reading: Reading,
  user: string,
  ladders: readonly (readonly Content[])[],
  without: Without | undefined,
): Promise<Member | undefined> {
  const member = await memberOf(reading, user);
  const found = member && (await withDirectOn(reading, member, ladders));
  return found && without !== undefined ? memberWithout(user, found, [without]) : found;
}

function organizationOf({ at }: Reading): { id: string; title: string } {
  return { id: at.organization, title: at.title };
}

function shown(id: string, member: Member | undefined): Person {
  return member === undefined ? { id, displayName: id } : personOf(member);
}
