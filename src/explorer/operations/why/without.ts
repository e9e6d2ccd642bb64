import type { ContentKey } from "../../../domain/content.ts";
import { type Without, withoutCommand } from "../../../domain/without.ts";
import { absent } from "../../../operations/authorize.ts";
import { roleCounts } from "../../../store/listings/counts.ts";
import type { Reading } from "../../../store/reading.ts";
import { differenceWithout } from "../../../store/listings/without/difference.ts";
import { concernedBy } from "../../../store/listings/without/inheriting.ts";
import { peopleWithout } from "../../../store/listings/without/people.ts";
import { sourceOf } from "../../../store/listings/without/source.ts";
import { membersOn, roleOfTeam } from "../../queries/without/team-on.ts";
import type { WithoutAnswer } from "../../wire/answers.ts";
import type { Stamp } from "../../wire/protocol.ts";
import { mayLeaveOut, withoutIn } from "../parameters/leave-out.ts";
import type { ExplorerOperation } from "../operation.ts";
import { countOf, keyIn, only, subjectOf } from "../parameters/read.ts";

/** The time limit of one answer, in milliseconds. The answer then has the counts so far. */
const BUDGET = 150;

export const without: ExplorerOperation = {
  id: "explorerWithout",
  path: "/explorer/without",
  summary: "Count the people whose role changes without a permission, a team or a default level",
  description:
    "With `space` or `collection`: the number of people whose role on that content differs without the source. Without a content: the number of people with a difference on any content, each counted once, as far as a short time allows; to continue, send `done` back as `from`, and add the counts. Nothing is changed.",
  parameters: ["space", "collection", "without", "from"],
  takes: "revision",
  ask(query) {
    const source = withoutIn(query);
    const subject =
      query.has("space") || query.has("collection") ? subjectOf(query, ["space", "collection"]) : undefined;
    only(query, [...(subject === undefined ? ["from"] : [subject.kind]), "without", "revision"]);
    const from = countOf(query, "from");
    return async (asking) => {
      await mayLeaveOut(asking, source, subject);
      const { reading } = asking;
      const found = await sourceOf(reading, source);
      if (found === undefined) throw absent("source", query.get("without") ?? "");
      const contents = (await concernedBy(reading, source)).length;
      const fields: Omit<WithoutAnswer, keyof Stamp> = {
        source: found.phrase,
        ...(asking.viewer.all ? { contents } : {}),
        command: withoutCommand(source),
        ...(subject === undefined
          ? { people: await peopleWithout(reading, source, from, BUDGET) }
          : await onContent(reading, keyIn(subject), source)),
      };
      return { of: "thing", fields };
    };
  },
};

async function onContent(
  reading: Reading,
  key: ContentKey,
  source: Without,
): Promise<Pick<WithoutAnswer, "here" | "team">> {
  const difference = await differenceWithout(reading, key, source);
  const here = await difference?.counts();
  if (here === undefined) return {};
  if (source.of !== "team") return { here };
  const [role, query] = await Promise.all([
    roleOfTeam(reading, key, source.team),
    membersOn(reading, key, source.team),
  ]);
  if (role === undefined || query === undefined) return { here };
  return { here, team: { role, members: await roleCounts(reading, `${key} of team/${source.team}`, query) } };
}
