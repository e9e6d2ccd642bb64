/** Hooks about time and about the size of the screen. */
import { useEffect, useState } from "preact/hooks";

/** True when `waiting` has been true for `ms` milliseconds. Shorter waits are not worth showing. */
export function useDelayed(waiting: boolean, ms = 150): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!waiting) return setLate(false);
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [waiting, ms]);
  return waiting && late;
}

/** The seconds until `at` (ms since 1970), updated as they pass; at least 1. */
export function useCountdown(at: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [at]);
  return Math.max(1, Math.ceil((at - now) / 1000));
}

/** The page has one column: the tree is a page of its own, and Why replaces the list. */
export const NARROW = "(max-width: 899.98px)";
/** Why takes the place of the tree. */
export const MEDIUM = "(max-width: 1179.98px)";
/** Each row of a list takes two lines. */
export const TWO_LINES = "(max-width: 599.98px)";

/** Whether a media query matches. The component renders again when that changes. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const tell = () => setMatches(media.matches);
    tell();
    media.addEventListener("change", tell);
    return () => media.removeEventListener("change", tell);
  }, [query]);
  return matches;
}
