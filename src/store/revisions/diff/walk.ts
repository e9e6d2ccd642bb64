/**
 * Compares very many users at once: all except those whose own records changed (users.ts). A content that changed, or on
 * which a team's permission did, is painted at both revisions, chunk by chunk; what differs there differs on the contents
 * that inherit from there, too, except for members with a permission of their own (`Heirs`).
 */
import { type ContentKey, kindOf } from "../../../domain/content.ts";
import { DIRECTIONS } from "../../../domain/difference.ts";
import type { Ladder } from "../../../domain/ladder.ts";
import { atLeast, ROLES } from "../../../domain/role.ts";
import { type Head, hasChunk } from "../../../sets/head.ts";
import {
  addAll,
  addSlot,
  countSlots,
  haveCommon,
  isNone,
  keepOnly,
  noSlots,
  removeSlot,
  type Words,
} from "../../../sets/words.ts";
import { descend } from "../../directory/below.ts";
import { type Content, contents, laddersIn } from "../../directory/contents.ts";
import {
  AccessDifference,
  type AccessSide,
  type ComparedChunk,
  type Differing,
  noDifference,
} from "../../listings/difference.ts";
import { Heirs, Part } from "../../listings/heirs.ts";
import { accessOnLadders } from "../../listings/subject.ts";
import { Alignment } from "../../memory/alignment.ts";
import type { Chunk } from "../../memory/chunk.ts";
import { ChunkedSets, type ChunkSlots } from "../../memory/sets.ts";
import { GUEST, universeIndex } from "../../memory/universe.ts";
import type { Reading } from "../../reading.ts";
import { MEMBERS, memberSets } from "../../schema/set-names.ts";
import { inTurns } from "../../turns.ts";
import { causesFor, type DifferenceCounts, FirstCauses, type Suspects } from "./causes.ts";
import { type DifferenceFilter, keepsDirection } from "./filter.ts";
import { type AccessChanges, type ChangedRecord, inTime, type TwoReadings } from "./log.ts";

/** All contents on which the roles of users may differ without a change of their own records. */
export async function concernedBy({ after }: TwoReadings, changes: AccessChanges): Promise<ContentKey[]> {
  const found = new Set(changes.changedContents);
  const collections = [...found].filter((key) => kindOf(key) === "collection");
  for await (const some of descend(after, collections, true))
    for (const { content } of some) found.add(content);
  return [...found];
}

/** A content that is compared at both revisions. */
interface Root {
  readonly content: ContentKey;
  /** The content's number among the heirs. */
  readonly number: number;
  readonly ladders: { readonly before: Ladder | undefined; readonly after: Ladder | undefined };
  readonly difference: AccessDifference;
  /**
   * The teams whose permissions changed, if no more did: in chunks without members of these, the content is an heir.
   * `undefined` if the role of any member may differ.
   */
  readonly teams: readonly Head[] | undefined;
}

/** What differs on a root in a chunk, and the members whose difference each record causes. */
interface RootDifference {
  readonly differing: Differing;
  readonly causes: ReadonlyMap<ChangedRecord, Words>;
}

/** The contents and users of a walk. */
interface Prepared {
  readonly sides: TwoReadings;
  readonly changes: AccessChanges;
  readonly filter: DifferenceFilter;
  readonly heirs: Heirs;
  readonly roots: readonly Root[];
  readonly alignment: Alignment;
  /** The sets of the teams whose permissions changed. */
  readonly teams: ChunkedSets;
  /** The users whose own records changed, by the chunk with their id. */
  readonly apart: ReadonlyMap<number, readonly string[]>;
}

/** A walk that also finds causes takes longer. */
type Use = (content: number, part: Part, causes: RootDifference["causes"], chunk: number) => void;

export class Walk {
  readonly #prepared: Prepared;
  /** The records that may be causes of the difference on each content, by number. */
  readonly #suspects: (readonly ChangedRecord[])[] = [];

  private constructor(prepared: Prepared) {
    this.#prepared = prepared;
    const { sides, heirs, changes, roots } = prepared;
    const rootAt = new Map(roots.map((root) => [root.number, root]));
    for (const number of heirs.keys.keys()) {
      const root = rootAt.get(number);
      const above = this.#suspects[heirs.parentOf(number)] ?? [];
      this.#suspects.push(root === undefined ? above : suspectsOf(sides, changes, root));
    }
  }

