/** Finds the changed records that may have caused one user's differences, without the ladders of the contents. */
import type { AccessChanges } from "../log/access-changes.ts";
import type { ChangedRecord } from "../log/log.ts";
import type { TwoTrees, UserOfBoth } from "./two-trees.ts";

type Causes = readonly ChangedRecord[];
const NONE: Causes = [];

/** The changed records, grouped by content, user or team. */
export class UserCauses {
  readonly #trees: TwoTrees;
  /** The changed contents, by place. */
  readonly #contents = new Map<number, ChangedRecord>();
  readonly #permissionsOf = new Map<string, ChangedRecord[]>();
  readonly #grantsOf = new Map<string, ChangedRecord[]>();
  readonly #membershipsOf = new Map<string, ChangedRecord[]>();

  constructor(trees: TwoTrees, { contents, permissions, memberships }: AccessChanges) {
    this.#trees = trees;
    for (const [key, record] of contents) {
      const place = trees.placeOf(key);
      if (place !== undefined) this.#contents.set(place, record);
    }
    for (const record of permissions) {
      if (record.member !== undefined) add(this.#permissionsOf, record.member, record);
      else if (record.team !== undefined) add(this.#grantsOf, record.team, record);
    }
    for (const record of memberships) add(this.#membershipsOf, record.member ?? "", record);
  }

  /**
   * Returns the possible causes of a user's difference for a place: the changed records that concern the user on the
   * content and on what it inherits from, up to a content on which a permission decides on both sides.
   */
  of(user: UserOfBoth): (place: number) => Causes {
    const trees = this.#trees;
    const own = this.#ownOf(user);
    const known = new Map<number, Causes>();
    const isDecided = isDecidedFor(trees, user);
    const find = (place: number): Causes => {
      const found = known.get(place);
      if (found !== undefined) return found;
      const content = this.#contents.get(place);
      let causes = own.get(place) ?? NONE;
      if (!trees.isOnBoth(place)) causes = NONE;
      else if (!isDecided(place)) {
        const parent = trees.after.parentOf(place);
        const above = parent === undefined ? NONE : find(parent);
        causes = causes.length === 0 ? above : above.length === 0 ? causes : [...causes, ...above];
      }
      if (content !== undefined) causes = [content, ...causes];
      known.set(place, causes);
      return causes;
    };
    return find;
  }

  /** The changes of the user's own permissions and teams, and of the permissions of these teams, by place. */
  #ownOf({ id, had, has }: UserOfBoth): ReadonlyMap<number, readonly ChangedRecord[]> {
    const { before, after } = this.#trees;
    const own = new Map<number, ChangedRecord[]>();
    const at = (place: number | undefined, record: ChangedRecord) => {
      if (place !== undefined) add(own, place, record);
    };
    const on = (record: ChangedRecord) =>
      at(record.content === undefined ? undefined : this.#trees.placeOf(record.content), record);
    for (const record of this.#permissionsOf.get(id) ?? NONE) on(record);
    const teams = new Set([...(had?.teams ?? []), ...(has?.teams ?? [])]);
    for (const team of teams) for (const record of this.#grantsOf.get(team) ?? NONE) on(record);
    for (const record of this.#membershipsOf.get(id) ?? NONE) {
      const { team = "" } = record;
      const numbers = new Set(after.grantsOf(team).map(([number]) => number));
      for (const [number] of before.grantsOf(team)) {
        const key = before.keys[number];
        const place = key === undefined ? undefined : this.#trees.placeOf(key);
        if (place !== undefined) numbers.add(place);
      }
      for (const number of numbers) at(number, record);
    }
    return own;
  }
}

/** Whether a permission on the content itself decides for a user on both sides. */
function isDecidedFor(trees: TwoTrees, { had, has }: UserOfBoth): (place: number) => boolean {
  const old = had && trees.before.ownRanksOf(had);
  const now = has && trees.after.ownRanksOf(has);
  return (place) => (now?.[place] ?? 0) > 0 && (old?.[trees.numberBefore(place)] ?? 0) > 0;
}

function add<Key>(lists: Map<Key, ChangedRecord[]>, key: Key, record: ChangedRecord): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [record]);
  else list.push(record);
}
