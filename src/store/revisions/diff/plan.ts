/** Plans the folds that compare the contents of a forest, once for all chunks. */
import type { ContentKey } from "../../../domain/content.ts";
import { ROLES } from "../../../domain/role.ts";
import { EMPTY, type Head, headOf } from "../../../sets/head.ts";
import { chunkOf, slotOf } from "../../../sets/position.ts";
import { type Content, headsIn, NO_USERS } from "../../directory/contents.ts";
import { statement } from "../../engine/engine.ts";
import { LadderSteps, type QueryLadder } from "../../folds.ts";
import type { Reading } from "../../reading.ts";
import { holds } from "../../schema/as-of.ts";
import { MEMBERS, memberSets } from "../../schema/set-names.ts";
import { HEADS } from "../../sets/containers.ts";
import { ChunkedSets } from "../../memory/sets.ts";
import { universeIndex } from "../../memory/universe.ts";
import { inTurns } from "../../turns.ts";
import { type Forest, loaded, type Root } from "./contents.ts";
import { type AccessChanges, type ChangedRecord, type TwoReadings, inTime } from "./log.ts";
import { type Alignment, chunksIn } from "./alignment.ts";

/** A changed record, and the members whom the record may affect. */
export interface Candidate {
  readonly record: ChangedRecord;
  /** The content that the record changed. */
  readonly at: ContentKey;
  /** The index of the team's set at each revision; only for a team grant. */
  readonly team?: { readonly earlier: number; readonly later: number };
  /** The user's position at the later revision; only for a record of one user. */
  readonly user?: { readonly chunk: number; readonly slot: number };
}

/**
 * Contents with the same difference: one root, or heirs with the same permissions of their own. Each branch in `below`
 * has the difference of this branch, less the members for whom the sets of that branch decide; a root in `below` has it
 * only in chunks in which the root is not folded itself.
 */
export interface Branch extends OwnSets {
  /** The index among all branches. */
  readonly number: number;
  /** Only for a root: its folds at both revisions. */
  readonly fold?: RootFold;
  readonly below: Branch[];
}

/** The members for whom a permission on the content itself decides. */
interface OwnSets {
  /** The indexes of sets at the later revision. */
  readonly own: readonly number[];
  /** The positions in small sets that no other branch uses. */
  readonly unshared: readonly number[];
}

export interface RootFold {
  readonly content: ContentKey;
  readonly before: QueryLadder | undefined;
  readonly after: QueryLadder | undefined;
  /**
   * The chunks in which the content is folded; `undefined` for all chunks. A root below another branch is folded only
   * in chunks with changes of its own. In all other chunks, it is an heir.
   */
  readonly chunks: ReadonlySet<number> | undefined;
  readonly candidates: readonly Candidate[];
  /** The number of distinct records. One record may affect several contents. */
  readonly records: number;
}

export interface Plan {
  readonly roots: readonly Branch[];
  /** All branches, by number. */
  readonly branches: readonly Branch[];
  /** The branch of each content: its own branch, or that of its nearest ancestor with the same difference. */
  readonly branchOf: ReadonlyMap<ContentKey, Branch>;
  readonly before: ChunkedSets;
  readonly after: ChunkedSets;
}

const PLACES = statement<[id: string, position: number]>(
  ({ texts }) => `
    SELECT p.key, m.position FROM ${texts("$3", "wanted")} CROSS JOIN place p CROSS JOIN member m
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = wanted.value
        AND ${holds("m")} AND m.position = p.position`,
);

/** The positions of those users in `ids` who are members, by user id. */
export async function positionsOf(reading: Reading, ids: readonly string[]): Promise<Map<string, number>> {
  return new Map(ids.length === 0 ? [] : await reading.read(PLACES, ...reading.asOf, ids));
}

export async function planOf(
  sides: TwoReadings,
  changes: AccessChanges,
  forest: Forest,
  alignment: Alignment,
): Promise<Plan> {
  const [before, after] = await Promise.all([
    headsOf(sides.before, forest.roots.keys()),
    headsAfter(sides.after, forest),
  ]);
  const users = [...changes.permissions, ...changes.memberships].flatMap(({ member }) => member ?? []);
  const positions = await positionsOf(sides.after, [...new Set(users)]);
  return new Planner(alignment, before, after, positions).plan(forest);
}

