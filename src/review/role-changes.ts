/** Finds when a user gained, lost or changed a role, and which changed records were the cause. */
import { causesOf, climb, type Climbed } from "../domain/causes.ts";
import { ACCESS_KINDS, AccessChanges, type ChangedRecord, concernsAccess } from "../domain/changed-record.ts";
import type { ContentKey } from "../domain/content.ts";
import type { Role } from "../domain/role.ts";
import { findContent, findMember, keyOf, withAncestors } from "../model/model.ts";
import { spacesOfSite } from "../model/spaces.ts";
import { ladderOn, rightsOn } from "../model/why.ts";
import { modelOf } from "../store/models.ts";
import type { Reading, Revision } from "../store/reading.ts";
import { loggedRecords, loggedRecordsOf, type TwoReadings } from "../store/revisions/diff/log.ts";
import { revisionsUpTo } from "../store/revisions/past.ts";
import { accessFieldsOf, siteIn } from "../domain/record-change.ts";

export interface RoleChange {
  readonly at: Revision;
  readonly causes: readonly ChangedRecord[];
  readonly sides: TwoReadings;
}

/** `undefined` for a revision that cannot be read any more. */
export type ReadingOf = (revision: number) => Promise<Reading | undefined>;

/**
 * Finds the last change of a user's role on a content between two revisions. Reads only the revisions that changed a
 * record on which the role may depend, latest first.
 */
export class RoleChanges {
  readonly #sides: TwoReadings;
  readonly #readingOf: ReadingOf;
  #ofUsers: ReadonlyMap<string, readonly ChangedRecord[]> = new Map();
  readonly #onContents = new Map<ContentKey, ChangedRecord[]>();
  /** The changes of sites and of teams' permissions on them, by site, and the links of a space to sites. */
  readonly #onSites = new Map<string, ChangedRecord[]>();
  readonly #links = new Map<ContentKey, ChangedRecord[]>();
  readonly #relevant = new Map<ContentKey, Promise<Relevant>>();

  private constructor(sides: TwoReadings, readingOf: ReadingOf) {
    this.#sides = sides;
    this.#readingOf = readingOf;
  }

