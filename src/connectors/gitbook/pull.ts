/**
 * Reads an organization of GitBook that may change meanwhile, until two readings agree, and makes the records of a
 * snapshot.
 */
import { type ContentKey, contentKey, idOf, kindOf } from "../../domain/content.ts";
import { CommandError } from "../../domain/error.ts";
import type { Role } from "../../domain/role.ts";
import type { RecordOf, SnapshotRecord } from "../../snapshot/records.ts";
import { type GitBookClient, each } from "./client.ts";
import { type AcceptedKinds, Concerns } from "./concerns.ts";
import {
  type Details,
  type Grants,
  type Inventory,
  type Thing,
  readDetails,
  readInventory,
  requestsFor,
  thingsOn,
} from "./inventory.ts";

export interface Pulled {
  readonly inventory: Inventory;
  readonly details: Details;
  readonly concerns: Concerns;
  readonly window: { readonly from: Date; readonly to: Date };
  /** How often the inventory was read. */
  readonly readings: number;
  readonly settled: boolean;
  /** Items that disappeared between two readings, as `kind/id`. */
  readonly gone: readonly string[];
}

/** `requests.of` is an estimate, because a list may have several pages; `undefined` if nothing is known. */
export interface PullProgress {
  readonly phase: "lists" | "content" | "lists again" | "comparing";
  readonly contents: { readonly done: number; readonly of: number };
  readonly requests: { readonly done: number; readonly of: number | undefined };
}

interface PullOptions {
  /** What the operator accepts to lose. */
  readonly accept: AcceptedKinds;
  readonly progress?: (progress: PullProgress) => void;
}

/** How often the inventory is read again. */
const ROUNDS = 3;

/**
 * Reads an organization: the inventory (all items without details), the details, and the inventory again until two
 * readings are equal. Items that appear meanwhile are read too; items that disappear are left out. Throws a
 * CommandError if the organization cannot be read completely, or has something that a snapshot cannot represent and the
 * operator does not accept to lose.
 */
export async function pull(client: GitBookClient, id: string, options: PullOptions): Promise<Pulled> {
  const from = new Date();
  const concerns = new Concerns(options.accept);
  const reading = new PullReading(client, concerns, options.progress ?? (() => {}));
  let inventory = await reading.inventory(id);
  concerns.refuse();
  await reading.details(inventory, thingsOn(inventory));
  let settled = false;
  for (
    let round = 1, again: Thing[] = [];
    round === 1 || (round <= ROUNDS && !(settled && again.length === 0));
    round++
  ) {
    const before = idsOn(inventory);
    inventory = await reading.inventory(id);
    again = unresolved(inventory, reading.read);
    settled = adrift(inventory).length === 0 && isSame(before, idsOn(inventory));
    await reading.details(inventory, again);
  }
  const now = idsOn(inventory);
  mustBeWhole(inventory, reading);
  noteStrangers(inventory, reading, settled, concerns);
  concerns.refuse();
  return {
    inventory,
    details: reading.read,
    concerns,
    window: { from, to: new Date() },
    readings: reading.inventories,
    settled,
    gone: [...reading.seen].filter((thing) => !now.has(thing)),
  };
}

class PullReading {
  readonly read: Details = { teams: new Map(), grants: new Map(), sites: new Map() };
  /** Every item of any reading, as `kind/id`. */
  readonly seen = new Set<string>();
  inventories = 0;
  readonly #client: GitBookClient;
  readonly #concerns: Concerns;
  readonly #report: (progress: PullProgress) => void;
  #contents = { done: 0, of: 0 };
  #inventoryRequests = 0;

  constructor(client: GitBookClient, concerns: Concerns, report: (progress: PullProgress) => void) {
    this.#client = client;
    this.#concerns = concerns;
    this.#report = report;
  }

