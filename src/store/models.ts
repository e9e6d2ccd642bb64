/** The organizations that a process has in memory, each as the model of a revision. */
import { ApiError } from "../domain/error.ts";
import type { Model } from "../model/model.ts";
import { SingleFlight } from "./cache.ts";
import { type Engine, statement } from "./engine/engine.ts";
import { followed, UnfitError } from "./following.ts";
import { type KeptModel, ModelMemory, nameOf, sizeOf, usualMemory } from "./model-memory.ts";
import type { ModelSource, Reading, Revision } from "./reading.ts";
import { loadModel } from "./rows/load.ts";
import { currentWork, workFor, workInTurns } from "./turns.ts";
import { OneEach, type Waiting } from "./waiting.ts";

/** The model of the revision that `reading` reads. Callers share one load, and what is kept. */
export function modelOf(reading: Reading): Promise<Model> {
  reading.models ??= new OwnModels();
  return reading.models.of(reading);
}

/** The models of a transaction that writes: what it reads is not there for others yet, and nobody deletes it meanwhile. */
class OwnModels implements ModelSource {
  readonly #models = new Map<string, Promise<Model>>();

  of(reading: Reading): Promise<Model> {
    const name = nameOf(reading.at);
    const model = this.#models.get(name) ?? loaded(reading);
    this.#models.set(name, model);
    return model;
  }
}

/** What a revision that is read must still be when its model is made; no row if it was deleted. */
const STANDS = statement<[earliest: number, erasures: number, generation: number, importedAt: string]>(
  () => `
    SELECT o.earliest, o.erasures, r.generation, r.imported_at
      FROM organization o JOIN revision r ON r.organization = o.id AND r.revision = $2 WHERE o.id = $1`,
);
const STATES = statement<[id: string, revision: number, earliest: number, erasures: number]>(
  ({ texts }) => `
    SELECT o.id, o.revision, o.earliest, o.erasures
      FROM ${texts("$1", "wanted")} JOIN organization o ON o.id = wanted.value`,
);

/** The 503 of a revision that was deleted while its model was made. */
export class DeletedError extends ApiError {
  constructor() {
    super("unavailable", "This revision was just deleted; try again.", { "retry-after": "1" });
  }
}

/** The part of the budget beyond which nothing is loaded before it is asked for. */
const FULL = 3 / 4;

interface ModelOptions {
  /** How many bytes the kept models may take. */
  readonly bytes?: number;
  /** Receives a line for the log. */
  readonly warn?: (message: string) => void;
  /** The time, in milliseconds. */
  readonly now?: (() => number) | undefined;
  /** Receives, from 0 to 1, how much of a model is loaded. */
  readonly progress?: ((part: number) => void) | undefined;
  /** How requests wait for models. Without it, who asks waits as long as it takes, as commands do. */
  readonly waiting?: Waiting | undefined;
}

/** Makes models, and keeps those that were used last. */
export class Models implements ModelSource {
  readonly #memory: ModelMemory;
  readonly #now: () => number;
  readonly #warn: (message: string) => void;
  readonly #progress: ((part: number) => void) | undefined;
  readonly #waiting: Waiting | undefined;
  readonly #underWay = new SingleFlight<Model>();
  readonly #pastLoads = new OneEach();
  /**
   * The last model of each organization that is being made. One is made after the other, so that the next one can follow
   * from it.
   */
  readonly #last = new Map<string, Promise<unknown>>();
  /** The last model of each organization that was too large to keep, as long as somebody uses it. */
  readonly #tooLarge = new Map<string, { readonly name: string; readonly model: WeakRef<Model> }>();
  /** The engine's version up to which {@link forget} has compared. */
  #comparedAt = 0;
  /** How many models were loaded, and how many made from another one. */
  loads = 0;
  follows = 0;
  /** How long making them took, in milliseconds. */
  spent = 0;

  constructor({
    bytes = usualMemory(),
    warn = () => {},
    now = () => performance.now(),
    progress,
    waiting,
  }: ModelOptions = {}) {
    this.#progress = progress;
    this.#memory = new ModelMemory(bytes, now);
    this.#now = now;
    this.#warn = warn;
    this.#waiting = waiting;
  }

  /** How many models are kept. */
  get count(): number {
    return this.#memory.count;
  }

  /** The bytes of what is kept. */
  get bytes(): number {
    return this.#memory.bytes;
  }

  /** How many requests wait for models. */
  get waiting(): number {
    return this.#waiting?.count ?? 0;
  }

  /** Whether more can be kept without anything going, as far as that can be told before. */
  get hasRoom(): boolean {
    return this.#memory.bytes < this.#memory.budget * FULL;
  }

  async of(reading: Reading): Promise<Model> {
    const known = this.#known(reading);
    if (known !== undefined) return known;
    const made = () => this.prepare(reading);
    return this.#waiting === undefined ? made() : this.#waiting.for(reading.at.organization, made);
  }

  /** As {@link of}, ahead of all requests: it waits as long as it takes. */
  async prepare(reading: Reading): Promise<Model> {
    const caller = currentWork()?.name;
    // It has turns of its own, because others wait for it, too.
    const make = () => workFor(`model ${reading.at.organization}`, () => this.#inTurn(reading, caller));
    return this.#known(reading) ?? this.#underWay.do(nameOf(reading.at), make);
  }

  #known({ at }: Reading): Model | undefined {
    const large = this.#tooLarge.get(at.organization);
    return this.#memory.get(at) ?? (large?.name === nameOf(at) ? large.model.deref() : undefined);
  }

