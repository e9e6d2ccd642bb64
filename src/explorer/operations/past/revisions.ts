import { pageOf } from "../../../domain/page.ts";
import type { ListedRevision } from "../../../store/revisions/past.ts";
import type { RevisionNode } from "../../wire/answers.ts";
import type { ExplorerOperation } from "../operation.ts";
import { only, timeOf } from "../parameters/read.ts";

/** Later than every accepted date. */
const NEVER = "9999-12-31T23:59:59.999Z";

export const revisions: ExplorerOperation = {
  id: "explorerRevisions",
  path: "/explorer/revisions",
  summary: "List the revisions that can be read",
  description:
    "The revisions up to the time `until`, or all, latest first. Callers who see everything also get the command and the note of each.",
  parameters: ["until"],
  takes: "pages",
  ask(query) {
    only(query, ["until", "revision", "limit", "page"]);
    const time = query.has("until") ? timeOf(query, "until") : NEVER;
    return async ({ viewer, revisionsUpTo }, { after, limit }) => {
      const below = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after);
      const found = await revisionsUpTo({ time, below, limit: limit + 1 });
      const page = pageOf(found, limit, ({ revision }) => String(revision));
      return { of: "list", page: { ...page, entries: page.entries.map((each) => node(each, viewer.all)) } };
    };
  },
};

/** Only callers who see everything get the command and the note of a revision. */
export function node({ revision, importedAt, command, note }: ListedRevision, all: boolean): RevisionNode {
  if (!all) return { revision, importedAt };
  return { revision, importedAt, command, ...(note === undefined ? {} : { note }) };
}
