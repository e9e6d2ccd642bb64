import type { Effect } from "../../../../domain/difference.ts";
import type { WithoutAnswer } from "../../../wire/differences.ts";
import { type Parts, useParts } from "../../session/ask/useParts.ts";
import { useSession } from "../../session/session.ts";

/** The counts so far of the people whose role on any content differs without a source. */
interface Counted {
  readonly answer?: WithoutAnswer;
  readonly counts: Effect;
  /** `done` of `of` parts are counted. */
  readonly done: number;
  readonly of: number;
}

const NOBODY: Counted = { counts: { lost: 0, lowered: 0, raised: 0, gained: 0 }, done: 0, of: 1 };

/** Counts the people whose role on any content differs without `source`. Without a source, counts nothing. */
export function usePeople(source: string | undefined): Parts<Counted> {
  const { client } = useSession();
  return useParts(source, NOBODY, async ({ counts, done: from }, signal) => {
    const answer = await client.get<WithoutAnswer>("without", { without: source, from }, signal);
    const { counts: more, done, of } = answer.people ?? { ...NOBODY, done: 1 };
    const sum = {
      lost: counts.lost + more.lost,
      lowered: counts.lowered + more.lowered,
      raised: counts.raised + more.raised,
      gained: counts.gained + more.gained,
    };
    return [{ answer, counts: sum, done, of }, done >= of];
  });
}
