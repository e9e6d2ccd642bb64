/**
 * The models that a process keeps, within a budget of bytes. Models of one organization share what did not change
 * between them (`model/next.ts`): that counts once.
 */
import { totalmem } from "node:os";
import { type Model, workedOut } from "../model/model.ts";
import type { Revision } from "./reading.ts";

/** The most memory that is used without being asked for, in bytes. */
const MOST = 2e9;

/** Half of what the machine has, or the container of this process, but at most {@link MOST}: in bytes. */
export function usualMemory(): number {
  // Without a limit, this is 0 or more than the machine has.
  const ofContainer = process.constrainedMemory() || Infinity;
  return Math.min(MOST, Math.floor(Math.min(totalmem(), ofContainer) / 2));
}

/** The revision of a model, and what tells it from one with the same number in another state of the database. */
export type ModelKey = Pick<Revision, "organization" | "history" | "erasures" | "generation" | "revision">;

export function nameOf({ organization, history, erasures, generation, revision }: ModelKey): string {
  return `${organization} ${history}.${erasures}.${generation}.${revision}`;
}

export interface KeptModel {
  readonly at: ModelKey;
  readonly model: Model;
}

interface Kept extends KeptModel {
  /** What it consists of, and with that what was worked out from it, when that was last looked at. */
  parts: readonly object[];
  /** When it was used last, and looked at, in milliseconds of the clock. */
  used: number;
  measured: number;
}

/** What is known of an organization: the newest revision for which a model was wanted, and its models by name. */
interface Known {
  newest: Pick<ModelKey, "history" | "revision">;
  readonly models: Map<string, Kept>;
}

/** How long a past model stays that nobody uses, in milliseconds. */
const PAST_STAYS = 60_000;

/**
 * Keeps models, least recently used first to go: first those of past revisions, then those of the newest revision of
 * each organization.
 */
export class ModelMemory {
  readonly budget: number;
  readonly #now: () => number;
  /** By name, least recently used first. */
  readonly #newest = new Map<string, Kept>();
  readonly #past = new Map<string, Kept>();
  readonly #organizations = new Map<string, Known>();
  /** Of each part, how many models have it, and its bytes. */
  readonly #parts = new Map<object, { models: number; bytes: number }>();
  bytes = 0;

  /** `now` is the time in milliseconds. */
  constructor(budget: number, now = () => performance.now()) {
    this.budget = budget;
    this.#now = now;
  }

  /** How many models are kept. */
  get count(): number {
    return this.#newest.size + this.#past.size;
  }

