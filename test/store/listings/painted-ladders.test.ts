import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ContentKey } from "../../../src/domain/content.ts";
import { decide, type Ladder, type MemberRights } from "../../../src/domain/ladder.ts";
import { rank, type Role, ROLES } from "../../../src/domain/role.ts";
import { EMPTY, type Head } from "../../../src/sets/head.ts";
import type { Part } from "../../../src/sets/painting.ts";
import { addSlot, noSlots } from "../../../src/sets/words.ts";
import type { Access } from "../../../src/store/listings/access.ts";
import { accessOn, type Rung } from "../../../src/store/listings/palette.ts";
import { Chunk } from "../../../src/store/memory/chunk.ts";
import { GUEST } from "../../../src/store/memory/universe.ts";
import { memberSets } from "../../../src/store/schema/set-names.ts";
import { sites, subjects } from "../../domain/random-ladders.ts";

const USED = 101;

/** Members with their slots. */
const members = fc.uniqueArray(fc.tuple(fc.nat(USED - 1), subjects), {
  maxLength: 30,
  selector: ([slot]) => slot,
});

type Members = readonly (readonly [number, MemberRights])[];

test("painting several ladders gives each member the highest role, and the first content that gives it", () => {
  fc.assert(
    fc.property(sites, members, fc.boolean(), fc.nat(USED), (ladders, drawn, isLarge, from) => {
      const sets = new Sets(drawn, isLarge);
      const access = accessOn(sets.rungsOf(ladders), sets.team);
      const painting = paintingOf(access, sets, { from, to: USED });
      for (const [slot, member] of drawn) {
        if (slot < from) continue;
        const expected = highest(ladders, member);
        const { code, subject } = painting[slot] ?? { code: 0, subject: 0 };
        const found = { role: access.ranks[code] ?? 0, rule: access.decisionOf(code)?.rule };
        expect(found).toEqual({ role: expected.rank, rule: expected.rule });
        if (expected.rank === 0 || expected.rule === "admin") continue;
        const [first] = ladders[subject] ?? [];
        expect(access.decisionOf(code)?.team).toBe(expected.team);
        if (ladders.length > 1) expect(first?.content).toBe(expected.content);
      }
      expect(painting.filter((found) => found !== undefined)).toHaveLength(
        drawn.filter(([slot, member]) => slot >= from && highest(ladders, member).rank > 0).length,
      );
    }),
    { numRuns: 1000 },
  );
});

const slotSets = fc.uniqueArray(fc.nat(USED - 1), { maxLength: USED });

test("a filter by sets leaves the roles and reasons of those who pass it, and gives nobody else one", () => {
  fc.assert(
    fc.property(
      sites,
      members,
      fc.boolean(),
      fc.array(slotSets, { maxLength: 2 }),
      fc.array(slotSets, { maxLength: 2 }),
      (ladders, drawn, isLarge, within, without) => {
        const sets = new Sets(drawn, isLarge);
        const access = accessOn(sets.rungsOf(ladders), sets.team);
        const passes = (slot: number) =>
          within.every((set) => set.includes(slot)) && !without.some((set) => set.includes(slot));
        const wanted = paintingOf(access, sets).map((found, slot) => (passes(slot) ? found : undefined));
        const named = (slots: readonly number[]) => ({
          name: "some",
          head: { positions: Uint32Array.from(slots).sort() },
        });
        const narrowed = access.narrowed({ within: within.map(named), without: without.map(named) });
        expect(paintingOf(narrowed, sets)).toEqual(wanted);
      },
    ),
    { numRuns: 500 },
  );
});

/** The code of each slot with a role, and the content that gives it. */
function paintingOf(access: Access, sets: Sets, part: Part = { from: 0, to: USED }) {
  const { codes, subjects, slots } = access.paint(sets.chunk(), part, sets.direct);
  const found = Array.from({ length: USED }, (): { code: number; subject: number } | undefined => undefined);
  const last = slots?.length ?? part.to;
  for (let index = slots === undefined ? part.from : 0; index < last; index++) {
    const code = codes[index] ?? 0;
    if ((access.ranks[code] ?? 0) > 0)
      found[slots?.[index] ?? index] = { code, subject: subjects?.[index] ?? 0 };
  }
  return found;
}

