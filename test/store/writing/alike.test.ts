import { expect, test } from "vitest";
import { compareIds } from "../../../src/domain/id.ts";
import { spellingFrom } from "../../../src/store/writing/alike.ts";

/** All spellings of an id, in order. */
function spellings(id: string): string[] {
  let all = [""];
  for (const letter of id) {
    const cases = new Set(/[a-z]/i.test(letter) ? [letter.toUpperCase(), letter.toLowerCase()] : [letter]);
    all = all.flatMap((each) => [...cases].map((letterCase) => each + letterCase));
  }
  return all.sort(compareIds);
}

test("the first spelling from any text on is the first of all spellings that is not below it", () => {
  for (const id of ["a-b", "Zoë", "7k{Q", "x\u{1F600}y"]) {
    const all = spellings(id);
    expect(all).toHaveLength(4);
    const floors = ["", "@", "A", "[", "a", "z{", "\u{10FFFF}", ...all];
    for (const floor of [
      ...floors,
      ...all.flatMap((each) => [`${each}0`, each.slice(0, -1), `${each[0]}~`]),
    ]) {
      const first = all.find((each) => compareIds(each, floor) >= 0);
      expect(spellingFrom(id, floor), `${id} from ${floor}`).toBe(first);
    }
  }
});
