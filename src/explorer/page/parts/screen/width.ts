import { useLayoutEffect, useState } from "preact/hooks";
import type { RefObject } from "preact";

/** Whether an element is at least this wide, in CSS pixels, now and after each change. */
export function useWidth(element: RefObject<HTMLElement | null>, least: number): boolean {
  const [wide, setWide] = useState(true);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => setWide(current.clientWidth >= least);
    // Measure before the first paint, so that nothing shifts.
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [least]);
  return wide;
}
