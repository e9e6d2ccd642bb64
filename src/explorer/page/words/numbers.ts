/** Numbers in words, and what a change means for people and contents. */
import type { Effect } from "../../../domain/difference.ts";
import type { Totals } from "../../wire/answers.ts";

const FORMAT = new Intl.NumberFormat("en-GB");

/** Formats 1275 as "1,275"; `unknown` stands for a number that is not known yet. */
export function figure(value: number | undefined, unknown = "–"): string {
  return value === undefined ? unknown : FORMAT.format(value);
}

/** A number with its noun, such as "1 space" or "14 spaces". */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${figure(value)} ${value === 1 ? one : many}`;
}

/** How the stored numbers of a revision differ from those of the one before, such as "+12 permissions, −1 member". */
export function sizeWords(counts: Totals | undefined, before: Totals | undefined): string {
  if (!counts || !before) return "";
  const words = (["members", "teams", "spaces", "collections", "sites", "permissions"] as const).flatMap(
    (name) => {
      const more = counts[name] - before[name];
      return more === 0 ? [] : `${more > 0 ? "+" : "−"}${count(Math.abs(more), name.slice(0, -1))}`;
    },
  );
  return words.join(", ") || "same totals";
}

/** A percentage, such as "11 %"; "<1 %" if it would round to 0, "" for 0. */
export function share(part: number, whole: number): string {
  if (part === 0 || whole === 0) return "";
  const percent = Math.round((100 * part) / whole);
  if (percent === 0) return "<1 %";
  // Less than the whole is never shown as 100 %.
  return percent === 100 && part < whole ? ">99 %" : `${percent} %`;
}

/** The wording of an effect on people, such as "12 people gained access, 3 lost it, 1 rose". */
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

/** The wording of an effect on a member, such as "gained access to 12 contents, lost access to 3 contents". */
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