class Planner {
  readonly #alignment: Alignment;
  readonly #sides: TwoReadings;
  readonly #heads: { readonly before: ReadonlyMap<string, Head>; readonly after: ReadonlyMap<string, Head> };
  readonly #positions: ReadonlyMap<string, number>;
  readonly #before = new LadderSteps();
  readonly #after = new LadderSteps();
  readonly #candidates = new Map<ContentKey, CandidatesOn>();

  constructor(
    alignment: Alignment,
    before: ReadonlyMap<string, Head>,
    after: ReadonlyMap<string, Head>,
    positions: ReadonlyMap<string, number>,
  ) {
    this.#alignment = alignment;
    this.#sides = alignment.sides;
    this.#heads = { before, after };
    this.#positions = positions;
    for (const { names } of [this.#before, this.#after]) {
      names.of(memberSets.withRole("admin"));
      names.of(memberSets.withRole(null));
    }
  }

  async plan({ roots, heirs }: Forest): Promise<Plan> {
    const branchOf = new Map<ContentKey, Branch>();
    const branches: Branch[] = [];
    const add = (key: ContentKey, branch: Omit<Branch, "number" | "below">): Branch => {
      const added = { ...branch, number: branches.length, below: [] };
      branches.push(added);
      branchOf.set(key, added);
      return added;
    };
    const planned: Branch[] = [];
    const grafts: { readonly branch: Branch; readonly parent: ContentKey }[] = [];
    for await (const root of inTurns(roots.values())) {
      const above = parentOf(root);
      const parent = above !== undefined && (roots.has(above) || heirs.has(above)) ? above : undefined;
      const own = this.#candidatesOn(root).chunks;
      const isHeir = parent !== undefined && own !== undefined;
      const fold = this.#foldOf(root, roots, isHeir ? own : undefined);
      const branch = add(root.content, { fold, own: this.#setsOfRoot(root), unshared: [] });
      planned.push(branch);
      if (isHeir) grafts.push({ branch, parent });
    }
    const folded = new Set<object>([...roots.values()].flatMap(({ after = [] }) => after));
    const alike = new Map<string, Branch>();
    for await (const [key, heir] of inTurns(heirs)) {
      const above = branchOf.get(heir.parent);
      if (above === undefined)
        throw new Error(`${heir.parent}, which ${key} inherits from, is not compared.`);
      const { own, unshared } = this.#setsOn(heir, folded.has(heir));
      const name = `${above.number}/${own}`;
      const known =
        own.length + unshared.length === 0 ? above : unshared.length === 0 ? alike.get(name) : undefined;
      if (known !== undefined) {
        branchOf.set(key, known);
        continue;
      }
      const branch = add(key, { own, unshared });
      above.below.push(branch);
      if (unshared.length === 0) alike.set(name, branch);
    }
    for (const { branch, parent } of grafts) branchOf.get(parent)?.below.push(branch);
    return {
      roots: planned,
      branches,
      branchOf,
      before: new ChunkedSets(this.#before.names.names, (name) => this.#heads.before.get(name)),
      after: new ChunkedSets(this.#after.names.names, (name) => this.#heads.after.get(name)),
    };
  }

  /** The fold of a root. `chunks` has the chunks in which the root is folded, if the caller knows them. */
  #foldOf(
    root: Root,
    roots: ReadonlyMap<ContentKey, Root>,
    chunks: ReadonlySet<number> | undefined,
  ): RootFold {
    const { before, after } = root;
    const fold = {
      content: root.content,
      before: before === undefined ? undefined : this.#before.of(before),
      after: after === undefined ? undefined : this.#after.of(after),
    };
    const [, later] = inTime(this.#sides, before, after);
    const concerned = later === undefined ? [root] : later.flatMap(({ content }) => roots.get(content) ?? []);
    const all = concerned.map((each) => this.#candidatesOn(each));
    const candidates = all.flatMap((each) => each.candidates);
    const records = new Set(candidates.map(({ record }) => record)).size;
    return { ...fold, chunks: chunks ?? unionOf(all.map((each) => each.chunks)), candidates, records };
  }

  /** The candidates of the changes on the content itself. */
  #candidatesOn({ content, records }: Root): CandidatesOn {
    const known = this.#candidates.get(content);
    if (known !== undefined) return known;
    const candidates = records.map((record) => this.#candidateOf(record, content));
    const chunks = unionOf(candidates.map((candidate) => this.#chunksOf(candidate)));
    const made = { candidates, chunks };
    this.#candidates.set(content, made);
    return made;
  }

  #candidateOf(record: ChangedRecord, at: ContentKey): Candidate {
    const { member, team } = record;
    if (member !== undefined) {
      const position = this.#positions.get(member) ?? -1;
      return { record, at, user: { chunk: chunkOf(position), slot: slotOf(position) } };
    }
    if (team === undefined) return { record, at };
    const name = memberSets.ofTeam(team);
    const [earlier, later] = inTime(this.#sides, this.#before.names.of(name), this.#after.names.of(name));
    return {
      record,
      at,
      team: { earlier, later },
    };
  }

  /** The chunks in which a record may change a role; `undefined` for all chunks. */
  #chunksOf({ record, user }: Candidate): readonly number[] | undefined {
    if (user !== undefined) return [user.chunk];
    if (record.team === undefined) return undefined;
    const name = memberSets.ofTeam(record.team);
    return [
      ...this.#alignment.chunksOfBefore(this.#heads.before.get(name) ?? EMPTY),
      ...chunksIn(this.#heads.after.get(name) ?? EMPTY),
    ];
  }

  /**
   * The indexes of the sets of users and teams with a permission on the root itself. All remain sets, because the fold
   * reads them.
   */
  #setsOfRoot({ after = [] }: Root): readonly number[] {
    const [content] = after;
    return content === undefined ? [] : this.#setsOn(content, true).own;
  }

  /**
   * The nonempty sets of users and teams with a permission on the content itself. Small sets of users become positions,
   * because they are very many and no other content uses them. With `isFolded`, they remain sets, because a fold needs
   * them.
   */
  #setsOn({ content, teams }: Pick<Content, "content" | "teams">, isFolded: boolean): OwnSets {
    const own: number[] = [];
    const unshared: number[] = [];
    for (const role of ROLES) {
      const name = memberSets.given(content, role);
      const head = this.#heads.after.get(name);
      if (head === undefined) continue;
      if (isFolded || "chunks" in head) own.push(this.#after.names.of(name));
      else unshared.push(...head.positions);
    }
    for (const team of teams.keys()) {
      const name = memberSets.ofTeam(team);
      if (this.#heads.after.has(name)) own.push(this.#after.names.of(name));
    }
    return { own, unshared };
  }
}

interface CandidatesOn {
  readonly candidates: readonly Candidate[];
  /** The chunks in which these changes may change a role; `undefined` for all chunks. */
  readonly chunks: ReadonlySet<number> | undefined;
}

function unionOf(sets: readonly (Iterable<number> | undefined)[]): ReadonlySet<number> | undefined {
  const all = new Set<number>();
  for (const set of sets) {
    if (set === undefined) return undefined;
    for (const chunk of set) all.add(chunk);
  }
  return all;
}

/** The content from which a root inherits at the later revision, if the root exists at both revisions. */
function parentOf({ before, after }: Root): ContentKey | undefined {
  return before === undefined ? undefined : after?.[1]?.content;
}

/** Reads the heads of the sets of direct permissions on the given contents. The heads of one content are adjacent. */
const GIVEN_ON = statement<[name: string, bits: Uint8Array]>(
  ({ texts, lookUp }) => `
    SELECT c.name, c.bits FROM ${lookUp(
      texts("$3", "wanted"),
      "container",
      "c",
      `${holds("c")} AND c.universe = ${MEMBERS} AND c.chunk = ${HEADS}
        AND c.name >= 'direct/' || wanted.value || '/' AND c.name < 'direct/' || wanted.value || '0'`,
    )}`,
);

/** The heads of all sets in the ladders of contents, and in `others`. */
async function headsOf(
  reading: Reading,
  keys: Iterable<ContentKey>,
  others: Iterable<Content> = [],
): Promise<Map<string, Head>> {
  const index = await universeIndex(reading, MEMBERS);
  return headsIn([...(await loaded(reading, [...keys])).values(), ...others], index);
}

/** The heads of all sets that a plan uses at the later revision. */
async function headsAfter(reading: Reading, { roots, heirs }: Forest): Promise<Map<string, Head>> {
  const withoutUsers = [...heirs.values()].map((heir) => ({ ...heir, direct: NO_USERS }));
  const heads = await headsOf(reading, roots.keys(), withoutUsers);
  for (const [name, bits] of await reading.read(GIVEN_ON, ...reading.asOf, [...heirs.keys()])) {
    heads.set(name, headOf(bits));
  }
  return heads;
}
