/** Finds ids of one kind in files that differ only in case. */
import { compareIds } from "../../../domain/id.ts";
import { type AlikeIds, lower, MOST_ALIKE } from "../alike.ts";
import { hashOf, type Names } from "./names.ts";
import type { Ordered } from "./file-rows.ts";
import { RANK_BITS } from "./staged.ts";

/** Pairs of ids that people may confuse, for a note: the first {@link MOST_ALIKE}. */
export function alikeIdsIn(ordered: Ordered): AlikeIds[] {
  const { staged } = ordered;
  const found: AlikeIds[] = [];
  for (const number of staged.organizations.names.order()) {
    const organization = staged.organizations.names.name(number);
    const users = ordered.members[number]?.map((member) => member >>> RANK_BITS) ?? [];
    for (const [kind, names, numbers] of [
      ["site", staged.sites.names, ordered.sites[number]],
      ["space or collection", staged.contents.names, ordered.contents[number]],
      ["team", staged.teams.names, ordered.teams[number]],
      ["user", staged.users, users],
    ] as const) {
      for (const [one, other] of alikeAmong(names, numbers ?? [])) {
        found.push({ organization, kind, one, other });
        if (found.length === MOST_ALIKE) return found;
      }
    }
  }
  return found;
}

/** Of all names that are equal in lower case, the first and the last one. */
function alikeAmong(
  names: Names,
  numbers: readonly number[] | Uint32Array,
): (readonly [one: string, other: string])[] {
  // The hash of a name in lower case, and the number that finds the name again.
  const room = names.length;
  const keys = new Float64Array(numbers.length);
  for (const [i, number] of numbers.entries()) keys[i] = lowerHash(names, number) * room + number;
  keys.sort();
  const hashAt = (i: number) => Math.floor((keys[i] ?? 0) / room);
  const pairs: (readonly [string, string])[] = [];
  for (let from = 0, to = 1; from < keys.length; from = to++) {
    while (to < keys.length && hashAt(to) === hashAt(from)) to++;
    if (to - from === 1) continue;
    const same = Array.from(keys.subarray(from, to), (key) => names.name(key % room));
    for (const spellings of Map.groupBy(same, lower).values()) {
      const [one = "", ...others] = spellings.sort(compareIds);
      const other = others.at(-1);
      if (other !== undefined) pairs.push([one, other]);
    }
  }
  return pairs.sort(([a], [b]) => compareIds(a, b));
}

const ROOM = Buffer.allocUnsafeSlow(1 << 12);

function lowerHash(names: Names, number: number): number {
  const { bytes, begin, end } = names.nameIn(number);
  for (let i = begin; i < end; i++) {
    const byte = bytes[i] ?? 0;
    ROOM[i - begin] = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
  }
  return hashOf(ROOM, 0, end - begin);
}
