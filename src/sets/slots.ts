import { addAll, addSlot, hasSlot, noSlots, type Words } from "./words.ts";

/** The slots of a set in one chunk, ascending, where they are few. */
export type SlotList = Uint16Array;

/** A set of slots of one chunk in the form in which it is stored, a bitmap or a list. It is not changed. */
export type Slots = Words | SlotList;

export function isList(slots: Slots): slots is SlotList {
  return slots instanceof Uint16Array;
}

export function isAmong(slots: Slots | undefined, slot: number): boolean {
  if (slots === undefined) return false;
  return isList(slots) ? slots.includes(slot) : hasSlot(slots, slot);
}

/** Adds some slots to a bitmap. Returns the bitmap. */
export function addSlots(words: Words, slots: Slots | undefined): Words {
  if (slots === undefined || !isList(slots)) return addAll(words, slots);
  for (let at = 0; at < slots.length; at++) addSlot(words, slots[at] ?? 0);
  return words;
}

/** Some slots as a bitmap, which may be the same object. Do not change the result. */
export function asWords(slots: Slots): Words {
  return isList(slots) ? addSlots(noSlots(), slots) : slots;
}
