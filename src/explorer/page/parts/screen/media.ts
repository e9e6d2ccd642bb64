import { useEffect, useState } from "preact/hooks";

/**
 * Media query for widths at which the page has one column. The tree is then a page of its own, and Why replaces the
 * list.
 */
export const NARROW = "(max-width: 899.98px)";
/** Media query for widths at which Why replaces the tree. */
export const MEDIUM = "(max-width: 1179.98px)";
/** Media query for widths at which each list row takes two lines. */
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
