import { rank, type Role, roleOf } from "../../domain/role.ts";
import { fold, looksSame } from "../../domain/text.ts";
import { type SnapshotRecord, USER_ID_ACCEPTS } from "../../snapshot/records.ts";
import { show } from "../../snapshot/problem.ts";
import { isUserId } from "./cells/accepted.ts";
import type { Notes } from "./sheet/notes.ts";
import type { RoleWord } from "./cells/roles.ts";
import type { Row, Table } from "./sheet/table.ts";
import { Strings } from "./kept/strings.ts";
import { Texts } from "./kept/texts.ts";

const NONE = -1;
const GUEST = 0;

interface Described {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role | "guest";
}

/** All people, by number. An id or e-mail address belongs to one person, whatever its case. */
export class People {
  /** A person's number is the number of their id. */
  readonly #ids = new Texts();
  readonly #texts = new Strings();
  readonly #name: number[] = [];
  readonly #email: number[] = [];
  readonly #role: number[] = [];
  readonly #row: number[] = [];
  /** The ids and addresses, folded. The owner of a key has the same number in `#owner`. */
  readonly #keys = new Texts();
  readonly #owner: number[] = [];

  /** Adds a row. Returns the person's number; `undefined` if the row has an error. */
  add(table: Table<"people">, row: Row<"people">, role: RoleWord): number | undefined {
    const id = row.get("id");
    const email = row.get("email");
    const field = id === "" ? "email" : "id";
    const key = id || email;
    if (role === "none")
      table.wrong(row.number, "role", row.get("role"), "a person is a member with a role, or a guest");
    else if (key === "")
      table.wrong(row.number, row.has("id") ? "id" : "email", "", "accepted: an id or an e-mail address");
    else if (!isUserId(key)) table.wrong(row.number, field, key, `accepted: ${USER_ID_ACCEPTS}`);
    else {
      const owner = this.find(key);
      const same =
        owner !== undefined &&
        (looksSame(this.#ids.at(owner), key) || (id === "" && looksSame(this.#emailOf(owner), key)));
      if (owner !== undefined && !same) {
        table.wrong(
          row.number,
          field,
          key,
          `${this.#known(table, owner)}; accepted: ids and addresses that differ in more than case`,
        );
      } else return this.#take(table, row, owner, { id: key, email, name: row.get("name"), role });
    }
    return undefined;
  }

  /** Adds a guest whom only another table names, if they do not exist. Returns the person's number. */
  addGuest(id: string, row: number): number {
    const person = this.#ids.add(id);
    if (person === this.#name.length) this.#describe(person, row, { id, email: "", name: "", role: "guest" });
    return person;
  }

  /** By id or e-mail address. */
  find(reference: string): number | undefined {
    const key = this.#keys.find(fold(reference));
    return key === undefined ? undefined : this.#owner[key];
  }

  idOf(person: number): string {
    return this.#ids.at(person);
  }

  get size(): number {
    return this.#ids.size;
  }

  #emailOf(person: number): string {
    const email = this.#email[person] ?? NONE;
    return email === NONE ? "" : this.#texts.at(email);
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
      table.wrong(
        row.number,
        "email",
        said.email,
        `${this.#known(table, other)}; accepted: an address of one person`,
      );
      return undefined;
    }
    const person = this.#ids.add(said.id);
    this.#describe(person, row.number, said);
    return person;
  }

  /**
   * Whether a further row of a person agrees with the first. A person may have a row for each team; the other cells
   * must be equal or blank.
   */
  #agrees(table: Table<"people">, row: Row<"people">, person: number, said: Described): boolean {
    const before = {
      email: this.#emailOf(person),
      name: this.#text(this.#name[person]),
      role: this.#roleOf(person),
    };
    for (const field of ["email", "name", "role"] as const) {
      if (looksSame(said[field], before[field]) || (said[field] === "" && field !== "role")) continue;
      table.wrong(
        row.number,
        field,
        row.get(field),
        `${this.#known(table, person)} with ${show(before[field])}; accepted: the same on every row of a person`,
      );
      return false;
    }
    return true;
  }

  #describe(person: number, row: number, { id, email, name, role }: Described): void {
    this.#name.push(name === "" ? NONE : this.#texts.push(name));
    this.#email.push(email === "" ? NONE : this.#texts.push(email));
    this.#role.push(role === "guest" ? GUEST : rank(role));
    this.#row.push(row);
    for (const key of new Set([fold(id), fold(email || id)])) {
      this.#keys.add(key);
      this.#owner.push(person);
    }
  }

  #known(table: Table<"people">, person: number): string {
    return `${table.rowName(this.#row[person] ?? NONE)} has ${show(this.#ids.at(person))}`;
  }

  #text(number = NONE): string {
    return number === NONE ? "" : this.#texts.at(number);
  }

  #roleOf(person: number): Role | "guest" {
    const stored = this.#role[person] ?? GUEST;
    return stored === GUEST ? "guest" : roleOf(stored);
  }

  /** Members with the role admin get the role `admins`. */
  *records(organization: string, admins: Role, notes: Notes): Generator<SnapshotRecord> {
    for (let person = 0; person < this.size; person++) {
      const id = this.#ids.at(person);
      const email = this.#emailOf(person);
      const name = this.#text(this.#name[person]);
      const role = this.#roleOf(person);
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
