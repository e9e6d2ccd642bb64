/** The organizations that a process has in memory, each as the model of a revision. */
import type { Model } from "../model/model.ts";
import { SingleFlight } from "./cache.ts";
import { loadModel } from "./loading.ts";
import { ModelMemory, nameOf, sizeOf, usualMemory } from "./model-memory.ts";
import type { ModelSource, Reading } from "./reading.ts";

/** The model of the revision that `reading` reads. Callers share one load, and what is kept. */
export function modelOf(reading: Reading): Promise<Model> {
  reading.models ??= new Models();
  return reading.models.of(reading);
}

interface ModelOptions {
  /** How many bytes the kept models may take. */
  readonly bytes?: number;
  /** Receives a line for the log. */
  readonly warn?: (message: string) => void;
}

/** Loads models, and keeps those that were used last. */
export class Models implements ModelSource {
  readonly #memory: ModelMemory;
  readonly #warn: (message: string) => void;
  readonly #underWay = new SingleFlight<Model>();
  /** The last model of each organization that was too large to keep, as long as somebody uses it. */
  readonly #tooLarge = new Map<string, { readonly name: string; readonly model: WeakRef<Model> }>();

  /** How many models were loaded. */
  loads = 0;

  constructor({ bytes = usualMemory(), warn = () => {} }: ModelOptions = {}) {
    this.#memory = new ModelMemory(bytes);
    this.#warn = warn;
  }

  async of(reading: Reading): Promise<Model> {
    const { at } = reading;
    const name = nameOf(at);
    const known = this.#memory.get(at) ?? this.#large(at.organization, name);
    return known ?? this.#underWay.do(name, () => this.#load(reading));
  }

  #large(organization: string, wanted: string): Model | undefined {
    const large = this.#tooLarge.get(organization);
    return large?.name === wanted ? large.model.deref() : undefined;
  }

  async #load(reading: Reading): Promise<Model> {
    const { at } = reading;
    // Its rows are for all who wait, so they do not count for the one who came first.
    const model = await loadModel(reading.of(at));
    this.loads++;
    if (this.#memory.keep(at, model)) return model;
    if (!this.#tooLarge.has(at.organization)) {
      this.#warn(
        `Organization ${at.organization} takes ${inMB(sizeOf(model))} MB of memory, and this process may keep ${inMB(this.#memory.budget)} MB (ROLEBOOK_MEMORY): it is loaded again and again, and its pages are slow.`,
      );
    }
    this.#tooLarge.set(at.organization, { name: nameOf(at), model: new WeakRef(model) });
    return model;
  }
}

function inMB(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}
