import { useEffect, useState } from "preact/hooks";

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
