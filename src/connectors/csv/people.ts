/** The people of a conversion. */
import { copied } from "../../domain/copied.ts";
import type { Role } from "../../domain/role.ts";
import { fold, looksSame } from "../../domain/text.ts";
import { show } from "../../snapshot/problem.ts";
import { type SnapshotRecord, USER_ID_ACCEPTS } from "../../snapshot/records.ts";
import { type RoleWord, isUserId } from "./cells.ts";
import type { Notes, Row, Table } from "./table.ts";

interface Described {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role | "guest";
  /** Known, so that other tables may name them, but not a member any more. */
  readonly left: boolean;
}

/** A person, and the first row that names them. */
interface DescribedPerson extends Described {
  readonly row: number;
}

/** All people, by number. An id or e-mail address belongs to one person, whatever its case. */
export class People {
  readonly #all: DescribedPerson[] = [];
  /** The numbers of people by their ids and addresses, folded. */
  readonly #numbers = new Map<string, number>();

  /** Adds a row. Returns the person's number; `undefined` if the row has an error. */
  add(table: Table<"people">, row: Row<"people">, role: RoleWord, left: boolean): number | undefined {
    const id = row.get("id");
    const email = row.get("email");
    const field = id === "" ? "email" : "id";
    const key = id || email;
    if (role === "none") row.wrong("role", "a person is a member with a role, or a guest");
    else if (key === "") row.wrong(row.has("id") ? "id" : "email", "accepted: an id or an e-mail address");
    else if (!isUserId(key)) row.wrong(field, `accepted: ${USER_ID_ACCEPTS}`);
    else {
      const owner = this.find(key);
      const same =
        owner !== undefined &&
        (looksSame(this.idOf(owner), key) || (id === "" && looksSame(this.#all[owner]?.email ?? "", key)));
      if (owner !== undefined && !same) {
        row.wrong(
          field,
          `${this.#known(table, owner)}; accepted: ids and addresses that differ in more than case`,
        );
      } else return this.#take(table, row, owner, { id: key, email, name: row.get("name"), role, left });
    }
    return undefined;
  }

  /** Adds a guest whom only another table names. Returns the person's number. */
  addGuest(id: string, row: number): number {
    return this.#add({ id, email: "", name: "", role: "guest", left: false, row });
  }

  /** By id or e-mail address. */
  find(reference: string): number | undefined {
    return this.#numbers.get(fold(reference));
  }

  idOf(person: number): string {
    return this.#all[person]?.id ?? "";
  }

  hasLeft(person: number): boolean {
    return this.#all[person]?.left === true;
  }

  get size(): number {
    return this.#all.length;
  }

  #take(
    table: Table<"people">,
    row: Row<"people">,
    owner: number | undefined,
    said: Described,
  ): number | undefined {
    if (owner !== undefined) return this.#agrees(table, row, owner, said) ? owner : undefined;
    const other = said.email === "" ? undefined : this.find(said.email);
    if (other !== undefined) {
      row.wrong("email", `${this.#known(table, other)}; accepted: an address of one person`);
      return undefined;
    }
    return this.#add({ ...said, row: row.number });
  }

  /**
   * Whether a further row of a person agrees with the first. A person may have a row for each team; the other cells
   * must be equal or blank.
   */
  #agrees(table: Table<"people">, row: Row<"people">, person: number, said: Described): boolean {
    const before = this.#all[person];
    if (before === undefined) throw new RangeError(`There is no person ${person}.`);
    if (said.left !== before.left && row.get("left") !== "") {
      const accepts = "accepted: the same on every row of a person";
      row.wrong("left", `${this.#known(table, person)} with another; ${accepts}`);
      return false;
    }
    for (const field of ["email", "name", "role"] as const) {
      if (field === "role" && before.left) continue;
      if (looksSame(said[field], before[field]) || (said[field] === "" && field !== "role")) continue;
      row.wrong(
        field,
        `${this.#known(table, person)} with ${show(before[field])}; accepted: the same on every row of a person`,
      );
      return false;
    }
    return true;
  }

  #add({ id: given, email, name, role, left, row }: DescribedPerson): number {
    const id = copied(given);
    const kept = { id, email: email === id ? id : copied(email), name: copied(name), role, left, row };
    const person = this.#all.push(kept) - 1;
    for (const key of [kept.id, kept.email || kept.id]) {
      const folded = fold(key);
      // Most are their own folded form: one text in memory is enough for both.
      this.#numbers.set(folded === key ? key : folded, person);
    }
    return person;
  }

  #known(table: Table<"people">, person: number): string {
    const { row = 0, id } = this.#all[person] ?? {};
    return `${table.rowName(row)} has ${show(id)}`;
  }

  /** Members with the role admin get the role `admins`. */
  *records(organization: string, admins: Role, notes: Notes): Generator<SnapshotRecord> {
    for (const { id, email, name, role, left } of this.#all) {
      if (left) continue;
      if (name === "") notes.add("People without a name, shown as their address or id", email || id);
      if (role === "admin" && admins !== "admin")
        notes.add(`Members with role admin, made ${admins}: an admin would have every content`, id);
      yield { object: "user", id, displayName: name || email || id, ...(email === "" ? {} : { email }) };
      yield {
        object: "member",
        organization,
        user: id,
        role: role === "guest" ? null : role === "admin" ? admins : role,
      };
    }
  }
}
