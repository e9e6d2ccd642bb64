import type { Effect } from "../../../../domain/difference.ts";
import { count, figure } from "../../words/number.ts";

/** Words an effect on people, such as "12 people gained access, 3 lost it, 1 rose". */
export function peopleWords({ gained, lost, raised, lowered }: Effect): string {
  const parts = [
    [gained, "gained access"],
    [lost, gained > 0 ? "lost it" : "lost access"],
    [raised, "rose"],
    [lowered, "fell"],
  ] as const;
  return (
    parts
      .filter(([number]) => number > 0)
      .map(([number, verb], at) => `${at === 0 ? count(number, "person", "people") : figure(number)} ${verb}`)
      .join(", ") || "nobody’s role changed"
  );
}

/** Words an effect on a member, such as "gained access to 12 contents, lost access to 3 contents". */
export function contentWords({ gained, lost, raised, lowered }: Effect): string {
  const parts = [
    [gained, "gained access to"],
    [lost, "lost access to"],
    [raised, "rose on"],
    [lowered, "fell on"],
  ] as const;
  return (
    parts
      .filter(([number]) => number > 0)
      .map(([number, verb]) => `${verb} ${count(number, "content")}`)
      .join(", ") || "no role changed"
  );
}
