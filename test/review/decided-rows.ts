import type { Reading } from "../../src/store/reading.ts";
import type { Role } from "../../src/domain/role.ts";
import type { DecidedRow } from "../../src/review/decided-report.ts";
import { reportIn } from "../store/read-report.ts";
import type { World } from "../world.ts";

/** The undecided rows of an organization's report, with the given role or stronger. */
export async function decidedRows(world: World, organization: string, least?: Role): Promise<DecidedRow[]> {
  const { rows } = await reportIn(world, organization, { least });
  return rows.map(({ kind, content, user, effective_role: role = "" }): DecidedRow => ({
    content: `${kind === "space" ? "space" : "collection"}/${cellOf(content)}`,
    user: cellOf(user),
    role,
    decision: "",
    comment: "",
  }));
}

/** A cell without the `'` that protects it in a spreadsheet. */
function cellOf(cell = ""): string {
  return cell.replace(/^'(?='*(?:\s*[=+\-@＝＋－＠]|[\t\r\n]))/, "");
}

/** A read of the current revision of an organization. */
export async function currentReading({ store }: World, organization: string): Promise<Reading> {
  const found = await store.registry.organization(organization);
  if (found === undefined) throw new Error(`no organization ${organization}`);
  return store.reading(found.current);
}
