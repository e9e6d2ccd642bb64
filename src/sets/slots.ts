import { addAll, addSlot, noSlots, type Words } from "./words.ts";

/** The slots of one chunk, ascending. */
export type SlotList = Uint16Array;

/** A set of slots of one chunk, as stored: a bitmap or a list. Read-only. */
export type Slots = Words | SlotList;

export function isList(slots: Slots): slots is SlotList {
  return slots instanceof Uint16Array;
}

export function addSlots(words: Words, slots: Slots | undefined): Words {
  if (slots === undefined || !isList(slots)) return addAll(words, slots);
  for (let at = 0; at < slots.length; at++) addSlot(words, slots[at] ?? 0);
  return words;
}

/** The slots as a bitmap. Do not change the result: if `slots` is a bitmap already, this returns `slots` itself. */
export function asWords(slots: Slots): Words {
  return isList(slots) ? addSlots(noSlots(), slots) : slots;
}
