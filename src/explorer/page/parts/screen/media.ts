import { useEffect, useState } from "preact/hooks";

/** Media query: the width at which the page has one column. The tree is a separate page, and Why replaces the list. */
export const NARROW = "(max-width: 899.98px)";
/** Media query: the width at which Why replaces the tree. */
export const MEDIUM = "(max-width: 1179.98px)";
/** Media query: the width at which each list row takes two lines. */
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