  /** Prepares to compare some contents, of those that {@link concernedBy} finds. */
  static async of(
    sides: TwoReadings,
    changes: AccessChanges,
    filter: DifferenceFilter,
    keys: readonly ContentKey[],
  ): Promise<Walk> {
    const { before, after } = sides;
    const loaded = await contents(after, keys);
    const isOn = (content: ContentKey) => changes.isOn(content);
    const gone = keys.filter((key) => isOn(key) && !loaded.has(key));
    const ladders = [...laddersIn(loaded, keys), ...gone.map((content) => [{ ...NOTHING_GIVEN, content }])];
    const heirs = await Heirs.of(after, ladders, isOn);
    const compared = heirs.keys.filter(isOn);
    const earlier = await contents(before, compared);
    const index = await universeIndex(after, MEMBERS);
    const alignment = await Alignment.of(before, after, MEMBERS);
    const roots: Root[] = [];
    for await (const content of inTurns(compared)) {
      const [[had], [has]] = [laddersIn(earlier, [content]), laddersIn(loaded, [content])];
      const teams = (changes.grants.get(content) ?? []).flatMap(({ team }) => team ?? []);
      const [old, now] = [await sideOf(before, had, filter), await sideOf(after, has, filter)];
      roots.push({
        content,
        number: heirs.numbers.get(content) ?? -1,
        ladders: { before: had, after: has },
        difference: new AccessDifference(old, now, { alignment }),
        teams: changes.contents.has(content)
          ? undefined
          : teams.map((team) => index.head(memberSets.ofTeam(team))),
      });
    }
    const teams = [...changes.grants.values()].flat().flatMap(({ team }) => team ?? []);
    return new Walk({
      sides,
      changes,
      filter,
      heirs,
      roots,
      alignment,
      teams: new ChunkedSets([...new Set(teams)].map(memberSets.ofTeam), (name) => index.head(name)),
      apart: Map.groupBy(changes.users, (id) => index.chunks[index.chunkWith(id)] ?? -1),
    });
  }

