import { keyFor } from "../../parts/keyFor.ts";

/**
 * The index of the row to which the keys Up, Down, Home and End move the focus; `undefined` for other keys, and if
 * there is no such row.
 */
export function rowFor(event: KeyboardEvent, count: number): number | undefined {
  const from = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-row]") : null;
  if (!from) return undefined;
  const at = Number(from.dataset["row"]);
  const steps: Record<string, number> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: count - 1 };
  const to = steps[keyFor(event)];
  if (to === undefined) return undefined;
  event.preventDefault();
  return to < 0 || to >= count || to === at ? undefined : to;
}

/**
 * Moves the focus to the reason button of a row or, in lists without reasons, to the link of its name. Returns false if
 * the row is not drawn yet.
 */
export function focusRow(body: HTMLElement | null, row: number): boolean {
  const target = body?.querySelector(`[data-row="${row}"]`);
  const stop = target?.querySelector<HTMLElement>(".bec button") ?? target?.querySelector<HTMLElement>("a");
  stop?.focus();
  return stop != null;
}
