import { ROLES } from "../../domain/role.ts";
import { chunkOf, slotOf } from "../../sets/position.ts";
import { addAll, addSlot, countSlots, keepOnly, noSlots, removeAll, type Words } from "../../sets/words.ts";
import { holds } from "../../store/schema/as-of.ts";
import { statement } from "../../store/engine/engine.ts";
import { memberOf } from "../../store/directory/members.ts";
import type { Reading } from "../../store/reading.ts";
import { absent } from "../../store/reports/report-scope.ts";
import { MEMBERS, memberSets } from "../../store/schema/set-names.ts";
import { type ChunkedSets, openSets } from "../../store/sets/set-store.ts";
import type { Who } from "../rules/rule.ts";

const TEAM = statement<[id: string]>(() => `SELECT t.id FROM team t WHERE ${holds("t")} AND t.id = $3`);

/** The members whom rules and exceptions name, as sets of slots that are read chunk by chunk. */
export class Audiences {
  readonly #all: Who[] = [];
  /** Indexes by text, so that rules and exceptions about the same members share one. */
  readonly #indexes = new Map<string, number>();
  readonly #names = new Set<string>([null, ...ROLES].map((role) => memberSets.withRole(role)));
  readonly #positions = new Map<string, number>();
  readonly #chunks = new Map<number, readonly (Words | undefined)[]>();
  #sets: ChunkedSets | undefined;

  /**
   * Adds some members. Returns their index in the result of {@link slotsIn}. Throws a CommandError if a team or member
   * does not exist.
   */
  async add(reading: Reading, who: Who): Promise<number> {
    const text = JSON.stringify(who);
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    await this.#find(reading, who);
    const index = this.#all.push(who) - 1;
    this.#indexes.set(text, index);
    return index;
  }

  async #find(reading: Reading, who: Who): Promise<void> {
    switch (who.kind) {
      case "any of":
      case "all of":
        for (const each of who.of) await this.#find(reading, each);
        return;
      case "everybody but":
        return this.#find(reading, who.of);
      case "team": {
        const [team] = await reading.read(TEAM, ...reading.asOf, who.id);
        if (team === undefined) throw absent(reading, "team", who.id);
        this.#names.add(memberSets.ofTeam(who.id));
        return;
      }
      case "user": {
        const member = await memberOf(reading, who.id);
        if (member === undefined) throw absent(reading, "member", who.id);
        this.#positions.set(who.id, member.position);
        return;
      }
      default:
    }
  }

  /** The slots in a chunk of all added members, by index; `undefined` if nobody is there. Read-only. */
  async slotsIn(reading: Reading, chunk: number): Promise<readonly (Words | undefined)[]> {
    const known = this.#chunks.get(chunk);
    if (known !== undefined) return known;
    this.#sets ??= await openSets(reading, MEMBERS, [...this.#names]);
    const sets = this.#sets;
    const words = await sets.read(reading, chunk);
    const of = (name: string) => words[sets.indexOf(name) ?? -1];
    const found = this.#all.map((who) => {
      const slots = this.#wordsOf(who, chunk, of);
      return countSlots(slots) === 0 ? undefined : slots;
    });
    this.#chunks.set(chunk, found);
    return found;
  }

  #wordsOf(who: Who, chunk: number, of: (name: string) => Words | undefined): Words {
    const words = noSlots();
    switch (who.kind) {
      case "everybody":
        for (const role of [null, ...ROLES]) addAll(words, of(memberSets.withRole(role)));
        return words;
      case "guests":
        return addAll(words, of(memberSets.withRole(null)));
      case "role":
        return addAll(words, of(memberSets.withRole(who.role)));
      case "team":
        return addAll(words, of(memberSets.ofTeam(who.id)));
      case "user": {
        const position = this.#positions.get(who.id);
        if (position !== undefined && chunkOf(position) === chunk) addSlot(words, slotOf(position));
        return words;
      }
      case "any of":
        for (const each of who.of) addAll(words, this.#wordsOf(each, chunk, of));
        return words;
      case "all of": {
        const [first, ...others] = who.of.map((each) => this.#wordsOf(each, chunk, of));
        addAll(words, first);
        for (const other of others) keepOnly(words, other);
        return words;
      }
      case "everybody but": {
        addAll(words, this.#wordsOf({ kind: "everybody" }, chunk, of));
        return removeAll(words, this.#wordsOf(who.of, chunk, of));
      }
    }
  }
}
