import { absent } from "../../operations/authorize.ts";
import { headOf } from "./file-head.ts";
import { LIST_PARAMETERS, listOf } from "./list-of.ts";
import type { Named } from "./selected-list.ts";
import type { FileOperation } from "./operation.ts";
import { type Viewer, withoutUnseen } from "./viewer.ts";
import type { Reading } from "../../store/reading.ts";

const ROWS = 1000;

export const csv: FileOperation = {
  id: "explorerCsv",
  path: "/explorer/csv",
  summary: "Download a whole list as a file",
  description:
    "Every row of a list of `/explorer/access`, from one revision, as CSV with a byte order mark. Five lines before the column names describe the file, as in `rolebook report`. Lists of people with access are sorted by user id, other lists as in `access`. Cells that a spreadsheet would run as a formula get a leading apostrophe.",
  parameters: LIST_PARAMETERS,
  ask(query) {
    const named = listOf(query, ["revision"]);
    return async (asking) => {
      await named.allow(asking);
      return {
        columns: named.list.columns,
        head: (reading) => headOf(reading, asking.viewer, query, named),
        rows: (reading) => rowsOf(named, reading, asking.viewer),
      };
    };
  },
};

async function* rowsOf(
  { list, subject }: Named,
  reading: Reading,
  viewer: Viewer,
): AsyncGenerator<readonly (readonly string[])[]> {
  const opened = await list.open(reading, viewer);
  if (opened === undefined) throw absent(subject?.kind ?? "list", subject?.id ?? "");
  for (let after: string | undefined; ;) {
    const page = await opened.page({ after, limit: ROWS }, "id");
    yield (await withoutUnseen(viewer, page.entries)).map((row) => list.cells(row));
    if (page.next === undefined) return;
    after = page.next;
  }
}
