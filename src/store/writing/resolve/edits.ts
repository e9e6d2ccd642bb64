/** What a change file says about the records of one organization: at most one edit of each record. */
import { idOf, kindOf } from "../../../domain/content.ts";
import { keyOfRecord, type RecordKind, type RecordNames } from "../../../domain/record-change.ts";

export interface Edit extends RecordNames {
  /** The line of the file; 0 for a record that a whole file lacks. */
  readonly line: number;
  /** What the record says from now on; `undefined` if the edit removes it. */
  readonly becomes: string | undefined;
  /** Whether the dependents of a removed record are removed with it. */
  readonly withAll: boolean;
}

export class Edits {
  readonly organization: string;
  readonly #all = new Map<string, Edit>();

  constructor(organization: string) {
    this.organization = organization;
  }

  /** The edits in the order of the file. */
  get all(): IteratorObject<Edit> {
    return this.#all.values();
  }

  of(...kinds: readonly RecordKind[]): Edit[] {
    return [...this.#all.values()].filter(({ kind }) => kinds.includes(kind));
  }

  get(names: RecordNames): Edit | undefined {
    return this.#all.get(keyOfRecord(names));
  }

  put(edit: Edit): void {
    this.#all.set(keyOfRecord(edit), edit);
  }
}

/** A record to which another one refers by its names. */
export interface RecordReference {
  readonly names: RecordNames;
  /** What messages call the record. */
  readonly what: string;
  /** The field of the other record in a file, and its value. */
  readonly field: string;
  readonly value: string;
}

/** The records to which a membership, a permission or a space on a site refers, in the order of its fields. */
export function referencesOf({ kind, member, team, content, site }: RecordNames): RecordReference[] {
  if (kind !== "teamMember" && kind !== "siteSpace" && kind !== "permission") return [];
  const found: RecordReference[] = [];
  const add = (names: RecordNames, what: string, field: string, value: string) =>
    found.push({ names, what, field: `${kind}.${field}`, value });
  if (site !== undefined) add({ kind: "site", site }, "site", "site", site);
  if (content !== undefined) {
    const of = kindOf(content);
    add({ kind: of, content }, of, of, idOf(content));
  }
  if (team !== undefined) add({ kind: "team", team }, "team", "team", team);
  if (member !== undefined) add({ kind: "member", member }, "member", "user", member);
  return found;
}

/** The field of a file that names a record, and its value. Of two names, the second. */
export function fieldOf(names: RecordNames): { readonly field: string; readonly value: string } {
  const last = referencesOf(names).at(-1);
  if (last !== undefined) return last;
  const { kind, member, team, content, site } = names;
  const id = content === undefined ? (member ?? team ?? site ?? "") : idOf(content);
  return { field: kind === "member" ? "member.user" : `${kind}.id`, value: id };
}

/** An error in a change file: the line of the record, the field, its value, and what is accepted. */
export interface Fault {
  readonly line: number;
  readonly field: string;
  readonly value: string;
  /** A remark that follows the value, such as the number of its dependents. */
  readonly note?: string;
  readonly accepted: string;
}
