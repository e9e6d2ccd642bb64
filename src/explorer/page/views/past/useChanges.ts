import type { ChangesAnswer } from "../../../wire/past.ts";
import type { Query } from "../../session/ask/client.ts";
import { type Parts, useParts } from "../../session/ask/useParts.ts";
import { useSession } from "../../session/session.ts";

/** The changes so far; `done` of `of` revisions are checked. */
type Changes = Pick<ChangesAnswer, "changes" | "done" | "of" | "next">;

const NONE: Changes = { changes: [], done: 0, of: 0 };

/** Requests the revisions that changed a subject, latest first. */
export function useChanges(thing: Query): Parts<Changes> {
  const { client } = useSession();
  return useParts(JSON.stringify(thing), NONE, async ({ changes, next }, signal) => {
    const answer = await client.get<ChangesAnswer>("changes", { ...thing, before: next }, signal);
    return [{ ...answer, changes: [...changes, ...answer.changes] }, answer.next === undefined];
  });
}