  /** The model of a revision, which is the one used last from now on; `undefined` if it is not kept. */
  get(at: ModelKey): Model | undefined {
    this.#see(at);
    const name = nameOf(at);
    for (const kept of [this.#newest, this.#past]) {
      const found = kept.get(name);
      if (found === undefined) continue;
      kept.delete(name);
      kept.set(name, found);
      found.used = this.#now();
      return found.model;
    }
    return undefined;
  }

  /** Whether an organization has a newer revision, for which a model was wanted. */
  isPast({ organization, history, revision }: ModelKey): boolean {
    const newest = this.#organizations.get(organization)?.newest;
    return newest?.history === history && newest.revision > revision;
  }

  /** Keeps a model, for which others may go. Returns whether there is room for it. */
  keep(at: ModelKey, model: Model): boolean {
    const name = nameOf(at);
    this.#drop(name);
    const parts = partsOf([model]);
    if (sumOf(parts.values()) > this.budget) return false;
    const now = this.#now();
    const kept: Kept = { at, model, parts: this.#take(parts), used: now, measured: now };
    this.#see(at).models.set(name, kept);
    (this.isPast(at) ? this.#past : this.#newest).set(name, kept);
    this.#makeRoom(name);
    return true;
  }

  /** The kept model of the nearest revision of the same generation, in the same state of the database. */
  nearest(at: ModelKey): KeptModel | undefined {
    let nearest: KeptModel | undefined;
    const distance = (other: ModelKey) => Math.abs(other.revision - at.revision);
    for (const kept of this.#organizations.get(at.organization)?.models.values() ?? []) {
      if (nameOf({ ...kept.at, revision: at.revision }) !== nameOf(at)) continue;
      if (nearest === undefined || distance(kept.at) < distance(nearest.at)) nearest = kept;
    }
    return nearest;
  }

  /** The organizations with a model that is kept. */
  organizations(): string[] {
    return [...this.#organizations].flatMap(([id, { models }]) => (models.size === 0 ? [] : id));
  }

  /** Lets the models of an organization go that `isGone`. */
  forget(organization: string, isGone: (at: ModelKey) => boolean): void {
    const known = this.#organizations.get(organization);
    if (known === undefined) return;
    for (const [name, { at }] of known.models) if (isGone(at)) this.#drop(name);
    if (known.models.size === 0) this.#organizations.delete(organization);
  }

  /** Lets past models go that nobody used for a minute. */
  forgetUnused(): void {
    const unused = this.#now() - PAST_STAYS;
    for (const [name, { used }] of this.#past) if (used < unused) this.#drop(name);
  }

  /** Counts what was worked out from models that were used since this was last called; others may go for it. */
  *measure(): Generator<void> {
    for (const [name, kept] of [...this.#newest, ...this.#past]) {
      if (kept.used <= kept.measured || (!this.#newest.has(name) && !this.#past.has(name))) continue;
      kept.measured = this.#now();
      const before = kept.parts;
      kept.parts = this.#take(partsOf([kept.model, ...workedOut(kept.model)]));
      this.#give(before);
      yield;
    }
    this.#makeRoom();
  }

  /** The models of an organization that were kept for an earlier revision become past ones. */
  #see({ organization, history, revision }: ModelKey): Known {
    const found = this.#organizations.get(organization);
    const known: Known = found ?? { newest: { history, revision }, models: new Map() };
    if (found === undefined) this.#organizations.set(organization, known);
    if (known.newest.history === history && known.newest.revision >= revision) return known;
    known.newest = { history, revision };
    for (const [name, kept] of known.models) {
      this.#newest.delete(name);
      this.#past.set(name, kept);
    }
    return known;
  }

  /** Lets models go until the rest is within the budget, but not the one that is named, nor the last of all. */
  #makeRoom(except?: string): void {
    for (const kept of [this.#past, this.#newest]) {
      for (const name of kept.keys()) {
        if (this.bytes <= this.budget || this.count === 1) return;
        if (name !== except) this.#drop(name);
      }
    }
  }

  #drop(name: string): void {
    const kept = this.#newest.get(name) ?? this.#past.get(name);
    if (kept === undefined) return;
    this.#newest.delete(name);
    this.#past.delete(name);
    this.#organizations.get(kept.at.organization)?.models.delete(name);
    this.#give(kept.parts);
  }

  #take(parts: ReadonlyMap<object, number>): readonly object[] {
    for (const [part, bytes] of parts) {
      const known = this.#parts.get(part) ?? { models: 0, bytes: 0 };
      this.bytes += bytes - known.bytes;
      this.#parts.set(part, { models: known.models + 1, bytes });
    }
    return [...parts.keys()];
  }

  #give(parts: readonly object[]): void {
    for (const part of parts) {
      const known = this.#parts.get(part);
      if (known === undefined) continue;
      known.models--;
      if (known.models > 0) continue;
      this.#parts.delete(part);
      this.bytes -= known.bytes;
    }
  }
}

/** The bytes that a model takes alone. */
export function sizeOf(model: Model): number {
  return sumOf(partsOf([model]).values());
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const each of numbers) sum += each;
  return sum;
}

/** What an object, a reference to one, and a text take beside what is in them. */
const OBJECT = 50;
const REFERENCE = 8;
const TEXT = 20;

/** Of a longer list, so many entries are looked at, and the others taken to be like these. */
const LOOKED_AT = 100;

/** The buffers and objects in some values, each with what it takes alone. */
function partsOf(values: Iterable<unknown>): Map<object, number> {
  const parts = new Map<object, number>();
  const add = (value: unknown): number => {
    if (typeof value === "string") return REFERENCE + TEXT + 2 * value.length;
    if (typeof value !== "object" || value === null || parts.has(value)) return REFERENCE;
    if (ArrayBuffer.isView(value)) {
      parts.set(value.buffer, value.buffer.byteLength);
      return REFERENCE + OBJECT;
    }
    parts.set(value, OBJECT);
    const { looked, all } = itemsOf(value);
    let bytes = OBJECT;
    if (looked.length === all) for (const item of looked) bytes += add(item);
    else {
      const held = looked.reduce<number>((sum, item) => sum + REFERENCE + ownSize(item), 0);
      bytes += (held + sumOf(partsOf(looked).values())) * (all / looked.length);
    }
    parts.set(value, bytes);
    return REFERENCE;
  };
  for (const value of values) add(value);
  return parts;
}

/** What a text takes; objects are parts of their own. */
function ownSize(value: unknown): number {
  return typeof value === "string" ? TEXT + 2 * value.length : 0;
}

/** The first items of an object, and how many there are in all. */
function itemsOf(value: object): { readonly looked: readonly unknown[]; readonly all: number } {
  if (value instanceof Map)
    return { looked: [...value.entries().take(LOOKED_AT)].flat(), all: 2 * value.size };
  if (value instanceof Set) return { looked: [...value.values().take(LOOKED_AT)], all: value.size };
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return { looked: items.slice(0, LOOKED_AT), all: items.length };
}
