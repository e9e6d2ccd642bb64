/** The row to which Up, Down, Home or End moves the focus; `undefined` for other keys, and if there is no such row. */
export function rowFor(event: KeyboardEvent, count: number): number | undefined {
  const from = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-row]") : null;
  if (!from || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return undefined;
  const at = Number(from.dataset["row"]);
  const steps: Record<string, number> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: count - 1 };
  const to = steps[event.key];
  if (to === undefined) return undefined;
  event.preventDefault();
  return to < 0 || to >= count || to === at ? undefined : to;
}

/** Moves the focus to the reason of a row; in lists without reasons, to its name. False if the row is not drawn yet. */
export function focusRow(body: HTMLElement | null, row: number): boolean {
  const target = body?.querySelector(`[data-row="${row}"]`);
  const stop = target?.querySelector<HTMLElement>(".bec button") ?? target?.querySelector<HTMLElement>("a");
  stop?.focus();
  return stop != null;
}
