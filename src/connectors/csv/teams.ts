import { copied } from "../../domain/copied.ts";
import { show } from "../../snapshot/problem.ts";
import type { SnapshotRecord } from "../../snapshot/records.ts";
import { DATE_ACCEPTS, dateOr, readDate } from "./cells.ts";
import type { Ids } from "./ids.ts";
import { Pairs, References } from "./kept.ts";
import type { People } from "./people.ts";
import type { Notes, Row, Table } from "./table.ts";
import type { Unknown } from "./unknown.ts";

interface DescribedTeam {
  readonly title: string;
  readonly created: string | undefined;
  /** Reports an error at the first row that names the team. */
  readonly wrong: (why: string) => void;
  id: string;
}

/** The teams of the team table or, without one, those that the people table names. */
export class Teams {
  readonly #teams: DescribedTeam[] = [];
  readonly #references = new References();
  readonly #members = new Pairs();
  readonly #notes: Notes;
  #table: Table<"teams"> | undefined;
  /** The largest number of commas in a title. */
  #mostCommas = 0;

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
      if (title === "") row.wrong("title", "accepted: the title of a team");
      else if (row.get("created") !== "" && created === undefined) {
        row.wrong("created", DATE_ACCEPTS);
      } else if (known !== undefined && id === "")
        row.wrong(
          "title",
          `another row has ${show(typeof known === "number" ? this.#teams[known]?.title : title)}; accepted: one row per team, or ids`,
        );
      else {
        const at = row.number;
        const wrong = (why: string) => table.wrong(at, id === "" ? "title" : "id", id || title, why);
        const number = this.#add({ title, created, wrong, id });
        if (id !== "") this.#references.add(copied(id), number);
      }
    });
  }

  /**
   * Adds a person to the teams in a cell: titles or ids, separated by `;`, `|` or line breaks, otherwise by commas. A
   * cell with commas that can be read in two ways is an error.
   */
  join(person: number, table: Table<"people">, row: Row<"people">): void {
    const cell = row.get("teams");
    const [titles = [], other] = this.#readingsOf(cell);
    if (other !== undefined) {
      const accepts = `accepted: a semicolon after each team, as ${show(`${titles.join("; ")};`)}`;
      row.wrong("teams", `it may be ${listed(titles)}, or ${listed(other)}; ${accepts}`);
      return;
    }
    for (const title of titles) {
      const known = this.#references.find(title);
      if (known === "several")
        row.wrong("teams", "several teams have this title; accepted: their ids", title);
      else if (known !== undefined) this.#enter(known, person, row.number);
      else if (this.#table !== undefined)
        row.wrong("teams", `accepted: a team of ${this.#table.file}`, title);
      else if (
        title.includes(",") &&
        title.split(",").every((part) => this.find(part.trim()) !== undefined)
      ) {
        const parts = listed(title.split(",").map((part) => part.trim()));
        const accepts = "accepted: a file of --teams, or semicolons between all teams";
        row.wrong("teams", `other rows have ${parts}; ${accepts}`, title);
      } else {
        this.#notes.add(`Teams that only ${table.file} names`, title);
        const at = row.number;
        const wrong = (why: string) => table.wrong(at, "teams", title, why);
        this.#enter(this.#add({ title, created: undefined, wrong, id: "" }), person, at);
      }
    }
  }

  /** Reads a table with a row for each team and member. */
  async loadMembers(
    table: Table<"members"> | undefined,
    people: People,
    file: string | undefined,
    unknown: Unknown,
  ): Promise<void> {
    await table?.read([["team"], ["user"]], (row) => {
      const [title, user] = [row.get("team"), row.get("user")];
      const person = people.find(user);
      const known = this.#references.find(title);
      if (known === "several") row.wrong("team", "several teams have this title; accepted: their ids");
      else if (title === "" || (known === undefined && this.#table !== undefined))
        row.wrong("team", title === "" ? "accepted: the title of a team" : this.accepts);
      else if (person === undefined && !unknown.leaveOut(table, row.number, "user", user))
        row.wrong("user", `accepted: the id or e-mail address of a row of ${file}`);
      else {
        if (known === undefined) this.#notes.add(`Teams that only ${table.file} names`, title);
        const at = row.number;
        const wrong = (why: string) => table.wrong(at, "team", title, why);
        const team = known ?? this.#add({ title, created: undefined, wrong, id: "" });
        if (person !== undefined && !people.hasLeft(person)) this.#enter(team, person, at);
      }
    });
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

  /** Gives every team an id. */
  identify(ids: Ids): void {
    ids.identify(this.#teams, nameless, (team, _, why) => team.wrong(why));
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

  /** The titles in a cell; twice, with the longest and the shortest titles, if both readings are possible. */
  #readingsOf(cell: string): string[][] {
    const separated = cell.split(/[;|\n]/);
    if (separated.length > 1) return [withoutBlanks(separated)];
    const parts = cell.split(",");
    if (this.#mostCommas === 0) return [withoutBlanks(parts)];
    const isListed = this.#table !== undefined;
    const [longest, shortest] = this.#joined(parts, (part) => !isListed || part === "");
    if (longest !== undefined && shortest !== undefined)
      return longest.join("\n") === shortest.join("\n") ? [longest] : [longest, shortest];
    // Some part is in no title; the longest titles leave the fewest parts to report.
    return this.#joined(parts, () => true).slice(0, 1);
  }

  /**
   * Joins parts to known titles: to the longest ones, and to the shortest ones. `mayStandAlone` says whether a part
   * that is no title is accepted. Empty if there is no such reading.
   */
  #joined(parts: readonly string[], mayStandAlone: (part: string) => boolean): string[][] {
    const title = (from: number, to: number) => parts.slice(from, to).join(",").trim();
    /** The parts before which a title that begins at each part may end, if the rest can be read; nearest first. */
    const ends: number[][] = parts.map(() => []);
    for (let from = parts.length - 1; from >= 0; from--) {
      for (let to = from + 1; to <= Math.min(parts.length, from + 1 + this.#mostCommas); to++) {
        const text = title(from, to);
        const isTitle = this.find(text) !== undefined || (to === from + 1 && mayStandAlone(text));
        if (isTitle && (to === parts.length || ends[to]?.length !== 0)) ends[from]?.push(to);
      }
    }
    if (ends[0]?.length === 0) return [];
    return [-1, 0].map((which) => {
      const titles: string[] = [];
      for (let [from, to] = [0, 0]; from < parts.length; from = to) {
        to = ends[from]?.at(which) ?? parts.length;
        titles.push(title(from, to));
      }
      return withoutBlanks(titles);
    });
  }

  #enter(team: number, person: number, row: number): void {
    this.#members.add(team, person, 0, row);
  }

  #add(team: DescribedTeam): number {
    const kept = { ...team, title: copied(team.title), id: copied(team.id) };
    const number = this.#teams.push(kept) - 1;
    this.#references.add(kept.title, number);
    this.#mostCommas = Math.max(this.#mostCommas, team.title.split(",").length - 1);
    return number;
  }
}

function withoutBlanks(titles: readonly string[]): string[] {
  return titles.map((title) => title.trim()).filter((title) => title !== "");
}

function listed(titles: readonly string[]): string {
  return titles.map(show).join(" and ");
}

function nameless({ title }: DescribedTeam) {
  return { kind: "team", among: "team", title, path: title } as const;
}
