/**
 * The models that a process keeps, within a budget of bytes. Models of one organization share what did not change
 * between them (`model/next.ts`): that counts once.
 */
import { totalmem } from "node:os";
import type { Model } from "../model/model.ts";
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
  readonly parts: ReadonlyMap<object, number>;
  /** When it was used last, in milliseconds of the clock. */
  used: number;
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
  /** The newest revision of each organization for which a model was wanted. */
  readonly #revisions = new Map<string, Pick<ModelKey, "history" | "revision">>();
  /** Of what is kept, how many models have it. */
  readonly #shared = new Map<object, number>();
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
    const newest = this.#revisions.get(organization);
    return newest?.history === history && newest.revision > revision;
  }

  /** Keeps a model, for which others may go. Returns whether there is room for it. */
  keep(at: ModelKey, model: Model): boolean {
    this.#see(at);
    const name = nameOf(at);
    this.#drop(name);
    const parts = partsOf(model);
    if (sumOf(parts.values()) > this.budget) return false;
    for (const [part, bytes] of parts) {
      const others = this.#shared.get(part) ?? 0;
      if (others === 0) this.bytes += bytes;
      this.#shared.set(part, others + 1);
    }
    (this.isPast(at) ? this.#past : this.#newest).set(name, { at, model, parts, used: this.#now() });
    for (const kept of [this.#past, this.#newest]) {
      for (const other of kept.keys()) {
        if (this.bytes <= this.budget) return true;
        if (other !== name) this.#drop(other);
      }
    }
    return true;
  }

  /** The kept model of the nearest revision of the same generation, in the same state of the database. */
  nearest(at: ModelKey): KeptModel | undefined {
    let nearest: KeptModel | undefined;
    const distance = (other: ModelKey) => Math.abs(other.revision - at.revision);
    for (const kept of this.#all()) {
      if (nameOf({ ...kept.at, revision: at.revision }) !== nameOf(at)) continue;
      if (nearest === undefined || distance(kept.at) < distance(nearest.at)) nearest = kept;
    }
    return nearest;
  }

  /** The organizations with a model that is kept. */
  organizations(): Set<string> {
    return new Set(this.#all().map(({ at }) => at.organization));
  }

  /** Lets models go that `isGone`, and past ones that nobody used for a minute. */
  forget(isGone: (at: ModelKey) => boolean): void {
    const unused = this.#now() - PAST_STAYS;
    for (const [name, { at }] of [...this.#newest, ...this.#past]) if (isGone(at)) this.#drop(name);
    for (const [name, { used }] of this.#past) if (used < unused) this.#drop(name);
    const left = this.organizations();
    for (const organization of this.#revisions.keys())
      if (!left.has(organization)) this.#revisions.delete(organization);
  }

  #all(): Kept[] {
    return [...this.#newest.values(), ...this.#past.values()];
  }

  /** The models of an organization that were kept for an earlier revision become past ones. */
  #see({ organization, history, revision }: ModelKey): void {
    const newest = this.#revisions.get(organization);
    if (newest?.history === history && newest.revision >= revision) return;
    this.#revisions.set(organization, { history, revision });
    if (newest === undefined) return;
    for (const [name, kept] of this.#newest) {
      if (kept.at.organization !== organization) continue;
      this.#newest.delete(name);
      this.#past.set(name, kept);
    }
  }

  #drop(name: string): void {
    const kept = this.#newest.get(name) ?? this.#past.get(name);
    if (kept === undefined) return;
    this.#newest.delete(name);
    this.#past.delete(name);
    for (const [part, bytes] of kept.parts) {
      const others = (this.#shared.get(part) ?? 0) - 1;
      if (others > 0) {
        this.#shared.set(part, others);
        continue;
      }
      this.#shared.delete(part);
      this.bytes -= bytes;
    }
  }
}

/** The bytes that a model takes alone. */
export function sizeOf(model: Model): number {
  return sumOf(partsOf(model).values());
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

/** The buffers and objects of a model, each with what it takes alone. */
function partsOf(model: Model): Map<object, number> {
  const parts = new Map<object, number>();
  const add = (value: unknown): number => {
    if (typeof value === "string") return REFERENCE + TEXT + 2 * value.length;
    if (typeof value !== "object" || value === null || parts.has(value)) return REFERENCE;
    if (ArrayBuffer.isView(value)) {
      parts.set(value.buffer, value.buffer.byteLength);
      return REFERENCE + OBJECT;
    }
    parts.set(value, OBJECT);
    let bytes = OBJECT;
    for (const item of Object.values(value)) bytes += add(item);
    parts.set(value, bytes);
    return REFERENCE;
  };
  add(model);
  return parts;
}
