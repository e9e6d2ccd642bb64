import type { Reading } from "../../src/store/reading.ts";
import type { DecidedRow } from "../../src/review/decided/row.ts";
import { reportIn } from "../report/read.ts";
import type { World } from "../world.ts";

/** The rows of the report of an organization, nothing decided. */
export async function decidedRows(world: World, organization: string): Promise<DecidedRow[]> {
  const { rows } = await reportIn(world, organization, {});
  return rows.map(({ kind, content, user, effective_role: role = "" }): DecidedRow => ({
    content: `${kind === "space" ? "space" : "collection"}/${cellOf(content)}`,
    user: cellOf(user),
    role,
    decision: "",
    comment: "",
  }));
}

/** A cell without the `'` that keeps a spreadsheet from running it. */
function cellOf(cell = ""): string {
  return cell.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/, "");
}

/** The current revision of an organization, to be read. */
export async function currentReading({ store }: World, organization: string): Promise<Reading> {
  const found = await store.registry.organization(organization);
  if (found === undefined) throw new Error(`no organization ${organization}`);
  return store.reading(found.current);
}
