/** The organizations that a process has in memory, each as the model of a revision. */
import type { Model } from "../model/model.ts";
import type { CacheKind } from "./cache.ts";
import { loadModel } from "./loading.ts";
import type { Reading } from "./reading.ts";

const KIND: CacheKind<Model> = { name: "model", bytes: bytesOf };

/** The model of the revision that `reading` reads. Callers share one load, and what is kept. */
export function modelOf(reading: Reading): Promise<Model> {
  return reading.cache.once(KIND, reading.at, "", () => loadModel(reading));
}

/** What an empty model takes. */
const LEAST = 10_000;
/** What a text that is not in a buffer takes beside its characters. */
const TEXT = 60;

function bytesOf({ members, teams, contents, sites }: Model): number {
  return [members, teams, contents, sites].reduce((sum, part) => sum + sizeOf(part), LEAST);
}

function sizeOf(part: object): number {
  if (ArrayBuffer.isView(part)) return part.byteLength;
  return Object.values(part).reduce<number>((sum, value: unknown) => {
    if (typeof value === "string") return sum + TEXT + 2 * value.length;
    return typeof value === "object" && value !== null ? sum + sizeOf(value) : sum;
  }, 0);
}