  /** The contents on which roles differ. */
  async contents(progress: (part: number) => void): Promise<Map<ContentKey, DifferenceCounts>> {
    const { heirs } = this.#prepared;
    const found: (DifferenceCounts | undefined)[] = Array.from({ length: heirs.keys.length });
    await this.#run(true, progress, (content, part, causes) => {
      const known = (found[content] ??= { counts: DIRECTIONS.map(() => 0), causes: new FirstCauses() });
      for (let at = 0; at < part.counts.length; at++)
        known.counts[at] = (known.counts[at] ?? 0) + (part.counts[at] ?? 0);
      if (known.causes.size === this.#suspects[content]?.length) return;
      for (const [record, whom] of causes) if (haveCommon(whom, part.slots)) known.causes.add(record);
    });
    return new Map(
      heirs.keys.flatMap((key, content) => {
        const own = found[content];
        return own === undefined ? [] : [[key, own]];
      }),
    );
  }

  /** The slots that differ, by content and by chunk of the later revision. */
  async slots(): Promise<Map<ContentKey, Map<number, Words>>> {
    const { heirs } = this.#prepared;
    const found = new Map<ContentKey, Map<number, Words>>(heirs.keys.map((key) => [key, new Map()]));
    await this.#run(
      false,
      () => {},
      (content, { slots }, _, chunk) => {
        found.get(heirs.keys[content] ?? "space/")?.set(chunk, slots.slice());
      },
    );
    return found;
  }

  /**
   * The number of users in each chunk who differ on any content, by direction as in {@link DIRECTIONS}. Compares only
   * roots, because a user who differs on an heir differs in the same direction on its root.
   */
  async *users(): AsyncGenerator<readonly number[]> {
    for (const chunk of this.#chunks()) {
      const all = noDifference();
      for (const { differing } of (await this.#compare(chunk, false)).values())
        for (const direction of DIRECTIONS) addAll(all[direction], differing[direction]);
      yield DIRECTIONS.map((direction) => countSlots(all[direction]));
    }
  }

  async #run(hasCauses: boolean, progress: (part: number) => void, use: Use): Promise<void> {
    const { sides, heirs } = this.#prepared;
    const chunks = this.#chunks();
    for (const [done, chunk] of chunks.entries()) {
      const found = await this.#compare(chunk, hasCauses);
      const parts = new Map(
        [...found].map(([number, { differing }]) => [number, Part.of(number, differing)]),
      );
      await heirs.inChunk(sides.after, chunk, parts, (number, part) => {
        use(number, part, found.get(part.root)?.causes ?? NO_CAUSES, chunk);
      });
      progress((done + 1) / chunks.length);
    }
  }

  #chunks(): number[] {
    const { alignment, roots } = this.#prepared;
    return alignment.chunks.flatMap(({ number }) =>
      roots.some((root) => isRootIn(root, number)) ? number : [],
    );
  }

  /** Compares the roots of a chunk, by their number. */
  async #compare(chunk: number, hasCauses: boolean): Promise<Map<number, RootDifference>> {
    const { sides, roots, teams } = this.#prepared;
    const members = await teams.read(sides.after, chunk);
    const found = new Map<number, RootDifference>();
    let everyone: Words | undefined;
    for await (const root of inTurns(roots.filter((each) => isRootIn(each, chunk)))) {
      const own = await root.difference.at(chunk, (compared) => {
        everyone ??= this.#everyone(compared.chunk);
        return this.#differingOn(root, compared, everyone, members, hasCauses);
      });
      found.set(root.number, own);
    }
    return found;
  }

  #differingOn(
    { content, number, ladders }: Root,
    { directions, differing }: ComparedChunk,
    everyone: Words,
    members: ChunkSlots,
    hasCauses: boolean,
  ): RootDifference {
    const { sides, changes, filter, teams } = this.#prepared;
    const { causedBy } = filter;
    const found = noDifference();
    const all = noSlots();
    for (const direction of DIRECTIONS) {
      if (!keepsDirection(filter, direction)) continue;
      keepOnly(addAll(found[direction], directions[direction]), everyone);
      addAll(all, found[direction]);
    }
    const causes = new Map<ChangedRecord, Words>();
    if (isNone(all) || (!hasCauses && causedBy === undefined)) return { differing: found, causes };
    const [only, ...others] = this.#suspects[number] ?? [];
    if (only !== undefined && others.length === 0) causes.set(only, all);
    else {
      const suspects: Suspects = {
        thing: changes.contents.get(content),
        at: (on) => changes.on(on),
        // Whoever joined or left a team is compared apart.
        membersOf(team) {
          const own = members[teams.indexOf(memberSets.ofTeam(team)) ?? -1];
          return { earlier: own, later: own };
        },
      };
      for (const { before, after, slots } of differing(all)) {
        const had = ladders.before && { ladder: ladders.before, decision: before?.decision };
        const has = ladders.after && { ladder: ladders.after, decision: after?.decision };
        for (const [record, whom] of causesFor(suspects, ...inTime(sides, had, has), slots))
          causes.set(record, addAll(whom.slice(), causes.get(record)));
      }
    }
    if (causedBy !== undefined) {
      const kept = noSlots();
      for (const [record, whom] of causes) if (causedBy(record)) addAll(kept, whom);
      for (const direction of DIRECTIONS) keepOnly(found[direction], kept);
    }
    return { differing: found, causes };
  }

  /** The slots of the members of a chunk who are compared. */
  #everyone(chunk: Chunk): Words {
    const { filter, apart } = this.#prepared;
    const words = noSlots();
    for (const [slot, byte] of chunk.bytes.entries()) {
      if (filter.guests === true ? byte === GUEST : byte !== 0) addSlot(words, slot);
    }
    for (const id of apart.get(chunk.number) ?? []) {
      const ordinal = chunk.ordinalAfter(id) - 1;
      if (ordinal >= 0 && chunk.keyAt(ordinal) === id) removeSlot(words, chunk.slotAt(ordinal));
    }
    return words;
  }
}

const NO_CAUSES: RootDifference["causes"] = new Map();

const NOTHING_GIVEN: Pick<Content, "teams" | "direct"> = { teams: new Map(), direct: new Map() };

async function sideOf(
  reading: Reading,
  ladder: readonly Content[] | undefined,
  { role, least }: DifferenceFilter,
): Promise<AccessSide> {
  const access = await accessOnLadders(reading, ladder === undefined ? [] : [ladder]);
  const kept =
    least === undefined
      ? role && { access, role }
      : { access: access.narrowed({ roles: ROLES.filter((each) => atLeast(each, least)) }), role };
  return { reading, access, kept };
}

/** The changes of the contents on the ladder at the later revision, or of the content itself if it is gone. */
function suspectsOf(sides: TwoReadings, changes: AccessChanges, { content, ladders }: Root): ChangedRecord[] {
  const [, later] = inTime(sides, ladders.before, ladders.after);
  return later === undefined
    ? [...changes.on(content)]
    : later.flatMap((level) => [...changes.on(level.content)]);
}

function isRootIn({ teams }: Root, chunk: number): boolean {
  return teams === undefined || teams.some((head) => hasChunk(head, chunk));
}
