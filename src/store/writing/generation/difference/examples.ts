import { type Examples, type Prospect, type Risk, RISKS } from "../../../../domain/guard.ts";
import { rank } from "../../../../domain/role.ts";
import { type Staging, statement } from "../../../engine/engine.ts";
import { type FirstDiffering, firstDiffering } from "./differing.ts";
import { named, nameOf } from "./naming.ts";

/** The maximum number of records that a refusal names for each risk. */
export const NAMED = 20;

const GONE = "d.becomes IS NULL";
const ADMIN = rank("admin");

const OPENED = statement<[id: string, title: string]>(
  () => `
    SELECT p.id, c.title FROM staged_opened p JOIN staged_content c ON c.id = p.id
      WHERE p.organization = $1 ORDER BY p.id LIMIT ${NAMED}`,
);

const DIFFERING: Readonly<Record<Exclude<Risk, "openedContent">, FirstDiffering>> = {
  member: firstDiffering("member", GONE, NAMED),
  team: firstDiffering("team", GONE, NAMED),
  teamMember: firstDiffering("teamMember", GONE, NAMED),
  permission: firstDiffering("permission", GONE, NAMED),
  admin: firstDiffering("member", `d.was IS NOT NULL AND d.becomes = '${ADMIN}'`, NAMED),
  formerGuest: firstDiffering("member", "d.was = '0' AND d.becomes IS NOT NULL", NAMED),
};

/** The names of the first affected records for each risk. Call it after the differences are staged. */
export async function examplesOf(staging: Staging, { organization, portions }: Prospect): Promise<Examples> {
  const examples: Partial<Record<Risk, string[]>> = {};
  for (const risk of RISKS) {
    if (portions[risk].affected === 0) continue;
    examples[risk] =
      risk === "openedContent"
        ? (await staging.read(OPENED, organization)).map(([id, title]) => named(id, title))
        : (await DIFFERING[risk](staging, organization)).map(nameOf);
  }
  return examples;
}
