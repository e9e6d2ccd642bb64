/**
 * The next model of an organization, from a model and the records that a revision changed. Going back is the same: with
 * what records were and become exchanged.
 *
 * What does not change is shared with the model before: whole columns and lists, and the buffers of texts. Lists of
 * members, which are long, are copied with their edits. Contents, which are few, get all their numbers anew if one comes,
 * goes or moves.
 */
import { kindOf } from "../domain/content.ts";
import { spaceDocument, userDocument } from "../domain/document.ts";
import type { JsonObject } from "../domain/json.ts";
import {
  type ContentDocument,
  memberIn,
  type RecordChange,
  type RecordKind,
  siteIn,
  teamIn,
} from "../domain/record-change.ts";
import { inverted, listIn, type Lists, ListWriter, MEMBERSHIP, PERMISSION } from "./lists.ts";
import {
  carryOver,
  type Contents,
  findMember,
  findSite,
  findTeam,
  firstId,
  type Members,
  type Model,
  rankOfLevel,
  type Sites,
  type Teams,
} from "./model.ts";
import { ABSENT, nextOf, renumbered, renumberedTexts } from "./numbering.ts";
import { ascending, patched, type Relation, turned, WEAKEST_FIRST } from "./patch.ts";
import {
  type ChangedContent,
  changedContent,
  type Places,
  placesById,
  placesOfContents,
  unfit,
} from "./places.ts";
import { firstFrom, restated } from "./texts.ts";

/**
 * The model after `changes`: what a revision changed, each record once. When something goes, all records that name it
 * are among the changes, as they are in the log. Changes are expected to be few beside the model.
 *
 * Throws an Error if the model does not have what a record was: then it is not the state that the changes follow.
 */
export function* next(model: Model, changes: Iterable<RecordChange>): Generator<void, Model> {
  const changed = Map.groupBy(changes, ({ kind }) => kind);
  const of = (kind: RecordKind): readonly RecordChange[] => changed.get(kind) ?? [];
  yield;
  const { members, teams, contents, sites } = model;
  const people = placesById(
    members.count,
    of("member"),
    { idOf: memberIn, find: (id) => findMember(model, id) },
    (id) => firstFrom(members.ids, id),
  );
  const groups = placesById(
    teams.count,
    of("team"),
    { idOf: teamIn, find: (id) => findTeam(model, id) },
    (id) => firstId(teams.ids, id),
  );
  const venues = placesById(
    sites.count,
    of("site"),
    { idOf: siteIn, find: (id) => findSite(model, id) },
    (id) => firstId(sites.ids, id),
  );
  yield;
  const described = [...of("collection"), ...of("space")].map(changedContent);
  const { tree, ...places } = yield* placesOfContents(model, described);

  const memberships = yield* relations(of("teamMember"), people, groups);
  const permissions = Map.groupBy(
    of("permission"),
    ({ site, team }) =>
      `${site === undefined ? "content" : "site"} ${team === undefined ? "member" : "team"}` as const,
  );
  const direct = yield* relations(permissions.get("content member") ?? [], people, places);
  const given = yield* relations(permissions.get("content team") ?? [], places, groups);
  const directOnSites = yield* relations(permissions.get("site member") ?? [], venues, people);
  const givenOnSites = yield* relations(permissions.get("site team") ?? [], venues, groups);

  const users = yield* patched(contents.users, turned(direct, true), places, people, ascending(PERMISSION));
  const givenOn = yield* patched(contents.teams, given, places, groups, WEAKEST_FIRST);
  const after: Model = {
    organization: {
      ...model.organization,
      title: of("organization")[0]?.becomes ?? model.organization.title,
    },
    members: {
      ...(yield* membersAfter(members, of("member"), of("user"), people)),
      teams: yield* patched(members.teams, memberships, people, groups, ascending(MEMBERSHIP)),
      // Contents with other numbers may come in another order.
      permissions:
        tree === undefined
          ? yield* patched(members.permissions, direct, people, places, ascending(PERMISSION))
          : yield* inverted(users, people.numbering.count, PERMISSION, true),
    },
    teams: {
      ...teamsAfter(teams, of("team"), groups),
      members: yield* patched(teams.members, turned(memberships, false), groups, people, ascending(0)),
      permissions:
        givenOn === contents.teams
          ? teams.permissions
          : yield* inverted(givenOn, groups.numbering.count, PERMISSION, true),
    },
    contents: {
      ...(yield* contentsAfter(contents, described, places)),
      ...tree,
      teams: givenOn,
      users,
    },
    sites: {
      ...sitesAfter(sites, of("site"), venues),
      spaces: spacesAfter(sites, of("siteSpace"), venues, places, tree?.byKey ?? contents.byKey),
      teams: yield* patched(sites.teams, givenOnSites, venues, groups, WEAKEST_FIRST),
      users: yield* patched(sites.users, directOnSites, venues, people, ascending(PERMISSION)),
    },
  };
  carryOver(model, after, new Set(changed.keys()));
  return after;
}

