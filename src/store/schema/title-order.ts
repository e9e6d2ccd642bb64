/** The order of lists by title. */
import { type ContentKey, idOf, kindOf } from "../../domain/content.ts";
import { cut, tidy } from "./search-terms.ts";

/** The part of a title that decides the order, in UTF-16 units. */
const SORTED = 100;

/**
 * The sort key in a list by case-folded title, then id: one text. U+0001 sorts before everything that a tidied title
 * can contain.
 */
export function titleKeyOf(title: string, id: string): string {
  return `${cut(tidy(title), SORTED)}\u0001${id}`;
}

/** The sort key of a content in such a list: collections come before spaces. */
export function contentTitleKey(content: ContentKey, title: string): string {
  return `${kindOf(content) === "collection" ? 0 : 1}${titleKeyOf(title, idOf(content))}`;
}