  async inventory(id: string): Promise<Inventory> {
    const before = this.#client.requests;
    const isFirst = this.inventories++ === 0;
    this.#tell(isFirst ? "lists" : "lists again", isFirst ? undefined : before + this.#inventoryRequests);
    const inventory = await readInventory(this.#client, id, this.#concerns);
    this.#inventoryRequests = this.#client.requests - before;
    for (const thing of idsOn(inventory)) this.seen.add(thing);
    return inventory;
  }

  async details(inventory: Inventory, things: readonly Thing[]): Promise<void> {
    let toCome = this.#inventoryRequests;
    for (const thing of things) toCome += requestsFor(thing, inventory);
    const isContent = ({ kind }: Thing) => kind === "space" || kind === "collection";
    this.#contents = { done: 0, of: things.filter(isContent).length };
    await each(this.#client, things, async (thing) => {
      this.#tell("content", this.#client.requests + toCome);
      await readDetails(this.#client, thing, inventory, this.read, this.#concerns);
      toCome -= requestsFor(thing, inventory);
      if (isContent(thing)) this.#contents.done++;
    });
  }

  #tell(phase: PullProgress["phase"], of: number | undefined): void {
    const done = this.#client.requests;
    this.#report({ phase, contents: { ...this.#contents }, requests: { done, of } });
  }
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((thing) => other.has(thing));
}

/**
 * Throws a CommandError if the details or ancestors of a listed item are missing: without them, more people might see
 * it.
 */
function mustBeWhole(inventory: Inventory, { read }: PullReading): void {
  const unread = thingsOn(inventory).find((thing) => strangersIn(thing, inventory, read) === undefined);
  if (unread !== undefined) {
    throw new CommandError(
      `GitBook lists ${unread.kind}/${unread.id} but answers 404 for its details: either it is being changed, or the ` +
        "token's user may not see all of it. Nothing was written.",
    );
  }
  const [moved] = adrift(inventory);
  if (moved !== undefined) throw changing(`${moved} is in a collection that is not listed, or in a cycle`);
}

/**
 * Notes references to items that no reading listed. An item that an earlier reading listed has only disappeared. Throws
 * a CommandError if the organization is still changing.
 */
function noteStrangers(
  inventory: Inventory,
  { read, seen }: PullReading,
  settled: boolean,
  concerns: Concerns,
): void {
  for (const thing of thingsOn(inventory)) {
    for (const stranger of strangersIn(thing, inventory, read) ?? []) {
      if (seen.has(stranger)) continue;
      const where = `${thing.kind}/${thing.id} names ${stranger}`;
      if (!settled) throw changing(`${where}, which is in no list`);
      concerns.note("strangers", where);
    }
  }
}

function changing(what: string): CommandError {
  return new CommandError(
    `The organization changes faster than it can be read: ${what}. Nothing was written. Pull again when it changes less.`,
  );
}

/**
 * Items without details, and items whose details name something that the inventory lacks. Either their details or the
 * inventory are outdated.
 */
function unresolved(inventory: Inventory, details: Details): Thing[] {
  return thingsOn(inventory).filter((thing) => strangersIn(thing, inventory, details)?.length !== 0);
}

/** What an item's details name and the inventory lacks, as `kind/id`; `undefined` if there are no details. */
function strangersIn({ kind, id }: Thing, inventory: Inventory, details: Details): string[] | undefined {
  if (kind === "team") {
    const members = details.teams.get(id)?.keys();
    return members === undefined ? undefined : namesOf("user", members, inventory);
  }
  const site = kind === "site" ? details.sites.get(id) : undefined;
  const grants = kind === "site" ? site : details.grants.get(contentKey(kind, id));
  if (grants === undefined) return undefined;
  return [
    ...namesOf("space", site?.spaces ?? [], inventory),
    ...namesOf("user", grants.users.keys(), inventory),
    ...namesOf("team", grants.teams.keys(), inventory),
  ];
}

