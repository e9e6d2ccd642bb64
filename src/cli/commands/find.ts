/** `rolebook find`: searches titles, names and e-mail addresses as the explorer's search field does. */
import { SEES_ALL, find } from "../../explorer/server/search.ts";
import type { SearchHit } from "../../explorer/wire/lists.ts";
import type { RowFormat } from "../../operations/csv.ts";
import { chooseRevision, withExistingStore } from "../database.ts";
import { describe } from "../names.ts";
import type { CommandOptions } from "../command-table.ts";
import { readAt } from "../options.ts";
import { RowsOutput, formatOf } from "../output.ts";
import { say } from "../terminal.ts";

const SHEET: RowFormat<SearchHit> = {
  table: ["kind", "id", "title or name"],
  cells: (hit) => [hit.kind, hit.id, describe(hit)],
  csv: ["kind", "id", "title", "path", "email"],
  record: (hit) => [
    hit.kind,
    hit.id,
    hit.kind === "member" ? hit.displayName : hit.title,
    "path" in hit ? hit.path.join(" / ") : "",
    hit.kind === "member" ? (hit.email ?? "") : "",
  ],
  object: (hit) => hit,
};

/** `rolebook find TEXT`: up to 12 members, teams, contents and sites, the best match first. */
export async function findCommand(text: string, options: CommandOptions<"find">): Promise<void> {
  const format = formatOf(options.format);
  const at = readAt(options.at);
  await withExistingStore(options.database, async ({ store }) => {
    const reading = store.reading(await chooseRevision(store, options.organization, at));
    const { hits, more } = await find(reading, SEES_ALL, text);
    using rows = new RowsOutput(format);
    rows.add(SHEET, hits);
    await rows.print();
    if (hits.length === 0 && !more) say("Nothing is found.");
    else if (more) say(`These are the first ${hits.length}; a longer text finds fewer.`);
  });
}
