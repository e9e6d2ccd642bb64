/**
 * Compares the roles of two people on the same spaces, or those of one person with their role on the whole collection
 * or site.
 */
import { contentKey } from "../../domain/content.ts";
import { pageOf } from "../../domain/page.ts";
import { rank } from "../../domain/role.ts";
import { findContent, findMember, findSite, keyOf, type Model } from "../../model/model.ts";
import { ROLE } from "../../model/code.ts";
import { byCreation, spacesOfSite } from "../../model/spaces.ts";
import { absent } from "../../operations/authorize.ts";
import type { Reading } from "../../store/reading.ts";
import type { CompareRow } from "../wire/lists.ts";
import { keptBy } from "./contents.ts";
import { type ListOpener, groupByGroup, mapped } from "./list.ts";
import { FilteredList, spaceOrder } from "./listed.ts";
import { spaceRow } from "./nodes.ts";
import { type Filter, isFiltering, type SubjectName } from "./query.ts";
import { heldOn } from "./spaces.ts";
import type { States } from "./states.ts";
import { viewOf } from "./viewer.ts";
import { roleOn } from "./why.ts";

/**
 * The groups in list order: spaces on which the roles differ, spaces on which they are equal and, only within a scope,
 * spaces to which neither person has access.
 */
const GROUPS = ["differ", "alike", "neither"] as const;
type CompareGroup = (typeof GROUPS)[number];

/**
 * Compares the roles of `before` and `after` on each space, or on each of a collection or site; sorted by group, creation
 * time and id. Throws 404 for a user who is not a member, and for a missing site.
 */
export function comparedSpaces(
  { before, after }: States,
  scope: SubjectName | undefined,
  filter: Filter,
): ListOpener<CompareRow> {
  return async (reading, viewer) => {
    const view = await viewOf(reading, viewer);
    const { model } = view;
    const one = existing(model, before.user ?? "");
    const spaces = scope && (await spacesIn(model, scope, filter));
    if (scope !== undefined && spaces === undefined) throw absent(scope.kind, scope.id);
    const other = after.user === undefined ? undefined : existing(model, after.user);
    const places = await compare(reading, model, [one, other ?? scope], spaces, filter);
    const groups = GROUPS.filter(
      (group) => filter.differs === undefined || (group === "differ") === (filter.differs === "only"),
    );
    const total = groups.reduce((sum, group) => sum + places[group].length, 0);
    const { order } = byCreation(model);
    const { key, behind } = spaceOrder(model);
    return {
      total,
      count: async () => ({ total }),
      async page(request) {
        const page = await groupByGroup(
          request,
          groups,
          ({ place }: { readonly place: number }) => key(place),
          async (group, { after: last, limit }) => {
            const from = last === undefined ? 0 : behind(last, 1);
            const found = places[group].filter((place) => place >= from).slice(0, limit + 1);
            return pageOf(
              found.map((place) => ({ place, group })),
              limit,
              ({ place }) => key(place),
            );
          },
        );
        const keys = page.entries.map(({ place }) => keyOf(model, order[place] ?? 0));
        const ones = await heldOn(reading, one.user, keys);
        const others = other && (await heldOn(reading, other.user, keys));
        return mapped(page, ({ place, group }): CompareRow[] => {
          const space = order[place] ?? 0;
          const on = keyOf(model, space);
          const held = { one: ones.get(on) ?? null, ...(others && { other: others.get(on) ?? null }) };
          return [{ ...spaceRow(view, space), differs: group === "differ", ...held }];
        });
      },
    };
  };
}

interface Existing {
  readonly user: string;
  readonly member: number;
}

function existing(model: Model, user: string): Existing {
  const member = findMember(model, user);
  if (member === undefined) throw absent("member", user);
  return { user, member };
}

const NO_FILTER: Filter = { q: "", reasons: [] };

/**
 * The places by creation of the spaces of each group, of one person compared with another one, or with their own role on
 * the whole of a content or site. With `spaces`, the filter's text and deletion were applied to them; its role and reason
 * apply to the roles of either person.
 */
async function compare(
  reading: Reading,
  model: Model,
  [one, other]: readonly [Existing, Existing | SubjectName | undefined],
  spaces: ReadonlySet<number> | undefined,
  asked: Filter,
): Promise<Readonly<Record<CompareGroup, readonly number[]>>> {
  const { changes: _, differs: __, ...filter } = asked;
  const listOf = ({ member }: Existing, kept: Filter) =>
    new FilteredList(model, { of: "spaces", member }, kept).passing();
  const isPerson = other !== undefined && "member" in other;
  const had = await listOf(one, NO_FILTER);
  let has: Uint8Array;
  if (isPerson) has = await listOf(other, NO_FILTER);
  else {
    const role = other === undefined ? null : await roleOn(reading, other, one.user);
    has = new Uint8Array(had.length).fill(role === null ? 0 : rank(role));
  }
  const onRoles = spaces === undefined ? filter : { ...filter, q: "", deleted: undefined };
  const people = isPerson ? [one, other] : [one];
  const passing = isFiltering(onRoles)
    ? await Promise.all(people.map((person) => listOf(person, onRoles)))
    : undefined;
  const found: Record<CompareGroup, number[]> = { differ: [], alike: [], neither: [] };
  const { order } = byCreation(model);
  for (const [place, space] of order.entries()) {
    if (spaces?.has(space) === false) continue;
    if (passing?.every((codes) => codes[place] === 0) === true) continue;
    const [held, holds] = [(had[place] ?? 0) & ROLE, (has[place] ?? 0) & ROLE];
    if (held !== holds) found.differ.push(place);
    else if (held !== 0) found.alike.push(place);
    // Without a scope, spaces to which neither has access are not listed.
    else if (spaces !== undefined) found.neither.push(place);
  }
  return found;
}

/** The spaces of a site, or below a collection at any depth, that pass a filter; `undefined` if there is no such site. */
async function spacesIn(
  model: Model,
  { kind, id }: SubjectName,
  filter: Filter,
): Promise<ReadonlySet<number> | undefined> {
  const isKept = await keptBy(model, filter);
  if (kind === "collection") {
    const { isSpace, ends } = model.contents;
    const found = new Set<number>();
    const collection = findContent(model, contentKey("collection", id)) ?? model.contents.count;
    for (let x = collection + 1; x < (ends[collection] ?? 0); x++)
      if (isSpace[x] === 1 && isKept(x)) found.add(x);
    return found;
  }
  const site = findSite(model, id);
  return site === undefined ? undefined : new Set(spacesOfSite(model, site).filter(isKept));
}