function highest(ladders: readonly Ladder[], member: MemberRights) {
  let best: { rank: number; rule?: string; team?: string | undefined; content?: string | undefined } = {
    rank: 0,
  };
  for (const ladder of ladders) {
    const decision = decide(ladder, member);
    if (decision === undefined || rank(decision.role) <= best.rank) continue;
    const { role, rule, team } = decision;
    best = { rank: rank(role), rule, team, content: ladder[0]?.content };
  }
  return best;
}

/** The sets of some members: small ones in their heads, or all with containers. */
class Sets {
  readonly #members: Members;
  readonly #isLarge: boolean;
  readonly #teams = new Map<string, Uint16Array>();
  /** The containers of direct permissions, which a chunk does not keep. */
  readonly direct = new Map<string, Uint16Array>();

  constructor(members: Members, isLarge: boolean) {
    this.#members = members;
    this.#isLarge = isLarge;
  }

  /** The ladders with the users who have direct permissions on them. */
  rungsOf(ladders: readonly Ladder[]): Rung[][] {
    const directOn = (content: ContentKey) =>
      ROLES.flatMap((role): [Role, Head][] => {
        const slots = this.#slots((member) => member.direct.get(content) === role);
        return slots.length === 0
          ? []
          : [[role, this.#head(memberSets.given(content, role), slots, this.direct)]];
      });
    return ladders.map((ladder) =>
      ladder.map((level) => ({ ...level, direct: new Map(directOn(level.content)) })),
    );
  }

  readonly team = (name: string): Head => {
    const slots = this.#slots(({ role, teams }) =>
      name === memberSets.withRole("admin")
        ? role === "admin"
        : teams.some((team) => memberSets.ofTeam(team) === name),
    );
    return slots.length === 0 ? EMPTY : this.#head(name, slots, this.#teams);
  };

  #head(name: string, slots: readonly number[], containers: Map<string, Uint16Array>): Head {
    containers.set(name, Uint16Array.from(slots));
    return this.#isLarge ? { chunks: Uint32Array.of(0) } : { positions: Uint32Array.from(slots) };
  }

  #slots(isIn: (member: MemberRights) => boolean): number[] {
    const found = this.#members.filter(([, member]) => isIn(member)).map(([slot]) => slot);
    return found.sort((a, b) => a - b);
  }

  /** A chunk of the members. Every second container is a bitmap. */
  chunk(): Chunk {
    const names = [...this.#teams.keys()];
    const containers = names.map((name, index) => {
      const slots = this.#teams.get(name) ?? new Uint16Array();
      if (index % 2 === 0) return new Uint8Array(slots.slice().buffer);
      const words = noSlots();
      for (const slot of slots) addSlot(words, slot);
      return new Uint8Array(words.buffer);
    });
    const offsets: number[] = [];
    let length = 0;
    for (const bytes of containers) {
      offsets.push(length / 4);
      length += Math.ceil(bytes.length / 4) * 4;
    }
    const memory = new Uint8Array(length);
    for (const [index, bytes] of containers.entries()) memory.set(bytes, 4 * (offsets[index] ?? 0));
    const keys = { text: Buffer.alloc(0), starts: new Uint32Array(1), order: undefined, used: USED };
    const chunk = new Chunk(0, { lowest: "", next: undefined }, keys, {
      names: new Map(names.map((name, index) => [name, index])),
      sets: Uint32Array.from(names.keys()),
      offsets: Uint32Array.from(offsets),
      sizes: Uint16Array.from(containers, ({ length: size }) => size),
      memory: memory.buffer,
    });
    for (const [slot, { role }] of this.#members) chunk.bytes[slot] = role === null ? GUEST : rank(role);
    return chunk;
  }
}
