/** The tables of permissions and of effective roles. */
import { rank, roleOf } from "../../domain/role.ts";
import { looksSame } from "../../domain/text.ts";
import { show } from "../../snapshot/problem.ts";
import { type SnapshotRecord, USER_ID_ACCEPTS } from "../../snapshot/records.ts";
import { type Roles, isUserId } from "./cells.ts";
import { type Contents, referenceAccepts } from "./contents.ts";
import { Pairs } from "./kept.ts";
import type { People } from "./people.ts";
import type { Notes, Row, Table } from "./table.ts";
import type { Teams } from "./teams.ts";
import { isAddress, type Unknown } from "./unknown.ts";

/** The columns that name whom a row gives a role. */
const GRANTEES = ["user", "team", "who"] as const;
type GranteeColumn = (typeof GRANTEES)[number];

type AccessSheet = "access" | "effective";

export interface World {
  readonly people: People;
  readonly teams: Teams;
  readonly contents: Contents;
  readonly roles: Roles;
  readonly notes: Notes;
  readonly unknown: Unknown;
  /** `content` is absent if there is no table of contents: then contents are made from the paths in the rows. */
  readonly tables: {
    readonly people: Table<"people"> | undefined;
    readonly content: Table<"content"> | undefined;
  };
}

/** Roles by grantee and content. A row is kept as a few numbers. */
export class GrantedRoles {
  readonly #users = new Pairs();
  readonly #teams = new Pairs();
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Reads direct permissions and team grants. */
  async loadGiven(table: Table<"access">): Promise<void> {
    await table.read([["content"], ["user", "team", "who"], ["role"]], (row) => {
      const [field, second] = GRANTEES.filter((each) => row.get(each) !== "");
      if (field === undefined || second !== undefined) {
        const told = second ?? GRANTEES.find((each) => row.has(each)) ?? "user";
        const found = field === undefined ? "neither" : "both";
        row.wrong(told, `accepted: a user or a team, not ${found}`);
        return;
      }
      const text = row.get(field);
      const [person, team] = this.#named(field, text);
      if (person !== undefined && team !== undefined) {
        const either = `it may be the person ${show(this.#world.people.idOf(person))} or the team ${show(text)}`;
        row.wrong(field, `${either}; accepted: one of them, in a column for users or teams`);
      } else if (person !== undefined) this.#give(table, row, this.#users, person);
      else if (typeof team === "number") this.#give(table, row, this.#teams, team);
      else if (!this.#isLeftOut(table, row, field, text)) row.wrong(field, this.#accepts(field));
    });
  }

  #named(
    field: GranteeColumn,
    text: string,
  ): readonly [person: number | undefined, team: number | "several" | undefined] {
    const { people, teams } = this.#world;
    return [
      field === "team" ? undefined : people.find(text),
      field === "user" ? undefined : teams.find(text),
    ];
  }

  /** A text among people and teams may be a misspelt team, so only an address is surely a person's. */
  #isLeftOut(table: Table<"access">, row: Row<"access">, field: GranteeColumn, text: string): boolean {
    if (field === "team" || (field === "who" && !isAddress(text))) return false;
    return this.#world.unknown.leaveOut(table, row.number, field, text);
  }

  #accepts(field: GranteeColumn): string {
    const { teams, tables } = this.#world;
    const person = `the id or e-mail address of a row of ${tables.people?.file}`;
    if (field === "team") return teams.accepts;
    return field === "user" ? `accepted: ${person}` : `${teams.accepts}, or ${person}`;
  }

  /** Reads effective roles. They count as they are, whatever rules the other system has. */
  async loadEffective(table: Table<"effective">): Promise<void> {
    const { people, notes } = this.#world;
    const described = people.size;
    await table.read([["content"], ["user"], ["role"]], (row) => {
      const user = row.get("user");
      const known = people.find(user);
      if (!isUserId(user)) row.wrong("user", `accepted: ${USER_ID_ACCEPTS}`);
      else if (known !== undefined && known >= described && !looksSame(people.idOf(known), user)) {
        row.wrong("user", `another row has ${show(people.idOf(known))}; accepted: one spelling`);
      } else if (known !== undefined || !this.#world.unknown.leaveOut(table, row.number, "user", user)) {
        if (known === undefined) notes.add(`Users who are only in ${table.file}, made guests`, user);
        this.#give(table, row, this.#users, known ?? people.addGuest(user, row.number));
      }
    });
  }

  #give<S extends AccessSheet>(table: Table<S>, row: Row<S>, pairs: Pairs, grantee: number): void {
    const role = this.#world.roles.read(row.get("role"));
    if (role === "none" && table.sheet === "effective") {
      this.#world.notes.add(`Rows of ${table.file} that give nothing`, row.get("user"));
      return;
    }
    if (role === undefined || role === "none" || role === "guest") {
      row.wrong("role", this.#world.roles.accepts(table.sheet));
      return;
    }
    const content = this.#contentOf(table, row);
    if (content === undefined) return;
    if (pairs === this.#users && this.#world.people.hasLeft(grantee)) {
      this.#world.notes.add(
        `Rows of ${table.file} with people who have left, left out`,
        table.rowName(row.number),
      );
      return;
    }
    const before = pairs.add(content, grantee, rank(role), row.number);
    if (before === undefined) return;
    if (before.value === rank(role))
      this.#world.notes.add(`Rows of ${table.file} that repeat an earlier row`, table.rowName(row.number));
    else {
      const said = `${table.rowName(before.row)} says ${roleOf(before.value)} of the same`;
      const why =
        table.sheet === "effective"
          ? "one effective role for each user and content"
          : "one role for each user or team and content";
      row.wrong("role", `${said}; accepted: ${why}`);
    }
  }

  #contentOf<S extends AccessSheet>(table: Table<S>, row: Row<S>): number | undefined {
    const { contents, tables, notes } = this.#world;
    const reference = row.get("content");
    const found = contents.find(reference);
    if (typeof found === "number") return found;
    if (tables.content !== undefined) {
      row.wrong("content", referenceAccepts(found, tables.content.file));
      return undefined;
    }
    const made = contents.derive(reference, row.number, notes);
    if (made === undefined) row.wrong("content", "accepted: a path of titles, none of them blank");
    return made;
  }

  /** The permissions as records, direct ones first. */
  *records(): Generator<SnapshotRecord> {
    const { people, teams, contents } = this.#world;
    const on = (content: number) => {
      const { kind, id = "" } = contents.all[content] ?? {};
      return kind === "collection" ? { collection: id } : { space: id };
    };
    for (const { left, right, value } of this.#users) {
      yield { object: "permission", ...on(left), user: people.idOf(right), permission: roleOf(value) };
    }
    for (const { left, right, value } of this.#teams) {
      yield { object: "permission", ...on(left), team: teams.idOf(right), permission: roleOf(value) };
    }
  }
}
