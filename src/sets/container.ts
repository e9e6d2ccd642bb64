import { addSlots, isList, type Slots } from "./slots.ts";
import { addSlot, countSlots, noSlots, slotsFrom, WORDS, type Words } from "./words.ts";

/** The size of a bitmap in bytes. A list of slots is stored only if it is smaller. */
const BITMAP = WORDS * 4;

/**
 * The stored slots of one chunk: a list with two bytes per slot, lowest byte first, or a bitmap if the list is not
 * smaller.
 */
export type Container = Uint8Array;

export function containerOf(words: Words): Container {
  const count = countSlots(words);
  return isBitmap(count) ? new Uint8Array(words.buffer.slice(0)) : listOf(slotsFrom(words), count);
}

/** `slots` must be ascending. */
export function containerOfSlots(slots: readonly number[]): Container {
  if (!isBitmap(slots.length)) return listOf(slots, slots.length);
  const words = noSlots();
  for (const slot of slots) addSlot(words, slot);
  return new Uint8Array(words.buffer);
}

function isBitmap(count: number): boolean {
  return 2 * count >= BITMAP;
}

function listOf(slots: Iterable<number>, count: number): Container {
  const bytes = new Uint8Array(2 * count);
  let at = 0;
  for (const slot of slots) {
    bytes[at++] = slot & 0xff;
    bytes[at++] = slot >>> 8;
  }
  return bytes;
}

/** The result shares the container's memory if that memory is aligned. */
export function slotsOf(container: Container): Slots {
  if (container.length === BITMAP) {
    const bytes = aligned(container);
    return new Uint32Array(bytes.buffer, bytes.byteOffset, WORDS);
  }
  const bytes = aligned(container, 2);
  return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
}

export function addContainer(words: Words, container: Container): void {
  addSlots(words, slotsOf(container));
}

export function countContainer(container: Container): number {
  const slots = slotsOf(container);
  return isList(slots) ? slots.length : countSlots(slots);
}

/**
 * Returns the bytes at an address that is a multiple of `to`. A driver may return them at any offset; then they are
 * copied.
 */
export function aligned(bytes: Uint8Array, to: 2 | 8 = 8): Uint8Array {
  return bytes.byteOffset % to === 0 ? bytes : new Uint8Array(bytes);
}