  /** Reads what changed in contents and team grants between two revisions. */
  static async of(sides: TwoReadings, readingOf: ReadingOf): Promise<RoleChanges> {
    const changes = new RoleChanges(sides, readingOf);
    for await (const record of loggedRecords(sides.after, sides.before.at, sides.after.at, ACCESS_KINDS)) {
      const { kind, member, content, site } = record;
      if (member !== undefined || !concernsAccess(record)) continue;
      if (kind === "siteSpace") append(changes.#links, content, record);
      else if (content === undefined) append(changes.#onSites, site, record);
      else append(changes.#onContents, content, record);
    }
    return changes;
  }

  /**
   * Reads what changed for these users, and drops what was read for others. {@link last} can then be called for these
   * users only.
   */
  async learn(users: Iterable<string>): Promise<void> {
    const { before, after } = this.#sides;
    const wanted = [...new Set(users)];
    const records = await loggedRecordsOf(after, before.at, after.at, wanted, ACCESS_KINDS);
    this.#ofUsers = Map.groupBy(records, ({ member = "" }) => member);
  }

  /**
   * The last revision that changed the result of `isSuch` for the user's role on the content; `undefined` if none did
   * or it cannot be read any more.
   */
  async last(
    user: string,
    content: ContentKey,
    isSuch: (role: Role | undefined) => boolean,
  ): Promise<RoleChange | undefined> {
    const records = await this.#recordsFor(user, content);
    const byRevision = Map.groupBy(records, ({ revision }) => revision);
    const revisions = [...byRevision.keys()].sort((a, b) => b - a);
    if (revisions.length === 0) return undefined;
    let later = { reading: this.#sides.after, climbed: await climbOn(this.#sides.after, content, user) };
    const now = isSuch(later.climbed?.decision?.role);
    for (const [index, revision] of revisions.entries()) {
      // The role does not change between two neighbours of this list.
      const before = revisions[index + 1];
      const reading = before === undefined ? this.#sides.before : await this.#readingOf(before);
      if (reading === undefined) return undefined;
      const climbed = await climbOn(reading, content, user);
      if (isSuch(climbed?.decision?.role) !== now) {
        const after = await this.#readingOf(revision);
        if (after === undefined) return undefined;
        const changes = new AccessChanges(byRevision.get(revision) ?? []);
        const causes = causesOf(changes, { user, content }, climbed, later.climbed);
        return { at: after.at, causes, sides: { before: await this.#before(after), after } };
      }
      later = { reading, climbed };
    }
    return undefined;
  }

  /** The revision directly before another one. It has the last names of what is gone. */
  async #before({ at }: Reading): Promise<Reading> {
    const { organization, importedAt: time, revision: below } = at;
    const [previous] = await revisionsUpTo(this.#sides.after, organization, { time, below, limit: 1 });
    const found = previous && (await this.#readingOf(previous.revision));
    return found ?? this.#sides.before;
  }

  /** The changed records on which a user's role on a content may depend. */
  async #recordsFor(user: string, content: ContentKey): Promise<ChangedRecord[]> {
    const { contents, sites } = await this.#relevantTo(content);
    const own = (this.#ofUsers.get(user) ?? []).filter(
      ({ kind, content: on, site }) =>
        kind !== "permission" ||
        (on !== undefined && contents.has(on)) ||
        (site !== undefined && sites.has(site)),
    );
    return [
      ...own,
      ...[...contents].flatMap((key) => this.#onContents.get(key) ?? []),
      ...(this.#links.get(content) ?? []),
      ...[...sites].flatMap((site) => this.#onSites.get(site) ?? []),
    ];
  }

  #relevantTo(content: ContentKey): Promise<Relevant> {
    const known = this.#relevant.get(content) ?? this.#find(content);
    this.#relevant.set(content, known);
    return known;
  }

  async #find(content: ContentKey): Promise<Relevant> {
    const linked = (this.#links.get(content) ?? []).map(siteIn);
    const sites = new Set(linked);
    for (const reading of [this.#sides.before, this.#sides.after]) {
      const model = await modelOf(reading);
      const found = findContent(model, content);
      for (const [site, id] of model.sites.ids.entries())
        if (found !== undefined && spacesOfSite(model, site).includes(found)) sites.add(id);
    }
    return { contents: await this.#climbAll(content), sites };
  }

  /** The content, and every content that was an ancestor of it between the two revisions. */
  async #climbAll(content: ContentKey): Promise<ReadonlySet<ContentKey>> {
    const found = new Set<ContentKey>([content]);
    // The loop also visits the keys that it adds.
    for (const key of found) {
      for (const reading of [this.#sides.before, this.#sides.after]) {
        const model = await modelOf(reading);
        const content = findContent(model, key);
        if (content === undefined) continue;
        for (const above of withAncestors(model, content)) found.add(keyOf(model, above));
      }
      for (const { kind, was, becomes } of this.#onContents.get(key) ?? []) {
        if (kind === "permission") continue;
        for (const document of [was, becomes]) {
          const parent = document === undefined ? undefined : accessFieldsOf(document).parent;
          if (parent !== undefined) found.add(parent);
        }
      }
    }
    return found;
  }
}

/** On what a role on a content may depend between two revisions. */
interface Relevant {
  readonly contents: ReadonlySet<ContentKey>;
  /** The sites that the content was in. */
  readonly sites: ReadonlySet<string>;
}

function append<Key>(to: Map<Key, ChangedRecord[]>, key: Key | undefined, record: ChangedRecord): void {
  if (key === undefined) return;
  const known = to.get(key);
  if (known === undefined) to.set(key, [record]);
  else known.push(record);
}

async function climbOn(reading: Reading, key: ContentKey, user: string): Promise<Climbed | undefined> {
  const model = await modelOf(reading);
  const [content, member] = [findContent(model, key), findMember(model, user)];
  if (content === undefined || member === undefined) return undefined;
  return climb(ladderOn(model, content), rightsOn(model, member, content));
}
