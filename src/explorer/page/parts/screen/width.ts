import { useLayoutEffect, useState } from "preact/hooks";
import type { RefObject } from "preact";

/** Whether an element is at least `least` CSS pixels wide. The component renders again when that changes. */
export function useWidth(element: RefObject<HTMLElement | null>, least: number): boolean {
  const [wide, setWide] = useState(true);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => setWide(current.clientWidth >= least);
    // Before the first paint, so that nothing shifts.
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [least]);
  return wide;
}
