import { nameOf } from "./nodes.ts";
import type { Reading } from "../../store/reading.ts";
import type { Viewer } from "./viewer.ts";
import type { Query } from "./query.ts";
import type { Filter } from "./query.ts";
import type { Named } from "./selected-list.ts";

/** The name of each list, by `tab`, or by `list` for lists of the whole organization. */
const LISTS: Readonly<Record<string, string>> = {
  everyone: "everyone with access",
  people: "people with a direct permission",
  teams: "teams",
  spaces: "spaces",
  permissions: "permissions of the team",
  members: "members",
  without: "people whose role would differ",
  contents: "contents on which roles would differ",
  inside: "contents of the collection",
  found: "everything that a search finds",
  pairs: "people whose role would differ, by content",
  within: "members of a team",
  compare: "spaces compared",
  changes: "what changed",
  reach: "spaces that the team opens",
};
/** The name of `list=contents` by `show`; the key `contents` is for requests without `show`. */
const SHOWN: Readonly<Record<string, string>> = {
  contents: "closed contents",
  closed: "closed contents",
  broad: "contents with a default level of edit or stronger",
  deleted: "deleted spaces",
};
/** The parameters that select a list of differences. The header names them with their values. */
const NAMES = ["without", "within", "user", "with", "earlier", "later"] as const;
const FIRST = {
  space: "everyone",
  collection: "everyone",
  site: "everyone",
  member: "spaces",
  team: "permissions",
};

/** The five header lines of a file, in the format of the header lines of `rolebook report`. */
export async function headOf(
  reading: Reading,
  viewer: Viewer,
  query: Query,
  { subject, filter }: Pick<Named, "subject" | "filter">,
): Promise<string[][]> {
  const { at } = reading;
  const tab = query.get("tab") === "contents" ? "inside" : query.get("tab");
  const list = query.get("list") ?? tab ?? (subject && FIRST[subject.kind]) ?? "";
  const covers = [
    SHOWN[query.get("show") ?? (query.has("without") ? "" : list)] ?? LISTS[list] ?? list,
    ...(subject === undefined
      ? ["the organization"]
      : [`${subject.kind} ${subject.id}`, oneLine(await nameOf(reading, viewer, subject))]),
    ...NAMES.flatMap((name) => (query.has(name) ? [oneLine(`${name} ${query.get(name) ?? ""}`)] : [])),
    ...filterWords(filter),
  ];
  return [
    ["Rolebook list"],
    ["organization", at.organization, oneLine(at.title)],
    ["revision", String(at.revision)],
    ["imported", at.importedAt],
    ["covers", ...covers],
  ];
}

/** The filters, in a few words each. */
function filterWords(filter: Filter): string[] {
  const { q, role, least, reasons, through, guests, deleted, since, sort, changes, differs } = filter;
  return [
    ...(role === undefined ? [] : [`role ${role} only`]),
    ...(least === undefined ? [] : [`role ${least} or stronger`]),
    ...(reasons.length === 0 ? [] : [`reason ${reasons.join(" or ")}`]),
    ...(through === undefined ? [] : [`through team ${through}`]),
    ...(guests === undefined ? [] : [guests === "only" ? "guests only" : "no guests"]),
    ...(deleted === undefined ? [] : [deleted === "only" ? "deleted only" : "not deleted"]),
    ...(changes === undefined ? [] : [`change ${changes.join(" or ")}`]),
    ...(differs === undefined ? [] : [differs === "only" ? "differences only" : "no differences"]),
    ...(since === undefined ? [] : [`new since ${since}`]),
    ...(q === "" ? [] : [`filter ${oneLine(q)}`]),
    ...(sort === undefined ? [] : [sort === "id" ? "by id" : "strongest role first"]),
  ];
}

/** Replaces line ends and tabs in a title by spaces, because a header line must stay one line. */
function oneLine(title: string): string {
  return title.replaceAll(/[\s\p{Cc}]+/gu, " ");
}
