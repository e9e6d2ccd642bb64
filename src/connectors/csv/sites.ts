import type { DefaultLevel } from "../../domain/content.ts";
import { copied } from "../../domain/copied.ts";
import { looksSame } from "../../domain/text.ts";
import { show } from "../../snapshot/problem.ts";
import type { SnapshotRecord } from "../../snapshot/records.ts";
import type { Roles } from "./cells.ts";
import { type Contents, LEVEL_ACCEPTS, readLevel, referenceAccepts } from "./contents.ts";
import type { Ids } from "./ids.ts";
import { References } from "./kept.ts";
import type { Notes, Table } from "./table.ts";

interface Site {
  readonly title: string;
  /** Where no row says it, the site inherits. */
  level?: DefaultLevel | undefined;
  readonly row: number;
  /** Numbers of contents. */
  readonly spaces: Set<number>;
  id: string;
}

/**
 * The sites: one row for each space of a site, or one without a space. Rows of one site have the same id or, without ids,
 * the same title.
 */
export class Sites {
  readonly #sites: Site[] = [];
  /** By what makes rows those of one site. */
  readonly #rows = new References();
  /** By what other tables call sites. */
  readonly #references = new References();
  /** The spaces of sites as rows name them: contents are not known yet when sites are read. */
  readonly #named: { readonly site: Site; readonly space: string; readonly row: number }[] = [];
  readonly #table: Table<"sites"> | undefined;

  constructor(table: Table<"sites"> | undefined) {
    this.#table = table;
  }

  async load(roles: Roles): Promise<void> {
    const table = this.#table;
    await table?.read([["site"], ["content"]], (row) => {
      const [title, id, word] = [row.get("site"), row.get("id"), row.get("level")];
      const level = readLevel(roles.translate(word));
      const key = id === "" ? `title/${title}` : `id/${id}`;
      const number = this.#rows.find(key);
      const known = typeof number === "number" ? this.#sites[number] : undefined;
      if (title === "") row.wrong("site", "accepted: the title of a site");
      else if (known !== undefined && !looksSame(known.title, title)) {
        row.wrong(
          "site",
          `${table.rowName(known.row)} has ${show(known.title)} for this id; accepted: one title for each id`,
        );
      } else if (word !== "" && level === undefined) row.wrong("level", LEVEL_ACCEPTS);
      else if (level !== undefined && known?.level !== undefined && known.level !== level) {
        const said = `an earlier row of this site says ${known.level ?? "closed"}`;
        row.wrong("level", `${said}; accepted: one default level for each site`);
      } else {
        const site =
          known ??
          this.#add(key, {
            title: copied(title),
            row: row.number,
            spaces: new Set(),
            id: copied(id),
          });
        if (level !== undefined) site.level = level;
        const space = row.get("content");
        if (space !== "") this.#named.push({ site, space: copied(space), row: row.number });
      }
    });
  }

  #add(key: string, site: Site): Site {
    const number = this.#sites.push(site) - 1;
    this.#rows.add(copied(key), number);
    this.#references.add(site.title, number);
    if (site.id !== "") this.#references.add(site.id, number);
    return site;
  }

  /** The site with an id or a title. */
  find(reference: string): number | "several" | undefined {
    return this.#references.find(reference);
  }

  /** What a reference to a site may be. `found` says what the wrong reference matched. */
  accepts(found: "several" | undefined): string {
    if (found === "several") return "several sites have this title; accepted: an id";
    if (this.#table === undefined) return "accepted: a site of a row of --sites, which is not given";
    return `accepted: the title or the id of a row of ${this.#table.file}`;
  }

  /** Finds the spaces of sites. `contents` has all spaces; `file` is the file that names them, for messages. */
  link(contents: Contents, file = ""): void {
    for (const { site, space, row } of this.#named) {
      const found = contents.find(space);
      if (typeof found !== "number") this.#table?.wrong(row, "content", space, referenceAccepts(found, file));
      else if (contents.all[found]?.kind !== "space")
        this.#table?.wrong(row, "content", space, "it is a collection; accepted: a space");
      else site.spaces.add(found);
    }
  }

  /** Leaves the default levels out: no content asks its sites. */
  silence(notes: Notes): void {
    for (const site of this.#sites) {
      if (site.level === undefined) continue;
      notes.add("Default levels that are not used, because --effective closes every content", site.title);
      site.level = undefined;
    }
  }

  identify(ids: Ids): void {
    ids.identify(this.#sites, nameless, (site, field, why) => {
      if (field === "id") this.#table?.wrong(site.row, "id", site.id, why);
      else this.#table?.wrong(site.row, "site", site.title, why);
    });
  }

  idOf(site: number): string {
    return this.#sites[site]?.id ?? "";
  }

  *records(organization: string, contents: Contents): Generator<SnapshotRecord> {
    for (const { id, title, level } of this.#sites)
      yield {
        object: "site",
        id,
        organization,
        title,
        ...(level === undefined ? {} : { defaultLevel: level }),
      };
    for (const { id, spaces } of this.#sites)
      for (const space of spaces)
        yield { object: "siteSpace", site: id, space: contents.all[space]?.id ?? "" };
  }
}

function nameless({ title }: Site) {
  return { kind: "site", among: "site", title, path: title } as const;
}