/** How many records are looked up until others get a turn. */
const RECORDS_A_TURN = 1000;

function* relations(
  changes: readonly RecordChange[],
  lists: Places,
  things: Places,
): Generator<void, Relation[]> {
  const found: Relation[] = [];
  for (const change of changes) {
    const { was, becomes } = change;
    const list = lists.of(change);
    const about = things.of(change);
    found.push({ change, list, about, was: valueOf(change, was), becomes: valueOf(change, becomes) });
    if (found.length % RECORDS_A_TURN === 0) yield;
  }
  return found;
}

/** What the entry of a membership or a permission packs. */
function valueOf({ kind }: RecordChange, says: string | undefined): number | undefined {
  if (says === undefined) return undefined;
  return kind === "teamMember" ? Number(says === "owner") : Number(says);
}

/** What changed things become, by next number. */
function becoming(changes: readonly RecordChange[], places: Places): Map<number, string> {
  const said = new Map<number, string>();
  for (const change of changes) {
    const { now } = places.of(change);
    if (change.becomes !== undefined) said.set(now, change.becomes);
  }
  return said;
}

/** The ids of what comes, by next number. */
function idsOf({ came }: Places): Map<number, string> {
  return new Map(Array.from(came, ([id, { now }]) => [now, id]));
}

function mapped<Value, Result>(
  values: ReadonlyMap<number, Value>,
  of: (value: Value) => Result,
): Map<number, Result> {
  return new Map(Array.from(values, ([at, value]) => [at, of(value)]));
}

function* membersAfter(
  members: Members,
  changes: readonly RecordChange[],
  users: readonly RecordChange[],
  places: Places,
): Generator<void, Omit<Members, "teams" | "permissions">> {
  const { numbering } = places;
  for (const change of changes) {
    const place = places.of(change);
    if (!place.isNew && members.roles[place.was] !== Number(change.was))
      throw unfit(change, "the role was another one");
  }
  const roles = becoming(changes, places);
  const profiles = becoming(users, places);
  const nameless = changes.find((change) => change.was === undefined && !profiles.has(places.of(change).now));
  if (nameless !== undefined) throw unfit(nameless, "nothing says who the newcomer is");
  yield;
  return {
    count: numbering.count,
    ids: yield* restated(members.ids, numbering, idsOf(places)),
    roles: renumbered(members.roles, numbering, Uint8Array, mapped(roles, Number)),
    profiles: yield* restated(members.profiles, numbering, profiles),
    omitted: renumbered(
      members.omitted,
      numbering,
      Uint16Array,
      mapped(profiles, (text) => {
        const fields: JsonObject = JSON.parse(text);
        return userDocument(fields).omitted;
      }),
    ),
  };
}