function namesOf(kind: "user" | "team" | "space", ids: Iterable<string>, inventory: Inventory): string[] {
  const there = { user: inventory.members, team: inventory.teams, space: inventory.spaces }[kind];
  return [...ids].filter((id) => !there.has(id)).map((id) => `${kind}/${id}`);
}

/** Contents that were moved during the pull: an ancestor is missing, or the ancestors form a cycle. */
function adrift({ spaces, collections }: Inventory): string[] {
  const isAnchored = (parent: string | undefined): boolean => {
    let steps = 0;
    for (let at = parent; at !== undefined; at = collections.get(at)?.parent) {
      if (!collections.has(at) || steps++ > collections.size) return false;
    }
    return true;
  };
  return [
    ...[...collections.values()]
      .filter(({ parent }) => !isAnchored(parent))
      .map(({ id }) => `collection/${id}`),
    ...[...spaces.values()].filter(({ parent }) => !isAnchored(parent)).map(({ id }) => `space/${id}`),
  ];
}

/** The ids of all items, as `kind/id`. */
function idsOn(inventory: Inventory): Set<string> {
  return new Set([
    ...[...inventory.members.keys()].map((id) => `user/${id}`),
    ...thingsOn(inventory).map(({ kind, id }) => `${kind}/${id}`),
  ]);
}

/**
 * The records of a pulled organization, in the order of an export. Left out are disabled members, to whom GitBook gives
 * no access, items that disappeared, and what names them.
 */
export function* snapshotOf({ inventory, details }: Pulled): Generator<SnapshotRecord> {
  const organization = inventory.organization.id;
  const isMember = (user: string) => inventory.members.get(user)?.disabled === false;
  yield inventory.organization;
  for (const { user, role, disabled } of inventory.members.values()) {
    if (disabled) continue;
    yield user;
    yield { object: "member", organization, user: user.id, role };
  }
  yield* inventory.teams.values();
  for (const team of inventory.teams.keys()) {
    for (const [user, role] of details.teams.get(team) ?? []) {
      if (isMember(user)) yield { object: "teamMember", team, user, role };
    }
  }
  yield* inventory.collections.values();
  yield* inventory.spaces.values();
  for (const { record } of inventory.sites.values()) yield record;
  for (const site of inventory.sites.keys()) {
    for (const space of details.sites.get(site)?.spaces ?? []) {
      if (inventory.spaces.has(space)) yield { object: "siteSpace", site, space };
    }
  }
  function* permissions(
    on: Pick<RecordOf<"permission">, "space" | "collection" | "site">,
    { users, teams }: Grants<Role | null>,
  ): Generator<SnapshotRecord> {
    for (const [user, permission] of users) {
      if (isMember(user)) yield { object: "permission", ...on, user, permission };
    }
    for (const [team, permission] of teams) {
      if (inventory.teams.has(team)) yield { object: "permission", ...on, team, permission };
    }
  }
  for (const [key, grants] of details.grants) {
    const isSpace = kindOf(key) === "space";
    if (!(isSpace ? inventory.spaces : inventory.collections).has(idOf(key))) continue;
    yield* permissions(isSpace ? { space: idOf(key) } : { collection: idOf(key) }, grants);
  }
  for (const [site, grants] of details.sites) {
    if (inventory.sites.has(site)) yield* permissions({ site }, grants);
  }
}

/** The spaces of the sites that have permissions or a default level. */
export function spacesOfSpeakingSites({ inventory, details }: Pulled): ContentKey[] {
  const spaces = [...inventory.sites.values()].flatMap(({ record }) => {
    const site = details.sites.get(record.id);
    if (site === undefined) return [];
    const isSilent = record.defaultLevel === undefined && site.users.size + site.teams.size === 0;
    return isSilent ? [] : [...site.spaces];
  });
  return [...new Set(spaces)].filter((id) => inventory.spaces.has(id)).map((id) => contentKey("space", id));
}
