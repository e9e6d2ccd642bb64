/** Describes changed records with titles and display names, for people. */
import type { AsOf } from "../../../schema/as-of.ts";
import type { ContentKey } from "../../../../domain/content.ts";
import { compareIds } from "../../../../domain/id.ts";
import { decodeContent } from "../../../schema/encoding.ts";
import { type Difference, KINDS } from "../../generation/difference.ts";
import type { LoggedChange } from "../logged.ts";
import { contentsNamed, membersNamed, sitesNamed, teamsNamed } from "../lookup/present.ts";

/**
 * The changes with names, in the order of an import's output: by kind, then by key. `at` reads the state before the
 * changes.
 */
export async function describe(
  at: AsOf,
  organization: string,
  changes: readonly LoggedChange[],
): Promise<Difference[]> {
  const named = <Key extends string>(key: (change: LoggedChange) => Key | undefined) =>
    new Set(changes.flatMap((change) => key(change) ?? []));
  const members = await membersNamed(
    at,
    named(({ member }) => member),
  );
  const teams = await teamsNamed(
    at,
    named(({ team }) => team),
  );
  const contents = await contentsNamed(at, named(contentOf));
  const sites = await sitesNamed(
    at,
    named(({ site }) => site),
  );
  const now = new Map(changes.flatMap((change) => titleNow(change)));
  return changes.toSorted(inOrder).map((change) => {
    const { member = "", team = "", site = "" } = change;
    const content = contentOf(change);
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

function contentOf({ content }: LoggedChange): ContentKey | undefined {
  return content === undefined ? undefined : decodeContent(content);
}

/** The title or document of a record after its change, by kind and id. */
function titleNow({ kind, member, team, content, site, becomes }: LoggedChange): [string, string][] {
  if (becomes === undefined) return [];
  switch (kind) {
    case "user":
      return [[`user ${member}`, becomes]];
    case "team":
      return [[`team ${team}`, titleIn(becomes)]];
    case "collection":
    case "space":
      return [[`content ${content}`, titleIn(becomes)]];
    case "site":
      return [[`site ${site}`, becomes]];
    default:
      return [];
  }
}

function titleIn(doc: string): string {
  const { title }: { title: string } = JSON.parse(doc);
  return title;
}

function inOrder(one: LoggedChange, other: LoggedChange): number {
  return (
    KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) ||
    // Direct permissions come before team grants.
    Number(one.member === undefined) - Number(other.member === undefined) ||
    compareIds(one.member ?? "", other.member ?? "") ||
    compareIds(one.team ?? "", other.team ?? "") ||
    compareIds(one.content ?? "", other.content ?? "") ||
    compareIds(one.site ?? "", other.site ?? "")
  );
}
