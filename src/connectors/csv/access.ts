/** The tables of permissions and of effective roles. */
import { rank, type Role, roleOf } from "../../domain/role.ts";
import { looksSame } from "../../domain/text.ts";
import { show } from "../../snapshot/problem.ts";
import { type SnapshotRecord, USER_ID_ACCEPTS } from "../../snapshot/records.ts";
import { type Roles, isUserId } from "./cells.ts";
import { type Contents, referenceAccepts } from "./contents.ts";
import { Pairs } from "./kept.ts";
import type { People } from "./people.ts";
import type { Notes, Row, Table } from "./table.ts";
import type { Sites } from "./sites.ts";
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
  readonly sites: Sites;
  readonly roles: Roles;
  readonly notes: Notes;
  readonly unknown: Unknown;
  /** `content` is absent if there is no table of contents: then contents are made from the paths in the rows. */
  readonly tables: {
    readonly people: Table<"people"> | undefined;
    readonly content: Table<"content"> | undefined;
  };
}

/** Who gets a role, and on what. */
interface Given {
  readonly to: "users" | "teams";
  readonly grantee: number;
  readonly on: "content" | "site";
  /** The number of the content or the site; `undefined` if the row names none, which is then told. */
  readonly find: () => number | undefined;
}

/** Roles by grantee and content or site. A row is kept as a few numbers. */
export class GrantedRoles {
  readonly #given = {
    content: { users: new Pairs(), teams: new Pairs() },
    site: { users: new Pairs(), teams: new Pairs() },
  };
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Reads direct permissions and team grants. */
  async loadGiven(table: Table<"access">): Promise<void> {
    await table.read([["content", "site"], ["user", "team", "who"], ["role"]], (row) => {
      const [field, second] = GRANTEES.filter((each) => row.get(each) !== "");
      if (field === undefined || second !== undefined) {
        const told = second ?? GRANTEES.find((each) => row.has(each)) ?? "user";
        const found = field === undefined ? "neither" : "both";
        row.wrong(told, `accepted: a user or a team, not ${found}`);
        return;
      }
      const [content, site] = [row.get("content"), row.get("site")];
      if (content !== "" && site !== "") {
        row.wrong("site", "accepted: a content or a site, not both");
        return;
      }
      const where =
        site === "" && row.has("content")
          ? ({ on: "content", find: () => this.#contentOf(table, row) } as const)
          : ({ on: "site", find: () => this.#siteOf(row) } as const);
      const text = row.get(field);
      const [person, team] = this.#named(field, text);
      if (person !== undefined && team !== undefined) {
        const either = `it may be the person ${show(this.#world.people.idOf(person))} or the team ${show(text)}`;
        row.wrong(field, `${either}; accepted: one of them, in a column for users or teams`);
      } else if (person !== undefined) this.#give(table, row, { ...where, to: "users", grantee: person });
      else if (typeof team === "number") this.#give(table, row, { ...where, to: "teams", grantee: team });
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
        this.#give(table, row, {
          to: "users",
          grantee: known ?? people.addGuest(user, row.number),
          on: "content",
          find: () => this.#contentOf(table, row),
        });
      }
    });
  }

  #give<S extends AccessSheet>(table: Table<S>, row: Row<S>, { to, grantee, on, find }: Given): void {
    const { roles, people, notes } = this.#world;
    const role = roles.read(row.get("role"));
    if (role === "none" && table.sheet === "effective") {
      notes.add(`Rows of ${table.file} that give nothing`, row.get("user"));
      return;
    }
    if (role === undefined || role === "guest" || (role === "none" && on === "content")) {
      row.wrong("role", roles.accepts(table.sheet === "effective" ? "effective" : on));
      return;
    }
    const where = find();
    if (where === undefined) return;
    if (to === "users" && people.hasLeft(grantee)) {
      notes.add(`Rows of ${table.file} with people who have left, left out`, table.rowName(row.number));
      return;
    }
    const value = role === "none" ? NONE : rank(role);
    const before = this.#given[on][to].add(where, grantee, value, row.number);
    if (before === undefined) return;
    if (before.value === value)
      notes.add(`Rows of ${table.file} that repeat an earlier row`, table.rowName(row.number));
    else {
      const said = `${table.rowName(before.row)} says ${roleIn(before.value) ?? "none"} of the same`;
      const why =
        table.sheet === "effective"
          ? "one effective role for each user and content"
          : `one role for each user or team and ${on}`;
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

  #siteOf(row: Row<"access">): number | undefined {
    const { sites } = this.#world;
    const found = sites.find(row.get("site"));
    if (typeof found === "number") return found;
    row.wrong("site", sites.accepts(found));
    return undefined;
  }

  /** The permissions as records: those on contents first, and direct ones before those of teams. */
  *records(): Generator<SnapshotRecord> {
    const { people, teams, contents, sites } = this.#world;
    const { content, site } = this.#given;
    const on = (each: number) => {
      const { kind, id = "" } = contents.all[each] ?? {};
      return kind === "collection" ? { collection: id } : { space: id };
    };
    const toUser = (person: number) => ({ user: people.idOf(person) });
    const toTeam = (team: number) => ({ team: teams.idOf(team) });
    for (const [pairs, to] of [
      [content.users, toUser],
      [content.teams, toTeam],
    ] as const)
      for (const { left, right, value } of pairs)
        yield { object: "permission", ...on(left), ...to(right), permission: roleOf(value) };
    for (const [pairs, to] of [
      [site.users, toUser],
      [site.teams, toTeam],
    ] as const)
      for (const { left, right, value } of pairs)
        yield { object: "permission", site: sites.idOf(left), ...to(right), permission: roleIn(value) };
  }
}

/** The rank of no access. */
const NONE = 0;

function roleIn(value: number): Role | null {
  return value === NONE ? null : roleOf(value);
}
