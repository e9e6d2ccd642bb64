import { existsSync } from "node:fs";
import Papa from "papaparse";
import { copied } from "../../domain/copied.ts";
import { fold, looksSame, nfc } from "../../domain/text.ts";
import { show } from "../../snapshot/problem.ts";
import { ID_ACCEPTS } from "../../snapshot/records.ts";
import { whole } from "../../snapshot/output.ts";
import { isId } from "./cells.ts";
import { type TableReading, Table } from "./table.ts";

export type IdKind = "team" | "content" | "site";

/** Letters whose ASCII spelling is not the letter without its mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ø: "o",
  æ: "ae",
  œ: "oe",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
};
const LONGEST_ID = 128;

export interface Nameless {
  readonly kind: IdKind;
  /** The kind of record in which the id must be unique. A space and a collection may have the same id. */
  readonly among: string;
  readonly title: string;
  /** Distinguishes records with the same title. The title itself if no other record has it. */
  readonly path: string;
}

/**
 * Gives ids to teams, contents and sites: from a table, else from the `--ids` file, else from the title.
 */
export class Ids {
  readonly #file: string | undefined;
  readonly #kept = new Map<string, string>();
  /** The path to which the `--ids` file gives an id. */
  readonly #keptFor = new Map<string, string>();
  /** The paths of the records that use ids, by `among` and id. */
  readonly #owners = new Map<string, string>();
  #made = 0;

  /** Without a file, ids are made only from titles. */
  constructor(file: string | undefined) {
    this.#file = file;
  }

  /** Reads the `--ids` file, if it exists. */
  async load(reading: TableReading): Promise<void> {
    if (this.#file === undefined || !existsSync(this.#file)) return;
    const table = new Table("ids", [this.#file], reading);
    await table.read([["kind"], ["title"], ["id"]], (row) => {
      const [kind, title, id] = [row.get("kind"), nfc(row.get("title")), row.get("id")];
      const owner = this.#keptFor.get(`${kind}/${id}`);
      if (!isKind(kind)) row.wrong("kind", "accepted: team, content, site");
      else if (!isId(id)) row.wrong("id", `accepted: ${ID_ACCEPTS}`);
      else if (owner !== undefined) row.wrong("id", `${show(owner)} has it already`);
      else if (this.#kept.has(`${kind}/${title}`)) row.wrong("title", "it has an id already", title);
      else {
        this.#kept.set(`${kind}/${title}`, id);
        this.#keptFor.set(`${kind}/${id}`, title);
      }
    });
  }

  /** Gives a record the id that a table has for it. Returns a message if the id is invalid or taken. */
  #take(id: string, { among, path }: Nameless): string | undefined {
    if (!isId(id)) return `accepted: ${ID_ACCEPTS}`;
    const owner = this.#owners.get(`${among}/${id}`);
    if (owner !== undefined) return `${show(owner)} has this id already`;
    this.#own(among, id, path);
    return undefined;
  }

  /** Gives an id to a record without one, or returns a message if none can be made from its title. */
  #make(thing: Nameless): { readonly id: string } | { readonly wrong: string } {
    const kept = this.#kept.get(keyOf(thing));
    const made = kept ?? slug(thing.title);
    const owner = made === "" ? undefined : this.#ownerOf(made, thing);
    if (made !== "" && owner === undefined) return this.#give(made, thing);
    if (this.#file === undefined || kept !== undefined) {
      const why =
        made === ""
          ? "no id can be made from it"
          : `its id would be ${made}, which is that of ${show(owner)}`;
      return { wrong: `${why}; accepted: a column with ids, or --ids FILE, which keeps assigned ids` };
    }
    for (const candidate of candidates(thing, made)) {
      if (this.#ownerOf(candidate, thing) === undefined) return this.#give(candidate, thing);
    }
    throw new RangeError(`There is no id left for ${show(thing.path)}.`);
  }

  /**
   * Gives each thing an id: the one that a table has for it or, after all of those, one made from its title. `tell`
   * receives what is wrong with the id or the title.
   */
  identify<Thing extends { id: string }>(
    things: readonly Thing[],
    named: (thing: Thing) => Nameless,
    tell: (thing: Thing, field: "id" | "title", why: string) => void,
  ): void {
    const [having, lacking] = [things.filter(({ id }) => id !== ""), things.filter(({ id }) => id === "")];
    for (const thing of having) {
      const wrong = this.#take(thing.id, named(thing));
      if (wrong !== undefined) tell(thing, "id", wrong);
    }
    for (const thing of lacking) {
      const made = this.#make(named(thing));
      if ("wrong" in made) tell(thing, "title", made.wrong);
      else thing.id = made.id;
    }
  }

  /** Writes the `--ids` file if it has new ids. */
  async save(): Promise<void> {
    if (this.#file === undefined || this.#made === 0) return;
    const rows = [...this.#kept].map(([key, id]) => {
      const end = key.indexOf("/");
      return [key.slice(0, end), key.slice(end + 1), id];
    });
    await whole(this.#file, (write) =>
      write(`${Papa.unparse([["kind", "title", "id"], ...rows], { newline: "\n" })}\n`),
    );
  }

  #give(id: string, thing: Nameless): { readonly id: string } {
    const key = keyOf(thing);
    if (this.#file !== undefined && !this.#kept.has(key)) {
      this.#kept.set(key, id);
      this.#keptFor.set(`${thing.kind}/${id}`, nfc(thing.path));
      this.#made++;
    }
    this.#own(thing.among, id, thing.path);
    return { id };
  }

  #own(among: string, id: string, path: string): void {
    this.#owners.set(copied(`${among}/${id}`), path);
  }

  /**
   * The path of another record that has this id, now or in the `--ids` file. An id made from a title must be unique
   * among spaces and collections together.
   */
  #ownerOf(id: string, { kind, among, path }: Nameless): string | undefined {
    const kept = this.#keptFor.get(`${kind}/${id}`);
    if (kept !== undefined && !looksSame(kept, path)) return kept;
    const parts = kind === "content" ? ["space", "collection"] : [among];
    return parts.map((part) => this.#owners.get(`${part}/${id}`)).find((owner) => owner !== undefined);
  }
}

/** The key of a record in the `--ids` file, in NFC. */
function keyOf({ kind, path }: Nameless): string {
  return `${kind}/${nfc(path)}`;
}

/** The id of a title: `r-d` for `R&D`, `cafe-lodz` for `Café Łódź`. Empty if an id can have none of its characters. */
export function slug(title: string): string {
  return fold(title)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[øæœłđðþ]/g, (letter) => LETTERS[letter] ?? "-")
    .replaceAll(/[^a-z0-9_]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, LONGEST_ID);
}

/** Other ids to try if `made` is taken or empty. */
function* candidates({ kind, path }: Nameless, made: string): Generator<string> {
  const base = made === "" ? kind : made.slice(0, LONGEST_ID - 8);
  if (slug(path) !== "") yield slug(path);
  if (made === "") yield base;
  for (let number = 2; number <= 9_999_999; number++) yield `${base}-${number}`;
}

function isKind(kind: string): kind is IdKind {
  return kind === "team" || kind === "content" || kind === "site";
}
