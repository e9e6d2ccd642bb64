import { addAll, addSlot, countSlots, noSlots, slotsFrom, WORDS, type Words } from "./words.ts";

/** Bytes of a bitmap: a list of slots is stored only while it is smaller. */
const BITMAP = WORDS * 4;

/** The stored slots of one chunk: two bytes per slot, lowest byte first, or a bitmap if that is not larger. */
export type Container = Uint8Array;

export function containerOf(words: Words): Container {
  const count = countSlots(words);
  if (2 * count >= BITMAP) return new Uint8Array(words.buffer.slice(0));
  const bytes = new Uint8Array(2 * count);
  let at = 0;
  for (const slot of slotsFrom(words)) {
    bytes[at++] = slot & 0xff;
    bytes[at++] = slot >>> 8;
  }
  return bytes;
}

/** Adds the slots of a container to `words`. */
export function addContainer(words: Words, container: Container): void {
  if (container.length === BITMAP) {
    const bytes = aligned(container);
    const bitmap = new Uint32Array(bytes.buffer, bytes.byteOffset, WORDS);
    addAll(words, bitmap);
    return;
  }
  for (let at = 0; at < container.length; at += 2) {
    addSlot(words, (container[at] ?? 0) | ((container[at + 1] ?? 0) << 8));
  }
}

/** How many slots a container has. */
export function countContainer(container: Container): number {
  if (container.length !== BITMAP) return container.length / 2;
  const words = noSlots();
  addContainer(words, container);
  return countSlots(words);
}

/** A copy at an aligned offset, if the bytes are not aligned: a driver may return them at any offset. */
export function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : Uint8Array.from(bytes);
}
