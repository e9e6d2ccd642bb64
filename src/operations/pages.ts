/** Pages of lists: where one begins in a model, and with which key the next one goes on. */
import { contentKey } from "../domain/content.ts";
import { type Page, type PageRequest, pageOf } from "../domain/page.ts";
import type { Slice } from "../model/lists.ts";
import { memberId, type Model } from "../model/model.ts";
import { type Narrowed, nameKey, nextByName, nextOf } from "../model/narrowed.ts";
import { byCreation, placeAfter } from "../model/spaces.ts";
import { teamAfter } from "../model/teams.ts";
import { firstAfter } from "../model/texts.ts";
import type { Filters } from "./parameters.ts";

// A page reads one entry more than it shows, which tells whether another page follows.

/** The members of a page and the next one. */
export function membersFrom({ members }: Model, { after, limit }: PageRequest<string>): Slice {
  return { from: after === undefined ? 0 : firstAfter(members.ids, after), most: limit + 1 };
}

/** The members of a page and the next one, of those who pass filters. */
export function narrowedMembers(
  model: Model,
  narrowed: Narrowed,
  { nameOrder }: Filters,
  page: PageRequest<string>,
): number[] {
  const { byName } = narrowed;
  if (byName === undefined) return nextOf(narrowed, membersFrom(model, page));
  const { after, limit } = page;
  return nextByName(
    model,
    { ...narrowed, byName },
    { after, most: limit + 1, descending: nameOrder === "desc" },
  );
}

export function keyIn(model: Model, { sort }: Filters, member: number): string {
  return sort === "name" ? nameKey(model, member) : memberId(model, member);
}

export function teamsFrom(model: Model, { after, limit }: PageRequest<string>): Slice {
  return { from: after === undefined ? 0 : teamAfter(model, after), most: limit + 1 };
}

/** The place in the order by creation at which a page begins. */
export function firstPlace(model: Model, { after }: PageRequest<string>, newestFirst: boolean): number {
  if (after !== undefined) return placeAfter(model, after, newestFirst);
  return newestFirst ? byCreation(model).order.length - 1 : 0;
}

export function numbers({ from, most }: Slice, count: number): number[] {
  return Array.from({ length: Math.min(most, count - from) }, (_, index) => from + index);
}

export function memberKey(model: Model): (found: { readonly member: number }) => string {
  return ({ member }) => memberId(model, member);
}

export function teamKey({ teams }: Model): (found: { readonly team: number }) => string {
  return ({ team }) => teams.ids[team] ?? "";
}

/** The page of what was found, each with its key and its text. */
export function pageWith<Found>(
  found: readonly Found[],
  { limit }: PageRequest<string>,
  key: (found: Found) => string,
  text: (found: Found) => string,
): Page<string, string> {
  const page = pageOf(found, limit, key);
  return { ...page, entries: page.entries.map(text) };
}

/** The spaces of a page and the next one, of a list of spaces in the order of their ids. */
export function spacesFrom(
  { contents }: Model,
  spaces: Uint32Array,
  { after, limit }: PageRequest<string>,
): number[] {
  const from = after === undefined ? 0 : firstAfter(contents.keys, contentKey("space", after), spaces);
  return Array.from(spaces.subarray(from, from + limit + 1));
}
