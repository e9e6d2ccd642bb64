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

/** The chunks in which a set may have slots, ascending. */
export function chunksIn({ head, words }: OpenSet): number[] {
  const stored = "chunks" in head ? head.chunks : new Uint32Array();
  const chunks = [...stored].filter((chunk) => !isBlank(words.get(chunk)));
  for (const [chunk, own] of words) if (!isStored(head, chunk) && !isBlank(own)) chunks.push(chunk);
  return chunks.sort((a, b) => a - b);
}

export function isStored(head: Head, chunk: number): boolean {
  return "chunks" in head && head.chunks[firstFrom(head.chunks, chunk)] === chunk;
}

/** Whether a container was read and has no slot. */
export function isBlank(words: Words | undefined): boolean {
  return words?.every((word) => word === 0) ?? false;
}
