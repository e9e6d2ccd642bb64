/** The order of lists by title. */
import { type ContentKey, idOf, kindOf } from "../../domain/content.ts";
import { cut, tidy } from "./search-terms.ts";

/** The part of a title that the order of a list looks at, in UTF-16 units. */
const SORTED = 100;

/**
 * A thing's place in a list by title without regard to case, then by id, as one text. U+0001 sorts before everything
 * that a tidied title can hold.
 */
export function titleKeyOf(title: string, id: string): string {
  return `${cut(tidy(title), SORTED)}\u0001${id}`;
}

/** A content's place in such a list: collections come before spaces. */
export function contentTitleKey(content: ContentKey, title: string): string {
  return `${kindOf(content) === "collection" ? 0 : 1}${titleKeyOf(title, idOf(content))}`;
}
