import { LRUCache } from "lru-cache";
import type { ContentKey } from "../domain/content.ts";
import type { Role } from "../domain/role.ts";
import type { Member } from "./candidates.ts";
import type { Content } from "./content.ts";
import type { Snapshot } from "./reading.ts";
import type { SiteDecision } from "./site-target.ts";
import type { Target } from "./target.ts";

/** Members that a role filter keeps, sorted, from `after` on; `upTo` is the last one when more were cut off. */
export interface KeptMembers {
  readonly after: string;
  readonly ids: readonly string[];
  readonly upTo: string | undefined;
}

/** Counts are small: so many are kept, whatever they are of. */
const MIXES = 4096;

/**
 * What was read of immutable snapshots, bounded in bytes. Every key starts with the snapshot, so nothing
 * in it can be stale and nothing has to be thrown away.
 */
export class SnapshotCache {
  readonly #contents: LRUCache<string, Content>;
  readonly #trees: LRUCache<string, readonly ContentKey[]>;
  readonly #sites: LRUCache<string, Target<SiteDecision>>;
  readonly #kept: LRUCache<string, KeptMembers>;
  readonly #members: LRUCache<string, Member>;
  readonly #given: LRUCache<string, readonly string[]>;
  readonly #mixes = new LRUCache<string, Promise<Readonly<Record<Role, number>>>>({ max: MIXES });

  constructor(bytes: number) {
    this.#contents = new LRUCache({ maxSize: bytes / 2, sizeCalculation: (content) => content.bytes });
    this.#sites = new LRUCache({
      maxSize: bytes / 4,
      sizeCalculation: ({ ladders }) => 20_000 + 2_500 * ladders.length,
    });
    this.#trees = new LRUCache({ maxSize: bytes / 4, sizeCalculation: (spaces) => 64 + 50 * spaces.length });
    this.#kept = new LRUCache({ maxSize: bytes / 4, sizeCalculation: ({ ids }) => 64 + 50 * ids.length });
    this.#members = new LRUCache({
      maxSize: bytes / 4,
      sizeCalculation: ({ document, teams, direct }) =>
        300 + 2 * document.text.length + 50 * teams.length + 100 * direct.size,
    });
    this.#given = new LRUCache({
      maxSize: bytes / 4,
      sizeCalculation: (collections) => 200 + 100 * collections.length,
    });
  }

  content(at: Snapshot, key: ContentKey): Content | undefined {
    return this.#contents.get(`${prefix(at)}${key}`);
  }

  keepContent(at: Snapshot, content: Content): void {
    this.#contents.set(`${prefix(at)}${content.content}`, content);
  }

  spacesOfSite(at: Snapshot, site: string): readonly ContentKey[] | undefined {
    return this.#trees.get(`${prefix(at)}${site}`);
  }

  keepSpacesOfSite(at: Snapshot, site: string, spaces: readonly ContentKey[]): void {
    this.#trees.set(`${prefix(at)}${site}`, spaces);
  }

  site(at: Snapshot, site: string): Target<SiteDecision> | undefined {
    return this.#sites.get(`${prefix(at)}${site}`);
  }

  keepSite(at: Snapshot, site: string, target: Target<SiteDecision>): void {
    this.#sites.set(`${prefix(at)}${site}`, target);
  }

  keptMembers(at: Snapshot, listing: string): KeptMembers | undefined {
    return this.#kept.get(`${prefix(at)}${listing}`);
  }

  keepMembers(at: Snapshot, listing: string, kept: KeptMembers): void {
    this.#kept.set(`${prefix(at)}${listing}`, kept);
  }

  member(at: Snapshot, id: string): Member | undefined {
    return this.#members.get(`${prefix(at)}${id}`);
  }

  keepMember(at: Snapshot, member: Member): void {
    this.#members.set(`${prefix(at)}${member.id}`, member);
  }

  /** The collections that a member or a team of theirs was given. */
  collectionsGiven(at: Snapshot, member: string): readonly string[] | undefined {
    return this.#given.get(`${prefix(at)}${member}`);
  }

  keepCollectionsGiven(at: Snapshot, member: string, collections: readonly string[]): void {
    this.#given.set(`${prefix(at)}${member}`, collections);
  }

  /** Counts by role, made once: who asks while they are being made waits for the same. */
  mix(
    at: Snapshot,
    name: string,
    make: () => Promise<Readonly<Record<Role, number>>>,
  ): Promise<Readonly<Record<Role, number>>> {
    const key = `${prefix(at)}${name}`;
    const known = this.#mixes.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#mixes.set(key, made);
    made.catch(() => this.#mixes.delete(key));
    return made;
  }

  /** Forgets everything: for those who measure what a first read costs. */
  clear(): void {
    this.#contents.clear();
    this.#trees.clear();
    this.#sites.clear();
    this.#kept.clear();
    this.#members.clear();
    this.#given.clear();
    this.#mixes.clear();
  }

  /** About how many bytes are in use. */
  get bytes(): number {
    return (
      this.#contents.calculatedSize +
      this.#trees.calculatedSize +
      this.#sites.calculatedSize +
      this.#kept.calculatedSize +
      this.#members.calculatedSize +
      this.#given.calculatedSize
    );
  }
}

function prefix({ history, snapshot }: Snapshot): string {
  return `${history}.${snapshot}/`;
}
