import type { Caller, Me } from "../../wire/answers.ts";
import type { Stamp } from "../../wire/protocol.ts";
import type { Asking, ExplorerOperation } from "../operation.ts";
import { personOf } from "../../../store/directory/person.ts";

export const me: ExplorerOperation = {
  id: "explorerMe",
  path: "/explorer/me",
  summary: "Describe the token",
  description:
    "The organization and the caller; for callers who see everything, also the number of things of each kind.",
  parameters: [],
  takes: "nothing",
  ask: () => async (asking) => {
    const { at } = asking.reading;
    const { members, teams, spaces, collections, sites, permissions } = at.counts;
    const fields: Omit<Me, keyof Stamp> = {
      organization: { id: at.organization, title: at.title },
      caller: callerOf(asking),
      tokenId: asking.tokenId,
      earliest: asking.earliest,
      confirmedAt: asking.confirmedAt ?? at.importedAt,
      ...(asking.viewer.all ? { totals: { members, teams, spaces, collections, sites, permissions } } : {}),
      publicUrl: asking.publicUrl,
      version: asking.version,
    };
    return { of: "thing", fields };
  },
};

function callerOf({ viewer: { member } }: Asking): Caller {
  if (member === undefined) return { kind: "organization" };
  const { id, displayName } = personOf(member);
  return { kind: "member", id, displayName, role: member.role };
}
