import { copied } from "../../domain/copied.ts";
import { looksSame } from "../../domain/text.ts";
import { show } from "../../snapshot/problem.ts";
import type { SnapshotRecord } from "../../snapshot/records.ts";
import { type Contents, referenceAccepts } from "./contents.ts";
import type { Ids } from "./ids.ts";
import { Pairs, References } from "./kept.ts";
import type { Table } from "./table.ts";

interface Site {
  readonly title: string;
  readonly row: number;
  id: string;
}

/** The sites: one row for each space of a site. Rows of one site have the same id or, without ids, the same title. */
export class Sites {
  readonly #sites: Site[] = [];
  readonly #references = new References();
  readonly #spaces = new Pairs();
  #table: Table<"sites"> | undefined;

  /** `contents` has all spaces; `contentFile` is the file that names them, for messages. */
  async load(table: Table<"sites"> | undefined, contents: Contents, contentFile = ""): Promise<void> {
    this.#table = table;
    await table?.read([["site"], ["content"]], (row) => {
      const [title, id] = [row.get("site"), row.get("id")];
      const number = this.#references.find(id === "" ? `title/${title}` : `id/${id}`);
      const site = typeof number === "number" ? this.#sites[number] : undefined;
      const reference = row.get("content");
      const space = reference === "" ? undefined : contents.find(reference);
      if (title === "") row.wrong("site", "accepted: the title of a site");
      else if (site !== undefined && !looksSame(site.title, title)) {
        row.wrong(
          "site",
          `${table.rowName(site.row)} has ${show(site.title)} for this id; accepted: one title for each id`,
        );
      } else if (reference !== "" && typeof space !== "number") {
        row.wrong("content", referenceAccepts(space, contentFile));
      } else if (typeof space === "number" && contents.all[space]?.kind !== "space") {
        row.wrong("content", "it is a collection; accepted: a space");
      } else {
        const own =
          typeof number === "number"
            ? number
            : this.#add({ title: copied(title), row: row.number, id: copied(id) });
        if (typeof space === "number") this.#spaces.add(own, space, 0, row.number);
      }
    });
  }

  identify(ids: Ids): void {
    ids.identify(this.#sites, nameless, (site, field, why) => {
      if (field === "id") this.#table?.wrong(site.row, "id", site.id, why);
      else this.#table?.wrong(site.row, "site", site.title, why);
    });
  }

  *records(organization: string, contents: Contents): Generator<SnapshotRecord> {
    for (const { id, title } of this.#sites) yield { object: "site", id, organization, title };
    for (const { left, right } of this.#spaces) {
      yield { object: "siteSpace", site: this.#sites[left]?.id ?? "", space: contents.all[right]?.id ?? "" };
    }
  }

  #add(site: Site): number {
    const number = this.#sites.push(site) - 1;
    this.#references.add(site.id === "" ? `title/${site.title}` : `id/${site.id}`, number);
    return number;
  }
}

function nameless({ title }: Site) {
  return { kind: "site", among: "site", title, path: title } as const;
}
