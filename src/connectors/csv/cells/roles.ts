import { isRole, type Role, ROLES } from "../../../domain/role.ts";
import { fold } from "../../../domain/text.ts";
import type { Table } from "../sheet/table.ts";

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

  /** What a table accepts as a role, for messages. */
  accepts(sheet: "people" | "access" | "effective"): string {
    const more = { people: ", guest", access: "", effective: ", none" }[sheet];
    return `accepted: ${ROLES.join(", ")}${more}, or a role that --roles translates`;
  }

  async load(table: Table<"roles"> | undefined): Promise<void> {
    await table?.read([["from"], ["to"]], (row) => {
      const from = fold(row.get("from"));
      const to = fold(row.get("to"));
      const known = this.#words.get(from);
      if (from === "") table.wrong(row.number, "from", "", "accepted: a role as the other files have it");
      else if (!WORDS.includes(to))
        table.wrong(row.number, "to", row.get("to"), `accepted: ${WORDS.join(", ")}`);
      else if (known !== undefined && known !== to) {
        table.wrong(
          row.number,
          "from",
          row.get("from"),
          `another row translates it to ${known}; accepted: one translation`,
        );
      } else this.#words.set(from, to);
    });
  }
}

function isRoleWord(word: string): word is RoleWord {
  return isRole(word) || word === "guest" || word === "none";
}
