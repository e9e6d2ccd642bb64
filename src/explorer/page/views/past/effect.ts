import type { Effect } from "../../../../domain/explanation/effect.ts";
import { count, figure } from "../../words/number.ts";

/** Words for an effect on people: "12 people gained access, 3 lost it, 1 rose". */
export function peopleWords({ gained, lost, raised, lowered }: Effect): string {
  const parts = [
    gained > 0 && ([gained, "gained access"] as const),
    lost > 0 && ([lost, gained > 0 ? "lost it" : "lost access"] as const),
    raised > 0 && ([raised, "rose"] as const),
    lowered > 0 && ([lowered, "fell"] as const),
  ].filter((part) => part !== false);
  if (parts.length === 0) return "nobody’s role changed";
  return parts
    .map(([number, verb], at) => `${at === 0 ? count(number, "person", "people") : figure(number)} ${verb}`)
    .join(", ");
}

/** Words for an effect on a member: "gained access to 12 contents, lost it to 3". */
export function contentWords({ gained, lost, raised, lowered }: Effect): string {
  const parts = [
    gained > 0 && `gained access to ${count(gained, "content")}`,
    lost > 0 && `lost access to ${count(lost, "content")}`,
    raised > 0 && `rose on ${count(raised, "content")}`,
    lowered > 0 && `fell on ${count(lowered, "content")}`,
  ].filter(Boolean);
  return parts.length === 0 ? "no role changed" : parts.join(", ");
}

/** Words for the notice: "12 people gained access, 3 lost it"; raised and lowered roles if nobody did either. */
export function sinceWords(effect: Effect, cut: boolean): string {
  const { gained, lost, raised, lowered } = effect;
  const atLeast = cut ? "At least " : "";
  if (gained + lost > 0)
    return `${atLeast}${count(gained, "person", "people")} gained access, ${figure(lost)} lost it`;
  if (raised + lowered > 0)
    return `${atLeast}${count(raised, "person", "people")} rose to a stronger role, ${figure(lowered)} fell to a weaker one`;
  return "Nobody’s role changed";
}
