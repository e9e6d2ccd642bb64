import { ROLES } from "../../../domain/role.ts";
import { setContents } from "../../queries/tree/set-contents.ts";
import type { OverviewAnswer } from "../../wire/answers.ts";
import type { Stamp } from "../../wire/protocol.ts";
import { mustSeeAll } from "../allow.ts";
import type { ExplorerOperation } from "../operation.ts";

export const overview: ExplorerOperation = {
  id: "explorerOverview",
  path: "/explorer/overview",
  summary: "Count what to review first",
  description:
    "The numbers of organization admins, guests, closed contents, contents whose default level is `edit` or stronger, and deleted spaces. Each is the length of a list of `access`. For callers who see everything.",
  parameters: [],
  takes: "revision",
  ask: () => async (asking) => {
    mustSeeAll(asking, "count the organization's contents and members");
    const { reading } = asking;
    const { members, roles } = reading.at.counts;
    const { closed, broad, deleted } = await setContents(reading);
    const fields: Omit<OverviewAnswer, keyof Stamp> = {
      admins: roles.admin,
      guests: members - ROLES.reduce((sum, role) => sum + roles[role], 0),
      closed: closed.length,
      broad: broad.length,
      deleted: deleted.length,
    };
    return { of: "thing", fields };
  },
};
