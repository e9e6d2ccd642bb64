/**
 * Up, Down, Home and End among the rows' reasons, or their names where there are no reasons: moves the focus to the
 * same kind of thing in another row, which may have to be drawn first.
 */
export function moveAmong(
  event: KeyboardEvent,
  body: HTMLElement | null,
  count: number,
  height: number,
): void {
  const from = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-row]") : null;
  if (!from || !body || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const at = Number(from.dataset["row"]);
  const steps: Record<string, number> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: count - 1 };
  const to = steps[event.key];
  if (to === undefined) return;
  event.preventDefault();
  if (to < 0 || to >= count || to === at) return;
  const focus = () => {
    const row = body.querySelector(`[data-row="${to}"]`);
    const target = row?.querySelector<HTMLElement>(".bec button") ?? row?.querySelector<HTMLElement>("a");
    target?.focus();
    return target !== undefined && target !== null;
  };
  if (focus()) return;
  const scroller = body.closest("[data-scroll]");
  const box =
    scroller && getComputedStyle(scroller).overflowY !== "visible" ? scroller : document.documentElement;
  box.scrollTop += body.getBoundingClientRect().top + to * height - box.clientHeight / 2;
  let frames = 5;
  const again = () => focus() || frames-- === 0 || requestAnimationFrame(again);
  requestAnimationFrame(again);
}
