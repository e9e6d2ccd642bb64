import type { RulesAnswer } from "../../../wire/home/rules.ts";
import { useAnswer } from "../../session/ask/answers.ts";
import { useCell } from "../../parts/cell.ts";
import { useSession } from "../../session/session.ts";

export interface RecordedRules {
  readonly answer?: RulesAnswer;
  /** Whether the results have arrived, or will not be requested. */
  readonly ready: boolean;
}

/**
 * The results of the last check of the rules. Requests them only if they are `shown` and the caller sees everything.
 */
export function useRules(shown: boolean): RecordedRules {
  const { client, walk, rules } = useSession();
  const me = useCell(client.me);
  // These results are of the current revision, so they do not belong to a past one.
  const past = useCell(walk.at) !== undefined;
  const asked = shown && me?.totals !== undefined && !past;
  const { answer, failure } = useAnswer(rules, asked ? {} : undefined);
  const ready = me !== undefined && (!asked || answer !== undefined || failure !== undefined);
  return { ready, ...(answer && { answer }) };
}
