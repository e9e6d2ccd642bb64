/** Describes changed records with titles and display names, for people. */
import { kindOf } from "../../../domain/content.ts";
import { compareIds } from "../../../domain/id.ts";
import type { Reading } from "../../reading.ts";
import { storedTexts } from "../../rows/look-up.ts";
import {
  keyOfRecord,
  RECORD_KINDS,
  type RecordChange,
  type RecordNames,
  titleIn,
} from "../../../domain/record-change.ts";
import type { RecordDifference } from "../organization-change.ts";

/**
 * The changes with names, in the order of an import's output: by kind, then by key. `at` reads the state before the
 * changes. A record that the changes add or change has its new name.
 */
export async function describe(
  reading: Reading,
  organization: string,
  changes: readonly RecordChange[],
): Promise<RecordDifference[]> {
  const said = await storedTexts(reading, changes.flatMap(namesIn));
  for (const change of changes)
    if (change.becomes !== undefined) said.set(keyOfRecord(change), change.becomes);
  return changes
    .toSorted(inOrder)
    .map((change) => withNames(organization, change, (names) => said.get(keyOfRecord(names))));
}

/** A changed record with its names, of which `textOf` finds the records. */
export function withNames(
  organization: string,
  change: RecordChange,
  textOf: (names: RecordNames) => string | undefined,
): RecordDifference {
  const [user, team, content, site] = namedIn(change).map((names) => names && textOf(names));
  return {
    organization,
    ...change,
    user,
    teamTitle: team && titleIn(team),
    contentTitle: content && titleIn(content),
    siteTitle: site && titleIn(site),
  };
}

/** The user, team, content and site that a record names, if any. */
function namedIn({ member, team, content, site }: RecordNames): (RecordNames | undefined)[] {
  return [
    member === undefined ? undefined : { kind: "user", member },
    team === undefined ? undefined : { kind: "team", team },
    content === undefined ? undefined : { kind: kindOf(content), content },
    site === undefined ? undefined : { kind: "site", site },
  ];
}

/** The records that have the names of a record. */
export function namesIn(names: RecordNames): RecordNames[] {
  return namedIn(names).filter((each) => each !== undefined);
}

function inOrder(one: RecordChange, other: RecordChange): number {
  return (
    RECORD_KINDS.indexOf(one.kind) - RECORD_KINDS.indexOf(other.kind) ||
    // Direct permissions come before team grants.
    Number(one.member === undefined) - Number(other.member === undefined) ||
    compareIds(one.member ?? "", other.member ?? "") ||
    compareIds(one.team ?? "", other.team ?? "") ||
    compareIds(one.content ?? "", other.content ?? "") ||
    compareIds(one.site ?? "", other.site ?? "")
  );
}
