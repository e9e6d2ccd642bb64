/** The requests about the past: the readable revisions, what changed a subject, and how much changed since a revision. */
import { pageOf } from "../../domain/page.ts";
import { absent } from "../../operations/authorize.ts";
import type { Reading } from "../../store/reading.ts";
import type { ListedRevision } from "../../store/revisions/past.ts";
import type { RevisionChange, ChangesAnswer, RevisionNode, SinceAnswer } from "../wire/answers.ts";
import type { Stamp } from "../wire/protocol.ts";
import {
  type Changed,
  type SubjectDifference,
  changedBetween,
  countBefore,
  differenceOf,
  differenceOfTeam,
  differenceOn,
  noEffect,
  countPeople,
  readingsOf,
  wordedRecords,
} from "./changed.ts";
import type { Asking, ExplorerOperation } from "./operation.ts";
import {
  type SubjectName,
  countOf,
  isContent,
  keyIn,
  only,
  optionalSubjectOf,
  subjectOf,
  timeOf,
  wordOf,
} from "./query.ts";
import { totalsOf } from "./home.ts";
import { lookingBack, mayList, mustSeeAll, withoutUnseen } from "./viewer.ts";

const THINGS = ["space", "collection", "member", "team"] as const;

/** The time limit of one answer, in milliseconds. The answer then has the changes found so far. */
const BUDGET = 150;
/** The largest number of changes per answer. */
const MOST_CHANGES = 50;
const REVISIONS_PER_READ = 50;

/** Later than every accepted date. */
const NEVER = "9999-12-31T23:59:59.999Z";

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
  { reading, viewer, revisionsUpTo }: Asking,
  subject: SubjectName,
  before: number | undefined,
): Promise<Omit<ChangesAnswer, keyof Stamp>> {
  const until = performance.now() + BUDGET;
  const last = reading.at.revision;
  const of = await countBefore(reading, last);
  const found: RevisionChange[] = [];
  let from = Math.min(last, before ?? last);
  for (;;) {
    const steps = await revisionsUpTo({ time: NEVER, below: from + 1, limit: REVISIONS_PER_READ + 1 });
    for (const [nth, later] of steps.entries()) {
      const earlier = steps[nth + 1];
      // There is no revision before the earliest one.
      if (earlier === undefined) break;
      const change = await changeAt(reading, earlier.revision, later, subject, viewer.all);
      if (change !== undefined) found.push(change);
      from = earlier.revision;
      if (performance.now() > until || found.length === MOST_CHANGES) {
        const left = await countBefore(reading, from);
        return { changes: found, ...(left === 0 ? {} : { next: from }), done: of - left, of };
      }
    }
    if (steps.length <= REVISIONS_PER_READ) return { changes: found, done: of, of };
  }
}

async function changeAt(
  reading: Reading,
  earlier: number,
  later: ListedRevision,
  subject: SubjectName,
  all: boolean,
): Promise<RevisionChange | undefined> {
  const { revision, importedAt, ...told } = node(later, all, false);
  const readings = await readingsOf(reading, { before: { revision: earlier }, after: { revision } });
  const difference = await differenceFor(await changedBetween(readings), subject);
  if (difference === undefined) return undefined;
  const { effect, records } = difference;
  return {
    revision,
    importedAt,
    earlier,
    ...told,
    ...(effect === undefined ? {} : { effect }),
    ...(await wordedRecords(readings, records)),
  };
}

export const revisions: ExplorerOperation = {
  id: "explorerRevisions",
  path: "/explorer/revisions",
  summary: "List the revisions that can be read",
  description:
    "The revisions up to the time `until`, or all, latest first. Callers who see everything also get the command and the note of each and, with `show=counts`, its stored counts.",
  parameters: ["until", "show"],
  takes: "pages",
  ask(query) {
    only(query, ["until", "show", "revision", "limit", "page"]);
    const isCounted = wordOf(query, "show", ["counts"]) !== undefined;
    const time = query.has("until") ? timeOf(query, "until") : NEVER;
    return async ({ viewer, revisionsUpTo }, { after, limit }) => {
      const below = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after);
      const found = await revisionsUpTo({ time, below, limit: limit + 1 });
      const page = pageOf(found, limit, ({ revision }) => String(revision));
      return {
        of: "list",
        page: { ...page, entries: page.entries.map((each) => node(each, viewer.all, isCounted)) },
      };
    };
  },
};

/** Only callers who see everything get the command, the note and the counts of a revision. */
function node(
  { revision, importedAt, command, note, counts }: ListedRevision,
  all: boolean,
  isCounted: boolean,
): RevisionNode {
  if (!all) return { revision, importedAt };
  return {
    revision,
    importedAt,
    command,
    ...(note === undefined ? {} : { note }),
    ...(isCounted && { counts: totalsOf(counts) }),
  };
}

/** The time limit for counting people on all contents, in milliseconds. */
const COUNTING_BUDGET = 1000;
const COUNTED = ["space", "collection", "member"] as const;

export const since: ExplorerOperation = {
  id: "explorerSince",
  path: "/explorer/since",
  summary: "Count who gained and lost access since an earlier revision",
  description:
    "With `space` or `collection`: the number of people whose role there differs between revision `earlier` and now. With `member`: the number of contents on which their role differs. Without a subject: the number of people with a difference on any content, each counted once per direction, as far as one second allows.",
  parameters: [...COUNTED, "earlier"],
  takes: "revision",
  ask(query) {
    const subject = optionalSubjectOf(query, COUNTED);
    only(query, [...(subject === undefined ? [] : [subject.kind]), "earlier", "revision"]);
    const earlier = countOf(query, "earlier");
    return async (asking) => {
      const { reading } = asking;
      if (subject === undefined) mustSeeAll(asking, "ask about all contents");
      else await mayList(asking, subject);
      const states = { before: { revision: earlier }, after: {} };
      const changed = await changedBetween(await readingsOf(reading, states));
      const fields = await counted(changed, subject);
      // Throws if a revision was pruned during the count, because the count may then be incomplete.
      await readingsOf(reading, states);
      return { of: "thing", fields };
    };
  },
};

async function counted(
  changed: Changed,
  subject: SubjectName | undefined,
): Promise<Omit<SinceAnswer, keyof Stamp>> {
  if (subject !== undefined) return { effect: (await differenceFor(changed, subject))?.effect ?? noEffect() };
  const { effect, cut } = await countPeople(changed, COUNTING_BUDGET);
  return { effect, ...(cut ? { cut } : {}) };
}

/** What changed for a subject between two revisions; `undefined` if nothing did. */
async function differenceFor(changed: Changed, subject: SubjectName): Promise<SubjectDifference | undefined> {
  if (isContent(subject)) return differenceOn(changed, keyIn(subject));
  if (subject.kind === "member") return differenceOf(changed, subject.id);
  if (subject.kind === "team") return differenceOfTeam(changed, subject.id);
  throw absent(subject.kind, subject.id);
}
