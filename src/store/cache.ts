import { LRUCache } from "lru-cache";
import type { ContentKey } from "../domain/content.ts";
import type { Role } from "../domain/role.ts";
import type { Member } from "./candidates.ts";
import type { Content } from "./content.ts";
import type { Snapshot } from "./reading.ts";
import { SingleFlight } from "./single-flight.ts";
import type { SiteDecision } from "./site-target.ts";
import type { Target } from "./target.ts";

/** Members that a role filter keeps, sorted, from `after` on; `upTo` is the last one when more were cut off. */
export interface KeptMembers {
  readonly after: string;
  readonly ids: readonly string[];
  readonly upTo: string | undefined;
}

type Mix = Readonly<Record<Role, number>>;

/** One kind of what is kept, whatever it is. */
interface Kind {
  readonly calculatedSize: number;
  pop(): unknown;
  clear(): void;
}

/**
 * What was read of immutable snapshots, bounded in bytes over all kinds. Every key starts with the snapshot, so nothing
 * in it can be stale and nothing has to be thrown away.
 */
export class SnapshotCache {
  readonly #most: number;
  readonly #kinds: Kind[] = [];
  readonly #contents: LRUCache<string, Content>;
  readonly #trees: LRUCache<string, readonly ContentKey[]>;
  readonly #sites: LRUCache<string, Target<SiteDecision>>;
  readonly #kept: LRUCache<string, KeptMembers>;
  readonly #members: LRUCache<string, Member>;
  readonly #given: LRUCache<string, readonly string[]>;
  readonly #mixes: LRUCache<string, Mix>;
  readonly #opening = new SingleFlight<Target<SiteDecision> | undefined>();
  readonly #keeping = new SingleFlight<KeptMembers>();
  readonly #counting = new SingleFlight<Mix>();

  constructor(bytes: number) {
    this.#most = bytes;
    this.#contents = this.#kind((content) => content.bytes);
    this.#sites = this.#kind(({ ladders }) => 20_000 + 2_500 * ladders.length);
    this.#trees = this.#kind((spaces) => 64 + 50 * spaces.length);
    this.#kept = this.#kind(({ ids }) => 64 + 50 * ids.length);
    this.#members = this.#kind(
      ({ document, teams, direct }) => 300 + 2 * document.text.length + 50 * teams.length + 100 * direct.size,
    );
    this.#given = this.#kind((collections) => 200 + 100 * collections.length);
    this.#mixes = this.#kind(() => 500);
  }

  content(at: Snapshot, key: ContentKey): Content | undefined {
    return this.#contents.get(`${prefix(at)}${key}`);
  }

  keepContent(at: Snapshot, content: Content): void {
    this.#keep(this.#contents, `${prefix(at)}${content.content}`, content);
  }

  spacesOfSite(at: Snapshot, site: string): readonly ContentKey[] | undefined {
    return this.#trees.get(`${prefix(at)}${site}`);
  }

  keepSpacesOfSite(at: Snapshot, site: string, spaces: readonly ContentKey[]): void {
    this.#keep(this.#trees, `${prefix(at)}${site}`, spaces);
  }

  /** A site; `open` is for one that is not known, once for all who ask meanwhile. */
  async site(
    at: Snapshot,
    site: string,
    open: () => Promise<Target<SiteDecision> | undefined>,
  ): Promise<Target<SiteDecision> | undefined> {
    const key = `${prefix(at)}${site}`;
    const known = this.#sites.get(key);
    return (
      known ??
      this.#opening.do(key, async () => {
        const target = await open();
        if (target !== undefined) this.#keep(this.#sites, key, target);
        return target;
      })
    );
  }

  keptMembers(at: Snapshot, listing: string): KeptMembers | undefined {
    return this.#kept.get(`${prefix(at)}${listing}`);
  }

  /** Keeps the members of a listing behind `after` that `find` finds, once for all who ask for them meanwhile. */
  keepMembers(
    at: Snapshot,
    listing: string,
    after: string,
    find: () => Promise<KeptMembers>,
  ): Promise<KeptMembers> {
    const key = `${prefix(at)}${listing}`;
    return this.#keeping.do(JSON.stringify([key, after]), async () => {
      const kept = await find();
      this.#keep(this.#kept, key, kept);
      return kept;
    });
  }

  member(at: Snapshot, id: string): Member | undefined {
    return this.#members.get(`${prefix(at)}${id}`);
  }

  keepMember(at: Snapshot, member: Member): void {
    this.#keep(this.#members, `${prefix(at)}${member.id}`, member);
  }

  /** The collections that a member or a team of theirs was given. */
  collectionsGiven(at: Snapshot, member: string): readonly string[] | undefined {
    return this.#given.get(`${prefix(at)}${member}`);
  }

  keepCollectionsGiven(at: Snapshot, member: string, collections: readonly string[]): void {
    this.#keep(this.#given, `${prefix(at)}${member}`, collections);
  }

  /** Counts by role; `make` is for those that are not known, once for all who ask meanwhile. */
  async mix(at: Snapshot, name: string, make: () => Promise<Mix>): Promise<Mix> {
    const key = `${prefix(at)}${name}`;
    const known = this.#mixes.get(key);
    return (
      known ??
      this.#counting.do(key, async () => {
        const mix = await make();
        this.#keep(this.#mixes, key, mix);
        return mix;
      })
    );
  }

  /** Forgets everything: for those who measure what a first read costs. */
  clear(): void {
    for (const kind of this.#kinds) kind.clear();
  }

  /** About how many bytes are in use. */
  get bytes(): number {
    return this.#kinds.reduce((sum, { calculatedSize }) => sum + calculatedSize, 0);
  }

  #kind<Value extends object>(size: (value: Value) => number): LRUCache<string, Value> {
    const kind = new LRUCache<string, Value>({ maxSize: this.#most, sizeCalculation: size });
    this.#kinds.push(kind);
    return kind;
  }

  /** Where that is too much, what was asked for longest ago goes, of the kind that takes most. */
  #keep<Value extends object>(kind: LRUCache<string, Value>, key: string, value: Value): void {
    kind.set(key, value);
    while (this.bytes > this.#most) {
      this.#kinds.reduce((a, b) => (b.calculatedSize > a.calculatedSize ? b : a)).pop();
    }
  }
}

function prefix({ history, snapshot }: Snapshot): string {
  return `${history}.${snapshot}/`;
}
