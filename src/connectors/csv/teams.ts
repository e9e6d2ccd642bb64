import type { SnapshotRecord } from "../../snapshot/records.ts";
import { DATE_ACCEPTS, dateOr, readDate } from "./cells/dates.ts";
import type { Ids } from "./ids.ts";
import type { Notes } from "./sheet/notes.ts";
import { Pairs } from "./kept/pairs.ts";
import type { People } from "./people.ts";
import { References } from "./kept/references.ts";
import type { Row, Table } from "./sheet/table.ts";
import { copied } from "../../domain/text/copied.ts";

interface Team {
  readonly title: string;
  readonly created: string | undefined;
  readonly row: number;
  id: string;
}

/** The teams of the team table or, without one, those that the people table names. */
export class Teams {
  readonly #teams: Team[] = [];
  readonly #references = new References();
  readonly #members = new Pairs();
  readonly #notes: Notes;
  #table: Table<"teams"> | undefined;

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  /** Reads the team table. From then on, a team that is not in it is an error. */
  async load(table: Table<"teams"> | undefined): Promise<void> {
    this.#table = table;
    await table?.read([["title"]], (row) => {
      const title = row.get("title");
      const id = row.get("id");
      const created = readDate(row.get("created"));
      const known = this.#references.find(title);
      if (title === "") table.wrong(row.number, "title", "", "accepted: the title of a team");
      else if (row.get("created") !== "" && created === undefined) {
        table.wrong(row.number, "created", row.get("created"), DATE_ACCEPTS);
      } else if (known !== undefined && id === "")
        table.wrong(
          row.number,
          "title",
          title,
          "another row has this team; accepted: one row per team, or ids",
        );
      else {
        const number = this.#add({ title, created, row: row.number, id });
        if (id !== "") this.#references.add(id, number);
      }
    });
  }

  /** Adds a person to the teams in a cell: titles or ids, separated by `;`, `|` or line breaks, otherwise by commas. */
  join(person: number, table: Table<"people">, row: Row<"people">): void {
    const cell = row.get("teams");
    for (const title of this.#titlesIn(cell)) {
      const known = this.#references.find(title);
      if (known === "several")
        table.wrong(row.number, "teams", title, "several teams have this title; accepted: their ids");
      else if (known !== undefined) this.#enter(known, person, row.number);
      else if (this.#table !== undefined)
        table.wrong(row.number, "teams", title, `accepted: a team of ${this.#table.file}`);
      else {
        this.#notes.add(`Teams that only ${table.file} names`, title);
        this.#enter(this.#add({ title, created: undefined, row: row.number, id: "" }), person, row.number);
      }
    }
  }

  find(reference: string): number | "several" | undefined {
    return this.#references.find(reference);
  }

  /** What a reference to a team may be, for messages. */
  get accepts(): string {
    return this.#table === undefined
      ? "accepted: a team that a person is in"
      : `accepted: a team of ${this.#table.file}`;
  }

  idOf(team: number): string {
    return this.#teams[team]?.id ?? "";
  }

  /** Gives every team an id. Without a team table, errors name rows of the people table. */
  identify(ids: Ids, people: Table<"people"> | undefined): void {
    const tell = (team: Team, why: string) => {
      if (this.#table !== undefined)
        this.#table.wrong(team.row, team.id === "" ? "title" : "id", team.id || team.title, why);
      else people?.wrong(team.row, "teams", team.title, why);
    };
    for (const team of this.#teams) {
      if (team.id === "") continue;
      const wrong = ids.take(team.id, nameless(team));
      if (wrong !== undefined) tell(team, wrong);
    }
    for (const team of this.#teams) {
      if (team.id !== "") continue;
      const made = ids.make(nameless(team));
      if ("wrong" in made) tell(team, made.wrong);
      else team.id = made.id;
    }
  }

  *records(organization: string, people: People): Generator<SnapshotRecord> {
    for (const { id, title, created } of this.#teams) {
      yield {
        object: "team",
        id,
        organization,
        title,
        createdAt: dateOr(created, "Teams", title, this.#notes),
      };
    }
    if (this.#members.size > 0) this.#notes.add("Everybody is a member of their teams, nobody an owner");
    for (const { left: team, right: person } of this.#members) {
      yield { object: "teamMember", team: this.idOf(team), user: people.idOf(person), role: "member" };
    }
  }

  #titlesIn(cell: string): string[] {
    const parted = cell.split(/[;|\n]/);
    const titles = parted.length > 1 || this.#references.find(cell) !== undefined ? parted : cell.split(",");
    return titles.map((title) => title.trim()).filter((title) => title !== "");
  }

  #enter(team: number, person: number, row: number): void {
    this.#members.add(team, person, 0, row);
  }

  #add(team: Team): number {
    const number = this.#teams.push({ ...team, title: copied(team.title), id: copied(team.id) }) - 1;
    this.#references.add(team.title, number);
    return number;
  }
}

function nameless({ title }: Team) {
  return { kind: "team", among: "team", title, path: title } as const;
}
