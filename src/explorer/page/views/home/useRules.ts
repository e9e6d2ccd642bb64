import type { RulesAnswer } from "../../../wire/home/rules.ts";
import { useAnswer } from "../../session/ask/answers.ts";
import { useCell } from "../../parts/cell.ts";
import { useSession } from "../../session/session.ts";

export interface RecordedRules {
  readonly answer?: RulesAnswer;
  /** Whether the results have arrived, or were not requested. */
  readonly ready: boolean;
}

/** The recorded results of the rules, for callers who see everything. Sends no request unless the results are `shown`. */
export function useRules(shown: boolean): RecordedRules {
  const { client, walk, rules } = useSession();
  const me = useCell(client.me);
  // Recorded results are about the current revision, so they are not requested while a past one is shown.
  const past = useCell(walk.at) !== undefined;
  const asked = shown && me?.totals !== undefined && !past;
  const { answer, failure } = useAnswer(rules, asked ? {} : undefined);
  const ready = me !== undefined && (!asked || answer !== undefined || failure !== undefined);
  return { ready, ...(answer && { answer }) };
}
