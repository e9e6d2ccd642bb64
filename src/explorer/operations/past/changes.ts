import type { Change, ChangesAnswer } from "../../wire/answers.ts";
import type { Stamp } from "../../wire/protocol.ts";
import { changedBetween } from "../../queries/past/changed.ts";
import { countBefore, type Step, stepsUpTo } from "../../queries/past/sides.ts";
import { wordedRecords } from "../../queries/past/wording.ts";
import { mayList } from "../allow.ts";
import type { Asking, ExplorerOperation } from "../operation.ts";
import { countOf, only, type Subject, subjectOf } from "../parameters/read.ts";
import { differenceFor, lookingBack, THINGS } from "./thing.ts";
import { withoutUnseen } from "./unseen.ts";

/** The time limit of one answer, in milliseconds. The answer then has the changes found so far. */
const BUDGET = 150;
/** The largest number of changes per answer, and of revisions per read. */
const MOST = 50;
const BLOCK = 50;

export const changes: ExplorerOperation = {
  id: "explorerChanges",
  path: "/explorer/changes",
  summary: "List the revisions that changed a space, a collection, a member or a team",
  description:
    "Latest first, from the revision of the answer back, as far as a short time allows; to continue, send `next` back as `before`. For a content, each has the number of people who lost access, got a lower role, got a higher role and gained access; for a member, the number of contents.",
  parameters: [...THINGS, "before"],
  takes: "revision",
  ask(query) {
    const subject = subjectOf(query, THINGS);
    only(query, [subject.kind, "before", "revision"]);
    const before = query.has("before") ? countOf(query, "before") : undefined;
    return async (asking) => {
      await mayList(asking, subject);
      const fields = await changesBefore(asking, subject, before);
      return { of: "thing", fields: await withoutUnseen(lookingBack(asking.viewer, asking.current), fields) };
    };
  },
};

async function changesBefore(
  { reading, viewer }: Asking,
  subject: Subject,
  before: number | undefined,
): Promise<Omit<ChangesAnswer, keyof Stamp>> {
  const until = performance.now() + BUDGET;
  const last = reading.at.revision;
  const of = await countBefore(reading, last);
  const found: Change[] = [];
  let from = Math.min(last, before ?? last);
  for (;;) {
    const steps = await stepsUpTo(reading, from, BLOCK + 1);
    for (const [place, later] of steps.entries()) {
      const earlier = steps[place + 1];
      // There is no revision before the earliest one.
      if (earlier === undefined) break;
      const change = await changeAt(reading.of(earlier.at), reading.of(later.at), later, subject, viewer.all);
      if (change !== undefined) found.push(change);
      from = earlier.at.revision;
      if (performance.now() > until || found.length === MOST) {
        const left = await countBefore(reading, from);
        return { changes: found, ...(left === 0 ? {} : { next: from }), done: of - left, of };
      }
    }
    if (steps.length <= BLOCK) return { changes: found, done: of, of };
  }
}

async function changeAt(
  before: Asking["reading"],
  after: Asking["reading"],
  { at, command, note }: Step,
  subject: Subject,
  all: boolean,
): Promise<Change | undefined> {
  const sides = { before, after };
  const difference = await differenceFor(await changedBetween(sides), subject);
  if (difference === undefined) return undefined;
  const { effect, records } = difference;
  return {
    revision: at.revision,
    importedAt: at.importedAt,
    earlier: before.at.revision,
    ...(all ? { command, ...(note === undefined ? {} : { note }) } : {}),
    ...(effect === undefined ? {} : { effect }),
    ...(await wordedRecords(sides, records)),
  };
}
