import type { SinceAnswer } from "../../wire/answers.ts";
import type { Stamp } from "../../wire/protocol.ts";
import { changedBetween, noEffect } from "../../queries/past/changed.ts";
import { sidesOf } from "../../queries/past/sides.ts";
import { peopleBetween } from "../../queries/past/whole.ts";
import { mayList, mustSeeAll } from "../allow.ts";
import type { ExplorerOperation } from "../operation.ts";
import { countOf, only, subjectOf } from "../parameters/read.ts";
import { differenceFor } from "./thing.ts";

/** The time limit for counting people on all contents, in milliseconds. */
const BUDGET = 1000;
const THINGS = ["space", "collection", "member"] as const;

export const since: ExplorerOperation = {
  id: "explorerSince",
  path: "/explorer/since",
  summary: "Count who gained and lost access since an earlier revision",
  description:
    "With `space` or `collection`: the number of people whose role there differs between revision `earlier` and now. With `member`: the number of contents on which their role differs. Without a subject: the number of people with a difference on any content, each counted once per direction, as far as one second allows.",
  parameters: [...THINGS, "earlier"],
  takes: "revision",
  ask(query) {
    const subject = THINGS.some((kind) => query.has(kind)) ? subjectOf(query, THINGS) : undefined;
    only(query, [...(subject === undefined ? [] : [subject.kind]), "earlier", "revision"]);
    const earlier = countOf(query, "earlier");
    return async (asking) => {
      const { reading } = asking;
      if (subject === undefined) mustSeeAll(asking, "ask about all contents");
      else await mayList(asking, subject);
      const between = { earlier, later: reading.at.revision };
      const changed = await changedBetween(await sidesOf(reading, between));
      const fields = await counted(changed, subject);
      // Throws if a revision was pruned during the count, because the count may then be incomplete.
      await sidesOf(reading, between);
      return { of: "thing", fields };
    };
  },
};

async function counted(
  changed: Parameters<typeof differenceFor>[0],
  subject: Parameters<typeof differenceFor>[1] | undefined,
): Promise<Omit<SinceAnswer, keyof Stamp>> {
  if (subject !== undefined) return { effect: (await differenceFor(changed, subject))?.effect ?? noEffect() };
  const { effect, cut } = await peopleBetween(changed, BUDGET);
  return { effect, ...(cut ? { cut } : {}) };
}
