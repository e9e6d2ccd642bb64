import type { Reading } from "../../../reading.ts";
import { type Examples, isRefused, judge, refusalOf, type Risk, RISKS } from "../../../../domain/guard.ts";
import type { ContentKey } from "../../../../domain/content.ts";
import { compareIds } from "../../../../domain/id.ts";
import type { Difference } from "../../generation/difference.ts";
import { NAMED, nameOf, named } from "../../generation/prospect.ts";
import type { RecordChange } from "../../../schema/record-change.ts";
import { describe } from "./described.ts";
import { contentsNamed } from "../lookup/present.ts";
import { goes, prospectOf, rises } from "./prospect.ts";

/**
 * The refusal of changes that need a confirmation (contract, section 8); `undefined` if they need none. `base` is the
 * state before the changes; `now` reads the names for the message.
 */
export async function refusalFor(
  base: Reading,
  now: Reading,
  title: string,
  changes: readonly RecordChange[],
): Promise<string | undefined> {
  const { prospect, opened } = await prospectOf(base, title, changes);
  const verdict = judge(prospect, {});
  if (!isRefused(verdict)) return undefined;
  const { organization } = base.at;
  return refusalOf(prospect, verdict, await examplesOf(now, organization, changes, opened));
}

const IS: Readonly<Record<Exclude<Risk, "openedContent">, (change: RecordChange) => boolean>> = {
  member: goes("member"),
  team: goes("team"),
  teamMember: goes("teamMember"),
  permission: goes("permission"),
  ...rises,
};

/** The names of the first records that would be removed, promoted or opened, for each risk. */
async function examplesOf(
  now: Reading,
  organization: string,
  changes: readonly RecordChange[],
  opened: readonly ContentKey[],
): Promise<Examples> {
  const differences: Difference[] = await describe(now, organization, changes);
  const first = opened.toSorted(compareIds).slice(0, NAMED);
  const titles = new Map([...(await contentsNamed(now, first))].map(([key, { title }]) => [key, title]));
  const examples: Partial<Record<Risk, string[]>> = {};
  for (const risk of RISKS) {
    examples[risk] =
      risk === "openedContent"
        ? first.map((key) => named(key, titleAfter(differences, key) ?? titles.get(key)))
        : differences.filter(IS[risk]).slice(0, NAMED).map(nameOf);
  }
  return examples;
}

function titleAfter(differences: readonly Difference[], key: ContentKey): string | undefined {
  return differences.find(({ content }) => content === key)?.contentTitle;
}
