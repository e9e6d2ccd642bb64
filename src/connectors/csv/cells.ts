/** What cells mean that occur in several tables: ids, dates and the words for roles. */
import { Compile } from "typebox/schema";
import { normaliseDate } from "../../domain/date.ts";
import { ROLES, type Role, isRole } from "../../domain/role.ts";
import { fold } from "../../domain/text.ts";
import { id, userId } from "../../snapshot/records.ts";
import type { Notes, Table } from "./table.ts";

const userIds = Compile(userId);
const ids = Compile(id);

/** Whether a user may have this id (docs/snapshot.md). */
export function isUserId(text: string): boolean {
  return userIds.Check(text);
}

/** Whether a team, a content or a site may have this id (docs/snapshot.md). */
export function isId(text: string): boolean {
  return ids.Check(text);
}

/** Records without a date get this one: with the current time, every import would change them. */
const BEGINNING = "1970-01-01T00:00:00.000Z";

export const DATE_ACCEPTS = "accepted: a date such as 2025-03-01 or 2025-03-01T09:30:00Z, or nothing";

/** A date as a snapshot has it. A day without a time begins at 00:00 UTC. `undefined` for a blank or invalid cell. */
export function readDate(cell: string): string | undefined {
  return normaliseDate(/^\d{4}-\d\d-\d\d$/.test(cell) ? `${cell}T00:00:00Z` : cell);
}

export const LEFT_ACCEPTS = `accepted: yes, no, ${DATE_ACCEPTS.replace(/^accepted: /, "")}`;
const DAY = 86_400_000;

/**
 * Whether a person has left: `yes`, or a day (UTC) or time that is over. `undefined` for a cell that is neither this nor
 * `no`, a coming date or blank.
 */
export function readLeft(cell: string, now = Date.now()): boolean | undefined {
  const word = fold(cell);
  if (word === "yes" || word === "no" || word === "") return word === "yes";
  const date = readDate(cell);
  if (date === undefined) return undefined;
  return Date.parse(date) + (cell.includes(":") ? 0 : DAY) <= now;
}

/** A missing date becomes 1970-01-01, with a note. */
export function dateOr(date: string | undefined, what: string, title: string, notes: Notes): string {
  if (date === undefined) notes.add(`${what} without a date of creation, given 1970-01-01`, title);
  return date ?? BEGINNING;
}

export type RoleWord = Role | "guest" | "none";

const WORDS: readonly string[] = [...ROLES, "guest", "none"];

/** The words for roles: Rolebook's own, and those of another system that `--roles` translates. */
export class Roles {
  readonly #words = new Map<string, string>();

  /** `undefined` for a word that is not accepted. */
  read(cell: string): RoleWord | undefined {
    const key = fold(cell);
    const word = this.#words.get(key) ?? key;
    return isRoleWord(word) ? word : undefined;
  }

  /** A cell without a translation stays as it is: it may have another word than a role. */
  translate(cell: string): string {
    const key = fold(cell);
    return this.#words.get(key) ?? key;
  }

  /** What is accepted as a role: of people, of permissions on contents and on sites, and of effective roles; for messages. */
  accepts(of: "people" | "content" | "site" | "effective"): string {
    const more = { people: ", guest", content: "", site: ", none", effective: ", none" }[of];
    return `accepted: ${ROLES.join(", ")}${more}, or a role that --roles translates`;
  }

  async load(table: Table<"roles"> | undefined): Promise<void> {
    await table?.read([["from"], ["to"]], (row) => {
      const from = fold(row.get("from"));
      const to = fold(row.get("to"));
      const known = this.#words.get(from);
      if (from === "") row.wrong("from", "accepted: a role as the other files have it");
      else if (!WORDS.includes(to)) row.wrong("to", `accepted: ${WORDS.join(", ")}`);
      else if (known !== undefined && known !== to) {
        row.wrong("from", `another row translates it to ${known}; accepted: one translation`);
      } else this.#words.set(from, to);
    });
  }
}

function isRoleWord(word: string): word is RoleWord {
  return isRole(word) || word === "guest" || word === "none";
}
