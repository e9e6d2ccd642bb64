/** Finds the changed records that may have caused one user's differences, without loading ladders. */
import type { AccessChanges } from "../log/access-changes.ts";
import type { ChangedRecord } from "../log/log.ts";
import type { TwoTrees, UserOfBoth } from "./two-trees.ts";

type Causes = readonly ChangedRecord[];
const NONE: Causes = [];

export class UserCauses {
  readonly #trees: TwoTrees;
  readonly #contents = new Map<number, ChangedRecord>();
  readonly #permissionsOf = new Map<string, ChangedRecord[]>();
  readonly #grantsOf = new Map<string, ChangedRecord[]>();
  readonly #membershipsOf = new Map<string, ChangedRecord[]>();

  constructor(trees: TwoTrees, { contents, permissions, memberships }: AccessChanges) {
    this.#trees = trees;
    for (const [key, record] of contents) {
      const index = trees.indexOf(key);
      if (index !== undefined) this.#contents.set(index, record);
    }
    for (const record of permissions) {
      if (record.member !== undefined) add(this.#permissionsOf, record.member, record);
      else if (record.team !== undefined) add(this.#grantsOf, record.team, record);
    }
    for (const record of memberships) add(this.#membershipsOf, record.member ?? "", record);
  }

  /**
   * Returns a function that finds the possible causes of the user's difference on a content: the changed records that
   * affect the user on the content or on a content from which it inherits. The search ends at a content on which a
   * permission decides at both revisions.
   */
  of(user: UserOfBoth): (index: number) => Causes {
    const trees = this.#trees;
    const own = this.#ownOf(user);
    const known = new Map<number, Causes>();
    const isDecided = isDecidedFor(trees, user);
    const find = (index: number): Causes => {
      const found = known.get(index);
      if (found !== undefined) return found;
      const content = this.#contents.get(index);
      let causes = own.get(index) ?? NONE;
      if (!trees.isOnBoth(index)) causes = NONE;
      else if (!isDecided(index)) {
        const parent = trees.after.parentOf(index);
        const above = parent === undefined ? NONE : find(parent);
        causes = causes.length === 0 ? above : above.length === 0 ? causes : [...causes, ...above];
      }
      if (content !== undefined) causes = [content, ...causes];
      known.set(index, causes);
      return causes;
    };
    return find;
  }

  /**
   * The changes of the user's own permissions and teams, and of the grants of these teams, by the index of the content.
   */
  #ownOf({ id, had, has }: UserOfBoth): ReadonlyMap<number, readonly ChangedRecord[]> {
    const { before, after } = this.#trees;
    const own = new Map<number, ChangedRecord[]>();
    const at = (index: number | undefined, record: ChangedRecord) => {
      if (index !== undefined) add(own, index, record);
    };
    const on = (record: ChangedRecord) =>
      at(record.content === undefined ? undefined : this.#trees.indexOf(record.content), record);
    for (const record of this.#permissionsOf.get(id) ?? NONE) on(record);
    const teams = new Set([...(had?.teams ?? []), ...(has?.teams ?? [])]);
    for (const team of teams) for (const record of this.#grantsOf.get(team) ?? NONE) on(record);
    for (const record of this.#membershipsOf.get(id) ?? NONE) {
      const { team = "" } = record;
      const numbers = new Set(after.grantsOf(team).map(([number]) => number));
      for (const [number] of before.grantsOf(team)) {
        const key = before.keys[number];
        const index = key === undefined ? undefined : this.#trees.indexOf(key);
        if (index !== undefined) numbers.add(index);
      }
      for (const number of numbers) at(number, record);
    }
    return own;
  }
}

/** Whether a permission on the content itself decides for a user at both revisions. */
function isDecidedFor(trees: TwoTrees, { had, has }: UserOfBoth): (index: number) => boolean {
  const old = had && trees.before.ownRanksOf(had);
  const now = has && trees.after.ownRanksOf(has);
  return (index) => (now?.[index] ?? 0) > 0 && (old?.[trees.numberBefore(index)] ?? 0) > 0;
}

function add<Key>(lists: Map<Key, ChangedRecord[]>, key: Key, record: ChangedRecord): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [record]);
  else list.push(record);
}
