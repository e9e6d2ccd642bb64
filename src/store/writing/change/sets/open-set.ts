import { firstFrom, type Head } from "../../../../sets/head.ts";
import type { Words } from "../../../../sets/words.ts";

/** A set during a change, with the containers that were read or changed so far. */
export interface OpenSet {
  /** The head of the set as stored. */
  readonly head: Head;
  readonly words: Map<number, Words>;
  readonly touched: Set<number>;
  /** Whether positions were removed. A large set from which none was removed stays large. */
  shrunk: boolean;
}

/** The chunks in which a set may have slots, ascending. The list of a head is long, so it is searched, not looped over. */
export function chunksIn({ head, words }: OpenSet): Uint32Array {
  const stored = "chunks" in head ? head.chunks : new Uint32Array();
  const gone = new Set<number>();
  const added: number[] = [];
  for (const [chunk, own] of words) {
    if (isBlank(own)) gone.add(chunk);
    else if (!isStored(head, chunk)) added.push(chunk);
  }
  const kept = gone.size === 0 ? stored : stored.filter((chunk) => !gone.has(chunk));
  if (added.length === 0) return kept;
  const chunks = new Uint32Array(kept.length + added.length);
  chunks.set(kept);
  chunks.set(added, kept.length);
  return chunks.sort();
}

export function isStored(head: Head, chunk: number): boolean {
  return "chunks" in head && head.chunks[firstFrom(head.chunks, chunk)] === chunk;
}

/** Whether the words have no slot. */
export function isBlank(words: Words): boolean {
  return words.every((word) => word === 0);
}