function teamsAfter(
  { ids, texts }: Teams,
  changes: readonly RecordChange[],
  places: Places,
): Omit<Teams, "members" | "permissions"> {
  const { numbering } = places;
  return {
    count: numbering.count,
    ids: renumberedTexts(ids, numbering, idsOf(places)),
    texts: renumberedTexts(texts, numbering, becoming(changes, places)),
  };
}

function* contentsAfter(
  contents: Contents,
  changes: readonly ChangedContent[],
  places: Places,
): Generator<void, Omit<Contents, "teams" | "users">> {
  const { numbering } = places;
  const texts = becoming(
    changes.map(({ change }) => change),
    places,
  );
  const [isSpace, levels] = [new Map<number, number>(), new Map<number, number>()];
  const [created, omitted] = [new Map<number, number>(), new Map<number, number>()];
  for (const { change, key, fields } of changes) {
    if (fields === undefined) continue;
    const { now } = places.of(change);
    const { defaultLevel = "inherit", createdAt = "" } = fields;
    const ofSpace = kindOf(key) === "space";
    isSpace.set(now, Number(ofSpace));
    levels.set(now, rankOfLevel(defaultLevel));
    created.set(now, ofSpace ? Date.parse(createdAt) : 0);
    omitted.set(now, ofSpace ? spaceDocument(fields).omitted : 0);
  }
  yield;
  return {
    ...contents,
    count: numbering.count,
    keys: yield* restated(contents.keys, numbering, idsOf(places)),
    isSpace: renumbered(contents.isSpace, numbering, Uint8Array, isSpace),
    levels: renumbered(contents.levels, numbering, Uint8Array, levels),
    created: renumbered(contents.created, numbering, Float64Array, created),
    texts: yield* restated(contents.texts, numbering, texts),
    omitted: renumbered(contents.omitted, numbering, Uint16Array, omitted),
  };
}

function sitesAfter(
  { ids, titles, levels }: Sites,
  changes: readonly RecordChange[],
  places: Places,
): Omit<Sites, "spaces" | "teams" | "users"> {
  const { numbering } = places;
  const documents = mapped(becoming(changes, places), (text): ContentDocument => JSON.parse(text));
  return {
    count: numbering.count,
    ids: renumberedTexts(ids, numbering, idsOf(places)),
    titles: renumberedTexts(
      titles,
      numbering,
      mapped(documents, ({ title }) => title),
    ),
    levels: renumbered(
      levels,
      numbering,
      Uint8Array,
      mapped(documents, ({ defaultLevel = "inherit" }) => rankOfLevel(defaultLevel)),
    ),
  };
}

/** The spaces of sites. They are few, so that all lists are written anew. */
function spacesAfter(
  sites: Sites,
  changes: readonly RecordChange[],
  { numbering, of }: Places,
  contents: Places,
  byKey: Uint32Array,
): Lists {
  if (changes.length === 0 && numbering.now === undefined && contents.numbering.now === undefined)
    return sites.spaces;
  const spaces = Array.from({ length: numbering.count }, () => new Set<number>());
  for (let site = 0; site < sites.count; site++) {
    const list = spaces[nextOf(numbering, site)];
    for (const space of listIn(sites.spaces, site)) list?.add(nextOf(contents.numbering, space));
  }
  for (const change of changes) {
    const list = spaces[of(change).now];
    const { now } = contents.of(change);
    if (change.becomes === undefined) list?.delete(now);
    else list?.add(now);
  }
  const rankOf = new Uint32Array(byKey.length);
  for (const [rank, x] of byKey.entries()) rankOf[x] = rank;
  const writer = new ListWriter();
  for (const list of spaces) {
    if (list.has(ABSENT)) throw new Error("The changes do not fit the model: a list names what goes.");
    for (const space of Array.from(list).sort((a, b) => (rankOf[a] ?? 0) - (rankOf[b] ?? 0)))
      writer.add(space);
    writer.end();
  }
  return writer.lists();
}
