/** Describes changed records with titles and display names, for people. */
import type { Reading } from "../../../reading.ts";
import { compareIds } from "../../../../domain/id.ts";
import { accessFieldsOf, RECORD_KINDS, type RecordChange } from "../../../schema/record-change.ts";
import type { Difference } from "../../generation/difference.ts";
import { contentsNamed, membersNamed, sitesNamed, teamsNamed } from "../lookup/present.ts";

/**
 * The changes with names, in the order of an import's output: by kind, then by key. `at` reads the state before the
 * changes.
 */
export async function describe(
  at: Reading,
  organization: string,
  changes: readonly RecordChange[],
): Promise<Difference[]> {
  const named = <Key extends string>(key: (change: RecordChange) => Key | undefined) =>
    new Set(changes.flatMap((change) => key(change) ?? []));
  const members = await membersNamed(
    at,
    named(({ member }) => member),
  );
  const teams = await teamsNamed(
    at,
    named(({ team }) => team),
  );
  const contents = await contentsNamed(
    at,
    named(({ content }) => content),
  );
  const sites = await sitesNamed(
    at,
    named(({ site }) => site),
  );
  const now = new Map(changes.flatMap((change) => titleNow(change)));
  return changes.toSorted(inOrder).map((change) => {
    const { member = "", team = "", site = "", content } = change;
    return {
      organization,
      ...change,
      user: now.get(`user ${member}`) ?? members.get(member)?.doc,
      teamTitle: now.get(`team ${team}`) ?? teams.get(team)?.title,
      contentTitle: now.get(`content ${content}`) ?? (content && contents.get(content)?.title),
      siteTitle: now.get(`site ${site}`) ?? sites.get(site),
    };
  });
}

/** The title or document of a record after its change, by kind and id. */
function titleNow({ kind, member, team, content, site, becomes }: RecordChange): [string, string][] {
  if (becomes === undefined) return [];
  switch (kind) {
    case "user":
      return [[`user ${member}`, becomes]];
    case "team":
      return [[`team ${team}`, accessFieldsOf(becomes).title]];
    case "collection":
    case "space":
      return [[`content ${content}`, accessFieldsOf(becomes).title]];
    case "site":
      return [[`site ${site}`, becomes]];
    default:
      return [];
  }
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