  async #inTurn(reading: Reading, caller: string | undefined): Promise<Model> {
    const { organization } = reading.at;
    const last = this.#last.get(organization) ?? Promise.resolve();
    const made = last.then(async () => this.#known(reading) ?? this.#make(reading, caller));
    // A past model may take long, and the next one does not follow from it.
    if (this.#memory.isPast(reading.at)) return made;
    const end = made.catch(() => {});
    this.#last.set(organization, end);
    try {
      return await made;
    } finally {
      if (this.#last.get(organization) === end) this.#last.delete(organization);
    }
  }

  /** Throws a {@link DeletedError} if the revision is deleted meanwhile. */
  async #make(reading: Reading, caller: string | undefined): Promise<Model> {
    let { at } = reading;
    for (let near = this.#memory.nearest(at); ;) {
      // The rows are for all who wait, so they do not count for the one who came first.
      const own = reading.of(at);
      const next = await this.#timed(async () => near && (await this.#follow(own, near)));
      const model = next ?? (await this.#load(own, caller));
      const { earliest, erasures } = await standing(own);
      if (erasures !== at.erasures) {
        // What was read may be of before and after a person was forgotten.
        at = { ...at, erasures };
        near = this.#memory.nearest(at);
      } else if (next !== undefined && near !== undefined && near.at.revision < earliest) {
        // The log may have been deleted while it was read.
        near = undefined;
      } else {
        if (next === undefined) this.loads++;
        else this.follows++;
        this.#keep(at, model);
        return model;
      }
    }
  }

  #load(reading: Reading, caller: string | undefined): Promise<Model> {
    const load = () => this.#timed(() => loaded(reading, this.#progress));
    return this.#memory.isPast(reading.at) ? this.#pastLoads.do(caller, load) : load();
  }

  async #timed<Result>(work: () => Promise<Result>): Promise<Result> {
    const began = this.#now();
    const result = await work();
    this.spent += this.#now() - began;
    return result;
  }

  async #follow(reading: Reading, { at, model }: KeptModel): Promise<Model | undefined> {
    try {
      return await followed(reading, at.revision, model);
    } catch (error) {
      if (!(error instanceof UnfitError)) throw error;
      const { earliest, erasures } = await standing(reading);
      // What was read while rows were deleted or somebody was forgotten need not fit.
      if (earliest <= at.revision && erasures === reading.at.erasures) this.#warn(error.message);
      return undefined;
    }
  }

  #keep(at: Revision, model: Model): void {
    const { organization, history, erasures } = at;
    this.#memory.forget(organization, (other) => other.history !== history || other.erasures !== erasures);
    if (this.#memory.keep(at, model)) return;
    if (!this.#tooLarge.has(organization)) {
      this.#warn(
        `Organization ${organization} takes ${inMB(sizeOf(model))} MB of memory, and this process may keep ${inMB(this.#memory.budget)} MB (ROLEBOOK_MEMORY): it is loaded again and again, and its pages are slow.`,
      );
    }
    this.#tooLarge.set(organization, { name: nameOf(at), model: new WeakRef(model) });
  }

  /**
   * Lets go of what nobody may or does read any more: models of a past that was deleted, or of before a person was
   * forgotten, those of removed organizations, and past ones that nobody used for a minute; and counts what was worked
   * out from others. Rejects if the database cannot be read. Call it regularly.
   */
  async forget(engine: Pick<Engine, "version" | "changedAt" | "read" | "history">): Promise<void> {
    const version = await engine.version();
    const { history } = engine;
    const changed = this.#memory.organizations().filter((id) => engine.changedAt(id) > this.#comparedAt);
    const rows = changed.length === 0 ? [] : await engine.read(STATES, changed);
    const states = new Map(rows.map(([id, ...state]) => [id, state]));
    this.#comparedAt = version;
    for (const id of changed) {
      const [revision, earliest, erasures] = states.get(id) ?? [-1, 0, 0];
      this.#memory.forget(
        id,
        (at) =>
          at.history !== history ||
          at.erasures !== erasures ||
          at.revision > revision ||
          at.revision < earliest,
      );
    }
    this.#memory.forgetUnused();
    await workInTurns(this.#memory.measure());
  }
}

/** Throws a {@link DeletedError} if the revision is deleted meanwhile. */
async function loaded(reading: Reading, progress?: (part: number) => void): Promise<Model> {
  try {
    progress?.(0);
    for (;;) {
      const found = await loadModel(reading, reading.at, progress);
      if (found !== undefined) return found.model;
      // A person was forgotten meanwhile, unless the revision is gone.
      await standing(reading);
    }
  } catch (error) {
    // What is read while rows are deleted may make no sense.
    await standing(reading);
    throw error;
  } finally {
    progress?.(1);
  }
}

/** The earliest revision of the organization that is kept, and its erasures. Throws a {@link DeletedError} if this one is not. */
async function standing(reading: Reading): Promise<{ earliest: number; erasures: number }> {
  const { organization, revision, generation, importedAt } = reading.at;
  const [row] = await reading.read(STANDS, organization, revision);
  const [earliest = Infinity, erasures = 0, ...identity] = row ?? [];
  if (earliest <= revision && identity[0] === generation && identity[1] === importedAt)
    return { earliest, erasures };
  throw new DeletedError();
}

function inMB(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}
