import { useEffect, useState } from "preact/hooks";

/** One column: the tree is a separate page, and Why replaces the list. */
export const NARROW = "(max-width: 899.98px)";
/** Why replaces the tree. */
export const MEDIUM = "(max-width: 1179.98px)";
/** Rows of two lines. */
export const TWO_LINES = "(max-width: 599.98px)";

/** Whether a media query matches, now and whenever that changes. */
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
