/** A world's database, opened by the process of the benchmark itself. */
import { applyChange } from "../../src/snapshot/changes/apply.ts";
import { readChange } from "../../src/snapshot/changes/read.ts";
import type { Model } from "../../src/model/model.ts";
import type { Engine } from "../../src/store/engine/engine.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { modelOf } from "../../src/store/models.ts";
import { Reading } from "../../src/store/reading.ts";
import { Store } from "../../src/store/store.ts";
import { ORGANIZATION } from "../data/identity.ts";

export interface Database extends AsyncDisposable {
  readonly engine: Engine;
  /** Reads the current revision. The readings of a database share their models. */
  readonly reading: () => Promise<Reading>;
  /** Applies the lines of a change file. Returns the number of the new revision; `undefined` if nothing changed. */
  readonly apply: (lines: string) => Promise<number | undefined>;
}

export async function open({ url }: { readonly url: string }): Promise<Database> {
  const engine = await openEngine(url);
  const store = new Store(engine);
  return {
    engine,
    async reading() {
      const organization = await store.registry.organization(ORGANIZATION);
      if (organization === undefined) throw new Error(`${url} has no organization ${ORGANIZATION}.`);
      return store.reading(organization.current);
    },
    async apply(lines) {
      const file = { name: "bench", pieces: pieces(lines) };
      const change = await readChange(file, false, () => {});
      return (await applyChange(engine, change, { allowRemovals: true })).revision;
    },
    [Symbol.asyncDispose]: () => engine.close(),
  };
}

/** The current organization of a database. */
export async function modelIn(world: { readonly url: string }): Promise<Model> {
  await using database = await open(world);
  return await modelOf(await database.reading());
}

/**
 * Loads the model of a reading. Each call of the result gives a reading of it that has the model, but nothing that was
 * worked out from it.
 */
export async function remembering(reading: Reading): Promise<() => Reading> {
  const model = await modelOf(reading);
  return () => new Reading(reading, reading.at, undefined, { of: () => Promise.resolve({ ...model }) });
}

async function* pieces(text: string): AsyncGenerator<string> {
  yield text;
}
