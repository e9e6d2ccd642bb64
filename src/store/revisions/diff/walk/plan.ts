/** What is folded where to compare the contents of a forest, put together once for all chunks. */
import type { ContentKey } from "../../../domain/content.ts";
import { EMPTY, type Head } from "../../../sets/head.ts";
import { chunkOf, slotOf } from "../../../sets/position.ts";
import type { Content } from "../../directory/content.ts";
import { statement } from "../../engine/engine.ts";
import { holds } from "../../schema/as-of.ts";
import { headsOfLadders } from "../../directory/inheritance.ts";
import { LadderSteps, type QueryLadder } from "../../listings/steps.ts";
import { ROLES } from "../../../domain/role.ts";
import type { Reading } from "../../reading.ts";
import { MEMBERS, memberSets } from "../../schema/set-names.ts";
import { ChunkedSets } from "../../sets/set-store.ts";
import type { AccessChanges } from "./access-changes.ts";
import type { Alignment } from "./alignment.ts";
import type { Forest, Root, Sides } from "./forest.ts";
import type { ChangedRecord } from "./log.ts";

/** A changed record and whom it may concern. */
export interface Candidate {
  readonly record: ChangedRecord;
  /** The content that it changed. */
  readonly at: ContentKey;
  /** Of a team's permission: the team's members at the two sides, as places among their sets. */
  readonly team?: { readonly before: number | undefined; readonly after: number | undefined };
  /** Of one user's record: where they stand at the later side. */
  readonly user?: { readonly chunk: number; readonly slot: number };
}

/** A content to be compared, with those below that differ where it does, less whom they decide themselves. */
export interface Branch {
  readonly content: ContentKey;
  /** Of a root: what is folded on either side. */
  readonly fold?: RootFold;
  /** Sets of the later side that decide on the very content. */
  readonly own: readonly number[];
  readonly below: Branch[];
}

export interface RootFold {
  readonly before: QueryLadder | undefined;
  readonly after: QueryLadder | undefined;
  /** The chunks in which anything can differ; absent: in all. */
  readonly chunks: ReadonlySet<number> | undefined;
  readonly candidates: readonly Candidate[];
}

export interface Plan {
  readonly roots: readonly Branch[];
  /** The branch that tells how a content differs: its own, or that of the content above it that differs alike. */
  readonly branches: ReadonlyMap<ContentKey, Branch>;
  readonly before: ChunkedSets;
  readonly after: ChunkedSets;
}

const PLACES = statement<[id: string, position: number]>(
  ({ texts }) => `
    SELECT p.key, m.position FROM ${texts("$3", "wanted")} CROSS JOIN place p CROSS JOIN member m
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = wanted.value
        AND ${holds("m")} AND m.position = p.position`,
);

/** Where some users stand who are members. */
export async function positionsOf(reading: Reading, ids: readonly string[]): Promise<Map<string, number>> {
  return new Map(ids.length === 0 ? [] : await reading.read(PLACES, ...reading.asOf, ids));
}

export async function planOf(
  sides: Sides,
  changes: AccessChanges,
  forest: Forest,
  alignment: Alignment,
): Promise<Plan> {
  const roots = [...forest.roots.values()];
  const [before, after] = await Promise.all([
    headsOfLadders(
      sides.before,
      roots.map(({ content }) => content),
    ),
    headsOfLadders(sides.after, [...forest.roots.keys(), ...forest.heirs.keys()]),
  ]);
  const users = [...changes.permissions, ...changes.memberships].flatMap(({ member }) => member ?? []);
  const positions = await positionsOf(sides.after, [...new Set(users)]);
  return new Planner(alignment, before, after, positions).plan(forest);
}

class Planner {
  readonly #alignment: Alignment;
  readonly #heads: { readonly before: ReadonlyMap<string, Head>; readonly after: ReadonlyMap<string, Head> };
  readonly #positions: ReadonlyMap<string, number>;
  readonly #before = new LadderSteps();
  readonly #after = new LadderSteps();

