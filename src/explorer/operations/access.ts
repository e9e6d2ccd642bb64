import { absent } from "../../operations/authorize.ts";
import type { ExplorerOperation } from "./operation.ts";
import { LIST_PARAMETERS, listOf } from "./lists/list-of.ts";

/** Every list of the page. */
export const access: ExplorerOperation = {
  id: "explorerAccess",
  path: "/explorer/access",
  summary: "List who has access, what a member reaches, and what teams hold",
  description:
    "A list of one `space`, `collection`, `site`, `member` or `team`, which of its lists being named by `tab`, or with `list` all members or all teams. Rows of access carry their reason; they come strongest role first, then by user id.",
  parameters: LIST_PARAMETERS,
  takes: "pages",
  ask(query) {
    const { list, subject, allow } = listOf(query, ["revision", "limit", "page"]);
    return async (asking, request) => {
      await allow(asking);
      const opened = await list.open(asking.reading, asking.viewer);
      if (opened === undefined) throw absent(subject?.kind ?? "list", subject?.id ?? "");
      const page = await opened.page(request, "shown");
      return { of: "list", page, ...(opened.total === undefined ? {} : { total: opened.total }) };
    };
  },
};
