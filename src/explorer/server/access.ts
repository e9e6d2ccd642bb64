import { absent } from "../../operations/authorize.ts";
import type { ExplorerOperation } from "./operation.ts";
import { ApiError } from "../../domain/error.ts";
import { keyAfter } from "./key-after.ts";
import { countOf } from "./query.ts";
import { LIST_PARAMETERS, listOf } from "./list-of.ts";

export const access: ExplorerOperation = {
  id: "explorerAccess",
  path: "/explorer/access",
  summary: "List who has access, the spaces of a member, and the permissions of teams",
  description:
    "A list of one `space`, `collection`, `site`, `member` or `team`, selected by `tab`; or, with `list`, a list of the whole organization, such as all members or all teams. Rows of access have a reason; they are sorted by role, strongest first, then by user id. `from`, instead of `page`, is the number of rows to skip.",
  parameters: [...LIST_PARAMETERS, "from"],
  takes: "pages",
  ask(query) {
    const { list, subject, allow } = listOf(query, ["revision", "limit", "page", "from"]);
    const from = countOf(query, "from");
    if (query.has("from") && query.has("page")) {
      throw new ApiError("badRequest", "Both page and from are given; accepted: one of them.");
    }
    return async (asking, request) => {
      await allow(asking);
      const opened = await list.open(asking.reading, asking.viewer);
      if (opened === undefined) throw absent(subject?.kind ?? "list", subject?.id ?? "");
      const after = from === 0 ? request.after : await keyAfter(opened, from, "shown");
      const isBehind = from > 0 && after === undefined;
      const page = isBehind ? { entries: [] } : await opened.page({ ...request, after }, "shown");
      return { of: "list", page, ...(opened.total === undefined ? {} : { total: opened.total }) };
    };
  },
};