  constructor(
    alignment: Alignment,
    before: ReadonlyMap<string, Head>,
    after: ReadonlyMap<string, Head>,
    positions: ReadonlyMap<string, number>,
  ) {
    this.#alignment = alignment;
    this.#heads = { before, after };
    this.#positions = positions;
    for (const { names } of [this.#before, this.#after]) {
      names.of(memberSets.withRole("admin"));
      names.of(memberSets.withRole(null));
    }
  }

  plan({ roots, heirs }: Forest): Plan {
    const branches = new Map<ContentKey, Branch>();
    const planned: Branch[] = [];
    for (const root of roots.values()) {
      const branch: Branch = {
        content: root.content,
        fold: this.#foldOf(root, roots),
        own: root.after?.[0] === undefined ? [] : this.#setsOn(root.after[0]),
        below: [],
      };
      branches.set(root.content, branch);
      planned.push(branch);
    }
    for (const [key, { content, parent }] of heirs) {
      const above = branches.get(parent);
      if (above === undefined) throw new Error(`${parent}, which ${key} inherits from, is not compared.`);
      const own = this.#setsOn(content);
      if (own.length === 0) {
        branches.set(key, above);
        continue;
      }
      const branch: Branch = { content: key, own, below: [] };
      above.below.push(branch);
      branches.set(key, branch);
    }
    return {
      roots: planned,
      branches,
      before: opened(this.#before.names.names, this.#heads.before),
      after: opened(this.#after.names.names, this.#heads.after),
    };
  }

  #foldOf(root: Root, roots: ReadonlyMap<ContentKey, Root>): RootFold {
    const { before, after } = root;
    const fold = {
      before: before === undefined ? undefined : this.#before.of(before),
      after: after === undefined ? undefined : this.#after.of(after),
    };
    // What comes or goes as a whole needs no other cause.
    const isWhole = before === undefined || after === undefined;
    const concerned = isWhole ? [root] : after.flatMap(({ content }) => roots.get(content) ?? []);
    const candidates = concerned
      .flatMap(({ content, records }) => records.map((record) => this.#candidateOf(record, content)))
      .filter(({ record }) => !isWhole || record.kind === "space" || record.kind === "collection");
    const chunks = new Set<number>();
    for (const candidate of candidates) {
      const own = this.#chunksOf(candidate);
      if (own === undefined) return { ...fold, chunks: undefined, candidates };
      for (const chunk of own) chunks.add(chunk);
    }
    return { ...fold, chunks, candidates };
  }

  #candidateOf(record: ChangedRecord, at: ContentKey): Candidate {
    const { member, team } = record;
    if (member !== undefined) {
      const position = this.#positions.get(member) ?? -1;
      return { record, at, user: { chunk: chunkOf(position), slot: slotOf(position) } };
    }
    if (team === undefined) return { record, at };
    const name = memberSets.ofTeam(team);
    return {
      record,
      at,
      team: { before: this.#before.names.of(name), after: this.#after.names.of(name) },
    };
  }

  /** The chunks in which a record can change anything; `undefined`: in all. */
  #chunksOf({ record, user }: Candidate): readonly number[] | undefined {
    if (user !== undefined) return [user.chunk];
    if (record.team === undefined) return undefined;
    const name = memberSets.ofTeam(record.team);
    return [
      ...this.#alignment.chunksOfBefore(this.#heads.before.get(name) ?? EMPTY),
      ...this.#alignment.chunksOfAfter(this.#heads.after.get(name) ?? EMPTY),
    ];
  }

  /** The sets of who was given something on the very content, as far as anybody was. */
  #setsOn({ content, teams }: Content): number[] {
    const names = [
      ...ROLES.map((role) => memberSets.given(content, role)),
      ...[...teams.keys()].map((team) => memberSets.ofTeam(team)),
    ];
    return names.filter((name) => this.#heads.after.has(name)).map((name) => this.#after.names.of(name));
  }
}

function opened(names: readonly string[], heads: ReadonlyMap<string, Head>): ChunkedSets {
  return new ChunkedSets(
    MEMBERS,
    names,
    names.map((name) => heads.get(name) ?? EMPTY),
  );
}
